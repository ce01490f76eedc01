package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
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

// An update that was moved to the front keeps its guard: an array that is later made in the same
// part, still earlier, moves the guard up. A guard whose type has the source's sizes compares them
// with the part's, too.
type guard struct {
	move *move // of the update
	at   int   // the point of the statement of move.body that it has to precede
	// stmts end with a slice; before it stand lengths that have no name yet.
	stmts []*ir.Stmt
}

// guard makes sure that the bounds of all updates concerned are checked before the first write.
func (s *state) guard(m *move) refusal {
	if s.opt.skip["guard"] {
		return refusal{}
	}
	if m.kind == concats {
		st, r := s.check(m, m.first)
		if r.refused() {
			return r
		}
		m.guards = append(m.guards, &guard{move: m, at: m.first, stmts: st})
	}
	if m.kind == updates {
		if !s.fits(m, m.first) && s.fits(m, m.point) { // and fails with a message of its own
			return refuse("sizes", "only an assertion after the making of `%s` shows that it fits in the part of `%s`", m.src, m.dst)
		}
		if x := m.stmt.Op.(*ir.Update).X; !s.sameShape(m.dst, x, m.first) {
			return refuse("sizes", "only the update itself compares the sizes of `%s` with those of `%s`", m.dst, x)
		}
		st, r := s.check(m, m.first)
		if r.refused() {
			return r
		}
		m.guards = append(m.guards, &guard{move: m, at: m.first, stmts: st})
	}
	// A part that lay in its concat before may have had room there whatever the others' sizes.
	for _, x := range m.members {
		for _, g := range s.guarded[x.name] {
			if g.move.kind != concats || len(g.stmts) > 0 || !s.hasRoom(x.name, m.block, x.fun).refused() {
				continue
			}
			st, r := s.check(g.move, g.at)
			if r.refused() {
				return r
			}
			m.raised = append(m.raised, raised{g, guard{g.move, g.at, st}})
		}
	}
	for _, g := range s.guarded[m.dst] {
		if m.first >= g.at { // perhaps after the body of that update
			continue
		}
		at := s.statement(g.move.body, m.first)
		if at >= g.at {
			continue
		}
		st, r := s.check(g.move, at)
		if r.refused() {
			return r
		}
		m.raised = append(m.raised, raised{g, guard{g.move, at, st}})
	}
	return refusal{}
}

// A raised guard is to be replaced by one that stands earlier.
type raised struct {
	old *guard
	now guard
}

// keep makes the guards of a move that is made.
func (s *state) keep(m *move) {
	for _, r := range m.raised {
		*r.old = r.now
	}
	s.guards = append(s.guards, m.guards...)
	for _, x := range m.members {
		s.guarded[x.name] = append(append(s.guarded[x.name], m.guards...), s.guarded[m.dst]...)
		s.lies(x.name, m.candidate)
	}
	if m.kind == updates {
		s.compared[m.stmt] = true
	}
}

// lies records that an array lies within the destination of a move. Arrays of a double buffer
// need not.
func (s *state) lies(x string, c *candidate) {
	if c.kind != buffers {
		s.liesIn[x] = c.dst
	}
}

// guardAgain keeps the guard of an update whose source is in place since an earlier round: the
// guard stands where the arrays that now lie there need it.
func (s *state) guardAgain(c *candidate) {
	if c.kind != updates && c.kind != concats {
		return
	}
	g := &guard{move: &move{candidate: c}, at: s.lv.Def(c.src).At}
	members, _, r := s.web(c.src, s.place(c.src))
	if r.refused() {
		members = []member{{array: s.of(c.src)}}
	}
	span := s.lv.Body(c.body)
	for _, x := range members {
		s.lies(x.name, c)
		s.guarded[x.name] = append(s.guarded[x.name], g)
		for _, k := range x.accesses {
			if a := &s.ac.All[k]; a.Write && span.From < a.Point {
				g.at = min(g.at, a.Point)
			}
		}
	}
	if g.at < span.From { // no move of this pass made it so
		g.at = span.From
	}
	g.at = s.statement(c.body, g.at)
	s.guards = append(s.guards, g)
}

// checkParts returns statements that check that no part of a concat has a negative size, or none if
// that is known. A failing statement between these checks and the concat is no problem: of several
// errors any one may be reported (docs/ir.md, Meaning).
func (s *state) checkParts(m *move, first int) ([]*ir.Stmt, refusal) {
	op := m.stmt.Op.(*ir.Concat)
	facts := s.ac.Facts(first)
	if !slices.ContainsFunc(m.parts, func(d ir.Dim) bool {
		n, bad := s.lv.Earlier(lmad.Size(d), first)
		return bad != "" || !facts.AtLeast(n, 0)
	}) {
		return nil, refusal{}
	}
	next := s.outermost(m.body, first)
	var out []*ir.Stmt
	sure := map[string]bool{} // names of sizes that are known not to be negative
	for _, x := range op.Args {
		if ir.Fresh(next.Op) && slices.ContainsFunc(next.Pat, func(e *ir.Elem) bool { return e.Name == x }) {
			continue // it is made just there, and checks its size itself
		}
		d := s.lv.Def(x).Elem.Type.Shape[op.Dim]
		if sure[d.Name] {
			continue
		}
		n, bad := s.lv.Earlier(lmad.Size(d), first)
		if bad != "" {
			return nil, refuse("C5", "the size of `%s`, `%s`, is not known where `%s` is made", x, bad, m.src)
		}
		if facts.AtLeast(n, 0) {
			sure[d.Name] = d.Name != ""
			continue
		}
		cond := &ir.Binary{Op: ">=", X: n.Exp(), Y: ir.IntLit(0), T: ir.Bool}
		out = append(out, &ir.Stmt{Op: &ir.Assert{Cond: cond, Size: true}, Span: sizeSpan(s.lv.Def(x).Stmt, op.Dim)})
	}
	return out, refusal{}
}

// sizeSpan returns the position of an array's dim in the statement that makes the array. That
// statement reports a negative size there.
func sizeSpan(st *ir.Stmt, dim int) diag.Span {
	var sizes []ir.Exp
	if space, ok := ir.KernelSpace(st.Op); ok {
		for _, b := range space {
			sizes = append(sizes, b.Size)
		}
	}
	switch op := st.Op.(type) {
	case *ir.Replicate:
		sizes = op.Dims
	case *ir.Scratch:
		sizes = op.Dims
	case *ir.Slice:
		for _, it := range op.Items {
			if !it.Fixed {
				sizes = append(sizes, &ir.Ref{At: it.Span})
			}
		}
	}
	if dim < len(sizes) && sizes[dim].Span().Known() {
		return sizes[dim].Span()
	}
	return st.Span
}

// check returns statements that check, at a point, an update's bounds and the sizes of its source.
// It returns none if the checks are known to succeed there.
func (s *state) check(m *move, first int) ([]*ir.Stmt, refusal) {
	if m.kind == concats {
		return s.checkParts(m, first)
	}
	facts, shape, lengths := s.ac.Facts(first), s.place(m.dst).Shape(), s.place(m.src).Shape()
	equal := s.fits(m, first)
	proven := equal
	for k, it := range m.items {
		proven = proven && s.inBounds(facts, it, shape[k], first)
	}
	if proven {
		return nil, refusal{}
	}
	x, items, bad := s.earlierSlice(m, first)
	if bad != "" {
		return nil, refuse("C5", "the bounds of the update need `%s`, which is not known where `%s` is made", bad, m.src)
	}
	for k, it := range items {
		if it.Stride != nil && !facts.LessThan(sym.Const(1), sym.Of(it.Len)).Different(sym.Of(it.Stride), sym.Const(0)) {
			return nil, refuse("place", "the stride of dimension %d of the part may be 0", k)
		}
	}
	name := s.fresh(m.src + "_part")
	var out []*ir.Stmt
	var dims []ir.Dim
	named := func(e ir.Exp) ir.Dim {
		d, ok := dim(e)
		if !ok { // a dim is a name or a constant
			d = ir.Dim{Name: s.fresh(name + "_n")}
			out = append(out, &ir.Stmt{
				Pat:  []*ir.Elem{{Name: d.Name, Type: ir.Scalar(ir.I64)}},
				Op:   &ir.Compute{E: e},
				Span: m.stmt.Span,
			})
		}
		return d
	}
	for k := range items {
		it := &items[k]
		if it.Fixed {
			continue
		}
		d := named(it.Len)
		it.Len = d.Exp()
		if n := lengths[0]; !equal {
			n, bad := s.lv.Earlier(n, first)
			if bad != "" {
				return nil, refuse("C5", "the size of `%s` needs `%s`, which is not known where it is made", m.src, bad)
			}
			d = named(n.Exp())
		}
		lengths = lengths[1:]
		dims = append(dims, d)
	}
	t := ir.Array(s.lv.Def(x).Elem.Type.Prim, dims, nil)
	return append(out, &ir.Stmt{
		Pat:  []*ir.Elem{{Name: name, Type: t, Written: true}},
		Op:   &ir.Slice{X: x, Items: items},
		Span: m.stmt.Span,
	}), refusal{}
}

// fits reports whether the sizes of an update's source and of the part are known to be equal at a
// point.
func (s *state) fits(m *move, point int) bool {
	lengths := s.place(m.src).Shape()
	for _, it := range m.items {
		if !it.Fixed {
			if !s.equalAt(point, sym.Of(it.Len), lengths[0]) {
				return false
			}
			lengths = lengths[1:]
		}
	}
	return true
}

// sameShape reports whether two arrays are known to have the same sizes at a point.
func (s *state) sameShape(x, y string, point int) bool {
	return slices.EqualFunc(s.place(x).Shape(), s.place(y).Shape(), func(a, b sym.Poly) bool { return s.equalAt(point, a, b) })
}

func dim(e ir.Exp) (ir.Dim, bool) {
	p := sym.Of(e)
	if n, ok := p.IsVar(); ok {
		return ir.Dim{Name: n}, true
	}
	if c, ok := p.IsConst(); ok && c >= 0 {
		return ir.Dim{Const: c}, true
	}
	return ir.Dim{}, false
}

// inBounds reports whether an item provably selects within a dimension of size n, given the facts
// at a point.
func (s *state) inBounds(f places.Facts, it ir.Item, n sym.Poly, point int) bool {
	early := func(e ir.Exp) (sym.Poly, bool) {
		p, bad := s.lv.Earlier(sym.Of(e), point)
		return p, bad == ""
	}
	if it.Fixed {
		p, ok := early(it.Index)
		return ok && f.AtLeast(p, 0) && f.Less(p, n)
	}
	start, ok1 := early(it.Start)
	length, ok2 := early(it.Len)
	stride := sym.Const(1)
	if it.Stride != nil {
		var ok bool
		if stride, ok = early(it.Stride); !ok {
			return false
		}
	}
	if !ok1 || !ok2 {
		return false
	}
	if start.Is(0) && stride.Is(1) && length.Equal(n) {
		return true
	}
	return f.InBounds(start, length, stride, n) && f.Room(n, []sym.Poly{start})
}

// earlierSlice finds an array that lies in the place of the updated one and can be named where src
// is made. It rewrites the items to names known there.
func (s *state) earlierSlice(m *move, first int) (string, []ir.Item, string) {
	up, ok := m.stmt.Op.(*ir.Update)
	if !ok {
		return "", nil, m.dst
	}
	x := up.X
	for !s.lv.Visible(x, first) {
		y := s.source(x)
		if y == "" {
			return "", nil, x
		}
		x = y
	}
	items := make([]ir.Item, len(up.Items))
	bad := ""
	early := func(e ir.Exp) ir.Exp {
		if e == nil {
			return nil
		}
		p, b := s.lv.Earlier(sym.Of(e), first)
		if b != "" {
			bad = b
		}
		return p.Exp()
	}
	for k, it := range up.Items {
		items[k] = ir.Item{Fixed: it.Fixed, Index: early(it.Index), Start: early(it.Start), Len: early(it.Len), Stride: early(it.Stride), Span: it.Span}
	}
	return x, items, bad
}

// source returns an array that lies in the place of x and from which x was made in place, or "".
func (s *state) source(x string) string {
	d := s.lv.Def(x)
	if !d.Result {
		return ""
	}
	k := slices.Index(d.Stmt.Pat, d.Elem)
	y := ""
	switch op := d.Stmt.Op.(type) {
	case *ir.Update:
		y = op.X
	case *ir.Alias:
		y = op.X
	case *ir.Scatter, *ir.Hist:
		y = ir.Dests(op)[k]
	case *ir.Loop:
		if r, ok := op.Params[k].Init.(*ir.Ref); ok {
			y = r.Name
		}
	}
	if y == "" || !s.samePlace(x, y) {
		return ""
	}
	return y
}

// insert puts the guards into the program.
func (s *state) insert() {
	byBody := map[*ir.Body]map[*ir.Stmt][]*ir.Stmt{}
	for _, g := range s.guards {
		if len(g.stmts) == 0 {
			continue
		}
		b := g.move.body
		if byBody[b] == nil {
			byBody[b] = map[*ir.Stmt][]*ir.Stmt{}
		}
		// The destination may have moved since.
		last := g.stmts[len(g.stmts)-1]
		if op, ok := last.Op.(*ir.Slice); ok {
			e := last.Pat[0]
			part := lmad.UpdateSlice(s.place(op.X), op.Items)
			if f, one := withLengths(part, lmad.Sizes(e.Type.Shape)); one {
				part = f
			}
			e.Type.Place = &ir.Place{Mem: s.block(op.X), Ix: part.Chain()}
		}
		before := s.outermost(b, g.at)
		byBody[b][before] = append(byBody[b][before], g.stmts...)
	}
	for b, before := range byBody {
		var out []*ir.Stmt
		for _, st := range b.Stmts {
			out = append(out, before[st]...)
			out = append(out, st)
		}
		b.Stmts = out
	}
}
