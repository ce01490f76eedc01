package check

import "slices"

// Note [Ghosts]
//
// A branch of an if may return an array twice, while the other branch consumes it. After the if the
// array is dead, and yet two results may be the same. A search stops at a dead node, so this
// relation would be lost. A ghost stands for such a node from there on: it is a parent of every
// result that may denote the array that died in the if. A node may also die because one of its
// parents does, and another parent lives on: that one is a parent of the ghost.

type ghosts struct {
	g    *aliasGraph
	here map[*node]*node // nodes that died in the if, with their ghosts; nil until needed
}

// newGhosts collects the nodes that died since mark.
func (g *aliasGraph) newGhosts(mark int) *ghosts {
	if len(g.killed) == mark {
		return nil
	}
	here := make(map[*node]*node, len(g.killed)-mark)
	for _, n := range g.killed[mark:] {
		here[n] = nil
	}
	return &ghosts{g, here}
}

// of returns the ghosts of all that died in the if and that n may denote.
func (h *ghosts) of(n *node) (out []*node) {
	if h == nil || n == nil {
		return nil
	}
	died := func(n *node) bool { _, here := h.here[n]; return here }
	for _, n := range h.g.above(n, func(p *node) bool { return p.alive() || died(p) }) { // not through those dead before
		if !died(n) {
			continue
		}
		ghost := h.here[n]
		if ghost == nil {
			alive := slices.DeleteFunc(slices.Clone(n.parents), func(p *node) bool { return !p.alive() })
			ghost = h.g.node(n.name, n.span, alive...)
			h.here[n] = ghost
		}
		out = append(out, ghost)
	}
	return out
}

// rotation looks for parameters of a loop that are the next values of other parameters. Such values
// change places, so after some turns a result may be the initial or the last value of another
// parameter. For each set of linked parameters, rotation returns a node that becomes a parent of
// their results; for other parameters it returns nil.
func (g *aliasGraph) rotation(params, last []*node, first int) []*node {
	set := make([]int, len(params)) // union-find
	index := make(map[*node]int, len(params))
	for i, n := range params {
		set[i] = i
		if n != nil {
			index[n] = i
		}
	}
	find := func(i int) int {
		for set[i] != i {
			set[i] = set[set[i]]
			i = set[i]
		}
		return i
	}
	linked := false
	for i, n := range last {
		if n == nil || n == params[i] || n.id < first {
			continue
		}
		for _, a := range g.above(n, func(p *node) bool { return p.id >= first }) {
			if j, ok := index[a]; ok && find(i) != find(j) {
				set[find(i)] = find(j)
				linked = true
			}
		}
	}
	out := make([]*node, len(params))
	if !linked {
		return out
	}
	members := map[int][]*node{}
	for i := range params {
		if params[i] != nil {
			members[find(i)] = append(members[find(i)], params[i], last[i])
		}
	}
	common := map[int]*node{}
	for i, n := range params {
		k := find(i)
		if n == nil || len(members[k]) <= 2 {
			continue
		}
		if common[k] == nil {
			common[k] = g.node(n.name, n.span, members[k]...)
		}
		out[i] = common[k]
	}
	return out
}
