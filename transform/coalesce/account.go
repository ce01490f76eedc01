package coalesce

import (
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
)

// transaction returns a move's changes to the memory that the function holds.
func (s *state) transaction(m *move) *peak.Transaction {
	arrays := make([]string, len(m.members))
	for k, x := range m.members {
		arrays[k] = x.name
	}
	t := s.account().Propose(m.point, s.ac.Facts(m.point))
	t.Move(arrays, m.block, m.first)
	return t
}

// holds checks that a move makes no run hold more memory at a time.
func (s *state) holds(m *move) refusal {
	m.memory = s.transaction(m)
	return s.noWorse(m, m.memory)
}

// holdsAbove checks it for a move before which some statements move up, too.
func (s *state) holdsAbove(m *move, stmts []*ir.Stmt) refusal {
	t := s.transaction(m)
	for _, r := range s.account().Begin(stmts) {
		if r.Block != m.block && r.From > m.first {
			t.Hold(r, liveSpan{From: m.first, To: r.From - 1})
		}
	}
	return s.noWorse(m, t)
}

func (s *state) noWorse(m *move, t *peak.Transaction) refusal {
	if s.unasked() {
		return refusal{}
	}
	v := t.NoWorse()
	switch {
	case v.NoWorse:
		return refusal{}
	case v.Bound:
		return refuse("bound", "too many blocks end between the making of `%s` and the copy", m.src)
	case v.Called:
		return refuse("peak", "`%s` would be held during a call that needs an unknown amount of memory", m.block)
	case v.Beside == "":
		return refuse("peak", "`%s` would be held longer, which may raise the peak", m.block)
	}
	return refuse("peak", "`%s` would be held together with `%s`, when more memory may be held than at the copy", m.block, v.Beside)
}

// unasked reports whether memory may be held in addition.
func (s *state) unasked() bool { return s.opt.off[memory] || s.opt.skip["peak"] }
