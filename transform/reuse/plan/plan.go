package plan

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

// Up to these numbers of blocks, every sum is computed anew for each plan: in small problems, and
// in some larger ones with so many different sizes that a tree of sums would be too large.
const (
	smallBlocks  = 48
	mediumBlocks = 128
	largeBlocks  = 3000 // of these and more there is one plan, which is not improved
)

// Solve returns the best plan for a small problem, and a good one for a large problem.
func Solve(p *Problem) *Result { return solve(p, exactBlocks) }

// solve is Solve with exact search for problems of at most so many blocks.
func solve(p *Problem, exactBlocks int) *Result {
	f := newFrame(p)
	newAccount := func() account { return newTree(f) }
	if f.few && !rules.Off("reuse.list") {
		newAccount = func() account { return newList(f) }
	}
	best := newAccount()
	r := &Result{Before: best.cost()}
	cost := r.Before

	var conflicts []map[int]bool
	if len(p.Blocks) <= largeBlocks && p.Lives == nil {
		conflicts = f.conflictSets()
	}
	ways := orders
	if f.narrow || p.Lives != nil || len(p.Blocks) > largeBlocks || rules.Off("reuse.orders") {
		ways = ways[:1]
	}
	for _, compare := range ways {
		l := newAccount()
		if p.Lives != nil {
			f.scan(l)
		} else {
			f.greedy(l, compare)
			f.improve(l, conflicts)
		}
		if c := l.cost(); c.Less(cost) {
			best, cost = l, c
		}
		if f.asked >= f.maxAsked() {
			break // without proofs about sums, other ways share less
		}
	}
	if !rules.Off("reuse.exact") && f.counted <= exactBlocks && !p.Alike && p.Lives == nil {
		better, all := f.search(cost, conflicts)
		if better != nil {
			l := &list{f, better}
			best = l
		}
		r.Exact = all
	}
	f.raise(best)
	r.After = best.cost()
	for _, g := range best.groups() {
		r.Groups = append(r.Groups, f.finish(g))
	}
	slices.SortFunc(r.Groups, func(a, b Group) int {
		if a.At != b.At {
			return a.At - b.At
		}
		return a.Leader - b.Leader
	})
	return r
}

func (f *frame) conflictSets() []map[int]bool {
	out := make([]map[int]bool, len(f.Blocks))
	for b, all := range f.Conflicts {
		out[b] = make(map[int]bool, len(all))
		for _, c := range all {
			out[b][c] = true
		}
	}
	return out
}
