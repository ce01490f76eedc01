package plan

import "slices"

// Note [Holders]
//
// A holder keeps one of some blocks, for longer than their own names do: the
// result of an if or of a loop. What it keeps is a size of its own in the sums.
// Where all its blocks are of one size, it is that size. Otherwise it is a
// monomial of its own, the same before and after, which is at least the least
// coefficients of its blocks' sizes, and at most the greatest. Where one of its
// blocks has become part of a larger one, it is the greatest of what it may keep.
//
// It counts where one of its blocks is held under no other name: in a sum that
// must be reached, where none of them is; in a sum that must not rise, unless all
// are. In a plan more is held, so that the sums before any sharing tell both.
//
// Of a block that a loop allocates it may keep an instance of an earlier iteration,
// while another one is held under the block's name (Holder.Older): then both count.
type holder struct {
	Holder
	mono      int // of its own, -1: all blocks are of one size
	low, high vector
	older     map[int]bool
}

// surelyOlder tells whether what a holder keeps of a block, if it keeps that, is
// another instance than the one that is held under the block's name.
func (e *holder) surelyOlder(f *frame, b int) bool {
	return e.older[b] && e.Span.From < f.Blocks[b].Alloc
}

// addHolders makes the holders; their monomials are numbered from first.
func (f *frame) addHolders(first int) {
	f.holderOf = make([][]*holder, len(f.Blocks))
	for _, h := range f.Holders {
		e := &holder{Holder: h, mono: -1, older: map[int]bool{}}
		for _, b := range h.Older {
			e.older[b] = true
		}
		f.holders = append(f.holders, e)
		for _, b := range h.Blocks {
			f.holderOf[b] = append(f.holderOf[b], e)
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

// size is what a holder adds to sums.
func (e *holder) size(f *frame) vector {
	v := slices.Clone(e.high)
	if e.mono >= 0 && !f.narrow {
		clear(v[:f.monos])
		v[e.mono] = 1
	}
	return v
}

// countHolders adds the holders to sums: to those that must be reached, and to
// those that must not rise.
func (f *frame) countHolders(least, most func(from, to int, v vector)) {
	taken := map[[2]int]bool{} // block and segment
	for _, e := range f.holders {
		from, to := f.range_(e.Span)
		// How many of its blocks are held under their own names, and may be or surely are
		// the instance that it keeps.
		cover, sure := make([]int, to-from+2), make([]int, to-from+2)
		for _, b := range e.Blocks {
			first, last := f.range_(Span{f.Blocks[b].Alloc, f.Blocks[b].Last})
			if first, last = max(first, from), min(last, to); first <= last {
				if e.surelyOlder(f, b) {
					continue
				}
				cover[first-from]++
				cover[last+1-from]--
				if !e.older[b] {
					sure[first-from]++
					sure[last+1-from]--
				}
			}
		}
		v := e.size(f)
		held, same := 0, 0
		for k := from; k <= to; k++ {
			held += cover[k-from]
			same += sure[k-from]
			// Two holders may keep one block: it counts once.
			one := slices.ContainsFunc(e.Blocks, func(b int) bool { return taken[[2]int{b, k}] })
			if held == 0 && !one {
				least(k, k, v)
				for _, b := range e.Blocks {
					taken[[2]int{b, k}] = true
				}
			}
			if same < len(e.Blocks) {
				most(k, k, v)
			}
		}
	}
}

// grown tells whether a block that a holder may keep is part of a group that is
// larger than it was.
func (f *frame) grown(g *group) bool {
	return slices.ContainsFunc(g.kept, func(m int) bool { return !f.covered(g.top, f.size[m]) })
}

// kept lists what a holder may keep at a segment, one alternative per block; nil where
// it does not count, or nothing is to be gained by telling its blocks apart.
func (f *frame) kept(e *holder, in map[int]*group, segment int) []alternative {
	at := f.segments[segment].from
	if at < e.Span.From || at > e.Span.To {
		return nil
	}
	var out []alternative
	counts := false
	for _, b := range e.Blocks {
		g := in[b]
		if g == nil {
			return nil
		}
		x := alternative{region: -1, holder: e, before: f.size[b], group: g, block: b}
		if !f.Blocks[b].Fixed && !f.Blocks[b].Pinned {
			x.region = f.regionAt(f.Blocks[b].Alloc)
		}
		x.older, x.inherited = e.older[b], slices.Contains(e.Inherited, b)
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

// keeps gives what a holder adds to the sum of a segment in a plan, nil for
// nothing; in gives the group of each of its blocks.
func (f *frame) keeps(e *holder, in map[int]*group, segment int) vector {
	at := f.segments[segment].from
	if at < e.Span.From || at > e.Span.To {
		return nil
	}
	var top vector
	grown := false // or some of its blocks are held anyway
	for _, b := range e.Blocks {
		g := in[b]
		if g == nil {
			return nil // an unfinished plan; it is looked at when the last one comes
		}
		grown = grown || !f.covered(g.top, f.size[b])
		if g.span.From <= at && at <= g.span.To && (!e.older[b] || f.oneInstance(g)) {
			grown = true
			continue
		}
		if top == nil {
			top = f.zero()
		}
		for k, c := range g.top {
			top[k] = max(top[k], c)
		}
	}
	if top != nil && !grown {
		return e.size(f)
	}
	return top
}

// heldIn gives the groups of the blocks of holders.
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

// replaced gives a sum in which the monomials of holders give way to what they
// are at most, or at least.
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
