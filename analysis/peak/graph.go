package peak

import (
	"cmp"
	"slices"
)

// maxExact is the greatest number of nodes for which all choices are tried.
const maxExact = 12

// A graph has an edge between two blocks that may share storage: only one of them counts.
type graph struct {
	weight []int64
	near   [][]int
}

// heaviest returns nodes of which no two have an edge, as heavy as possible: the best choice if
// there are few nodes, and otherwise a greedy one, heaviest first. It takes its steps from a
// budget.
func (g graph) heaviest(budget *int) []bool {
	order := make([]int, len(g.weight))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(g.weight[y], g.weight[x]) })
	*budget -= len(order)
	refused := make([]int, len(order))
	refuse := func(k, sign int) {
		for _, o := range g.near[k] {
			refused[o] += sign
		}
	}
	best := make([]bool, len(order))
	var most, rest int64
	for _, k := range order {
		rest += g.weight[k]
		if refused[k] == 0 {
			best[k] = true
			most += g.weight[k]
			refuse(k, 1)
		}
	}
	if len(order) > maxExact {
		return best
	}
	clear(refused)
	taken := make([]bool, len(order))
	var try func(at int, sum, rest int64)
	try = func(at int, sum, rest int64) {
		*budget--
		if *budget <= 0 || sum+rest <= most {
			return
		}
		if at == len(order) {
			most = sum
			copy(best, taken)
			return
		}
		k := order[at]
		rest -= g.weight[k]
		if refused[k] == 0 {
			taken[k] = true
			refuse(k, 1)
			try(at+1, sum+g.weight[k], rest)
			refuse(k, -1)
			taken[k] = false
		}
		try(at+1, sum, rest)
	}
	try(0, 0, rest)
	return best
}
