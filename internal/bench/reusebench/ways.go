package reusebench

import (
	"slices"

	"github.com/memc-lang/memc/transform/reuse/plan"
)

// A Score is what a way to share costs.
type Score struct {
	Blocks      int
	Bytes, Peak int64
}

// Bounds returns lower bounds for every way to share whole intervals: as many blocks as are live at one
// time; as many bytes as the sum, over k, of the k-th largest sizes that are
// live at any one time; and as a peak the most bytes that are live at one time.
func Bounds(blocks []Block) Score {
	var s Score
	var ranks []int64 // per rank the greatest size that was of this rank
	var live []int64  // descending
	sweep(blocks, func(b Block) {
		k, _ := slices.BinarySearchFunc(live, b.Size, func(a, w int64) int { return compare(w, a) })
		live = slices.Insert(live, k, b.Size)
		var sum int64
		for r, size := range live {
			if r == len(ranks) {
				ranks = append(ranks, 0)
			}
			ranks[r] = max(ranks[r], size)
			sum += size
		}
		s.Peak = max(s.Peak, sum)
	}, func(b Block) {
		k, _ := slices.BinarySearchFunc(live, b.Size, func(a, w int64) int { return compare(w, a) })
		live = slices.Delete(live, k, k+1)
	})
	s.Blocks = len(ranks)
	for _, size := range ranks {
		s.Bytes += size
	}
	return s
}

// Alone returns the score where no block shares.
func Alone(blocks []Block) Score {
	s := Score{Blocks: len(blocks), Peak: Bounds(blocks).Peak}
	for _, b := range blocks {
		s.Bytes += b.Size
	}
	return s
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// sweep calls begin and end in the order of time; what ends comes first.
func sweep(blocks []Block, begin, end func(Block)) {
	starts, ends := slices.Clone(blocks), slices.Clone(blocks)
	slices.SortStableFunc(starts, func(a, b Block) int { return compare(a.From, b.From) })
	slices.SortStableFunc(ends, func(a, b Block) int { return compare(a.Until, b.Until) })
	k := 0
	for _, b := range starts {
		for ; k < len(ends) && ends[k].Until <= b.From; k++ {
			end(ends[k])
		}
		begin(b)
	}
}

// A slot is a block that others share, for the simple ways.
type slot struct{ size, from, free int64 }

// LinearScan returns every block, in the order of time, the first slot that is
// free and, where grow is not allowed, large enough; with grow any free one.
func LinearScan(blocks []Block) Score { return scan(blocks, firstFree) }

// BestFit returns every block, in the order of time, the free slot that is least
// too large, else the largest, which then grows.
func BestFit(blocks []Block) Score { return scan(blocks, leastWaste) }

func firstFree(slots []*slot, b Block) *slot {
	for _, s := range slots {
		if s.free <= b.From {
			return s
		}
	}
	return nil
}

func leastWaste(slots []*slot, b Block) *slot {
	var best *slot
	for _, s := range slots {
		if s.free > b.From {
			continue
		}
		switch {
		case best == nil, best.size < b.Size && s.size > best.size, s.size >= b.Size && s.size < best.size:
			best = s
		}
	}
	return best
}

func scan(blocks []Block, pick func([]*slot, Block) *slot) Score {
	ordered := slices.Clone(blocks)
	slices.SortStableFunc(ordered, func(a, b Block) int { return compare(a.From, b.From) })
	var slots []*slot
	for _, b := range ordered {
		s := pick(slots, b)
		if s == nil {
			s = &slot{from: b.From}
			slots = append(slots, s)
		}
		s.size, s.free = max(s.size, b.Size), b.Until
	}
	out := Score{Blocks: len(slots)}
	held := make([]Block, len(slots))
	for k, s := range slots {
		out.Bytes += s.size
		held[k] = Block{s.from, s.free, s.size}
	}
	out.Peak = Bounds(held).Peak
	return out
}

// Plan shares as the pass does. Where nothing is freed before the end, the peak is
// the bytes of all blocks together, and the planner is free to lower those.
func Plan(blocks []Block, freed bool) Score { return score(plan.Solve(problem(blocks, freed)).After) }

// problem states for the planner which blocks may share.
func problem(blocks []Block, freed bool) *plan.Problem {
	var times []int64
	for _, b := range blocks {
		times = append(times, b.From, b.Until)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	at := func(t int64) int { k, _ := slices.BinarySearch(times, t); return k }

	all := plan.Span{From: 0, To: max(len(times)-1, 0)}
	p := &plan.Problem{
		Regions:   []plan.Region{{Parent: -1, Body: all, Stmt: all}},
		Conflicts: make([][]int, len(blocks)),
	}
	for _, b := range blocks {
		block := plan.Block{
			Alloc: at(b.From), Last: at(b.Until) - 1,
			Size: plan.Vec{{Mono: 0, Coef: b.Size}}, Sample: []int64{b.Size},
		}
		if !freed {
			block.Alloc, block.Last = all.From, all.To
		}
		p.Blocks = append(p.Blocks, block)
	}
	order := make([]int, len(blocks))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(blocks[a].From, blocks[b].From) })
	var live []int
	for _, b := range order {
		live = slices.DeleteFunc(live, func(c int) bool { return blocks[c].Until <= blocks[b].From })
		for _, c := range live {
			p.Conflicts[b] = append(p.Conflicts[b], c)
			p.Conflicts[c] = append(p.Conflicts[c], b)
		}
		live = append(live, b)
	}
	return p
}
