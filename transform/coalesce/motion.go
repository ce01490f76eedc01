package coalesce

import (
	"cmp"
	"container/list"
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
)

// Note [Creations that move up]
//
// An array that goes into a row of a matrix can be made there only if the matrix is made before:
//
//	let row = map (j < n) { in f(j) }              let table = replicate (n, n) 0
//	let table = replicate (n, n) 0        ---->    let row = map ...      -- in table
//	let t1 = table with [i, (0, n)] = row          let t1 = table with [i, (0, n)] = row
//
// If a candidate fails because its destination does not exist yet, the statement that makes the
// destination moves above the one that makes the source, together with the statements that it, and
// the guards of what it writes, depend on. The destination may exist, but not yet an index of the
// part, as where a reduction computes the row; then the statements that compute the index move.
//
// The motion must change nothing: none of the moving statements depends on the source; the
// statements that they pass do not touch what they write; and if a moving statement may fail, the
// passed ones cannot, so that a failing program reports the same error. All such candidates move up
// at once, and then a new round begins with new analyses.
//
// A destination that is made earlier holds its blocks for longer. This is part of the move's
// transaction (account.go). If the candidate is refused nevertheless, for another reason, the
// attempt is made again without the motion (Note [Alternatives]).

// A wish is a motion that would let a candidate pass.
type wish struct {
	body   *ir.Body
	moving []*ir.Stmt // in the order of the program
	before *ir.Stmt
	target string
	of     *candidate
	passed map[*ir.Stmt]bool // those between that stay
	// places are the places that the statements wrote when they were examined: moves of the same
	// round may put their arrays elsewhere.
	places map[string]placed
}

type placed struct {
	block string
	fun   lmad.Fun
}

// mayWish reports whether statements may move up for a refused candidate.
func (m *move) mayWish() bool { return m.kind == updates && m.first <= m.point }

// wish records the statements that would have to move for a refused candidate. It returns the reason
// that a user should know: r, or that for which the candidate is refused even if they move.
func (s *state) wish(m *move, r refusal) refusal {
	if m == nil || rules.Off("coalesce.motion") {
		return r
	}
	x := m.dst
	for !s.lv.Visible(x, m.first) {
		d := s.lv.Def(x)
		if d.Stmt == nil {
			return r
		}
		if d.Fresh() {
			break
		}
		switch op := d.Stmt.Op.(type) {
		case *ir.Update:
			x = op.X
		case *ir.Alias:
			x = op.X
		case *ir.Rearrange:
			x = op.X
		default:
			return r
		}
	}
	needed := s.unknown(m)
	if !s.lv.Visible(x, m.first) {
		needed = []string{x}
	}
	with, idle := s.without[s.motionOf(m.candidate)]
	if _, off := s.without[allMotions]; idle || off {
		return cmp.Or(with, r)
	}
	w := wish{body: m.body, before: s.outermost(m.body, m.first), of: m.candidate, passed: map[*ir.Stmt]bool{}}
	set := map[*ir.Stmt]bool{}
	for _, w.target = range needed {
		d := s.lv.Def(w.target)
		if d.Stmt == nil || !d.Fresh() && d.Elem.Type.Kind == ir.ArrayKind || d.Scope.Body != m.body || !s.gather(m, d.Stmt, set) {
			return r
		}
	}
	if len(set) == 0 {
		return r
	}
	w.moving = slices.SortedFunc(maps.Keys(set), func(a, b *ir.Stmt) int { return s.lv.Stmt(a).From - s.lv.Stmt(b).From })
	if !s.passes(m, &w, set) {
		return r
	}
	if above := s.holdsAbove(m, w.moving); above.refused() {
		return above
	}
	w.places = s.placesOf(&w)
	s.wishes = append(s.wishes, w)
	return r
}

// unknown returns the names of scalars that the destination's part needs, and that have no value yet
// where the source is made.
func (s *state) unknown(m *move) []string {
	var out []string
	for _, n := range m.part(s.place(m.dst)).Names() {
		if !s.lv.Visible(n, m.first) {
			out = append(out, n)
		}
	}
	return out
}

// placesOf returns the places that the moving statements write.
func (s *state) placesOf(w *wish) map[string]placed {
	out := map[string]placed{}
	for _, st := range w.moving {
		for _, x := range s.written(st) {
			out[x] = placed{s.block(x), s.place(x)}
		}
	}
	return out
}

// allMotions in an alternative stands for all motions of a function.
const allMotions = "motion"

// motionOf identifies the motion for a candidate. If an earlier phase of the attempt moved a
// destination up in vain, a later phase must not find it there: for the later one the motion would
// seem to cost nothing.
func (s *state) motionOf(c *candidate) string {
	if s.buffered {
		return "buffered motion " + c.key()
	}
	return "motion " + c.key()
}

// idle returns the motions made in this phase for candidates that were refused.
func (s *state) idle() refusals {
	out := refusals{}
	if len(s.motions) == 0 {
		return out
	}
	for _, c := range s.candidates() {
		if key := s.motionOf(c); s.motions[key] && !s.inPlace(c) {
			out[key] = refusal{}
		}
	}
	for _, m := range s.missed {
		if key := s.motionOf(m.candidate); s.motions[key] && !s.inPlace(m.candidate) {
			out[key] = m.refusal
		}
	}
	return out
}

// gather collects a statement and those that it depends on after the making of the source. All must
// be in the candidate's body, and allowed to move.
func (s *state) gather(m *move, st *ir.Stmt, set map[*ir.Stmt]bool) bool {
	if set[st] {
		return true
	}
	switch st.Op.(type) {
	case *ir.Alloc, *ir.Compute, *ir.Alias, *ir.Rearrange, *ir.Scratch, *ir.Range, *ir.Replicate,
		*ir.ArrayLit, *ir.Copy, *ir.Map, *ir.Reduce, *ir.Loop, *ir.If:
	default:
		return false
	}
	if len(set) > maxMoving {
		return false
	}
	for _, e := range st.Pat {
		if m.moves(e.Name) != nil {
			return false // it makes the source, and something that is needed
		}
	}
	set[st] = true
	ok := true
	use := func(n string) { ok = ok && s.gatherFor(m, n, st, set) }
	ir.Uses(st.Op, use)
	for _, e := range st.Pat {
		ir.TypeNames(e.Type, use)
	}
	for _, b := range ir.Bodies(st.Op) {
		for _, n := range ir.FreeNames(b) {
			use(n)
		}
	}
	made := s.written(st)
	if _, ok := st.Op.(*ir.Scratch); ok {
		made = []string{st.Pat[0].Name} // it writes nothing, but lies there
	}
	for _, x := range made {
		if x == "" {
			return false // what it calls may write anywhere in a block
		}
		for _, c := range s.enclosing(x, map[*candidate]bool{}) {
			if c.body == m.body && s.checks[c.key()] && !s.opt.skip["guard"] {
				s.guards(c, m.first, use)
			}
		}
	}
	return ok
}

// gatherFor collects what makes a name that a collected statement uses.
func (s *state) gatherFor(m *move, n string, st *ir.Stmt, set map[*ir.Stmt]bool) bool {
	if m.moves(n) != nil {
		return false
	}
	d, span := s.lv.Def(n), s.lv.Stmt(st)
	if d == nil || s.lv.Visible(n, m.first) || d.Scope.Span.From >= span.From && d.Scope.Span.To <= span.To {
		return true // known already, or bound within the statement
	}
	return d.Stmt != nil && d.Scope.Body == m.body && s.gather(m, d.Stmt, set)
}

// passes checks that the statements may pass those between.
func (s *state) passes(m *move, w *wish, set map[*ir.Stmt]bool) bool {
	if s.opt.skip["motion"] {
		return true
	}
	first, _ := slices.BinarySearchFunc(m.body.Stmts, m.first, func(st *ir.Stmt, p int) int { return s.lv.Stmt(st).From - p })
	failing := false // a statement that stays, and could fail
	for _, st := range m.body.Stmts[first:] {
		if st == w.moving[len(w.moving)-1] {
			break
		}
		if !set[st] {
			if w.passed[st] = true; len(w.passed) > maxPassed {
				return false
			}
			failing = failing || s.canFail(st)
		}
	}
	for _, st := range w.moving {
		if failing && (s.canFail(st) || slices.ContainsFunc(st.Pat, func(e *ir.Elem) bool { return s.array(e.Name) && s.fitsBy(e.Name, m).refused() })) {
			return false
		}
		span := s.lv.Stmt(st)
		if s.consumes(st, span, set) {
			return false
		}
		for _, x := range s.written(st) {
			if x == "" || !s.untouched(m, x, m.first, span.From, set) {
				return false
			}
		}
	}
	return true
}

// consumes reports whether loops in a moving statement consume an array that is made by none of these. What the statement
// passes might read the array, or what may share its elements by the types of a call, though the loop writes nothing.
func (s *state) consumes(st *ir.Stmt, span liveness.Span, set map[*ir.Stmt]bool) bool {
	return ir.AnyStmt(&ir.Body{Stmts: []*ir.Stmt{st}}, func(in *ir.Stmt) bool {
		op, loop := in.Op.(*ir.Loop)
		return loop && slices.ContainsFunc(op.Params, func(p ir.Param) bool {
			x, ok := p.Init.(*ir.Ref)
			if !ok || !p.Elem.Type.Unique {
				return false
			}
			d := s.lv.Def(x.Name)
			return !set[d.Stmt] && (d.Point < span.From || d.Point > span.To)
		})
	})
}

// written returns the arrays that a statement writes, also within its bodies; "" is an unknown one.
func (s *state) written(st *ir.Stmt) []string {
	span := s.lv.Stmt(st)
	at, _ := slices.BinarySearchFunc(s.ac.All, span.From, func(a accesses.Access, p int) int { return a.Point - p })
	var out []string
	met := map[string]bool{}
	for k := at; k < len(s.ac.All) && s.ac.All[k].Point <= span.To; k++ {
		if a := &s.ac.All[k]; a.Write && !met[a.Array] {
			met[a.Array] = true
			out = append(out, a.Array)
		}
	}
	return out
}

// untouched reports whether no statement between two points touches the place of an array, apart
// from the statements that move along.
func (s *state) untouched(m *move, x string, from, to int, set map[*ir.Stmt]bool) bool {
	region, bytes := s.place(x), s.bytes(x)
	free := true
	s.touching(s.block(x), region, bytes, from, to-1, func(a *accesses.Access) bool {
		if set[s.outermost(m.body, a.Point)] {
			return true
		}
		m.work--
		free = m.work >= 0 && a.Array != "" &&
			places.Disjoint(s.ac.Facts(a.Point), a.Region(s.place(a.Array)), region, s.bytes(a.Array), bytes)
		return free
	})
	return free
}

func (s *state) canFail(st *ir.Stmt) bool {
	bad, known := s.failing[st]
	if !known {
		bad = s.ac.CanFail(st)
		s.failing[st] = bad
	}
	return bad
}

// late returns the statements of a wish that still have to move. It returns none if they would pass
// statements that were not examined, because a motion of the same round has moved `before` up; a
// later round examines those.
func (s *state) late(w *wish, now *sequence) []*ir.Stmt {
	var late []*ir.Stmt
	others := false
	for at := now.at[w.before]; at != nil; at = at.Next() {
		st := at.Value.(*ir.Stmt)
		switch {
		case slices.Contains(w.moving, st):
			if late = append(late, st); others && !s.opt.skip["motion"] {
				return nil
			}
			if st == w.moving[len(w.moving)-1] {
				return late
			}
		case !w.passed[st]:
			others = true
		}
	}
	return late
}

// A sequence is the statements of a body, each of which can move at no cost.
type sequence struct {
	list *list.List
	at   map[*ir.Stmt]*list.Element
}

func sequenceOf(b *ir.Body) *sequence {
	q := &sequence{list.New(), make(map[*ir.Stmt]*list.Element, len(b.Stmts))}
	for _, st := range b.Stmts {
		q.at[st] = q.list.PushBack(st)
	}
	return q
}

func (q *sequence) stmts() []*ir.Stmt {
	out := make([]*ir.Stmt, 0, q.list.Len())
	for at := q.list.Front(); at != nil; at = at.Next() {
		out = append(out, at.Value.(*ir.Stmt))
	}
	return out
}

// grant makes the motions wished for. It tells whether there were any.
func (s *state) grant() bool {
	slices.Reverse(s.wishes) // those for the outermost destination end up first
	bodies := map[*ir.Body]*sequence{}
	moved := false
	for _, w := range s.wishes {
		if !s.better(w.of) || !maps.EqualFunc(w.places, s.placesOf(&w), func(a, b placed) bool { return a.block == b.block && a.fun.Equal(b.fun) }) {
			continue
		}
		now := bodies[w.body]
		if now == nil {
			now = sequenceOf(w.body)
			bodies[w.body] = now
		}
		late := s.late(&w, now)
		if len(late) == 0 || !s.context.Rewrite(w.before.Span, "`%s` is made earlier, so that `%s` can be made in its place", w.target, w.of.src) {
			continue
		}
		for _, st := range late {
			now.list.MoveBefore(now.at[st], now.at[w.before])
		}
		s.motions[s.motionOf(w.of)] = true
		moved = true
	}
	for b, now := range bodies {
		b.Stmts = now.stmts()
	}
	return moved
}
