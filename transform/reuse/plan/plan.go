package plan

import "slices"

// smallBlocks is the number of blocks up to which every sum is looked at anew.
const smallBlocks = 48

// Solve gives a plan: the best there is for small problems, a good one for
// large ones.
func Solve(p *Problem) *Result { return solve(p, exactBlocks) }

// solve is Solve with exact search for problems of at most so many blocks.
func solve(p *Problem, exactBlocks int) *Result {
	f := newFrame(p)
	newLedger := func() ledger { return newTree(f) }
	if len(p.Blocks) <= smallBlocks && !p.Alike {
		newLedger = func() ledger { return newList(f) }
	}
	best := newLedger()
	r := &Result{Before: best.cost()}
	cost := r.Before

	var conflicts []map[int]bool
	if len(p.Blocks) <= improveBlocks {
		conflicts = f.conflictSets()
	}
	tried := orders
	if len(p.Blocks) > improveBlocks {
		tried = orders[:2]
	}
	for _, o := range tried {
		l := newLedger()
		f.greedy(l, o)
		f.improve(l, conflicts)
		if c := l.cost(); c.Less(cost) {
			best, cost = l, c
		}
	}
	if len(p.Blocks) <= exactBlocks && !p.Alike {
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
