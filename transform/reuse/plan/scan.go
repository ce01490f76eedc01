package plan

import (
	"cmp"
	"container/heap"
	"slices"
)

// scan shares blocks in the order in which their lives begin, each with the best of the groups that
// are free by then: linear scan with best fit. It needs no list of conflicts.
func (f *frame) scan(l account) {
	open := f.openGroups()
	busy := &endings{}
	var singles []*group
	for _, g := range l.groups() {
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
	for _, own := range singles {
		b := own.first
		life := f.Lives[b]
		for len(*busy) > 0 && (*busy)[0].at < life.From {
			e := heap.Pop(busy).(ending)
			open(e.block).insert(e.group)
		}
		if !f.Blocks[b].Fixed {
			for _, g := range open(b).candidates(b, false) {
				u, ok := f.join(g, own)
				if ok && !u.unknown && l.swap([]*group{g, own}, []*group{u}) {
					open(b).remove(g)
					own = u
					break
				}
			}
		}
		heap.Push(busy, ending{life.To, b, own})
	}
}

// An ending is when the life of a group's latest member ends.
type ending struct {
	at    int
	block int // that member
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
