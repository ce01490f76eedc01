package coalesce

import (
	"fmt"

	"github.com/memc-lang/memc/internal/base/rules"
)

// all tries all candidates, initial values of loops with one buffer among them.
func (s *state) all() {
	list := s.candidates()
	if s.buffered {
		list = append(s.initialValues(), list...)
	}
	// What is in its place already stays there when its surroundings move.
	for _, c := range list {
		if s.inPlace(c) && (c.kind != steps || s.checks[c.key()]) {
			s.follows(c)
			s.placedFor[c.src] = c
		}
	}
	// What would hold more memory may not once others have moved.
	left := make([]tried, len(list))
	for k, c := range list {
		left[k] = tried{candidate: c, moves: -1}
	}
	for sweep := 1; sweep <= maxSweeps && !s.done; sweep++ {
		left = s.sweep(left, sweep < maxSweeps)
	}
}

// A tried is a candidate with its result, and the number of moves made by then. Until another move
// is made, its result stays the same.
type tried struct {
	*candidate
	moves int
	move  *move
	refusal
}

// sweep tries candidates, and gives those that are to be tried again.
func (s *state) sweep(list []tried, again bool) []tried {
	var later []tried
	for _, t := range list {
		c := t.candidate
		if t.moves != len(s.made) {
			t.moves = len(s.made)
			t.move, t.refusal = s.try(c)
		}
		m, r := t.move, t.refusal
		switch {
		case again && r.Code == string(memory) && !rules.Off("coalesce.sweeps"):
			if m != nil {
				m.memory = nil
			}
			later = append(later, t)
		case r.refused() && c.kind == steps: // nobody misses it
		case r.refused():
			s.missed = append(s.missed, missed{c, s.wish(m, r)})
		case m != nil:
			if !s.context.Rewrite(c.span, "%s", s.describe(m)) {
				s.wishes, s.done = nil, true
				return nil
			}
			s.made = append(s.made, takenMove{c.kind, c.key(), s.saves(c), m.members})
			s.apply(m)
			s.placedFor[c.src] = c
		}
	}
	return later
}

// describe is the text of a move's remark.
func (s *state) describe(m *move) string {
	if m.kind == buffers {
		return fmt.Sprintf("`%s`, a loop's initial value, is made in `%s`, the block of its next values: `%s` is not needed for it", m.src, m.block, s.block(m.src))
	}
	if m.kind == steps {
		return fmt.Sprintf("`%s` is made in `%s`, where `%s` is made of it: `%s` is not needed for it", m.src, m.block, m.dst, s.block(m.src))
	}
	return fmt.Sprintf("`%s` is made in `%s`, where it would be copied to `%s`: `%s` is not needed for it", m.src, m.block, m.dst, s.block(m.src))
}
