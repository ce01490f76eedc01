package memcheck

import (
	"sort"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/ir/lmad"
)

// damage is a write that may have destroyed a part of an array; funs are the
// index functions of that part, nil for all of the block. Where generic is set,
// the write was done in another iteration or by another thread.
type damage struct {
	by      *write
	funs    []lmad.Fun
	generic bool
}

// maxDamage bounds the parts kept apart; with more, all of the array counts as
// damaged.
const maxDamage = 8

// An event is a change of the state that undo takes back.
type event struct {
	kind  eventKind
	root  *block // the list that changed
	array *array
	d     damage
}

type eventKind uint8

const (
	registered eventKind = iota
	damaged
)

// maxRoots bounds the lists that an array is entered into: one that may lie in
// more blocks is entered into the list of anywhere, which every write looks at.
const maxRoots = 32

// anywhere stands for all blocks.
var anywhere = &block{name: "anywhere", kind: allocated}

func lists(b *block) []*block {
	if out := rootsUpTo(b, 0, maxRoots); len(out) <= maxRoots {
		return out
	}
	return []*block{anywhere}
}

// register enters an array into the lists of the blocks where it may lie.
func (f *function) register(a *array) {
	for _, r := range lists(a.block) {
		f.live[r] = append(f.live[r], a)
		f.journal = append(f.journal, event{kind: registered, root: r, array: a})
	}
}

// remove takes an array that nobody mentions any more out of one list, for good:
// both walks take the statements in one order, and what comes later in it does
// not mention the array either.
func (f *function) remove(r *block, k int) {
	list := f.live[r]
	list[k] = list[len(list)-1]
	f.live[r] = list[:len(list)-1]
}

func (f *function) harm(a *array, d damage) {
	if len(a.damage) >= maxDamage {
		d.funs = nil
	}
	a.damage = append(a.damage, d)
	f.journal = append(f.journal, event{kind: damaged, array: a, d: d})
}

// undo goes back to a mark of the journal and gives the damage done since.
func (f *function) undo(mark int) []event {
	var out []event
	for len(f.journal) > mark {
		e := f.journal[len(f.journal)-1]
		f.journal = f.journal[:len(f.journal)-1]
		switch e.kind {
		case registered: // it stands near the end, or has been removed
			list := f.live[e.root]
			for k := len(list) - 1; k >= 0; k-- {
				if list[k] == e.array {
					f.remove(e.root, k)
					break
				}
			}
		case damaged:
			e.array.damage = e.array.damage[:len(e.array.damage)-1]
			out = append(out, e)
		}
	}
	return out
}

// redo does damage again, in its old order. From start on names are bound in
// the body that is left: what they were is not known after it.
func (f *function) redo(events []event, start int, generic bool) {
	for k := len(events) - 1; k >= 0; k-- {
		d := events[k].d
		if generic {
			d = f.generic(d, start)
		}
		f.harm(events[k].array, d)
	}
}

func (f *function) generic(d damage, start int) damage {
	d.generic = true
	for _, fun := range d.funs {
		for _, n := range fun.Names() {
			if f.facts.vars[n].order > start {
				d.funs = nil
				return d
			}
		}
	}
	return d
}

// hit does the damage of a write: to every array in scope that may lie where it
// writes and is mentioned again.
func (f *function) hit(w *write, start int, generic bool) {
	f.stamp++
	where := lists(w.block)
	if where[0] == anywhere { // a block that can be any of many
		where = where[:0]
		for r := range f.live {
			where = append(where, r)
		}
		sort.Slice(where, func(i, j int) bool { return where[i].order < where[j].order })
		for k, a := range f.params {
			if a != nil && f.writable[a.block] {
				f.written[k], f.outside[k] = true, true
			}
		}
	} else {
		where = append(where[:len(where):len(where)], anywhere)
	}
	for _, r := range where {
		for k := 0; k < len(f.live[r]); {
			a := f.live[r][k]
			if a.lastUse < f.now {
				f.remove(r, k)
				continue
			}
			k++
			if a.seen == f.stamp {
				continue
			}
			a.seen = f.stamp
			if !f.mayLieIn(a, w.block) || w.funs != nil && f.apart(f.funs(a), a.size, w.funs, w.size) {
				continue
			}
			d := damage{by: w, funs: w.funs}
			if generic {
				d = f.generic(d, start)
			}
			f.harm(a, d)
		}
		if r.kind == given {
			f.noteGiven(r, w)
		}
	}
}

// noteGiven keeps what a caller must know of a write to a parameter's block.
func (f *function) noteGiven(r *block, w *write) {
	f.written[r.param] = true
	a := f.params[r.param]
	inside := a != nil && w.funs != nil
	if inside {
		for _, fun := range w.funs {
			facts, outer, inner := f.common(regionOf(a.fun), a.size, regionOf(fun), w.size)
			inside = inside && facts.contains(outer, inner)
		}
	}
	if !inside {
		f.outside[r.param] = true
	}
}

// mayLieIn tells whether an array may lie in a block.
func (f *function) mayLieIn(a *array, b *block) bool {
	return a.block.canon() == b.canon() || !f.distinct(a.block, b)
}

// common gives two regions in one unit.
func (f *function) common(a region, sizeA int64, b region, sizeB int64) (*facts, region, region) {
	if sizeA != sizeB {
		a, b = a.inBytes(sizeA), b.inBytes(sizeB)
	}
	return f.facts, a, b
}

// apart proves that none of as shares a position with any of bs.
func (f *function) apart(as []lmad.Fun, sizeA int64, bs []lmad.Fun, sizeB int64) bool {
	for _, x := range as {
		for _, y := range bs {
			facts, a, b := f.common(regionOf(x), sizeA, regionOf(y), sizeB)
			if !facts.disjoint(a, b) {
				return false
			}
		}
	}
	return true
}

// use is a read of the part of an array where funs lead; it must be intact.
func (f *function) use(a *array, funs []lmad.Fun, at diag.Span, how string) {
	for _, d := range a.damage {
		if d.funs != nil && f.apart(funs, a.size, d.funs, d.by.size) {
			continue
		}
		f.destroyed(a, d.by, f.certain(a, funs, d), at, how)
		return
	}
}

// certain tells whether damage surely lies where funs lead, if the program comes
// to do both.
func (f *function) certain(a *array, funs []lmad.Fun, d damage) bool {
	if a.block.canon() != d.by.block.canon() || a.sources != nil {
		return false
	}
	written := d.funs
	if written == nil {
		// Another iteration's write of a part: it is certain only where the part
		// is the same in all.
		return false
	}
	if len(funs) != 1 || len(written) != 1 {
		return false
	}
	facts, x, y := f.common(regionOf(funs[0]), a.size, regionOf(written[0]), d.by.size)
	if facts.meet(x, y) {
		return true
	}
	facts, x, y = f.common(regionOf(a.fun), a.size, regionOf(written[0]), d.by.size)
	return facts.contains(y, x) // all of the array is gone, whatever was read
}
