package interference

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

// Note [Threads]
// ~~~~~~~~~~~~~~
// Threads of a kernel are not in step: one thread may still need its contents in a block while
// another is ahead or behind and works in another block. So parts of two holders that two different
// threads touch must have no byte in common, at whatever points, unless both threads only read.
// (Thesis section 5.9, "data race interferences", requires structurally equal index functions
// instead.) A map with one thread has no second one: its body is like code outside of kernels.

// race returns a witness if, at some points, different threads of a kernel may touch one byte of
// two holders.
//
// For blocks of one group of threads it considers only the kernels in that group's body: other
// groups have blocks of their own.
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

// Apart reports whether two blocks of one group never have contents at the same time. Then one may
// overlap the other in any way. Threads of the group are in step between the kernels of its body.
// All blocks that such a kernel touches are needed throughout it.
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

// Racing reports whether two different threads of some kernel could touch one byte if two real
// blocks were one: one thread by a name of the one block, the other by another name of the other.
func (t *Table) Racing(m1, m2 string) bool {
	for _, u := range t.holdersOf(m1) {
		for _, v := range t.holdersOf(m2) {
			if u == v {
				continue
			}
			for _, s := range liveness.Common(t.holders[u].wide, t.holders[v].wide) {
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

// Race returns two accesses by which different threads may touch one byte, for a witness of that: the
// accesses of A and of B.
func (t *Table) Race(w Witness) (a, b *accesses.Access, ok bool) {
	if w.Why != Threads {
		return nil, nil, false
	}
	for _, kernels := range [][]kernelSpan{t.inner, t.kernels} {
		k, ok := kernelAt(kernels, w.Point)
		if !ok {
			continue
		}
		all := t.accesses.Between(k.span.From, k.span.To)
		tries := 0
		for i := range all {
			for j := range all {
				a, b := &all[i], &all[j]
				if a.Array != w.A || b.Array != w.B || a.Point != w.Point && b.Point != w.Point || !a.Write && !b.Write {
					continue
				}
				if tries++; tries > maxPairs {
					return nil, nil, false
				}
				if !t.threadsApart(k, &touch{Access: a}, &touch{Access: b}) {
					return a, b, true
				}
			}
		}
	}
	return nil, nil, false
}

// Needed returns the points at which a block of a group has contents, ascending. Points in a kernel
// of the group's body are extended to the whole kernel.
func (t *Table) Needed(m string) []liveness.Span {
	var out []liveness.Span
	for _, e := range t.entriesOf(m) {
		out = append(out, liveness.Span{From: e.From, To: e.To})
	}
	return out
}

// threadsApart reports whether two different threads of a kernel have no byte in common, one
// through a, the other through b.
func (t *Table) threadsApart(k kernelSpan, a, b *touch) bool {
	s, other := t.threadScope(k, a), t.threadScope(k, b)
	if s == nil || other == nil {
		// The host evaluates a map's own operands before all threads, but not neutral elements of
		// other kernels.
		if _, ok := k.stmt.Op.(*ir.Map); ok {
			return true
		}
		return t.disjoint(a, b, t.region(a), t.region(b))
	}
	if s != other || len(s.Binders) == 0 {
		return t.disjoint(a, b, t.region(a), t.region(b))
	}
	if t.apart(a, b, t.region(a), t.region(b), s) {
		return true
	}
	if a.Items == nil && b.Items == nil {
		return false
	}
	// However an index is computed, a thread stays in its own array.
	x, y := *a.Access, *b.Access
	x.Items, y.Items = nil, nil
	u, v := &touch{Access: &x}, &touch{Access: &y}
	return t.apart(u, v, t.region(u), t.region(v), s)
}

// threadScope returns the kernel body that contains an access, or nil if the access is outside.
func (t *Table) threadScope(k kernelSpan, a *touch) *accesses.Scope {
	for s := t.accesses.Scope(a.Point); s != nil; s = s.Outer {
		if s.Stmt == k.stmt {
			return s
		}
	}
	return nil
}
