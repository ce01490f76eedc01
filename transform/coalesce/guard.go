package coalesce

import (
	"slices"

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
	if s.opt.skip["guard"] {
		return refusal{}
	}
	if r := s.compares(m); r.refused() {
		return r
	}
	if r := s.checkable(m.candidate, m.first); r.refused() {
		return r
	}
	need := func(c *candidate, at int) refusal {
		m.needs = append(m.needs, c)
		return s.checkable(c, at)
	}
	// A part that lay in its concat before may have had room there whatever the others' sizes.
	for _, x := range m.members {
		for _, c := range s.around[x.root()] {
			if c.kind == concats && !s.checks[c.key()] && s.hasRoom(x.name, m.block, x.fun).refused() {
				if r := need(c, s.firstOf(c)); r.refused() {
					return r
				}
			}
		}
	}
	for _, c := range s.enclosing(m.dst) {
		if at := s.statement(c.body, m.first); s.checks[c.key()] || at < s.firstOf(c) {
			if r := need(c, at); r.refused() {
				return r
			}
		}
	}
	return refusal{}
}

// compares checks that nothing but the check of an update tells its source from the part.
func (s *state) compares(m *move) refusal {
	if m.kind != updates {
		return refusal{}
	}
	if !s.fits(m.candidate, m.first) && s.fits(m.candidate, m.point) { // and fails with a message of its own
		return refuse("sizes", "only an assertion after the making of `%s` shows that it fits in the part of `%s`", m.src, m.dst)
	}
	if x := m.stmt.Op.(*ir.Update).X; !s.sameShape(m.dst, x, m.first) {
		return refuse("sizes", "only the update itself compares the sizes of `%s` with those of `%s`", m.dst, x)
	}
	facts := s.ac.Facts(m.first)
	items, _ := s.earlierItems(m.items, m.first)
	for k, it := range items {
		if it.Stride != nil && !facts.LessThan(sym.Const(1), sym.Of(it.Len)).Different(sym.Of(it.Stride), sym.Const(0)) {
			return refuse("place", "the stride of dimension %d of the part may be 0", k)
		}
	}
	return refusal{}
}

// enclosing returns the copies with checks in whose sources an array lies, those right around it
// first.
func (s *state) enclosing(x string) []*candidate {
	var out []*candidate
	met := map[*array]bool{}
	for todo := []string{x}; len(todo) > 0; todo = todo[1:] {
		root := s.of(todo[0]).root()
		if met[root] {
			continue
		}
		met[root] = true
		for _, c := range s.around[root] {
			todo = append(todo, c.dst)
			if c.checked() {
				out = append(out, c)
			}
		}
	}
	return out
}

// A room is where the arrays of one class lie.
type room struct {
	class *array
	block string
}

// firstOf returns the point of the statement of a copy's body that makes or writes the copy's source,
// or something in its place, first.
func (s *state) firstOf(c *candidate) int {
	if s.firsts == nil {
		s.firsts = s.firstWrites()
	}
	return s.statement(c.body, s.firsts[s.roomOf(c.src)])
}

func (s *state) roomOf(x string) room { return room{s.of(x).root(), s.block(x)} }

// firstWrites returns the first point at which something is made or written in each room.
func (s *state) firstWrites() map[room]int {
	out := map[room]int{}
	note := func(at room, point int) (earlier bool) {
		first, known := out[at]
		if earlier = !known || point < first; earlier {
			out[at] = point
		}
		return earlier
	}
	for _, n := range s.al.Names() {
		if !s.array(n) {
			continue
		}
		x := s.of(n)
		if x.def.Fresh() {
			note(s.roomOf(n), x.def.At)
		}
		if k := slices.IndexFunc(x.accesses, func(k int) bool { return s.ac.All[k].Write }); k >= 0 {
			note(s.roomOf(n), s.ac.All[x.accesses[k]].Point)
		}
	}
	list := slices.DeleteFunc(slices.Clone(s.candidates()), func(c *candidate) bool { return !s.inPlace(c) })
	slices.SortStableFunc(list, func(a, b *candidate) int { return a.point - b.point }) // inner copies first
	for again := true; again; {
		again = false
		for _, c := range list {
			if first, known := out[s.roomOf(c.src)]; known && note(s.roomOf(c.dst), first) {
				again = true
			}
		}
	}
	return out
}

// checkNames visits the names that must be bound for the check of a copy to be made at a point,
// unless it can be made there already.
func (s *state) checkNames(c *candidate, point int, use func(string)) {
	if s.opt.skip["guard"] || !s.checkable(c, point).refused() {
		return
	}
	mapItems(c.items, func(p sym.Poly) sym.Poly {
		for _, n := range p.Names() {
			use(n)
		}
		return p
	})
	if op, ok := c.stmt.Op.(*ir.Update); ok {
		if s.visible(op.X, point) == "" {
			use(s.madeFrom(op.X))
		}
		for _, n := range s.lv.Type(c.src).Shape {
			use(n.Name)
		}
	}
	for _, p := range c.parts {
		use(p.size.Name)
	}
}

// checked reports whether a copy checks bounds or sizes.
func (c *candidate) checked() bool { return c.kind == updates || c.kind == concats }

// checkable checks that what a copy checks can be checked at a point.
func (s *state) checkable(c *candidate, point int) refusal {
	guards, missing := s.guards(c, point)
	switch {
	case missing != "":
		return refuse("C5", "the check of the copy needs `%s`, which is not known where `%s` is made", missing, c.src)
	case len(guards) > 0 && rules.Off("coalesce.guards"):
		return refuse("C5", "the rule is switched off")
	}
	return refusal{}
}
