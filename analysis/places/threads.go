package places

import (
	"slices"

	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// DisjointThreads tells whether it is provable that what one thread touches
// through a and another thread touches through b have no byte in common: for
// all different tuples of indices. Local names are those that also differ from
// thread to thread, such as scalars computed in the body; the facts are those
// of one thread.
func DisjointThreads(f Facts, a, b lmad.Fun, elemA, elemB int64, indices, local []string) bool {
	other := map[string]string{}
	for _, x := range slices.Concat(indices, local) {
		other[x] = x + "@" // no name of a program
	}
	g := f.renamed(other)
	b = b.Subst(func(x string) (sym.Poly, bool) {
		y, ok := other[x]
		return sym.Var(y), ok
	})
	// Tuples differ in a first index.
	for _, x := range indices {
		if !Disjoint(g.NotEqual(sym.Var(x), sym.Var(other[x])), a, b, elemA, elemB) {
			return false
		}
		g = g.Equal(sym.Var(other[x]), sym.Var(x))
	}
	return true
}

// renamed adds to what is known of some names the same of their new names. A
// fact with such a name inside an opaque atom is left out.
func (f Facts) renamed(names map[string]string) Facts {
	out, n := f, 0
	for k := f.last; k != nil && n < maxFacts; k, n = k.before, n+1 {
		mentioned := map[string]bool{k.x: true}
		k.p.atoms(mentioned)
		k.lo.atoms(mentioned)
		k.hi.atoms(mentioned)
		some := false
		for x := range mentioned {
			some = some || names[x] != ""
		}
		if !some || slices.ContainsFunc(k.hidden, func(x string) bool { return names[x] != "" }) {
			continue
		}
		c := *k
		c.p, c.lo, c.hi = k.p.rename(names), k.lo.rename(names), k.hi.rename(names)
		if y, ok := names[k.x]; ok {
			c.x = y
		}
		c.before = out.last
		out = Facts{&c}
	}
	return out
}
