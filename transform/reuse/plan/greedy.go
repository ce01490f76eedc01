package plan

import (
	"cmp"
	"slices"
	"sort"
)

// triesPerBlock bounds the groups that a block is tried with.
const triesPerBlock = 24

// tries returns a smaller number if there are many blocks.
func (f *frame) tries() int {
	if len(f.Blocks) > largeBlocks {
		return triesPerBlock / 4
	}
	return triesPerBlock
}

// orders are those in which a plan is built greedily.
var orders = []func(f *frame, a, b int) int{
	func(f *frame, a, b int) int { return f.made(a) - f.made(b) },
	func(f *frame, a, b int) int { return cmp.Compare(f.weight(f.size[b]), f.weight(f.size[a])) },
}

// greedy shares blocks in an order, each with the best group that takes it. An account starts with
// every block alone, so each step is safe by itself.
func (f *frame) greedy(l *account, compare func(f *frame, a, b int) int) {
	blocks := make([]int, 0, len(f.Blocks))
	// The group of a block is noted at its root.
	groupAt, root := make([]*group, len(f.Blocks)), make([]int, len(f.Blocks))
	open := f.openGroups()
	for _, g := range l.groups() {
		b := g.first
		groupAt[b], root[b] = g, b
		switch {
		case f.Blocks[b].Fixed:
			open(b).insert(g)
		case !f.Blocks[b].Pinned:
			blocks = append(blocks, b)
		}
	}
	slices.SortFunc(blocks, func(a, b int) int { return cmp.Or(compare(f, a, b), a-b) })
	for _, b := range blocks {
		if f.Lives == nil {
			for _, c := range f.Conflicts[b] {
				groupAt[root[c]].refused = b + 1
			}
		}
		own := groupAt[b]
		joined := false
		for _, g := range open(b).candidates(b) {
			u, ok := f.join(g, own)
			if !ok || u.unknown || !l.swap([]*group{g, own}, u) {
				continue
			}
			open(b).replace(g, u)
			root[b] = root[g.first]
			groupAt[root[b]] = u
			joined = true
			break
		}
		if !joined {
			open(b).insert(own)
		}
	}
}

// made returns the point at which a block is made; conflicts are counted from there.
func (f *frame) made(b int) int {
	if f.Lives != nil {
		return f.Lives[b].From
	}
	return f.Blocks[b].Alloc
}

// openGroups returns, for each block, the groups that it may join. If only blocks of one size can
// share, there is a list for every size.
func (f *frame) openGroups() func(b int) *openGroups {
	lists := map[int]*openGroups{}
	return func(b int) *openGroups {
		size := 0
		if f.narrow {
			size = f.class[b]
		}
		if lists[size] == nil {
			lists[size] = &openGroups{frame: f}
		}
		return lists[size]
	}
}

// openGroups are the groups that blocks may join, largest first, and those of one size in the order
// of their last points. If only blocks of one size can share, that order is all. Large blocks and
// early ones come first as a rule, so most groups are inserted at the end.
type openGroups struct {
	*frame
	sorted []*group
}

func (o *openGroups) less(g, h *group) int {
	if c := cmp.Compare(o.rank(h), o.rank(g)); c != 0 {
		return c
	}
	return cmp.Or(g.span.To-h.span.To, g.first-h.first)
}

func (o *openGroups) rank(g *group) int64 {
	if o.narrow {
		return 0
	}
	return o.weight(g.top)
}

func (o *openGroups) insert(g *group) {
	k, _ := slices.BinarySearchFunc(o.sorted, g, o.less)
	o.sorted = slices.Insert(o.sorted, k, g)
}

func (o *openGroups) remove(g *group) {
	k, found := slices.BinarySearchFunc(o.sorted, g, o.less)
	if found {
		o.sorted = slices.Delete(o.sorted, k, k+1)
	}
}

func (o *openGroups) replace(g, u *group) {
	o.remove(g)
	o.insert(u)
}

// candidates returns the groups to try for a block, best first: groups at least as large as the
// block, then smaller ones; of each the group that is free for the shortest time. Of those of one
// size it takes the ones that end just before the block is made, and just after. If all have one size, and sharing
// allows no gap, it begins with groups that are held until the block is made.
func (o *openGroups) candidates(b int) []*group {
	tries := o.tries()
	if o.narrow {
		return o.take(nil, b, []run{{0, len(o.sorted)}}, tries)
	}
	want := o.weight(o.size[b])
	smaller := sort.Search(len(o.sorted), func(j int) bool { return o.rank(o.sorted[j]) < want })
	var larger, rest []run
	for hi := smaller; hi > 0 && len(larger) < tries; {
		size := o.rank(o.sorted[hi-1])
		lo := sort.Search(hi, func(j int) bool { return o.rank(o.sorted[j]) <= size })
		larger = append(larger, run{lo, hi})
		hi = lo
	}
	for lo := smaller; lo < len(o.sorted) && len(rest) < tries; {
		size := o.rank(o.sorted[lo])
		hi := lo + sort.Search(len(o.sorted)-lo, func(j int) bool { return o.rank(o.sorted[lo+j]) < size })
		rest = append(rest, run{lo, hi})
		lo = hi
	}
	out := o.take(nil, b, larger, tries)
	up := len(out)
	out = o.take(out, b, rest, tries)
	blk := o.Blocks[b]
	gap := func(g *group) int { return max(blk.Alloc-g.span.To, g.span.From-blk.Last, 0) }
	byGap := func(g, h *group) int { return gap(g) - gap(h) }
	slices.SortStableFunc(out[:up], byGap)
	slices.SortStableFunc(out[up:], byGap)
	return out
}

// A run is a range of the sorted groups, all of one size.
type run struct{ from, to int }

// take adds groups that no conflict keeps apart from a block, about so many: of each run those whose
// last points are next to where the block is made.
func (o *openGroups) take(out []*group, b int, runs []run, tries int) []*group {
	made := o.made(b)
	for k, r := range runs {
		most := len(out) + (tries-1-k)/len(runs) + 1
		after := r.from + sort.Search(r.to-r.from, func(j int) bool { return o.sorted[r.from+j].span.To >= made })
		before := after - 1
		if o.Lives != nil {
			after = r.to // those are busy as a rule
		}
		for len(out) < most && (before >= r.from || after < r.to) {
			var g *group
			if before >= r.from && (after == r.to || made-o.sorted[before].span.To <= o.sorted[after].span.To-made) {
				g, before = o.sorted[before], before-1
			} else {
				g, after = o.sorted[after], after+1
			}
			switch {
			case o.Lives != nil && g.ends >= made:
				most-- // so that few of many busy groups are looked at
			case g.refused != b+1:
				out = append(out, g)
			}
		}
	}
	return out
}
