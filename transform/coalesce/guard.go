package coalesce

import (
	"cmp"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Guards]
//
// An update checks its bounds before it writes. If the array that it writes is made in its part,
// the first write comes earlier, so the check must, too. A guard is a slice of the destination that
// nobody uses. It stands before the statement that makes the array, and fails just as the update
// would.
//
//	let row: [m]i32 @ m_y -> ... = y[i, (0, m)]  -- the guard
//	let v: [m]i32 @ m_y -> ... = map (j < m) { in f(j) }
//	let y1 = y with [i, (0, m)] = v
//
// If a part of a concat turned out to have a negative size, other parts could leave the block. So
// the sizes are checked before the first part is written.
//
//	assert k >= 0 size                           -- the guard
//	let a: [n]i32 @ m_y = map (i < n) { in f(i) }
//	let b: [k]i32 @ m_y -> LMAD(n; (k : 1)) = map (j < k) { in g(j) }
//	let y = concat@0 (a, b)
//
// The check of a copy does not depend on where the copy stands, only on names: those of the items
// and sizes, and the destination, by an earlier name in its place. It can be made at each point at
// which they are known. So a move asks one question: can the check be made, or is it known to
// succeed, at the first write (checkable)? It asks this for its own copy, and for the copies around
// it, in whose sources the destination lies: their first write may be the one of this move. What is
// around an array follows from the copies in place (enclosing), so nothing else is remembered. A
// motion takes along the names that the checks of its writes need, as it does for places.
//
// While moves are made, checks are no statements. If they were, facts would follow from them, and
// moves from these facts; a check that nobody needs could not be dropped any more. After the last
// round, insert writes the checks of all copies that the pass made in place, each once, before the
// first write in the copy's place, wherever that stands by then.
//
// A copy that the program has in place already has no guard: its source was made where it lies.
// It gets one only if the pass makes something in that place that is written earlier.

// guard makes sure that the checks of all copies concerned can be made before the first write.
func (s *state) guard(m *move) refusal {
	m.needs = []*candidate{m.candidate}
	if s.opt.skip["guard"] {
		return refusal{}
	}
	if r := s.compares(m); r.refused() {
		return r
	}
	// A part that lay in its concat before may have had room there whatever the others' sizes.
	for _, x := range m.members {
		for _, c := range s.around[x.root()] {
			if c.kind == concats && !s.checks[c.key()] && s.hasRoom(x.name, m.block, x.fun).refused() {
				m.needs = append(m.needs, c)
			}
		}
	}
	for _, c := range s.enclosing(m.dst, map[*candidate]bool{}) {
		if s.checks[c.key()] || s.lv.Def(s.madeFrom(m.dst)).At >= m.first { // otherwise something lies there already
			m.needs = append(m.needs, c)
		}
	}
	for _, c := range m.needs {
		at := s.statement(c.body, m.first)
		if from, known := s.checkedFrom[c]; known && from <= at {
			continue
		}
		if r := s.checkable(c, at); r.refused() {
			return r
		}
		s.checkedFrom[c] = at
	}
	return refusal{}
}

// compares checks that nothing but the check of an update tells its source from the part.
func (s *state) compares(m *move) refusal {
	if m.kind != updates {
		return refusal{}
	}
	src, part := s.place(m.src).Shape(), m.copied.Shape()
	if !s.equal(m.first, part, src) && s.equal(m.point, part, src) { // and fails with a message of its own
		return refuse("sizes", "only an assertion after the making of `%s` shows that it fits in the part of `%s`", m.src, m.dst)
	}
	if x := m.stmt.Op.(*ir.Update).X; !s.equal(m.first, s.place(m.dst).Shape(), s.place(x).Shape()) {
		return refuse("sizes", "only the update itself compares the sizes of `%s` with those of `%s`", m.dst, x)
	}
	for k, it := range m.items {
		if it.Stride == nil {
			continue
		}
		n, _ := s.lv.Earlier(sym.Of(it.Len), m.first)
		stride, _ := s.lv.Earlier(sym.Of(it.Stride), m.first)
		if !s.ac.Facts(m.first).LessThan(sym.Const(1), n).Different(stride, sym.Const(0)) {
			return refuse("place", "the stride of dimension %d of the part may be 0", k)
		}
	}
	return refusal{}
}

// enclosing returns the copies with checks in whose sources an array lies, those right around it
// first. It leaves out those that were met before.
func (s *state) enclosing(x string, met map[*candidate]bool) []*candidate {
	var out []*candidate
	for todo := []string{s.past(x)}; len(todo) > 0; todo = todo[1:] {
		for _, c := range s.around[s.of(todo[0]).root()] {
			if met[c] || s.block(c.dst) != s.block(x) {
				continue
			}
			met[c] = true
			todo = append(todo, s.past(c.dst))
			if c.checked() {
				out = append(out, c)
			}
		}
	}
	return out
}

// checked reports whether a copy checks bounds or sizes.
func (c *candidate) checked() bool { return c.kind == updates || c.kind == concats }

// checkable makes sure that what a copy checks can be checked at a point.
func (s *state) checkable(c *candidate, point int) refusal {
	missing := ""
	guards := s.guards(c, point, func(n string) { missing = cmp.Or(missing, n) })
	switch {
	case missing != "":
		return refuse("C5", "the check of the copy needs `%s`, which is not known where `%s` is made", missing, c.src)
	case len(guards) > 0 && rules.Off("coalesce.guards"):
		return refuse("C5", "the rule is switched off")
	}
	return refusal{}
}
