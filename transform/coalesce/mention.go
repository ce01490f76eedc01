package coalesce

import (
	"math"

	"github.com/memc-lang/memc/ir"
)

// A mention is where an array is named first and last; initial tells that the last
// one is as the initial value of a loop, whose parameter takes over.
type mention struct {
	first, last int
	initial     bool
}

// mentioned notes where arrays are named.
func (s *state) mentioned(b *ir.Body) {
	note := func(name string, at int, initial bool) {
		if !s.array(name) {
			return
		}
		m, met := s.held.mentions[name]
		if !met {
			m.first = at
		}
		m.last, m.initial = at, initial
		s.held.mentions[name] = m
	}
	for _, e := range s.f.Params {
		note(e.Name, s.lv.Body(s.f.Body).From, false)
	}
	var visit func(b *ir.Body)
	visit = func(b *ir.Body) {
		for _, st := range b.Stmts {
			at := s.lv.Stmt(st).From
			_, loop := st.Op.(*ir.Loop)
			ir.Uses(st.Op, func(n string) { note(n, at, loop) })
			ir.Elems(st.Op, func(e *ir.Elem) { note(e.Name, at+1, false) })
			for _, in := range ir.Bodies(st.Op) {
				visit(in)
			}
			for _, e := range st.Pat {
				note(e.Name, at, false)
			}
		}
		for _, e := range b.Result {
			ir.ExpNames(e, func(n string) { note(n, s.lv.Body(b).To, false) })
		}
	}
	visit(b)
}

// span gives from where to where a block is held for what lies in it: from the
// statement of the block's body that mentions it first to that which does last.
func (s *state) span(l *life, arrays []string) (from, to int) {
	from, to = math.MaxInt, -1
	in := s.lv.Body(l.body)
	for _, x := range arrays {
		m, ok := s.held.mentions[x]
		if !ok || m.first > in.To || m.last < in.From {
			continue
		}
		from = min(from, s.around(l.body, max(m.first, in.From)).From)
		last := s.around(l.body, min(m.last, in.To))
		if m.initial && last.From == m.last {
			to = max(to, last.From)
		} else {
			to = max(to, last.To)
		}
	}
	return from, to
}

// around gives the points of the statement of a body that a point belongs to, or the
// point itself where that is the body's end.
func (s *state) around(b *ir.Body, point int) liveSpan {
	if k := s.statementIndex(b, point); k < len(b.Stmts) {
		if st := s.lv.Stmt(b.Stmts[k]); st.From <= point {
			return st
		}
	}
	return liveSpan{From: point, To: point}
}
