package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Handed on]
//
// What a branch or the body of a loop gives must be there when it does, even if
// nobody looks at that result: so says the independent checker, and a reader
// would expect it. Interference allows to overwrite contents that are handed on
// and never read. Here such a pair of blocks is kept apart: one is given by a
// branch or a loop's body, and while it is kept for that, something is made in
// the other.

// maxHandedOn bounds the real blocks per result that are looked at.
const maxHandedOn = 64

// handedOn adds the conflicts of the note.
func (s *scene) handedOn(conflicts [][]int) {
	given := map[string][]int{} // per block the ends of bodies that give it
	var visit func(b *ir.Body, handing bool)
	visit = func(b *ir.Body, handing bool) {
		for _, st := range b.Stmts {
			_, kernel := ir.KernelSpace(st.Op)
			for _, in := range ir.Bodies(st.Op) {
				visit(in, !kernel)
			}
		}
		if !handing {
			return
		}
		for _, e := range b.Result {
			ref, ok := e.(*ir.Ref)
			if !ok || s.table.Aliases.BlockOf(ref.Name) == "" {
				continue
			}
			reals, _ := s.table.Aliases.BlocksUpTo(s.table.Aliases.BlockOf(ref.Name), maxHandedOn)
			for _, r := range reals {
				given[r] = append(given[r], s.table.Liveness.Body(b).To)
			}
		}
	}
	visit(s.f.Body, true)
	for _, pair := range s.meets.Excused() {
		a, okA := s.table.Block(pair.M1)
		b, okB := s.table.Block(pair.M2)
		if okA && okB && (s.ruins(pair.M1, given[pair.M1], pair.M2) || s.ruins(pair.M2, given[pair.M2], pair.M1) ||
			slices.ContainsFunc(pair.Excuses, s.vacuous)) {
			conflicts[a] = append(conflicts[a], b)
			conflicts[b] = append(conflicts[b], a)
		}
	}
}

// vacuous tells whether an excuse is good only because an array has no elements
// there: where conditions say so, or contradict one another. It is true, but the
// independent checker need not see it, and nothing is gained by it.
func (s *scene) vacuous(e interference.Excuse) bool {
	points := []int{e.Point} // of the statement of the meeting, which may hold a branch
	for _, x := range []string{e.First, e.Second} {
		for _, i := range s.table.Liveness.Array(x) {
			points = append(points, i.From)
		}
	}
	for _, x := range []string{e.First, e.Second} {
		t := s.table.Accesses.Type(x)
		if t == nil {
			continue
		}
		for _, d := range t.Shape {
			size := sym.Of(d.Exp())
			if slices.ContainsFunc(points, func(p int) bool { return s.table.Accesses.Facts(p).AtLeast(size.Neg(), 0) }) {
				return true
			}
		}
	}
	return false
}

// ruins tells whether something is made in block other while block kept is
// needed for one of the ends of bodies that give it.
func (s *scene) ruins(kept string, ends []int, other string) bool {
	if len(ends) == 0 {
		return false
	}
	made := s.table.Liveness.Block(other)
	for _, i := range s.table.Liveness.Block(kept) {
		if !givenIn(i, ends) {
			continue
		}
		for _, j := range made {
			if j.Born && i.From < j.From && j.From <= i.To {
				return true
			}
		}
	}
	return false
}

func givenIn(i liveness.Interval, ends []int) bool {
	for _, e := range ends {
		if i.From <= e && e <= i.To {
			return true
		}
	}
	return false
}
