package peak

import (
	"cmp"
	"slices"
)

// A graph has an edge between two blocks that may share storage: only one of them counts.
type graph struct {
	weight []int64
	near   [][]int
}

// heaviest returns nodes of which no two have an edge, the heaviest first. It takes its steps from a
// budget.
func (g graph) heaviest(budget *int) []bool {
	order := make([]int, len(g.weight))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(g.weight[y], g.weight[x]) })
	*budget -= len(order)
	refused, taken := make([]bool, len(order)), make([]bool, len(order))
	for _, k := range order {
		if taken[k] = !refused[k]; taken[k] {
			for _, o := range g.near[k] {
				refused[o] = true
			}
		}
	}
	return taken
}
