package plan

import "slices"

const (
	exactBlocks = 16      // problems of at most as many blocks are tried exactly
	exactNodes  = 100000  // partial plans looked at
	exactWork   = 4000000 // segments looked at, of which each partial plan has all
)

// exact looks for the plan of least cost by branch and bound. It places blocks in the order of
// their allocation, each into one of the present groups or a new one. Placing a block never lowers
// a sum at any point, so a partial plan costs no more than its completions. And if one of its sums
// exceeds those of the run without sharing, no completion is safe.
type exact struct {
	*frame
	order  []int
	best   Cost
	result []*group
	nodes  int
}

// search returns the best plan that is better than a known one, or nil. It also reports whether it
// has examined all plans.
func (f *frame) search(known Cost, conflicts []map[int]bool) ([]*group, bool) {
	e := &exact{frame: f, best: known, nodes: min(exactNodes, exactWork/max(len(f.segments), 1))}
	groups := []*group{}
	for b := range f.Blocks {
		switch {
		case f.Blocks[b].Pinned || f.Blocks[b].Fixed:
			groups = append(groups, f.single(b))
		default:
			e.order = append(e.order, b)
		}
	}
	slices.SortStableFunc(e.order, func(a, b int) int { return f.Blocks[a].Alloc - f.Blocks[b].Alloc })
	e.place(0, groups, conflicts)
	return e.result, e.nodes > 0
}

func (e *exact) place(k int, groups []*group, conflicts []map[int]bool) {
	if e.nodes == 0 {
		return
	}
	e.nodes--
	cost := e.cost(groups)
	if !cost.Less(e.best) {
		return
	}
	if k == len(e.order) {
		if slices.ContainsFunc(groups, func(g *group) bool { return g.unknown }) {
			return
		}
		e.best, e.result = cost, slices.Clone(groups)
		return
	}
	b := e.order[k]
	for j, g := range groups {
		if slices.ContainsFunc(g.members(), func(m int) bool { return conflicts[b][m] }) {
			continue
		}
		u, ok := e.join(g, e.single(b))
		if !ok {
			continue
		}
		groups[j] = u
		if e.safeWith(groups, u) {
			e.place(k+1, groups, conflicts)
		}
		groups[j] = g
	}
	own := e.single(b)
	groups = append(groups, own)
	if e.safeWith(groups, own) {
		e.place(k+1, groups, conflicts)
	}
}
