package coalesce

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/lmad"
)

// A condition checks a move, and leaves its findings there for later conditions.
type condition func(*state, *move) refusal

// A move must pass these conditions wherever the destination is made.
var always = []condition{
	(*state).within,      // C1, C2, C4: the web is made and used where the copy is, and is free to move
	(*state).sizes,       // sizes that the move treats as equal are equal before the first write
	(*state).overPresent, // a loop's next value may be made over the present one
	(*state).step,        // C3: a map may make the destination of the source
	(*state).neighbours,  // neighbouring threads still touch neighbouring elements
}

// If one of these conditions fails, the statements that make the destination may move up
// (motion.go).
var conditions = []condition{
	(*state).reach,     // C2, C5: each place can be named where it is needed
	(*state).room,      // arrays that are made earlier than before fit in their blocks
	(*state).origins,   // C3: of arrays that come to lie in one place, no two are needed at the same time
	(*state).guard,     // the checks of the copy can be made before the first write
	(*state).holds,     // no run holds more memory
	(*state).conflicts, // C3: no access to the destination's part comes in between
}

// try plans the move of a candidate. It returns nil and no refusal if src is in place already. With
// a refusal it returns the move as far as it was planned, if statements may move up for it.
func (s *state) try(c *candidate) (*move, refusal) {
	if s.inPlace(c) {
		return nil, refusal{}
	}
	if c.kind == steps && !s.leads(c) {
		return nil, refuse("place", "`%s` lies in no part of another array", c.dst)
	}
	m, r := s.propose(c)
	if r.refused() {
		return nil, r
	}
	for _, check := range always {
		if r := check(s, m); r.refused() {
			return nil, r
		}
	}
	for _, check := range conditions {
		if r := check(s, m); r.refused() {
			r = s.besides(m, r)
			if !m.mayWish() {
				m = nil // there are many, and most of their memory would be kept for nothing
			}
			return m, r
		}
	}
	return m, refusal{}
}

// besides adds to the remark on a place that is not known yet (C5) that something else uses the
// destination meanwhile (C3): who makes the place known earlier would meet that next.
func (s *state) besides(m *move, r refusal) refusal {
	if r.Code != "C5" || s.context.Remarks == nil {
		return r
	}
	work := m.work // a remark must not use up what the pass may compare
	if next := s.conflicts(m); next.refused() && next.Code != "bound" {
		r.Why += fmt.Sprintf("; besides, [%s] %s", next.Code, next.Why)
	}
	m.work = work
	return r
}

// propose returns the move of a candidate: the web of its source, with a place for each array.
func (s *state) propose(c *candidate) (*move, refusal) {
	block := s.block(c.dst)
	switch {
	case s.block(c.src) == block:
		return nil, refuse("place", "`%s` lies elsewhere in the block of `%s` already", c.src, c.dst)
	case !s.better(c):
		return nil, refuse("place", "`%s` lies where it would be copied to `%s`, which saves as much", c.src, s.placedFor[c.src].dst)
	}
	part := c.part(s.place(c.dst))
	region, ok := s.fit(c, part)
	if !ok && c.kind == updates { // its guard can compare the sizes
		region, ok = withLengths(part, s.place(c.src).Shape())
	}
	switch {
	case !ok:
		return nil, refuse("sizes", "the sizes of `%s` and of the part of `%s` are not provably equal", c.src, c.dst)
	case s.opt.off[c.kind]:
		return nil, refuse("switch", "this kind is switched off")
	}
	if r, excluded := s.without[c.key()]; excluded {
		return nil, r
	}
	for _, l := range region.Parts {
		for _, d := range l.Dims {
			if d.Stride.Is(0) && !d.Len.Is(1) {
				return nil, refuse("place", "all elements may come to lie in one place")
			}
		}
	}
	members, relied, r := s.web(c.src, region)
	if r.refused() {
		return nil, r
	}
	return &move{candidate: c, region: region, block: block, copied: part, members: members, relied: relied, work: maxWork}, refusal{}
}

// apply makes the move.
func (s *state) apply(m *move) {
	b := s.blocks.At(m.block)
	for _, x := range m.members {
		e := x.def.Elem
		old := e.Type.Place
		e.Type.Place = placeIn(m.block, x.fun)
		x.array.place = lmad.Fun{}
		if x.def.Fresh() || old != nil && old.Exist {
			e.Written = true
		}
		s.mention(x.name)
		b.accesses.add(s, x.accesses)
		if b.any {
			s.anywhere = merged(s.anywhere, x.accesses)
		}
	}
	m.memory.Commit()
	for _, c := range m.needs {
		s.checks[c.key()] = true
	}
	s.follows(m.candidate)
}

// follows records that src lies in dst's part from now on.
func (s *state) follows(c *candidate) {
	src := s.of(c.src).root()
	if s.around[src] = append(s.around[src], c); len(s.around[src]) == 2 {
		s.forks++
	}
	s.edge(c.dst, edge{to: c.src, part: true, follow: func(f lmad.Fun) (lmad.Fun, bool) {
		return s.fit(c, c.part(f))
	}})
}

// merged merges two ascending lists. If they do not interleave, this costs only the length of the
// shorter one.
func merged(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 || a[len(a)-1] < b[0] {
		return append(a, b...)
	}
	if len(b) < 8 && len(a) > 64 {
		for _, k := range b {
			at, _ := slices.BinarySearch(a, k)
			a = slices.Insert(a, at, k)
		}
		return a
	}
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// better reports whether a source may leave the place that another of its copies wants: only for a
// place that saves more.
func (s *state) better(c *candidate) bool {
	other := s.placedFor[c.src]
	return other == nil || c.kind == buffers || other.kind == buffers || !rules.Off("coalesce.better") && s.saves(c) > s.saves(other)
}
