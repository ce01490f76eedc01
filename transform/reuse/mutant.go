package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/reuse/plan"
)

// A mutation is a bug that tests plant, to see that a check finds it. The empty mutation is no bug.
type mutation string

// The mutations.
const (
	ignoreResults mutation = "ignore-results" // interference at the ends of bodies does not count
	shortenLives  mutation = "shorten-lives"  // lives that meet at one point only do not meet
	swapSizes     mutation = "swap-sizes"     // a group is as large as its smallest member
	skipMax       mutation = "skip-max"       // the leader's block does not grow
	ignoreThreads mutation = "ignore-threads" // threads do not interfere
	ignoreLoops   mutation = "ignore-loops"   // iterations do not interfere
	ignoreStarts  mutation = "ignore-starts"  // what lies in the initial value's block is not needed again
	ignoreLeft    mutation = "ignore-left"    // what lies in the blocks that a loop leaves is not needed again
)

// Mutants names the bugs that Mutant plants.
var Mutants = []string{
	string(ignoreResults), string(shortenLives), string(swapSizes), string(skipMax), string(ignoreThreads), string(ignoreLoops),
	string(ignoreStarts), string(ignoreLeft),
}

// Mutant returns the pass with a bug, to test its checks, or nil if there is no such bug.
func Mutant(name string) *transform.Pass {
	if !slices.Contains(Mutants, name) {
		return nil
	}
	return newPass(mutation(name))
}

// conflicts leaves out conflicts that the bug does not see.
func (m mutation) conflicts(s *state, p *plan.Problem) {
	if m == "" {
		return
	}
	for a := range p.Conflicts {
		p.Conflicts[a] = slices.DeleteFunc(p.Conflicts[a], func(b int) bool {
			w, ok := s.conflict(a, b)
			return ok && !p.Blocks[b].Pinned && m.blind(s, a, b, w)
		})
	}
	if m == ignoreLoops {
		for k := range p.Blocks {
			p.Blocks[k].Within = 0
		}
	}
}

func (m mutation) blind(s *state, a, b int, w interference.Witness) bool {
	switch m {
	case ignoreResults:
		return s.table.Liveness.Points[w.Point].Kind == liveness.End
	case shortenLives:
		return s.meetOnce(a, b)
	case ignoreThreads:
		return w.Why == interference.Threads
	case ignoreLoops:
		return !s.meet(a, b) && (s.repeats(a) || s.repeats(b))
	}
	return false
}

// repeats reports whether a block is needed by several iterations of its loop.
func (s *state) repeats(b int) bool {
	_, ok := s.meets.Repeats(s.table.Blocks[b].Name)
	return ok
}

// meetOnce reports whether the contents of two blocks are needed together in just one statement.
func (s *state) meetOnce(a, b int) bool {
	met := liveness.Span{From: -1}
	for _, i := range s.table.Liveness.Block(s.table.Blocks[a].Name) {
		for _, j := range s.table.Liveness.Block(s.table.Blocks[b].Name) {
			from, to := max(i.From, j.From), min(i.To, j.To)
			if from > to {
				continue
			}
			if met.From < 0 {
				st := s.table.Liveness.Points[from].Stmt
				if st == nil {
					return false
				}
				met = s.table.Liveness.Stmt(st)
			}
			if from < met.From || to > met.To {
				return false
			}
		}
	}
	return met.From >= 0
}

// sizes returns the blocks whose greatest size a leader's block gets.
func (m mutation) sizes(s *state, leader int, members, sizes []int) []int {
	switch m {
	case skipMax:
		return []int{leader}
	case swapSizes:
		smallest := leader
		for _, k := range members {
			if s.fits(k, smallest) {
				smallest = k
			}
		}
		return []int{smallest}
	}
	return sizes
}

// meet reports whether the contents of two blocks are needed at one point.
func (s *state) meet(a, b int) bool {
	l := s.table.Liveness
	return len(liveness.Common(l.Block(s.table.Blocks[a].Name), l.Block(s.table.Blocks[b].Name))) > 0
}
