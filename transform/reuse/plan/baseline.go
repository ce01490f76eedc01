package plan

import (
	"cmp"
	"slices"
)

// LinearScan returns the cost of the simplest plan: every block, in the order of allocation, joins
// the first group that it does not conflict with and that its size allows (thesis, section 5.5,
// with the max trick). It ignores peaks.
func LinearScan(p *Problem) Cost {
	return baseline(p, func(f *frame, old, now *group) bool { return false })
}

// BestFit is LinearScan, but a block joins the group that is then too large by the least amount, or
// has to grow least.
func BestFit(p *Problem) Cost {
	return baseline(p, func(f *frame, old, now *group) bool { return f.weight(now.top) < f.weight(old.top) })
}

// baseline makes a plan. better reports whether a block should prefer the second of two groups, as
// they would be with the block in them.
func baseline(p *Problem, better func(f *frame, old, now *group) bool) Cost {
	f := newFrame(p)
	var blocks []int
	var groups []*group
	for b := range f.Blocks {
		if f.Blocks[b].Fixed || f.Blocks[b].Pinned {
			groups = append(groups, f.single(b))
			continue
		}
		blocks = append(blocks, b)
	}
	slices.SortStableFunc(blocks, func(a, b int) int { return f.Blocks[a].Alloc - f.Blocks[b].Alloc })
	for _, b := range blocks {
		conflicts := map[int]bool{}
		for _, c := range f.Conflicts[b] {
			conflicts[c] = true
		}
		own := f.single(b)
		at := -1
		var best *group
		for k, g := range groups {
			if slices.ContainsFunc(g.members(), func(m int) bool { return conflicts[m] }) {
				continue
			}
			if u, ok := f.join(g, own); ok && !u.unknown && (best == nil || better(f, best, u)) {
				at, best = k, u
			}
		}
		if best == nil {
			groups = append(groups, own)
		} else {
			groups[at] = best
		}
	}
	return f.cost(groups)
}

// Least returns a bound that no plan can beat, even if it may raise the peak. If all of some blocks
// conflict with one another, each needs a block of its own. The bound is the greatest number of
// such blocks, and the greatest sum of their sizes under the samples, minus the part that fixed
// blocks may take. It has no peak.
func Least(p *Problem) Cost {
	f := newFrame(p)
	var own []int
	for b := range f.Blocks {
		if !f.Blocks[b].Fixed && !f.Blocks[b].Pinned {
			own = append(own, b)
		}
	}
	conflict := f.conflictSets()
	size := func(b int) int64 { return f.weight(f.size[b]) }
	slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	c := &clique{conflict: conflict, nodes: exactNodes}
	one := func(int) int64 { return 1 }
	return Cost{
		Blocks: int(f.lessFixed(c.heaviest(own, one), conflict, one)),
		Bytes:  f.lessFixed(c.heaviest(own, size), conflict, size),
	}
}

// lessFixed returns the weight of blocks. For each fixed block that does not conflict with all of
// them, it subtracts the heaviest one.
func (f *frame) lessFixed(blocks []int, conflict []map[int]bool, weight func(int) int64) int64 {
	var weights []int64
	for _, b := range blocks {
		weights = append(weights, weight(b))
	}
	slices.Sort(weights)
	for x := range f.Blocks {
		if f.Blocks[x].Fixed && len(weights) > 0 && slices.ContainsFunc(blocks, func(b int) bool { return !conflict[x][b] }) {
			weights = weights[:len(weights)-1]
		}
	}
	var sum int64
	for _, w := range weights {
		sum += w
	}
	return sum
}

// A clique looks for the heaviest set of blocks of which every two conflict, by branch and bound.
// After a number of nodes it returns the best set so far.
type clique struct {
	conflict []map[int]bool
	nodes    int
	best     []int
	most     int64
}

func (c *clique) heaviest(blocks []int, weight func(int) int64) []int {
	c.best, c.most, c.nodes = nil, 0, exactNodes
	c.grow(nil, 0, blocks, weight)
	return c.best
}

func (c *clique) grow(chosen []int, sum int64, open []int, weight func(int) int64) {
	if sum > c.most || c.best == nil {
		c.best, c.most = slices.Clone(chosen), sum
	}
	var rest int64
	for _, b := range open {
		rest += weight(b)
	}
	for k, b := range open {
		if c.nodes--; sum+rest <= c.most || c.nodes < 0 {
			return
		}
		var next []int
		for _, o := range open[k+1:] {
			if c.conflict[b][o] {
				next = append(next, o)
			}
		}
		c.grow(append(chosen, b), sum+weight(b), next, weight)
		rest -= weight(b)
	}
}
