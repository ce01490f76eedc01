package coalesce

import (
	"slices"

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
// While moves and motions are made, guards are no statements. Each asks only whether the checks of
// what it makes earlier can be made there. After the last round, insert puts each guard before the
// first write that it guards, wherever that stands by then. Checks that are known to succeed there
// need no guard, nor do those that a statement before makes.

// A guarded copy is an update or a concat whose source is made in its place.
type guarded struct {
	*candidate // as the present round knows it
	// given: the source lay there before the pass, which has made nothing there earlier.
	given  bool
	arrays []string // that must be made behind the check
}

// guard makes sure that the checks of all copies concerned can be made before the first write.
func (s *state) guard(m *move) refusal {
	if s.opt.skip["guard"] {
		return refusal{}
	}
	if r := s.compares(m); r.refused() {
		return r
	}
	if _, r := s.guards(m.candidate, m.first); r.refused() {
		return r
	}
	need := func(c *guarded, at int) refusal {
		m.needs = append(m.needs, c)
		_, r := s.guards(c.candidate, at)
		return r
	}
	// A part that lay in its concat before may have had room there whatever the others' sizes.
	for _, x := range m.members {
		for _, c := range s.behind[x.name] {
			if c.given && c.kind == concats && s.hasRoom(x.name, m.block, x.fun).refused() {
				if r := need(c, s.firstOf(c)); r.refused() {
					return r
				}
			}
		}
	}
	for _, c := range s.behind[m.dst] {
		if first := s.firstOf(c); m.first < first { // otherwise it is perhaps after the body of that copy
			if at := s.statement(c.body, m.first); at < first {
				if r := need(c, at); r.refused() {
					return r
				}
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

// firstOf returns the point of the statement of a check's body that it has to precede.
func (s *state) firstOf(c *guarded) int {
	at, known := s.firsts[c]
	if known {
		return at
	}
	span := s.lv.Body(c.body)
	at = s.lv.Stmt(c.stmt).From
	note := func(point int) {
		if span.From < point {
			at = min(at, point)
		}
	}
	for _, n := range c.arrays {
		x := s.of(n)
		if x.def.Fresh() {
			note(x.def.At)
		}
		for _, k := range x.accesses {
			if a := &s.ac.All[k]; a.Write {
				note(a.Point)
			}
		}
	}
	at = s.statement(c.body, at)
	s.firsts[c] = at
	return at
}

// keep records the checks of a move that is made.
func (s *state) keep(m *move) {
	for _, c := range m.needs {
		c.given = false
	}
	behind := s.behind[m.dst]
	if m.checked() {
		behind = append(slices.Clone(behind), s.checkOf(m.candidate, false))
	}
	for _, c := range behind {
		if first := s.firstOf(c); m.first < first {
			s.firsts[c] = min(first, s.statement(c.body, m.first))
		}
	}
	for _, x := range m.members {
		s.putBehind(x.name, behind...)
		s.lies(x.name, m.candidate)
	}
}

func (s *state) putBehind(x string, checks ...*guarded) {
	for _, c := range checks {
		if !slices.Contains(s.behind[x], c) {
			s.behind[x] = append(s.behind[x], c)
			c.arrays = append(c.arrays, x)
		}
	}
}

// guardNames visits the names that must be bound for the checks of a copy to be made at a point,
// unless they can be made there already.
func (s *state) guardNames(c *candidate, point int, use func(string)) {
	if _, r := s.guards(c, point); !r.refused() || s.opt.skip["guard"] {
		return
	}
	for _, it := range c.items {
		for _, e := range []ir.Exp{it.Index, it.Start, it.Len, it.Stride} {
			ir.ExpNames(e, use)
		}
	}
	switch op := c.stmt.Op.(type) {
	case *ir.Update:
		if s.visible(op.X, point) == "" {
			use(s.madeFrom(op.X))
		}
		for _, n := range s.lv.Type(c.src).Shape {
			use(n.Name)
		}
	case *ir.Concat:
		for _, x := range op.Args {
			use(s.lv.Type(x).Shape[op.Dim].Name)
		}
	}
}

// checked reports whether a copy checks bounds or sizes.
func (c *candidate) checked() bool { return c.kind == updates || c.kind == concats }

// checkOf returns the check of a copy that is, or is going to be, in place.
func (s *state) checkOf(c *candidate, given bool) *guarded {
	k := s.checks[c.key()]
	if k == nil {
		k = &guarded{given: true}
		s.checks[c.key()] = k
	}
	k.candidate, k.given = c, k.given && given
	return k
}

// lies records that an array lies within the destination of a move. Arrays of a double buffer
// need not.
func (s *state) lies(x string, c *candidate) {
	if c.kind != buffers {
		s.liesIn[x] = c.dst
	}
}

// stays records what is known of a source that is in place at the beginning of a round.
func (s *state) stays(c *candidate) {
	if s.lies(c.src, c); !c.checked() {
		return
	}
	known := s.checks[c.key()] != nil
	k := s.checkOf(c, true)
	if known {
		return
	}
	members, _, r := s.web(c.src, s.place(c.src))
	if r.refused() {
		members = []member{{array: s.of(c.src)}}
	}
	for _, x := range members {
		s.lies(x.name, c)
		s.putBehind(x.name, k)
	}
}
