package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
)

// Note [Conflicts]
//
// Once src is made in a part of dst's block, each write to an array of its web
// (w) hits that part before the copy would have. What the copy overwrote was dead
// there, so nothing behind the copy is disturbed. In between, an access to the
// block by another array (a) conflicts where
//
//   - it may come after w, on one path, and touches a byte that w wrote; or
//   - it is in the same kernel, and another thread's w touches its byte; or
//   - it is in the same loop, and another iteration's w touches its byte.
//
// Loops and kernels around the body that holds both the copy and the making of
// src do not matter: there the copy itself wrote that part, in the same
// iteration, or by the same thread.

// conflicts looks for an access to the destination's block that the move would
// disturb, or that would disturb the moved arrays.
func (s *state) conflicts(m *move) refusal {
	if s.opt.skip["C3"] {
		return refusal{}
	}
	var out refusal
	s.touching(m.block, m.first, m.last, func(a *accesses.Access) bool {
		out = s.against(m, a)
		return !out.refused()
	})
	return out
}

// against tells whether one access conflicts with the move.
func (s *state) against(m *move, a *accesses.Access) refusal {
	if _, ours := m.funs[a.Array]; ours {
		return refusal{}
	}
	if a.Point == m.point && a.Stmt == m.stmt && a.Write {
		return refusal{} // the copy itself
	}
	if a.Point > m.point && !a.Write && m.kind != buffers {
		return refusal{} // reads what the copy gave
	}
	if m.work--; m.work < 0 {
		return refuse("bound", "too many accesses to `%s` while `%s` lives", m.block, m.src)
	}
	if a.Array == "" {
		return refuse("C3", "`%s` is given to a call while `%s` lives", a.Block, m.src)
	}
	region := a.Region(s.place(a.Array))
	f := a.Known()
	eb, we := s.bytes(a.Array), s.bytes(m.src)
	if places.Disjoint(f, region, m.region, eb, we) {
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

// compatible tells whether access a and write w of the web may be as they are;
// see Note [Conflicts].
func (s *state) compatible(m *move, a, w *accesses.Access, region lmad.Fun) bool {
	f := a.Known()
	common, exclusive := s.common(m, a, w)
	ea, ew := s.bytes(a.Array), s.bytes(w.Array)
	written := w.Region(s.funOf(m, w.Array))
	if len(common) > 0 && (w.Staged || a.Staged) {
		return places.Disjoint(f, region, written, ea, ew)
	}
	for _, sc := range common {
		if s.opt.skip["threads"] && sc.Kernel || s.opt.skip["iterations"] && sc.Loop {
			continue
		}
		if once(sc) {
			continue
		}
		var names []string
		for _, b := range sc.Binders {
			names = append(names, b.Name)
		}
		if len(names) == 0 { // a while loop: iterations cannot be told apart
			if !places.Disjoint(f, region, written, ea, ew) || len(s.localNames(a, w, sc)) > 0 {
				return false
			}
			continue
		}
		local := s.localNames(a, w, sc)
		// Each of the two runs knows what its own access knows.
		outer := s.ac.Facts(s.lv.Stmt(sc.Stmt).From)
		both := f.Twin(w.Known(), outer, slices.Concat(names, local))
		if !both.Disjoint(region, written, ea, ew, names) {
			return false
		}
	}
	if exclusive || a.Point < w.Point {
		return true
	}
	if a.Point == w.Point && !a.Write {
		// Operands are read before the result is written; element by element if
		// they are of one statement and coincide.
		if a.Items != nil && allFixed(a.Items) {
			return true
		}
		return places.Same(f, region, written) || places.Disjoint(f, region, written, ea, ew)
	}
	return places.Disjoint(f, region, written, ea, ew)
}

// once tells whether a kernel has one thread only, or a loop one iteration.
func once(sc *accesses.Scope) bool {
	for _, b := range sc.Binders {
		if !b.Bound.Is(1) {
			return false
		}
	}
	return len(sc.Binders) > 0
}

func allFixed(items []ir.Item) bool {
	return !slices.ContainsFunc(items, func(it ir.Item) bool { return !it.Fixed })
}

// common gives the loops and kernels within the candidate's body that are around
// both accesses, outermost first, and whether the two are in different branches
// of an if in them, so that one iteration makes only one of them.
func (s *state) common(m *move, a, w *accesses.Access) (list []*accesses.Scope, exclusive bool) {
	up := func(p int) []*accesses.Scope {
		var out []*accesses.Scope
		for sc := s.ac.Scope(p); sc != nil && sc.Body != m.body; sc = sc.Outer {
			out = append(out, sc)
		}
		slices.Reverse(out)
		return out
	}
	x, y := up(a.Point), up(w.Point)
	k := 0
	for ; k < len(x) && k < len(y) && x[k] == y[k]; k++ {
		if x[k].Kernel || x[k].Loop {
			list = append(list, x[k])
		}
	}
	if k < len(x) && k < len(y) && x[k].Stmt == y[k].Stmt {
		_, exclusive = x[k].Stmt.Op.(*ir.If)
		if !exclusive { // a kernel's operator and its body
			list = append(list, x[k])
		}
	}
	return list, exclusive
}

// localNames gives the names that can differ between two iterations of sc: those
// bound in it, around either access, but not sc's own indices.
func (s *state) localNames(a, w *accesses.Access, sc *accesses.Scope) []string {
	var out []string
	add := func(n string) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	for _, p := range []int{a.Point, w.Point} {
		for x := s.ac.Scope(p); x != nil; x = x.Outer {
			for _, n := range x.Locals {
				add(n)
			}
			if x == sc {
				break
			}
			for _, b := range x.Binders {
				add(b.Name)
			}
		}
	}
	return out
}
