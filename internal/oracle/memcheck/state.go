package memcheck

import (
	"sort"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// damage is a write that may have destroyed a part of an array: the regions are
// that part, nil is all of the block.
type damage struct {
	by *write
	part
	sure bool // every run that comes here has done the write
}

// A part of a block is where regions lead, nil being all of it; cover, where it is not
// nil, holds these, and may be easier to reason about.
type part struct{ regions, cover []region }

// misses proves that a part shares no position with regions.
func (f *function) misses(p part, size int64, rs []region, sizeOf int64) bool {
	return p.regions != nil && f.apart(rs, sizeOf, p.regions, size) || p.cover != nil && f.apart(rs, sizeOf, p.cover, size)
}

// maxDamage bounds the parts kept apart; with more, all of the array counts as
// damaged.
const maxDamage = 8

// An event is a change of the state that undo takes back: an array was entered into a block, or
// damaged.
type event struct {
	root  *block // nil: it was damaged
	array *array
	d     damage
}

// maxRoots bounds the blocks that an array is entered into: one that may lie in
// more is entered into anywhere, which every write looks at.
const maxRoots = 32

// anywhere stands for all blocks.
var anywhere = &block{name: "anywhere", kind: allocated}

func lists(b *block) []*block {
	if out := rootsUpTo(b, 0, maxRoots); len(out) <= maxRoots {
		return out
	}
	return []*block{anywhere}
}

// register enters an array into the blocks where it may lie.
func (f *function) register(a *array) {
	f.resolve(a)
	for _, r := range lists(a.block) {
		if f.live[r] == nil {
			f.live[r] = &contents{}
		}
		f.live[r].add(f, a)
		f.journal = append(f.journal, event{root: r, array: a})
	}
}

func (f *function) harm(a *array, d damage) {
	if a.blank {
		return
	}
	if len(a.damage) >= maxDamage {
		d.part = part{}
	}
	a.damage = append(a.damage, d)
	f.journal = append(f.journal, event{array: a, d: d})
}

// undo goes back to a mark of the journal and gives the damage done since.
func (f *function) undo(mark int) []event {
	var out []event
	for len(f.journal) > mark {
		e := f.journal[len(f.journal)-1]
		f.journal = f.journal[:len(f.journal)-1]
		if e.root != nil {
			f.live[e.root].remove(e.array)
			continue
		}
		e.array.damage = e.array.damage[:len(e.array.damage)-1]
		out = append(out, e)
	}
	return out
}

// redo does damage again, in its old order. From start on names are bound in
// the body that is left: then the damage is that of all their values.
func (f *function) redo(events []event, start int) {
	for k := len(events) - 1; k >= 0; k-- {
		d := events[k].d
		if start >= 0 {
			d.sure = false
			d.part = f.widen(d.part, start)
		}
		f.harm(events[k].array, d)
	}
}

// widen returns a part that covers p for all values of the names bound from start on.
func (f *function) widen(p part, start int) part {
	return f.overAll(p, func(r region) (region, bool) { return f.facts.sweep(r, f.names.after(start)) })
}

// overAll returns a part with other regions: all of the block where neither they nor
// the cover have such.
func (f *function) overAll(p part, change func(region) (region, bool)) part {
	all := func(rs []region) []region {
		var out []region
		for _, r := range rs {
			wide, ok := change(r)
			if !ok {
				return nil
			}
			out = append(out, wide)
		}
		return out
	}
	out := part{all(p.regions), all(p.cover)}
	if out.regions == nil {
		out.regions, out.cover = out.cover, nil
	}
	return out
}

// sweep eliminates names: the region covers those for all their values within
// their bounds. A counter in the offset becomes a dimension.
func (f *facts) sweep(r region, inner func(int32) bool) (region, bool) {
	for {
		x := int32(-1)
		for _, n := range r.names() {
			if inner(n) && (x < 0 || f.lookup(x).before(f.lookup(n))) {
				x = n
			}
		}
		if x < 0 {
			return r, true
		}
		lo, hi, ok := f.lookup(x).simple()
		if !ok {
			return r, false
		}
		c, rest, ok := r.off.Collect(x)
		if !ok {
			return r, false
		}
		out := region{off: rest.Add(c.Mul(lo))}
		for _, d := range r.dims {
			k, _, ok := d.len.Collect(x)
			if !ok || d.stride.Has(x) {
				return r, false
			}
			at := func(v poly) poly { return d.len.SubstAll(byName(map[int32]poly{x: v})) }
			switch {
			case k.Is(0):
			case f.nonneg(k):
				d.len = at(hi)
			case f.nonneg(k.Neg()):
				d.len = at(lo)
			default:
				return r, false
			}
			out.dims = append(out.dims, d)
		}
		if !c.Is(0) {
			out.dims = append(out.dims, dim{hi.Sub(lo).AddConst(1), c})
		}
		r = out
	}
}

// hit does the damage of a write to regions of its block (nil is the whole block): to every array
// in scope that may lie there and is mentioned again, but not to those of the spared block. sure tells
// that every run has done the write.
//
// Note [Copies onto themselves]. Suppose that an array x is copied to the place that it would have
// in that block. Either x lies in another block, or the copy changes nothing. In both cases the
// contents of x's own block stay as they are.
func (f *function) hit(w *write, p part, spared *block, sure bool) {
	f.stamp++
	where := lists(w.block)
	if where[0] == anywhere { // a block that can be any of many
		where = where[:0]
		for r := range f.live {
			where = append(where, r)
		}
		sort.Slice(where, func(i, j int) bool { return where[i].order < where[j].order })
		for k, a := range f.params {
			if a != nil && f.writable[a.block] || f.fn.Params[k].Type.Kind == ir.MemKind {
				f.written[k], f.outside[k] = true, true
			}
		}
	} else {
		where = append(where[:len(where):len(where)], anywhere)
	}
	for _, r := range where {
		if c := f.live[r]; c != nil {
			c.each(f, p.regions, w.size, func(a *array) {
				if a.seen == f.stamp {
					return
				}
				a.seen = f.stamp
				if spared != nil && a.block.canon() == spared {
					return
				}
				if !f.mayLieIn(a, w.block) || f.misses(p, w.size, f.regions(a), a.size) {
					return
				}
				f.harm(a, damage{w, p, sure})
			})
		}
		if r.kind == given {
			f.noteGiven(r, w, p)
		}
	}
}

// noteGiven keeps the facts about a write to a parameter's block that callers need.
func (f *function) noteGiven(r *block, w *write, p part) {
	f.written[r.param] = true
	a := f.params[r.param]
	inside := func(rs []region) bool { return f.facts.holds(a.r, a.size, rs, w.size) }
	if a == nil || !inside(p.regions) && !inside(p.cover) {
		f.outside[r.param] = true
	}
}

// mayLieIn reports whether an array may lie in a block.
func (f *function) mayLieIn(a *array, b *block) bool {
	return a.block.canon() == b.canon() || !f.distinct(a.block, b)
}

// apart proves that none of as shares a position with any of bs.
func (f *function) apart(as []region, sizeA int64, bs []region, sizeB int64) bool {
	for _, x := range as {
		for _, y := range bs {
			a, b := common(x, sizeA, y, sizeB)
			if !f.facts.disjoint(a, b) {
				return false
			}
		}
	}
	return true
}

// use is a read of the part of an array where regions lead; it must be intact.
func (f *function) use(a *array, regions []region, at diag.Span, how string) {
	if f.facts.impossible {
		return
	}
	for _, d := range a.damage {
		if f.misses(d.part, d.by.size, regions, a.size) {
			continue
		}
		f.destroyed(a, d.by, f.certain(a, regions, d), at, how)
		return
	}
}

// certain reports whether every run that comes here has damage where regions lead, and
// there are such runs. What covers more than was written is not certain.
func (f *function) certain(a *array, regions []region, d damage) bool {
	if !d.sure || d.by.still || a.block.canon() != d.by.block.canon() || a.sources != nil || len(regions) != 1 || len(d.regions) != 1 || !d.regions[0].exact {
		return false
	}
	x, y := common(regions[0], a.size, d.regions[0], d.by.size)
	if !f.facts.meet(x, y) {
		z, y := common(a.r, a.size, d.regions[0], d.by.size)
		if !f.facts.contains(y, z) { // not all of the array is gone, whatever was read
			return false
		}
	}
	return f.may(f.facts, nil, x, y)
}
