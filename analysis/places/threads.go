package places

import (
	"slices"

	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A Twin is what is known where one piece of a program has run twice, for two
// threads or in two iterations: Facts of the first run in its names, and of the
// second with new names for what differs.
type Twin struct {
	Facts
	other map[string]string
}

// Twin puts a point with the facts f in one run beside a point with the facts g
// in another run. Names are those whose values can differ; outer is what holds
// outside of the two runs, of which both f and g are extensions.
func (f Facts) Twin(g, outer Facts, names []string) Twin {
	t := Twin{f, map[string]string{}}
	for _, x := range names {
		t.other[x] = x + "@" // no name of a program
	}
	mine := map[*fact]bool{}
	for _, k := range f.since(outer) {
		mine[k] = true
	}
	for _, k := range slices.Backward(g.since(outer)) {
		if c, changed := t.renamed(k); c != nil && (changed || !mine[k]) {
			t.Facts = t.link(c)
		}
	}
	return t
}

// Fun puts an index function into the second run.
func (t Twin) Fun(f lmad.Fun) lmad.Fun {
	return f.Subst(func(x string) (sym.Poly, bool) {
		y, ok := t.other[x]
		return sym.Var(y), ok
	})
}

// Var gives a name's value in the second run.
func (t Twin) Var(x string) sym.Poly {
	if y, ok := t.other[x]; ok {
		return sym.Var(y)
	}
	return sym.Var(x)
}

// renamed gives a copy of a fact for the second run, and whether it says
// anything else there; nil where a name that differs is inside an opaque atom.
func (t Twin) renamed(k *fact) (c *fact, changed bool) {
	differs := func(x string) bool { return t.other[x] != "" }
	if slices.ContainsFunc(k.hidden, differs) {
		return nil, true
	}
	mentioned := map[string]bool{k.x: true}
	k.p.atoms(mentioned)
	k.lo.atoms(mentioned)
	k.hi.atoms(mentioned)
	for x := range mentioned {
		changed = changed || differs(x)
	}
	d := *k
	if changed {
		d.p, d.lo, d.hi = k.p.rename(t.other), k.lo.rename(t.other), k.hi.rename(t.other)
		if y, ok := t.other[k.x]; ok {
			d.x = y
		}
	}
	return &d, changed
}

// DisjointThreads tells whether it is provable that what one thread touches
// through a and another thread touches through b have no byte in common: for
// all different tuples of indices. Local names are those that also differ from
// thread to thread, such as scalars computed in the body; the facts are those
// of one thread.
func DisjointThreads(f Facts, a, b lmad.Fun, elemA, elemB int64, indices, local []string) bool {
	t := f.Twin(f, Facts{}, slices.Concat(indices, local))
	return t.Disjoint(a, b, elemA, elemB, indices)
}

// Disjoint tells whether it is provable that a in the first run and b, given in
// its names, in the second have no byte in common, for all different tuples of
// indices.
func (t Twin) Disjoint(a, b lmad.Fun, elemA, elemB int64, indices []string) bool {
	b = t.Fun(b)
	g := t.Facts
	for _, x := range indices { // tuples differ in a first index
		if !Disjoint(g.NotEqual(sym.Var(x), t.Var(x)), a, b, elemA, elemB) {
			return false
		}
		g = g.Equal(t.Var(x), sym.Var(x))
	}
	return true
}
