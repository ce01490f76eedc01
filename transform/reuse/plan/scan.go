package plan

import (
	"cmp"
	"container/heap"
	"slices"
)

// scan shares blocks in the order in which their lives begin, each with the best of the groups that
// are free by then: linear scan with best fit. It needs no list of conflicts. Before those, a block
// tries the groups of blocks near it.
func (f *frame) scan(l account) {
	open := f.openGroups()
	busy := &endings{}
	// The group of a block is noted at its root.
	groupAt, root := make([]*group, len(f.Blocks)), make([]int, len(f.Blocks))
	var singles []*group
	for _, g := range l.groups() {
		groupAt[g.first], root[g.first] = g, g.first
		if !f.Blocks[g.first].Pinned {
			singles = append(singles, g)
		}
	}
	slices.SortStableFunc(singles, func(g, h *group) int {
		if c := cmp.Compare(f.Lives[g.first].From, f.Lives[h.first].From); c != 0 {
			return c
		}
		return g.first - h.first
	})
	scanned := make([]bool, len(f.Blocks))
	for _, own := range singles {
		b := own.first
		for len(*busy) > 0 && (*busy)[0].at < f.Lives[b].From {
			if e := heap.Pop(busy).(ending); groupAt[root[e.block]] == e.group {
				open(e.block).insert(e.group)
			}
		}
		ends := f.Lives[b].To
		tryJoin := func(g *group) bool {
			u, ok := f.join(g, own)
			if !ok || u.unknown || !l.swap([]*group{g, own}, []*group{u}) {
				return false
			}
			open(b).remove(g) // if it is there
			root[b] = root[g.first]
			groupAt[root[b]] = u
			own = u
			return true
		}
		joined := f.Blocks[b].Fixed || slices.ContainsFunc(f.near(b), func(x int) bool {
			g := groupAt[root[x]]
			if !scanned[x] || g.count > smallGroup || g.refused == b+1 {
				return false
			}
			g.refused = b + 1
			last, may := f.mayJoin(b, g)
			if may = may && tryJoin(g); may {
				ends = max(ends, last)
			}
			return may
		})
		if !joined {
			for _, g := range open(b).candidates(b) {
				if tryJoin(g) {
					break
				}
			}
		}
		scanned[b] = true
		heap.Push(busy, ending{ends, b, own})
	}
}

func (f *frame) near(b int) []int {
	if f.Near == nil {
		return nil
	}
	return f.Near[b]
}

// mayJoin reports whether a block may share with every member of a small group, and where the last of
// their lives ends.
func (f *frame) mayJoin(b int, g *group) (last int, ok bool) {
	life := f.Lives[b]
	for _, m := range g.all {
		o := f.Lives[m]
		if o.From <= life.To && life.From <= o.To && !f.MayShare(b, m) {
			return 0, false
		}
		last = max(last, o.To)
	}
	return last, true
}

// An ending is when the lives of a group end.
type ending struct {
	at    int
	block int // a member
	group *group
}

// endings is a heap, the earliest first.
type endings []ending

func (e endings) Len() int { return len(e) }
func (e endings) Less(i, j int) bool {
	if e[i].at != e[j].at {
		return e[i].at < e[j].at
	}
	return e[i].block < e[j].block
}
func (e endings) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *endings) Push(x any)   { *e = append(*e, x.(ending)) }
func (e *endings) Pop() any {
	k := len(*e) - 1
	x := (*e)[k]
	*e = (*e)[:k]
	return x
}
