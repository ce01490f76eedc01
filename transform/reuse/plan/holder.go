package plan

import (
	"slices"

	"github.com/memc-lang/memc/analysis/peak/held"
)

// Note [Holders]
//
// A holder keeps one of some blocks, for longer than their own names do: the result of an if or of
// a loop. In the sums, its block is a size of its own. If all its blocks have one size, it is that
// size. Otherwise it is a monomial of its own, the same before and after sharing. It is at least
// the least coefficients of its blocks' sizes, and at most the greatest. If one of its blocks has
// become part of a larger one, it is the greatest size of the blocks that it may keep.
//
// Package held says when a holder counts: in a sum that must be reached, if it surely keeps a block
// of its own; in a sum that must not rise, with the most that it may keep. A plan holds more blocks
// than before, so the sums before any sharing decide both.
type holder struct {
	*Holder
	mono      int // of its own, -1: all blocks are of one size
	low, high vector
}

// addHolders makes the holders; their monomials are numbered from first.
func (f *frame) addHolders(first int) {
	f.mayKeep = make([]bool, len(f.Blocks))
	all := make([]holder, len(f.Holders))
	f.holders, f.keepers = make([]*holder, len(all)), make([]*Holder, len(all))
	for k := range all {
		h, e := &f.Holders[k], &all[k]
		*e = holder{Holder: h, mono: -1}
		f.holders[k], f.keepers[k] = e, h
		for _, b := range h.Blocks {
			f.mayKeep[b] = true
			if f.class[b] != f.class[h.Blocks[0]] && e.mono < 0 {
				e.mono = first
				first++
			}
		}
	}
}

func (f *frame) unequal() int {
	n := 0
	for _, e := range f.holders {
		if e.mono >= 0 {
			n++
		}
	}
	return n
}

// weigh finds the sizes of holders.
func (f *frame) weigh() {
	for _, e := range f.holders {
		e.low, e.high = f.zero(), f.zero()
		for k, b := range e.Blocks {
			for j, c := range f.size[b] {
				if k == 0 {
					e.low[j], e.high[j] = c, c
				}
				e.low[j], e.high[j] = min(e.low[j], c), max(e.high[j], c)
			}
		}
	}
}

// size is the vector that a holder adds to sums.
func (e *holder) size(f *frame) vector {
	v := slices.Clone(e.high)
	if e.mono >= 0 && !f.narrow {
		clear(v[:f.monos])
		v[e.mono] = 1
	}
	return v
}

// countHolders adds the holders to the sums that must be reached.
func (f *frame) countHolders(count func(from, to int, v vector)) {
	named := func(b int) Span { return Span{From: f.Blocks[b].Alloc, To: f.Blocks[b].Last} }
	held.Spells(f.keepers, func(b int) int { return b }, named, func(s Span, active []int) {
		taken := map[int]bool{}
		from, to := f.range_(s)
		for _, h := range active {
			e := f.holders[h]
			if held.Surely(e.Blocks, func(b int) bool {
				return named(b).Has(s.From) && !held.Another(e.MayBeOlder(b), e.Span.From, f.Blocks[b].Alloc)
			}, taken) {
				count(from, to, e.size(f))
			}
		}
	})
}

// kept returns the most that holders add to the sums of segments. in maps each of their blocks to
// its group; in an unfinished plan some have none.
func (f *frame) kept(in map[int]*group) []vector {
	change := make(changes, len(f.segments)+1)
	named := func(b int) (s Span) {
		if g := in[b]; g != nil {
			s = g.span
		}
		return s
	}
	held.Spells(f.keepers, func(b int) *group { return in[b] }, named, func(s Span, active []int) {
		if v := f.keptAt(active, in, s.From); v != nil {
			from, to := f.range_(s)
			change.count(from, to, v)
		}
	})
	return f.added(change)
}

// keptAt returns the most that some holders add to the sum at a point; nil is nothing.
func (f *frame) keptAt(active []int, in map[int]*group, at int) vector {
	// Of an unfinished plan they are looked at when the last of their blocks comes.
	active = slices.DeleteFunc(active, func(h int) bool {
		return slices.ContainsFunc(f.holders[h].Blocks, func(b int) bool { return in[b] == nil })
	})
	var total vector
	for _, k := range held.Keep(f.keepers, active, func(b int) held.State[*group] {
		g := in[b]
		return held.State[*group]{In: g, Held: g.span.Has(at), One: f.oneInstance(g)}
	}) {
		if total == nil {
			total = f.zero()
		}
		if k.Only >= 0 && !slices.ContainsFunc(k.Blocks, f.grown) {
			total.add(f.holders[k.Only].size(f), 1)
			continue
		}
		for j := range total {
			total[j] += k.Most(func(g *group) int64 { return g.top[j] })
		}
	}
	return total
}

// grown reports whether a block that a holder may keep is part of a group that is larger than the
// block was.
func (f *frame) grown(g *group) bool {
	return slices.ContainsFunc(g.kept, func(m int) bool { return !f.covered(g.top, f.size[m]) })
}

// options lists the sizes that a holder may keep at a segment, one per block. It is nil if the
// holder does not count.
func (f *frame) options(e *holder, in map[int]*group, segment int) []option {
	at := f.segments[segment].from
	if at < e.Span.From || at > e.Span.To {
		return nil
	}
	var out []option
	counts := false
	for _, b := range e.Blocks {
		g := in[b]
		if g == nil {
			return nil
		}
		x := option{region: -1, holder: e, before: f.size[b], group: g, block: b}
		if !f.Blocks[b].Fixed && !f.Blocks[b].Pinned {
			x.region = f.regionAt(f.Blocks[b].Alloc)
		}
		x.older = e.MayBeOlder(b)
		from, to := f.own(b)
		x.counts = segment < from || segment > to || held.Another(x.older, e.Span.From, f.Blocks[b].Alloc)
		if g.span.From > at || at > g.span.To || x.older && !f.oneInstance(g) {
			x.add = g.top
			counts = true
		}
		out = append(out, x)
	}
	if !counts {
		return nil
	}
	return out
}

// heldIn returns the groups of the blocks of holders.
func (f *frame) heldIn(groups []*group) map[int]*group {
	if len(f.holders) == 0 {
		return nil
	}
	in := map[int]*group{}
	for _, g := range groups {
		for _, m := range g.kept {
			in[m] = g
		}
	}
	return in
}

// replaced returns a sum in which the monomials of holders are replaced by their upper, or lower,
// bounds.
func (f *frame) replaced(v vector, most bool) vector {
	var out vector
	for _, e := range f.holders {
		if e.mono < 0 || v[e.mono] == 0 {
			continue
		}
		if out == nil {
			out = slices.Clone(v)
		}
		by := e.low
		if most {
			by = e.high
		}
		n := out[e.mono]
		out[e.mono] = 0
		for k := range f.names {
			out[k] += n * by[k]
		}
	}
	if out == nil {
		return v
	}
	return out
}
