package plan

import (
	"cmp"
	"slices"
)

// triesPerBlock bounds the groups that a block is tried with.
const triesPerBlock = 24

// An order is one way to build a plan greedily.
type order struct {
	compare func(f *frame, a, b int) int
	// closest prefers the group that is free for the shortest time, else the one
	// that is least too large.
	closest bool
}

var orders = []order{
	{bySize, false},
	{bySize, true},
	{byAlloc, false},
	{byAlloc, true},
	{byLength, false},
}

func bySize(f *frame, a, b int) int {
	return cmp.Compare(f.weight(f.size[b]), f.weight(f.size[a]))
}

func byAlloc(f *frame, a, b int) int { return f.Blocks[a].Alloc - f.Blocks[b].Alloc }

func byLength(f *frame, a, b int) int {
	x, y := f.Blocks[a], f.Blocks[b]
	return (y.Last - y.Alloc) - (x.Last - x.Alloc)
}

// greedy shares blocks in an order, each with the best group that takes it.
// A ledger starts with every block alone, so every step is safe by itself.
func (f *frame) greedy(l ledger, o order) {
	blocks := make([]int, 0, len(f.Blocks))
	groupOf := make([]*group, len(f.Blocks))
	open := &openGroups{frame: f}
	for _, g := range l.groups() {
		b := g.members[0]
		groupOf[b] = g
		switch {
		case f.Blocks[b].Fixed:
			open.insert(g)
		case !f.Blocks[b].Pinned:
			blocks = append(blocks, b)
		}
	}
	slices.SortStableFunc(blocks, func(a, b int) int {
		if c := o.compare(f, a, b); c != 0 {
			return c
		}
		return a - b
	})
	refused := map[*group]bool{}
	for _, b := range blocks {
		clear(refused)
		for _, c := range f.Conflicts[b] {
			refused[groupOf[c]] = true
		}
		own := groupOf[b]
		joined := false
		for _, g := range open.candidates(b, refused, o.closest) {
			u, ok := f.join(g, own)
			if !ok || u.unknown || !l.swap([]*group{g, own}, []*group{u}) {
				continue
			}
			open.replace(g, u)
			for _, m := range u.members {
				groupOf[m] = u
			}
			joined = true
			break
		}
		if !joined {
			open.insert(own)
		}
	}
}

// openGroups are the groups that blocks may join, the smallest first.
type openGroups struct {
	*frame
	sorted []*group
}

func (o *openGroups) less(g, h *group) int {
	if c := cmp.Compare(o.weight(g.top), o.weight(h.top)); c != 0 {
		return c
	}
	return g.members[0] - h.members[0]
}

func (o *openGroups) insert(g *group) {
	k, _ := slices.BinarySearchFunc(o.sorted, g, o.less)
	o.sorted = slices.Insert(o.sorted, k, g)
}

func (o *openGroups) replace(g, u *group) {
	k, found := slices.BinarySearchFunc(o.sorted, g, o.less)
	if found {
		o.sorted = slices.Delete(o.sorted, k, k+1)
	}
	o.insert(u)
}

// candidates gives the groups that a block is to be tried with, the best first:
// those that are as large as the block, from the smallest up, then smaller ones
// from the largest down.
func (o *openGroups) candidates(b int, refused map[*group]bool, closest bool) []*group {
	want := o.weight(o.size[b])
	k, _ := slices.BinarySearchFunc(o.sorted, want, func(g *group, w int64) int { return cmp.Compare(o.weight(g.top), w) })
	var out []*group
	for j := k; j < len(o.sorted) && len(out) < triesPerBlock; j++ {
		if !refused[o.sorted[j]] {
			out = append(out, o.sorted[j])
		}
	}
	up := len(out)
	for j := k - 1; j >= 0 && len(out) < 2*triesPerBlock; j-- {
		if !refused[o.sorted[j]] {
			out = append(out, o.sorted[j])
		}
	}
	if closest {
		blk := o.Blocks[b]
		gap := func(g *group) int { return max(blk.Alloc-g.hold.To, g.hold.From-blk.Last, 0) }
		byGap := func(g, h *group) int { return gap(g) - gap(h) }
		slices.SortStableFunc(out[:up], byGap)
		slices.SortStableFunc(out[up:], byGap)
	}
	return out
}
