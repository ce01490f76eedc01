package check

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Note [Accumulators]
//
// A map with accumulators consumes their arrays before its threads begin. So its body cannot read
// them, under any name; `into` may name them, since it only writes. Its body has no values of its
// own: a value per thread is written into one more accumulator.

const intoName = "map .. into"

// An accumulator is one of the map around, with what is known of its arrays; nil: nothing.
type accumulator struct {
	names []string
	dests []*binding
}

func (c *fn) into(s *ir.Stmt, op *ir.Into) {
	if len(op.Accs) == 0 {
		c.errorf(diag.NothingNamed, s.Span, "this `%s` names no accumulator", intoName).
			Hinted("name an array: map (i < n) into (x) { .. }")
	}
	accs := map[string]*accumulator{}
	var all []*binding
	for _, a := range op.Accs {
		dests := c.destinations(s, a.Dests, intoName)
		for _, x := range a.Dests {
			accs[x] = &accumulator{a.Dests, dests}
		}
		all = append(all, dests...)
		if a.Op != nil {
			c.combines(s, a.Op, dests, intoName, op.Space)
		}
	}
	outer := c.accs
	c.accs = accs
	vals := c.kernelBody(intoName, op.Space, op.Body, nil)
	c.accs = outer
	if len(vals) > 0 {
		c.errorf(diag.ValueCount, op.Body.In, "the body of `%s` gives %s, but it only writes accumulators", intoName, count(len(vals), "value")).
			Hinted("end it with `in ()`, and write a value per thread into one more accumulator: let x = scratch .., and into x [i] = ..")
	}
	c.pattern(c.updated(all), false)
}

// combines checks an operator on the elements of arrays.
func (c *fn) combines(s *ir.Stmt, o *ir.Operator, dests []*binding, what string, space ir.Space) {
	prims := make([]ir.Prim, len(dests))
	for i, d := range dests {
		if d != nil {
			prims[i] = d.t.Prim
		}
	}
	if n := len(dests); len(o.Params) != 2*n {
		c.errorf(diag.OperatorShape, s.Span, "the operator of `%s` takes pairs of values: %s, but has %s", what, count(2*n, "parameter"), count(len(o.Params), "parameter"))
		return
	}
	c.operator(o, prims, what, space)
}

func (c *fn) put(s *ir.Stmt, op *ir.Put) {
	c.pattern(nil, false)
	if len(op.Dests) == 0 {
		c.errorf(diag.NothingNamed, s.Span, "this `into` names no array to write into")
		return
	}
	a := c.accs[op.Dests[0]]
	switch {
	case a == nil || c.combine:
		c.errorf(diag.NoAccumulator, s.Span, "`%s` is no accumulator here", op.Dests[0]).
			Hinted("`into` stands in the body of a map that names its arrays: map (i < n) into (%s) { .. }", strings.Join(op.Dests, ", "))
		return
	case !slices.Equal(a.names, op.Dests):
		c.errorf(diag.NoAccumulator, s.Span, "`into` names %s, but the accumulator is %s", listed(op.Dests), listed(a.names)).
			Hinted("the arrays of one accumulator are written together")
		return
	}
	c.indexed(slices.Concat(op.Index, op.Values), s.Span, c.operands(op), a.dests, "`into`")
}

func (c *fn) operands(op *ir.Put) []val {
	var out []val
	for _, e := range slices.Concat(op.Index, op.Values) {
		out = append(out, c.operand(e))
	}
	return out
}

// listed returns names as the text of a message.
func listed(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
