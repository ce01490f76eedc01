package coalesce

import (
	"math"

	"github.com/memc-lang/memc/ir"
)

// within checks that the whole web is made and used in the body of the copy, and made before the
// copy (conditions C1, C2 and C4). It collects the web's writes.
func (s *state) within(m *move) refusal {
	span := s.lv.Body(m.body)
	m.first, m.last = math.MaxInt, m.point
	for _, x := range m.members {
		d := x.def
		if d.Scope.Span.From < span.From || d.Scope.Span.To > span.To {
			return refuse("C2", "`%s` is made outside of the body that the copy is in", x.name)
		}
		if m.kind != buffers && d.At >= m.point && d.Fresh() {
			return refuse("C1", "`%s` is made after the copy", x.name)
		}
		if s.called[x.name] && !x.fun.Equal(s.place(x.name)) {
			return refuse("call", "`%s` is passed to a call, which needs its present layout", x.name)
		}
		for _, k := range x.accesses {
			a := &s.ac.All[k]
			if !a.Write {
				continue
			}
			if a.Point >= m.point && m.kind != buffers {
				return s.because("C1", a, "`%s` is written after the copy", x.name)
			}
			m.writes = append(m.writes, a)
			m.first = min(m.first, a.Point)
		}
		if d.Fresh() { // a scratch array is there before it is written
			m.first = min(m.first, d.At)
		}
		if !s.opt.skip["C1"] {
			for _, i := range s.lv.Elements(x.name) {
				m.last = max(m.last, i.To)
			}
		}
		if r := s.leavesNames(m, x.array); r.refused() {
			return r
		}
	}
	if len(m.writes) == 0 {
		return refuse("C4", "`%s` is not made here", m.src)
	}
	for _, e := range s.f.Body.Result {
		if r, ok := e.(*ir.Ref); ok && m.kind != buffers && m.moves(r.Name) != nil {
			return refuse("C1", "`%s` is a result of the function", r.Name)
		}
	}
	if m.last > m.point && m.kind == results || m.kind == steps && m.last > s.lv.Stmt(m.stmt).To {
		return refuse("C1", "`%s` is used after the copy", m.src)
	}
	// From the beginning of the statement of the body that makes it first.
	m.first = s.statement(m.body, m.first)
	return refusal{}
}

// leavesNames checks that nothing but the web needs the names that the place of one of its arrays binds (C4).
func (s *state) leavesNames(m *move, x *array) refusal {
	for _, n := range ir.ExistNames(x.def.Elem.Type.Place) {
		if s.blocks.Get(n).uses > 0 {
			return refuse("C4", "`%s`, where `%s` lies, is used as a value", n, x.name)
		}
		for _, y := range s.mentions[n] {
			if m.moves(y) == nil {
				return refuse("C4", "`%s` lies in `%s`, too, and cannot move along", y, n)
			}
		}
	}
	return refusal{}
}

// reach checks that every new place can be named where it is needed (conditions C2 and C5), and
// rewrites places to names that are defined earlier.
func (s *state) reach(m *move) refusal {
	for k := range m.members {
		x := &m.members[k]
		d := x.def
		if !s.lv.Visible(m.block, d.At) && !s.opt.skip["C2"] {
			return refuse("C2", "`%s` is not allocated where `%s` is made", m.block, x.name)
		}
		f, bad := s.lv.EarlierFun(x.fun, d.At)
		if bad != "" && !s.opt.skip["C5"] {
			return refuse("C5", "the place needs `%s`, which is not known where `%s` is made", bad, x.name)
		}
		x.fun = f
	}
	m.region = m.members[0].fun // src's
	return refusal{}
}
