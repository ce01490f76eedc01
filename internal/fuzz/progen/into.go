package progen

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// An accumulator is one of the map whose body is being written.
type accumulator struct {
	names []string
	prims []ir.Prim
	shape []dim
	op    *operator
	// values are what all threads store, if the accumulator says any; nil: each thread stores in
	// elements of its own.
	values []string
}

// intoStmt writes a map whose threads write accumulators.
func (g *gen) intoStmt() bool {
	space, vars, dims, ok := g.space(0, false)
	if !ok {
		return false
	}
	var accs []accumulator
	var heads []string
	var out []typ
	for range pick(g, []int{1, 1, 2, 3}) {
		var a accumulator
		heads = append(heads, g.accumulator(&a))
		for _, p := range a.prims {
			out = append(out, typ{p, a.shape})
		}
		accs = append(accs, a)
	}
	names, pats := g.results(out)
	g.line("let %s = map (%s) into (%s) {", tuple(pats), space, strings.Join(heads, ", "))
	outer, thread := g.accs, g.thread
	g.accs, g.thread = accs, number(vars, dims)
	g.threads(vars, dims, func() {
		g.stmts(g.Intn(4))
		for range g.Intn(3) {
			g.accumulate()
		}
		if g.one(2) {
			turns := g.Intn(4)
			g.loop(nil, fmt.Sprintf("for %s < %d", g.name("l"), turns), int64(turns), func() {
				g.accumulate()
				g.stmts(g.Intn(2))
			}, nil)
		}
		g.line("in ()")
	})
	g.line("}")
	g.accs, g.thread = outer, thread
	for k := range names {
		g.bindFresh(names[k], out[k])
	}
	return true
}

// number returns the number of a thread.
func number(vars []string, dims []dim) string {
	n := vars[0]
	for k, v := range vars[1:] {
		n = fmt.Sprintf("(%s * %s + %s)", n, dims[k+1].text, v)
	}
	return n
}

// accumulator chooses an accumulator: its shape, how it is written, and its arrays. It returns its text.
func (g *gen) accumulator(a *accumulator) string {
	a.shape = []dim{g.anyDim()}
	if g.one(3) {
		a.shape = append(a.shape, g.anyDim())
	}
	if !g.runs((typ{shape: a.shape}).elems()) {
		a.shape = []dim{constDim(3)}
	}
	if g.one(3) { // stores
		a.prims = []ir.Prim{g.anyPrim()}
		if g.one(4) {
			a.prims = append(a.prims, g.anyPrim())
		}
		a.names = g.destinations(a.prims, a.shape, false)
		if g.one(2) {
			return tuple(a.names)
		}
		for _, p := range a.prims {
			a.values = append(a.values, g.literal(p))
		}
		return tuple(a.names) + " any"
	}
	o := g.commutative()
	if g.one(4) {
		if other := g.commutative(); other.anyOrder && o.anyOrder {
			o = both(o, other)
		}
	}
	a.op, a.prims = &o, o.prims
	a.names = g.destinations(o.prims, a.shape, !o.anyOrder || g.one(2))
	return tuple(a.names) + " " + g.operatorText(o)
}

// accumulate writes an element of an accumulator.
func (g *gen) accumulate() bool {
	if len(g.accs) == 0 {
		return false
	}
	a := pick(g, g.accs)
	var index, values []string
	for range a.shape {
		index = append(index, fmt.Sprintf("fmod(%s, %d) - 1", g.scalar(ir.I64, 1), 3+g.Intn(4)))
	}
	for k, p := range a.prims {
		switch {
		case a.op != nil:
			values = append(values, g.combined(*a.op, k))
		case a.values != nil:
			values = append(values, a.values[k])
		default:
			values = append(values, g.scalar(p, 2))
		}
	}
	if a.op == nil && a.values == nil {
		index[0] = fmt.Sprintf("%s * 2 + fmod(%s, 2)", g.thread, g.scalar(ir.I64, 1))
	}
	g.line("into %s [%s] = %s", tuple(a.names), strings.Join(index, ", "), tuple(values))
	return true
}

// commutative returns an operator that is.
func (g *gen) commutative() operator {
	for {
		if o := g.operator(true); o.commutative {
			return o
		}
	}
}
