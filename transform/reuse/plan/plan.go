package plan

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

const (
	smallBlocks = 128  // up to so many, the sums that matter are computed anew for each plan
	largeBlocks = 3000 // the plan of more is not improved
)

// Solve returns the best plan for a small problem, and a good one for a large problem.
func Solve(p *Problem) *Result { return solve(p, exactBlocks) }

// solve is Solve with exact search for problems of at most so many blocks.
func solve(p *Problem, exactBlocks int) *Result {
	f := newFrame(p)
	best := newAccount(f, f.singles())
	r := &Result{Before: best.cost()}
	cost := r.Before

	var conflicts []map[int]bool
	if len(p.Blocks) <= largeBlocks && p.Lives == nil {
		conflicts = f.conflictSets()
	}
	ways := orders
	if f.narrow || conflicts == nil || rules.Off("reuse.orders") {
		ways = ways[:1]
	}
	for _, compare := range ways {
		l := newAccount(f, f.singles())
		f.greedy(l, compare)
		f.improve(l, conflicts)
		if c := l.cost(); c.Less(cost) {
			best, cost = l, c
		}
		if f.asked >= f.maxAsked() {
			break // without proofs about sums, other ways share less
		}
	}
	if !rules.Off("reuse.exact") && f.few && f.counted <= exactBlocks && p.Lives == nil {
		better, all := f.search(cost, conflicts)
		if better != nil {
			best = newAccount(f, better)
		}
		r.Exact = all
	}
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
