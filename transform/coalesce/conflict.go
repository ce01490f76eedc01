package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
)

// Note [Conflicts]
//
// Once src is made in a part of dst's block, each write to an array of its web (w) reaches that
// part earlier than the copy did. The contents that the copy overwrote were dead there, so nothing
// after the copy is disturbed. Before the copy, an access to the block by another array (a)
// conflicts if
//
//   - it may come after w, on one path, and touches a byte that w wrote; or
//   - it is in the same kernel, and another thread's w touches its byte; or
//   - it is in the same loop, and another iteration's w touches its byte.
//
// Loops and kernels around the body that holds both the copy and the making of src do not matter:
// there the copy itself wrote that part, in the same iteration, or by the same thread.

// conflicts looks for an access to the destination's block that the move would disturb, or that
// would disturb the moved arrays.
func (s *state) conflicts(m *move) refusal {
	if s.opt.skip["C3"] {
		return refusal{}
	}
	var out refusal
	s.touching(m.block, m.region, s.bytes(m.src), m.first, m.last, func(a *accesses.Access) bool {
		out = s.against(m, a)
		return !out.refused()
	})
	return out
}

// against tells whether one access conflicts with the move.
func (s *state) against(m *move, a *accesses.Access) refusal {
	if m.moves(a.Array) != nil {
		return refusal{}
	}
	if a.Point == m.point && a.Stmt == m.stmt && a.Write {
		return refusal{} // the copy itself
	}
	if a.Point > m.point && !a.Write && m.kind != buffers {
		return refusal{} // reads the result of the copy
	}
	if m.work--; m.work < 0 {
		return refuse("bound", "too many accesses to `%s` while `%s` lives", m.block, m.src)
	}
	if a.Array == "" {
		return refuse("C3", "`%s` is passed to a call while `%s` lives", a.Block, m.src)
	}
	region := a.Region(s.place(a.Array))
	f := a.Known()
	eb, we := s.bytes(a.Array), s.bytes(m.src)
	if places.Disjoint(f, region, m.region, eb, we) || s.apartByRow(m, a) {
		return refusal{}
	}
	if a.Point > m.point && m.kind != buffers {
		return s.because("C1", a, "`%s` is written there while `%s` is still used", m.dst, m.src)
	}
	for _, w := range m.writes {
		if !s.compatible(m, a, w, region) {
			if a.Write {
				return s.because("C3", a, "`%s` is written in `%s` while `%s` lives", a.Array, m.block, m.src)
			}
			return s.because("C3", a, "`%s` in `%s` is read while `%s` lives", a.Array, m.block, m.src)
		}
	}
	return refusal{}
}

// apartByRow reports whether the row that an element lies in is apart from the move's part. An index lies in its
// dimension, or the run fails; so the last ones may be anything.
func (s *state) apartByRow(m *move, a *accesses.Access) bool {
	if rules.Off("coalesce.rows") {
		return false
	}
	shape := s.of(a.Array).def.Elem.Type.Shape
	row := *a
	row.Items = slices.Clone(a.Items)
	for d := len(row.Items) - 1; d > 0 && row.Items[d].Fixed; d-- {
		row.Items[d] = ir.Item{Start: ir.IntLit(0), Len: shape[d].Exp()}
		if places.Disjoint(a.Known(), row.Region(s.place(a.Array)), m.region, s.bytes(a.Array), s.bytes(m.src)) {
			return true
		}
	}
	return false
}

// compatible reports whether access a and write w of the web do not conflict (Note [Conflicts]).
func (s *state) compatible(m *move, a, w *accesses.Access, region lmad.Fun) bool {
	written := w.Region(s.funOf(m, w.Array))
	around, _, _ := s.ac.Around(a.Point, w.Point)
	within := slices.IndexFunc(around, func(sc *accesses.Scope) bool { return sc.Body == m.body }) + 1
	for _, sc := range around[within:] {
		if s.opt.skip["threads"] && sc.Kernel || s.opt.skip["iterations"] && sc.Loop || !sc.Kernel && !sc.Loop {
			continue
		}
		if !s.ac.Apart(a, w, region, written, sc) {
			return false
		}
	}
	if s.ac.Precedes(a, w) {
		return true
	}
	// A whole operand is read while the result is written, element by element.
	f := a.Known()
	return a.Point == w.Point && !a.Write && !a.Staged && !w.Staged && places.Same(f, region, written) || places.Disjoint(f, region, written, s.bytes(a.Array), s.bytes(w.Array))
}
