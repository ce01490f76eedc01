package interference

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Units in order]
// ~~~~~~~~~~~~~~~~~~~~~
// A unit's accesses each have a statement, an array and some items. A write may come before an
// access as Note [Order] of package accesses says, where only loops within the unit count. Then the
// two must have no byte in common. Suppose that the write is a copy from the first holder to the
// second at the same place. If both holders are one block, the copy moves nothing, so it can only
// conflict with writes for the first. Threads do not matter here: Note [Threads] treats them.

// maxPairs bounds the accesses of one meeting that are compared.
const maxPairs = 256

// MaxUnit is the greatest number of points of a harmless meeting. Blocks whose contents are needed
// together at more points in a row interfere.
const MaxUnit = 4096

func (t *Table) small(u unit) bool {
	if u.span.To-u.span.From > MaxUnit {
		return false
	}
	k, _ := slices.BinarySearch(t.calls, u.span.From)
	return k == len(t.calls) || t.calls[k] > u.span.To // the order in which a callee works is unknown
}

// inOrder reports whether within a unit every byte is written for the second holder only after its
// last access for the first.
func (t *Table) inOrder(first, second *holder, u unit) (Reason, bool) {
	as, bs := t.between(u.span.From, u.span.To, first), t.between(u.span.From, u.span.To, second)
	reason := InPlace
	if len(as)*len(bs) > maxPairs {
		return reason, false
	}
	var pairs []order
	for k := range bs {
		b := &bs[k]
		if !b.Write {
			continue
		}
		if b.Array == "" {
			return reason, false
		}
		moved, whole := t.written(b, first), t.whole(b)
		for j := range as {
			a := &as[j]
			regions := moved
			if a.Write { // it would overwrite all that b makes, moved or not
				regions = whole
			}
			if len(regions) > 0 && (!a.handed || !b.handed) {
				reason = OwnElements
			}
			if len(regions) > 0 && a.Array == "" {
				return reason, false
			}
			pairs = append(pairs, order{a, b, regions})
		}
	}
	// Questions about one iteration are cheaper, and usually one of them fails. So they come first.
	for _, p := range slices.Backward(pairs) {
		if t.inTurn(p.a, p.b) {
			continue
		}
		for _, r := range slices.Backward(p.written) {
			if !t.disjoint(p.a, p.b, t.region(p.a), r) {
				return reason, false
			}
		}
	}
	for _, p := range pairs {
		if !t.inLoops(p, u) {
			return reason, false
		}
	}
	return reason, true
}

// An order is an access and a write that must not come before it to the same byte, with the regions
// that the write changes.
type order struct {
	a, b    *touch
	written []region
}

// A region is the elements that a touch accesses, with a text that identifies them.
type region struct {
	fun lmad.Fun
	key string
}

func regionOf(f lmad.Fun) region { return region{f, f.Key()} }

// written returns the elements that a write to the second holder changes. It omits elements that
// the write copies from the first at the same place: if both are one block, they do not change.
func (t *Table) written(b *touch, first *holder) []region {
	whole := t.region(b)
	f := t.accesses.Facts(b.Point)
	unmoved := func(source string, part region) bool {
		m := t.aliases.BlockOf(source)
		return m != "" && t.holders[t.holder(m)] == first &&
			t.accesses.Type(source).Prim.Size() == t.size(b) && places.Same(f, t.accesses.Place(source), part.fun)
	}
	source := ""
	switch op := b.Stmt.Op.(type) {
	case *ir.Copy:
		source = op.X
	case *ir.Update:
		if r, ok := op.Value.(*ir.Ref); ok {
			source = r.Name
		}
	case *ir.Map:
		i := slices.IndexFunc(b.Stmt.Pat, func(e *ir.Elem) bool { return e.Name == b.Array })
		if i < 0 {
			break // in its body
		}
		if r, ok := op.Body.Result[i].(*ir.Ref); ok {
			source = r.Name
		}
	case *ir.Concat:
		if b.found.parts == nil {
			start := sym.Const(0)
			for _, x := range op.Args {
				n := lmad.Size(t.accesses.Type(x).Shape[op.Dim])
				b.found.parts = append(b.found.parts, regionOf(lmad.ConcatPart(whole.fun, op.Dim, start, n)))
				start = start.Add(n)
			}
		}
		parts := b.found.parts
		moves := func(k int) bool { return !unmoved(op.Args[k], parts[k]) }
		for k := range parts {
			if !moves(k) {
				out := slices.Clone(parts[:k])
				for j := k + 1; j < len(parts); j++ {
					if moves(j) {
						out = append(out, parts[j])
					}
				}
				return out
			}
		}
		return parts
	}
	if source != "" && !b.handed && unmoved(source, whole) {
		return nil
	}
	return t.whole(b)
}

// inTurn reports whether in one iteration of all loops around both, a write b comes after an access
// a. If contents are handed over, and both are the same array, nothing moves.
func (t *Table) inTurn(a, b *touch) bool {
	if a.Point == b.Point && (a.handed || b.handed) {
		return a.handed && b.handed && a.Array == b.Array
	}
	return t.accesses.Precedes(a.Access, b.Access)
}

// inLoops reports whether the two have no byte in common whenever the write comes in an earlier
// iteration of a loop within the unit.
func (t *Table) inLoops(p order, u unit) bool {
	around, _, _ := t.accesses.Around(p.a.Point, p.b.Point)
	return !slices.ContainsFunc(p.written, func(r region) bool {
		return slices.ContainsFunc(around, func(loop *accesses.Scope) bool {
			return loop.Loop && t.live.Stmt(loop.Stmt).From >= u.span.From && !t.apart(p.a, p.b, t.region(p.a), r, loop)
		})
	})
}

// A question is whether two index functions are disjoint, given some facts: in one run of both, or in
// two different runs of a body.
type question struct {
	known  places.Facts
	x, y   string // keys of regions
	a, b   int64  // bytes of an element
	within *accesses.Scope
	// Of two runs: the facts of the second, and its body.
	other places.Facts
	body  *accesses.Scope
}

// answered returns the answer to a question, which it computes once. Hundreds of arrays with one
// shape lead to few different questions.
func (t *Table) answered(q question, answer func() bool) bool {
	apart, known := t.apartness[q]
	if !known {
		apart = answer()
		t.apartness[q] = apart
	}
	return apart
}

// disjoint reports whether, in one run of both, the regions of two touches have no byte in common.
func (t *Table) disjoint(a, b *touch, x, y region) bool {
	q := question{known: t.facts(a, b), x: x.key, y: y.key, a: t.size(a), b: t.size(b)}
	return t.answered(q, func() bool { return places.Disjoint(q.known, x.fun, y.fun, q.a, q.b) })
}

// apart reports the same for two runs of a body: different threads, or b in an earlier iteration.
func (t *Table) apart(a, b *touch, x, y region, within *accesses.Scope) bool {
	q := question{known: a.Known(), x: x.key, y: y.key, a: t.size(a), b: t.size(b),
		within: within, other: b.Known(), body: t.accesses.Scope(b.Point)}
	return t.answered(q, func() bool { return t.accesses.Apart(a.Access, b.Access, x.fun, y.fun, within) })
}

// region returns the elements that a touch accesses.
func (t *Table) region(a *touch) region { return t.whole(a)[0] }

// whole returns the same as a list.
func (t *Table) whole(a *touch) []region {
	if a.found == nil {
		a.found = &elements{whole: []region{regionOf(a.Region(t.accesses.Place(a.Array)))}}
	}
	return a.found.whole
}

func (t *Table) size(a *touch) int64 { return t.accesses.Type(a.Array).Prim.Size() }

// facts returns the facts in one run of both touches. Along a body, and from there into inner
// bodies, facts are only added.
func (t *Table) facts(a, b *touch) places.Facts {
	p, q := min(a.Point, b.Point), max(a.Point, b.Point)
	for s := t.accesses.Scope(q); s != nil; s = s.Outer {
		if s == t.accesses.Scope(p) {
			return t.accesses.Facts(q)
		}
	}
	both, known := t.both[pair{p, q}]
	if !known {
		both = t.accesses.Facts(p).And(t.accesses.Facts(q))
		t.both[pair{p, q}] = both
	}
	return both
}
