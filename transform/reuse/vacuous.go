package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/ir/sym"
)

// vacuous reports whether an excuse is good only because an array has no elements there: conditions
// say so, or contradict one another. Such an excuse is true, but the independent checker need not
// see it, and it gains nothing.
func (s *state) vacuous(e interference.Excuse) bool {
	empty, known := s.empty[e]
	if !known {
		empty = s.isVacuous(e)
		s.empty[e] = empty
	}
	return empty
}

func (s *state) isVacuous(e interference.Excuse) bool {
	points := []int{e.Point} // of the statement of the meeting, which may hold a branch
	for _, x := range []string{e.First, e.Second} {
		for _, i := range s.table.Liveness.Array(x) {
			points = append(points, i.From)
		}
	}
	if slices.ContainsFunc(points, func(p int) bool { return s.table.Accesses.Facts(p).Contradictory() }) {
		return true
	}
	for _, x := range []string{e.First, e.Second} {
		t := s.table.Accesses.Type(x)
		if t == nil {
			continue
		}
		for _, d := range t.Shape {
			size := sym.Of(d.Exp())
			if slices.ContainsFunc(points, func(p int) bool { return s.table.Accesses.Facts(p).Less(size, sym.Const(1)) }) {
				return true
			}
		}
	}
	return false
}
