package interference

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

// Note [Threads]
// ~~~~~~~~~~~~~~
// Threads of a kernel are not in step: while one still needs what it keeps in a
// block, another may be ahead or behind and work in another block. So what two
// different threads touch of two holders must have no byte in common, whatever
// the points, unless both only read (thesis section 5.9, "data race
// interferences", where structurally equal index functions are asked for). A map
// of one thread has no two: its body is like one outside of kernels.

// race gives a witness where at a range of points different threads of a kernel
// may touch one byte of two holders.
//
// Of blocks that one group of threads has, it asks of the kernels in that group's body
// only: other groups have others.
func (t *Table) race(u, v *holder, s liveness.Span) *Witness {
	lists := [][]kernelSpan{t.inner, t.kernels}
	if u.near && v.near {
		lists = lists[:1]
	}
	for _, kernels := range lists {
		k, _ := slices.BinarySearchFunc(kernels, s.From, func(k kernelSpan, p int) int { return k.span.To - p })
		for ; k < len(kernels) && kernels[k].span.From <= s.To; k++ {
			if w := t.raceIn(kernels[k], u, v); w != nil {
				return w
			}
		}
	}
	return nil
}

// Apart tells whether two blocks of one group never have contents at the same time, so
// that one may be laid on the other in any way. Threads of the group are in step between
// the kernels of its body; within such a kernel all that it touches is needed together.
func (t *Table) Apart(m1, m2 string) bool {
	if m1 == m2 || t.groups[m1] == nil || t.groups[m1] != t.groups[m2] {
		return false
	}
	for _, x := range t.Needed(m1) {
		for _, y := range t.Needed(m2) {
			if x.From <= y.To && y.From <= x.To {
				return false
			}
		}
	}
	return true
}

// Racing tells whether in some kernel two different threads may touch one byte, one of
// them by a name of one real block, the other by another name of the other, were the
// two blocks one.
func (t *Table) Racing(m1, m2 string) bool {
	for _, u := range t.holdersOf(m1) {
		for _, v := range t.holdersOf(m2) {
			if u == v {
				continue
			}
			for _, s := range common(t.holders[u].wide, t.holders[v].wide) {
				if t.race(t.holders[u], t.holders[v], s) != nil {
					return true
				}
			}
		}
	}
	return false
}

func (t *Table) raceIn(k kernelSpan, u, v *holder) *Witness {
	as, bs := t.between(k.span.From, k.span.To, u), t.between(k.span.From, k.span.To, v)
	tries := 0
	for i := range as {
		for j := range bs {
			a, b := &as[i], &bs[j]
			if a.handed || b.handed || !a.Write && !b.Write {
				continue
			}
			if tries++; tries > maxPairs || !t.threadsApart(k, a, b) {
				return &Witness{Point: a.Point, A: a.Array, B: b.Array, Why: Threads}
			}
		}
	}
	return nil
}

// Needed gives the points at which a block of a group's has contents, ascending; what lies
// in a kernel of the group's body is stretched to all of that.
func (t *Table) Needed(m string) []liveness.Span {
	var out []liveness.Span
	for _, e := range t.entriesOf(m) {
		out = append(out, liveness.Span{From: e.From, To: e.To})
	}
	return out
}

// threadsApart tells whether two different threads of a kernel have no byte in
// common, one through a, the other through b.
func (t *Table) threadsApart(k kernelSpan, a, b *touch) bool {
	s, other := t.threadScope(k, a), t.threadScope(k, b)
	if s == nil || other == nil {
		// What the host evaluates is before all threads; neutral elements are not.
		if _, ok := k.stmt.Op.(*ir.Map); ok {
			return true
		}
		return t.disjoint(a, b, t.region(a), t.region(b))
	}
	if s != other || len(s.Binders) == 0 {
		return t.disjoint(a, b, t.region(a), t.region(b))
	}
	return t.accesses.Apart(&a.Access, &b.Access, t.region(a).fun, t.region(b).fun, s)
}

// threadScope gives the body of a kernel that an access is in, nil where it is
// outside.
func (t *Table) threadScope(k kernelSpan, a *touch) *accesses.Scope {
	for s := t.accesses.Scope(a.Point); s != nil; s = s.Outer {
		if s.Stmt == k.stmt {
			return s
		}
	}
	return nil
}
