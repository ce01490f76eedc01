package explain

import (
	"fmt"
	"math"
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// calls gives values to the names of memory that calls hold, or hand out: [held by f for y] is the peak of
// f for the arguments, and [size of m_y] an array that lies there. The peak of f has its results, too, so
// where both names count the sum may be too high.
func (q *fit) calls(values map[string]int64) {
	types := map[string]ir.Type{}
	bind := func(e *ir.Elem) { types[e.Name] = e.Type }
	for _, e := range q.f.fn.Params {
		bind(e)
	}
	ir.WalkStmts(q.f.fn.Body, func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			bind(e)
		}
		ir.Elems(s.Op, bind)
		return true
	})
	ir.WalkStmts(q.f.fn.Body, func(s *ir.Stmt) bool {
		op, ok := s.Op.(*ir.Call)
		if !ok || len(s.Pat) == 0 {
			return true
		}
		if of := q.x.function(op.Fn); of != nil && of.Chart != nil {
			callee := &fit{x: q.x, f: of, peaks: q.peaks}
			_, all := callee.names()
			inside := callee.asGiven(all)
			q.pass(op, of.fn, types, values, inside)
			key := fmt.Sprint(op.Fn, inside)
			if _, known := q.peaks[key]; !known {
				callee.calls(inside)
				q.peaks[key] = callee.need(inside)
			}
			values["[held by "+op.Fn+" for "+s.Pat[0].Name+"]"] = q.peaks[key]
		}
		for _, e := range s.Pat {
			if e.Type.Kind == ir.ArrayKind && e.Type.Place != nil && e.Type.Place.Exist {
				for _, n := range []string{"[size of " + e.Type.Place.Mem + "]", "[size of " + e.Type.Place.Mem + "(new)]"} {
					values[n] = q.evaluate(lmad.Bytes(e.Type), values)
				}
			}
		}
		return true
	})
}

// pass gives the sizes and the scalar parameters of a callee their values.
func (q *fit) pass(op *ir.Call, callee *ir.Func, types map[string]ir.Type, values, inside map[string]int64) {
	for k, e := range callee.Params {
		if e.Type.Kind == ir.ScalarKind && e.Type.Prim == ir.I64 {
			inside[e.Name] = q.evaluate(sym.Of(op.Args[k]), values)
		}
		r, ok := op.Args[k].(*ir.Ref)
		if !ok || e.Type.Kind != ir.ArrayKind || len(types[r.Name].Shape) != len(e.Type.Shape) {
			continue
		}
		for d, n := range e.Type.Shape {
			if n.Name != "" && slices.Contains(callee.Sizes, n.Name) {
				inside[n.Name] = q.evaluate(lmad.Size(types[r.Name].Shape[d]), values)
			}
		}
	}
}

// evaluate returns a size for values of names; others have the reader's values.
func (q *fit) evaluate(p sym.Poly, values map[string]int64) int64 {
	n := size(p).with(q.f.derived).poly
	all := map[string]int64{}
	for _, name := range n.Names() {
		v, known := values[name]
		if !known {
			v, _ = q.x.value(name)
		}
		all[name] = v
	}
	v, err := peak.Bytes(n, all)
	if err != nil {
		return math.MaxInt64
	}
	return v
}

// function returns the facts of a function in the final program, or nil.
func (x *Explanation) function(name string) *Facts {
	for _, f := range x.last().Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}
