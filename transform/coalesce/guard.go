package coalesce

import (
	"fmt"
	"slices"
	"strings"

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
	if m.kind == updates {
		if !s.fits(m.candidate, m.first) && s.fits(m.candidate, m.point) { // and fails with a message of its own
			return refuse("sizes", "only an assertion after the making of `%s` shows that it fits in the part of `%s`", m.src, m.dst)
		}
		if x := m.stmt.Op.(*ir.Update).X; !s.sameShape(m.dst, x, m.first) {
			return refuse("sizes", "only the update itself compares the sizes of `%s` with those of `%s`", m.dst, x)
		}
	}
	if r := s.guardable(m.candidate, m.first); r.refused() {
		return r
	}
	need := func(c *guarded, at int) refusal {
		m.needs = append(m.needs, c)
		return s.guardable(c.candidate, at)
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
		s.firsts[c] = min(s.firstOf(c), s.statement(c.body, m.first))
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

// guardMoves reports whether the checks of a copy can be made at a point, with what they use and is
// made later.
func (s *state) guardMoves(c *candidate, point int, use func(string)) bool {
	if s.opt.skip["guard"] {
		return true
	}
	if r := s.guardable(c, point); r.Code != "C5" {
		return !r.refused()
	}
	for _, it := range c.items {
		for _, e := range []ir.Exp{it.Index, it.Start, it.Len, it.Stride} {
			ir.ExpNames(e, use)
		}
		if n, known := stride(it).IsConst(); !known || n == 0 {
			return false
		}
	}
	switch op := c.stmt.Op.(type) {
	case *ir.Update:
		if x, _, _ := s.earlierSlice(c, point); x == "" {
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
	return true
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

// stays records what is known of a source that is in place since before this round.
func (s *state) stays(c *candidate) {
	if s.lies(c.src, c); !c.checked() {
		return
	}
	members, _, r := s.web(c.src, s.place(c.src))
	if r.refused() {
		members = []member{{array: s.of(c.src)}}
	}
	known := s.checks[c.key()] != nil
	for _, x := range members {
		s.lies(x.name, c)
		if !known {
			s.putBehind(x.name, s.checkOf(c, true))
		}
	}
	if known {
		s.checkOf(c, true)
	}
}

// A guard makes one check.
type guard struct {
	stmts []*ir.Stmt
	key   string // guards with one key, and statements, check the same
}

// partGuards returns guards that check that no part of a concat has a negative size, or none if
// that is known. A failing statement between these checks and the concat is no problem: of several
// errors any one may be reported (docs/ir.md, Meaning).
func (s *state) partGuards(c *candidate, first int) ([]guard, refusal) {
	op := c.stmt.Op.(*ir.Concat)
	facts := s.ac.Facts(first)
	if !slices.ContainsFunc(c.parts, func(d ir.Dim) bool {
		n, bad := s.lv.Earlier(lmad.Size(d), first)
		return bad != "" || !facts.AtLeast(n, 0)
	}) {
		return nil, refusal{}
	}
	next := s.outermost(c.body, first)
	var out []guard
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
			return nil, refuse("C5", "the size of `%s`, `%s`, is not known where `%s` is made", x, bad, c.src)
		}
		if facts.AtLeast(n, 0) {
			sure[d.Name] = d.Name != ""
			continue
		}
		cond := &ir.Binary{Op: ">=", X: n.Exp(), Y: ir.IntLit(0), T: ir.Bool}
		st := &ir.Stmt{Op: &ir.Assert{Cond: cond, Size: true}, Span: sizeSpan(s.lv.Def(x).Stmt, op.Dim)}
		out = append(out, guard{[]*ir.Stmt{st}, s.sizeKey(n)})
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

// guardable checks that guards of a copy can stand at a point.
func (s *state) guardable(c *candidate, point int) refusal {
	guards, r := s.guards(c, point)
	if r.refused() || len(guards) == 0 || c.kind != updates {
		return r
	}
	facts := s.ac.Facts(point)
	_, items, _ := s.earlierSlice(c, point)
	for k, it := range items {
		if it.Stride != nil && !facts.LessThan(sym.Const(1), sym.Of(it.Len)).Different(stride(it), sym.Const(0)) {
			return refuse("place", "the stride of dimension %d of the part may be 0", k)
		}
	}
	return refusal{}
}

// stride returns the stride of an item of a slice.
func stride(it ir.Item) sym.Poly {
	if it.Stride == nil {
		return sym.Const(1)
	}
	return sym.Of(it.Stride)
}

// guards returns guards that check, at a point, what a copy checks: an update's bounds and the
// sizes of its source. It returns none if the checks are known to succeed there.
func (s *state) guards(c *candidate, first int) ([]guard, refusal) {
	switch c.kind {
	case concats:
		return s.partGuards(c, first)
	case updates:
		return s.boundGuards(c, first)
	}
	return nil, refusal{}
}

func (s *state) boundGuards(c *candidate, first int) ([]guard, refusal) {
	facts, shape, lengths := s.ac.Facts(first), s.place(c.dst).Shape(), s.place(c.src).Shape()
	equal := s.fits(c, first)
	proven := equal
	for k, it := range c.items {
		proven = proven && s.inBounds(facts, it, shape[k], first)
	}
	if proven {
		return nil, refusal{}
	}
	x, items, bad := s.earlierSlice(c, first)
	if bad != "" {
		return nil, refuse("C5", "the bounds of the update need `%s`, which is not known where `%s` is made", bad, c.src)
	}
	name := s.fresh(c.src + "_part")
	var out []*ir.Stmt
	var dims []ir.Dim
	var sizes []sym.Poly
	named := func(e ir.Exp) ir.Dim {
		d, ok := dim(e)
		if !ok { // a dim is a name or a constant
			d = ir.Dim{Name: s.fresh(name + "_n")}
			out = append(out, &ir.Stmt{
				Pat:  []*ir.Elem{{Name: d.Name, Type: ir.Scalar(ir.I64)}},
				Op:   &ir.Compute{E: e},
				Span: c.stmt.Span,
			})
		}
		return d
	}
	for k := range items {
		it := &items[k]
		if it.Fixed {
			continue
		}
		size := sym.Of(it.Len)
		d := named(it.Len)
		it.Len = d.Exp()
		if !equal {
			if size, bad = s.lv.Earlier(lengths[0], first); bad != "" {
				return nil, refuse("C5", "the size of `%s` needs `%s`, which is not known where it is made", c.src, bad)
			}
			d = named(size.Exp())
		}
		sizes = append(sizes, size)
		lengths = lengths[1:]
		dims = append(dims, d)
	}
	key := s.sliceKey(x, items, sizes)
	part := lmad.UpdateSlice(s.place(x), items)
	if f, one := withLengths(part, lmad.Sizes(dims)); one {
		part = f
	}
	t := ir.Array(s.lv.Def(x).Elem.Type.Prim, dims, &ir.Place{Mem: s.block(x), Ix: part.Chain()})
	out = append(out, &ir.Stmt{
		Pat:  []*ir.Elem{{Name: name, Type: t, Written: true}},
		Op:   &ir.Slice{X: x, Items: items},
		Span: c.stmt.Span,
	})
	return []guard{{out, key}}, refusal{}
}

// fits reports whether the sizes of an update's source and of the part are known to be equal at a
// point.
func (s *state) fits(m *candidate, point int) bool {
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
	step, bad := s.lv.Earlier(stride(it), point)
	if !ok1 || !ok2 || bad != "" {
		return false
	}
	if start.Is(0) && step.Is(1) && length.Equal(n) {
		return true
	}
	return f.InBounds(start, length, step, n) && f.Room(n, []sym.Poly{start})
}

// earlierSlice finds an array that lies in the place of the updated one and can be named where src
// is made. It rewrites the items to names known there.
func (s *state) earlierSlice(m *candidate, first int) (string, []ir.Item, string) {
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
	var checks []*guarded
	for _, c := range s.candidates() {
		if k := s.checks[c.key()]; k != nil && !k.given && s.inPlace(c) {
			k.candidate = c
			checks = append(checks, k)
		}
	}
	if len(checks) == 0 || s.opt.skip["guard"] {
		return
	}
	slices.SortStableFunc(checks, func(a, b *guarded) int { return s.firstOf(a) - s.firstOf(b) })
	s.used = nil // guards that were only asked for took no names
	made := s.checksMade()
	before := map[*ir.Stmt][]*ir.Stmt{}
	bodies := map[*ir.Body]bool{}
	for _, c := range checks {
		at := s.firstOf(c)
		guards, r := s.guards(c.candidate, at)
		if r.refused() {
			panic("coalesce: the checks of `" + c.dst + "` cannot be made before its parts: " + r.Why)
		}
		for _, g := range guards {
			isMade := func(by checkMade) bool { return by.at < at && by.body.From <= at && at <= by.body.To }
			if slices.ContainsFunc(made[g.key], isMade) {
				continue
			}
			made[g.key] = append(made[g.key], checkMade{s.lv.Body(c.body), at - 1})
			next := s.outermost(c.body, at)
			before[next] = append(before[next], g.stmts...)
			bodies[c.body] = true
		}
	}
	for b := range bodies {
		var out []*ir.Stmt
		for _, st := range b.Stmts {
			out = append(append(out, before[st]...), st)
		}
		b.Stmts = out
	}
}

// A checkMade is made at a point, so behind it in the body.
type checkMade struct {
	body liveSpan
	at   int
}

// checksMade returns the checks that statements make, by the keys of guards.
func (s *state) checksMade() map[string][]checkMade {
	out := map[string][]checkMade{}
	var walk func(b *ir.Body)
	walk = func(b *ir.Body) {
		for _, st := range b.Stmts {
			key := ""
			switch op := st.Op.(type) {
			case *ir.Slice:
				key = s.sliceKey(op.X, op.Items, s.place(st.Pat[0].Name).Shape())
			case *ir.Update:
				if r, ok := op.Value.(*ir.Ref); ok && s.array(r.Name) {
					key = s.sliceKey(op.X, op.Items, s.place(r.Name).Shape())
				}
			case *ir.Assert:
				if sizes, ok := op.Sized(); ok && op.Size {
					key = s.sizeKey(sym.Of(sizes[0]))
				}
			}
			if key != "" {
				out[key] = append(out[key], checkMade{s.lv.Body(b), s.lv.Stmt(st).From})
			}
			for _, in := range ir.Bodies(st.Op) {
				walk(in)
			}
		}
	}
	walk(s.f.Body)
	return out
}

// sliceKey names the check of a slice of an array, or of an update, with an array of these sizes.
func (s *state) sliceKey(x string, items []ir.Item, sizes []sym.Poly) string {
	var out strings.Builder
	note := func(p sym.Poly) { fmt.Fprint(&out, s.closed.Of(p), ", ") }
	for k, n := range s.place(x).Shape() {
		note(n)
		it := items[k]
		if it.Fixed {
			note(sym.Of(it.Index))
			out.WriteString("; ")
			continue
		}
		note(sym.Of(it.Start))
		note(sym.Of(it.Len))
		note(sizes[0])
		sizes = sizes[1:]
		if it.Stride != nil {
			note(sym.Of(it.Stride))
		}
		out.WriteString("; ")
	}
	return out.String()
}

// sizeKey names the check that a size is not negative.
func (s *state) sizeKey(n sym.Poly) string { return fmt.Sprint("size ", s.closed.Of(n)) }
