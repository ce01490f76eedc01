package coalesce

import (
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// transaction gives what a move changes about the memory that the function holds.
func (s *state) transaction(m *move) *peak.Transaction {
	arrays := make([]string, len(m.members))
	for k, x := range m.members {
		arrays[k] = x.name
	}
	t := s.account.Propose(m.point, s.ac.Facts(m.point), m.work)
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
	for _, r := range s.account.Begin(stmts) {
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
	m.work = t.Work
	switch {
	case v.NoWorse:
		return refusal{}
	case v.Bound:
		return refuse("bound", "too many blocks are let go of between the making of `%s` and the copy", m.src)
	case v.Called:
		return refuse("peak", "`%s` would be held during a call, and what that needs is not known", m.block)
	case v.Beside == "":
		return refuse("peak", "`%s` would be held longer, and more memory with it, as far as can be seen", m.block)
	}
	return refuse("peak", "`%s` would be held while `%s` is, and more memory with it than at the copy, as far as can be seen", m.block, v.Beside)
}

// unasked tells whether memory may be held in addition.
func (s *state) unasked() bool { return s.opt.off[memory] || s.opt.skip["peak"] }

// startNoWorse tells whether a loop may begin with a copy of its initial value without
// the function holding more memory at a time. Where the loop has no iteration, its
// result is the initial value and may cost nothing, but the copy does, for as long as
// the result is used. There must be no more held then than where the loop begins, with
// two blocks that take turns.
func (s *state) startNoWorse(r rotation) bool {
	span := s.lv.Stmt(r.stmt)
	facts := s.ac.Facts(span.From)
	if s.unasked() || r.loop.Bound != nil && facts.AtLeast(sym.Of(r.loop.Bound), 1) {
		return true
	}
	gives := s.block(r.stmt.Pat[r.param].Name)
	result := s.account.Range(gives)
	if result == nil || result.To <= span.To {
		return true // it is not used
	}
	if s.values[gives] {
		return false
	}
	if init, ok := r.loop.Params[r.param].Init.(*ir.Ref); ok && !s.al.Existential(s.block(init.Name)) {
		if l := s.account.Range(s.block(init.Name)); l != nil && l.To <= span.From {
			return true // the result is all that holds it
		}
	}
	next := s.account.Range(initial(r, false))
	if next == nil {
		return false
	}
	gone := []string{gives, r.stmt.Pat[r.next].Name, r.stmt.Pat[r.other].Name} // names of blocks
	t := s.account.Propose(span.From, facts, maxWork)
	for _, n := range gone {
		t.Drop(n)
	}
	t.Add(next, liveSpan{From: span.To + 1, To: result.To})
	if t.NoWorse().NoWorse {
		return true
	}
	params := r.loop.Params
	gone = append(gone, params[r.param].Elem.Type.Place.Mem, params[r.next].Elem.Name, params[r.other].Elem.Name)
	return s.startInPlace(r, append(gone, initial(r, false), initial(r, true)), result.To)
}

// startInPlace tells the same for a copy that is made in the place that the loop's result
// is copied to, if that is one place. That the result does move there is seen to by starts.
func (s *state) startInPlace(r rotation, gone []string, last int) bool {
	span := s.lv.Stmt(r.stmt)
	var to []*candidate // copies of what the loop gives
	for _, c := range s.copiesLinked(r.loop.Params[r.param].Elem.Name) {
		if s.defs[c.src].at >= span.From {
			to = append(to, c)
		}
	}
	if len(to) != 1 || to[0].body != s.defs[r.stmt.Pat[r.param].Name].scope.Body {
		return false
	}
	dst := s.account.Range(s.block(to[0].dst))
	if dst == nil {
		return true // the caller's: it is held anyway
	}
	t := s.account.Propose(to[0].point, s.ac.Facts(span.From), maxWork)
	for _, n := range gone {
		t.Drop(n)
	}
	t.Hold(dst, liveSpan{From: span.From, To: max(last, to[0].point)})
	return t.NoWorse().NoWorse
}

// copiesLinked gives the candidates that are not in place and whose sources have to move
// with an array.
func (s *state) copiesLinked(x string) []*candidate {
	if s.copiesOfClass == nil {
		s.copiesOfClass = map[string][]*candidate{}
		for _, c := range s.candidates() {
			if s.defs[c.dst] != nil && !s.inPlace(c) { // or it is a copy that was just put there
				s.copiesOfClass[s.find(c.src)] = append(s.copiesOfClass[s.find(c.src)], c)
			}
		}
	}
	return s.copiesOfClass[s.find(x)]
}
