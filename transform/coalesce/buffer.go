package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [One buffer instead of two]
//
// The pass explicit gives a loop parameter two blocks that take turns, so that
// the next value is never made over the present one:
//
//	loop (xs @ ?m = x0, next: mem = m_a, other: mem = m_b) {
//	  let ys @ next = map (i < n) { in xs[i] + 1 }
//	  in (ys, other, next)
//	}
//
// Where the next value can be made over the present one, element by element, m_a
// alone will do: ys is always made in m_a, and xs is in m_a from the second
// iteration on. It takes that whatever is read of xs is read before it is
// overwritten: before the first write to ys, or at the same place by the same
// thread or iteration. Then the initial value can be made in m_a as well, if it
// is not needed for anything else, and xs, ys and the loop's result have one
// place.

// A rotation is a parameter with two blocks that take turns.
type rotation struct {
	stmt        *ir.Stmt
	loop        *ir.Loop
	param       int      // the array
	next, other int      // the blocks' parameters
	made        []string // arrays in next
}

// turns finds the parameters of the two blocks that take turns for parameter k: the
// next value is made in one, and the two change places.
func (s *state) turns(loop *ir.Loop, k int) (next, other int, ok bool) {
	index := map[string]int{}
	for j, p := range loop.Params {
		index[p.Elem.Name] = j
	}
	result, ok := loop.Body.Result[k].(*ir.Ref)
	if !ok || !s.array(result.Name) {
		return 0, 0, false
	}
	next, ok = index[s.block(result.Name)]
	if !ok || loop.Params[next].Elem.Type.Kind != ir.MemKind {
		return 0, 0, false
	}
	to, ok := loop.Body.Result[next].(*ir.Ref)
	if !ok {
		return 0, 0, false
	}
	other, ok = index[to.Name]
	if !ok || other == next {
		return 0, 0, false
	}
	back, ok := loop.Body.Result[other].(*ir.Ref)
	return next, other, ok && back.Name == loop.Params[next].Elem.Name
}

// rotation tells whether parameter k is one of a rotation.
func (s *state) rotation(st *ir.Stmt, loop *ir.Loop, k int) (rotation, bool) {
	next, other, ok := s.turns(loop, k)
	if !ok {
		return rotation{}, false
	}
	r := rotation{stmt: st, loop: loop, param: k, next: next, other: other}
	// The blocks are for this and nothing else.
	for _, j := range []int{next, other} {
		if s.valueUses[loop.Params[j].Elem.Name] != 1 || s.valueUses[st.Pat[j].Name] != 0 || len(s.mentions[st.Pat[j].Name]) > 0 {
			return rotation{}, false
		}
		a, ok := loop.Params[j].Init.(*ir.Ref)
		if !ok || s.defs[a.Name] == nil || s.defs[a.Name].stmt == nil || s.valueUses[a.Name] != 1 || len(s.inBlock[a.Name]) > 0 {
			return rotation{}, false
		}
		if _, alloc := s.defs[a.Name].stmt.Op.(*ir.Alloc); !alloc {
			return rotation{}, false
		}
	}
	if len(s.inBlock[loop.Params[other].Elem.Name]) > 0 {
		return rotation{}, false
	}
	r.made = s.inBlock[loop.Params[next].Elem.Name]
	return r, true
}

// overwrites checks that making the arrays `made`, in the body of a loop, over its
// parameter does no harm.
func (s *state) overwrites(st *ir.Stmt, loop *ir.Loop, param string, made []string) refusal {
	if s.opt.skip["overwrites"] {
		return refusal{}
	}
	m := &move{
		candidate: &candidate{kind: buffers, stmt: st, span: st.Span, body: loop.Body, src: param},
		funs:      map[string]lmad.Fun{}, work: maxWork,
	}
	span := s.lv.Body(loop.Body)
	ours := map[string]bool{}
	for _, x := range made {
		if d := s.defs[x]; d.at < span.From || d.at > span.To {
			continue
		}
		ours[x] = true
		for _, k := range s.ofArray[x] {
			if a := &s.ac.All[k]; a.Write {
				m.writes = append(m.writes, a)
			}
		}
	}
	for _, x := range append([]string{param}, arraysIn(loop.Body)...) {
		// An array may lie there without having elements in common: one that was made in
		// the parameter's block since it is put there.
		if s.defs[x] == nil { // a copy of an initial value that was just put here, in a block of its own
			continue
		}
		if ours[x] || !s.al.MayShare(x, param) && !s.al.MayBeOne(s.block(x), s.block(param)) {
			continue
		}
		for _, w := range m.writes {
			if r := s.over(m, x, w); r.refused() {
				return r
			}
		}
	}
	return refusal{}
}

// settles is overwrites for a candidate of kind buffers.
func (s *state) settles(m *move) refusal {
	if m.kind != buffers {
		return refusal{}
	}
	return s.overwrites(m.stmt, m.stmt.Op.(*ir.Loop), m.param, s.inBlock[m.block])
}

// over checks that array x, which may lie where w writes, is not needed there any
// more.
func (s *state) over(m *move, x string, w *accesses.Access) refusal {
	// A copy of the parameter to where it lies leaves all as it is, and what lies
	// there may be read on; but it must not be changed, since it is the copy, too.
	if c, ok := w.Stmt.Op.(*ir.Copy); ok && s.place(w.Array).Equal(s.place(m.src)) && s.unaliased(c.X) == m.src {
		for _, k := range s.ofArray[x] {
			if a := &s.ac.All[k]; a.Write && s.lv.Body(m.body).From < a.Point && a.Point < s.lv.Body(m.body).To {
				return s.because("C3", a, "`%s` is changed there, where its copy would lie", x)
			}
		}
		return refusal{}
	}
	span := s.lv.Stmt(s.outermost(m.body, w.Point))
	for _, i := range s.lv.Array(x) {
		if i.From <= span.To && i.To > span.To {
			return s.because("C3", w, "`%s` is used behind the statement that makes the next value over it", x)
		}
	}
	for _, k := range s.ofArray[x] {
		a := &s.ac.All[k]
		if a.Point < span.From || a.Point > span.To {
			if a.Point > span.To {
				return s.because("C3", a, "`%s` is used behind the statement that makes the next value over it", x)
			}
			continue
		}
		if m.work--; m.work < 0 || !s.compatible(m, a, w, a.Region(s.place(x))) {
			return s.because("C3", a, "an element of `%s` may be read after the next value is made over it", x)
		}
	}
	return refusal{}
}

// unaliased follows other names of an array to the first.
func (s *state) unaliased(x string) string {
	for {
		d := s.defs[x]
		if d.stmt == nil {
			return x
		}
		a, ok := d.stmt.Op.(*ir.Alias)
		if !ok {
			return x
		}
		x = a.X
	}
}

// outermost gives the statement of a body that a point belongs to.
func (s *state) outermost(b *ir.Body, point int) *ir.Stmt {
	return b.Stmts[s.statementIndex(b, point)]
}

// one puts what was in the rotating blocks into the first of them and takes the
// blocks' parameters away.
func (s *state) one(r rotation) {
	block := r.loop.Params[r.next].Init.(*ir.Ref).Name
	for _, x := range r.made {
		s.defs[x].elem.Type.Place.Mem = block
	}
	drop := []int{r.next, r.other}
	slices.Sort(drop)
	for _, j := range []int{drop[1], drop[0]} {
		r.loop.Params = slices.Delete(r.loop.Params, j, j+1)
		r.loop.Body.Result = slices.Delete(r.loop.Body.Result, j, j+1)
		r.stmt.Pat = slices.Delete(r.stmt.Pat, j, j+1)
	}
}

// smallerFirst tells which of the two blocks is to stay: the loop's result lies in either
// of them, as the number of iterations has it, so that what stays must be as small as the
// other one. No choice is needed where nothing holds the result. All that is made must
// fit in what stays: before, each block held only what was made in its turn.
func (s *state) smallerFirst(r rotation) (swap bool, refused refusal) {
	if !s.unasked() {
		if swap, refused = s.smaller(r); refused.refused() {
			return false, refused
		}
	}
	for _, x := range r.made {
		if rr := s.hasRoom(x, initial(r, swap), s.place(x)); rr.refused() {
			return false, rr
		}
	}
	return swap, refusal{}
}

// smaller tells whether it is the second block that is smaller.
func (s *state) smaller(r rotation) (second bool, refused refusal) {
	size := func(swap bool) sym.Poly {
		return s.closed(sym.Of(s.defs[initial(r, swap)].stmt.Op.(*ir.Alloc).Size))
	}
	a, b := size(false), size(true)
	facts := s.ac.Facts(s.lv.Stmt(r.stmt).From)
	switch {
	case a.Equal(b) || s.account.AtMost(facts, a, b):
		return false, refusal{}
	case s.account.AtMost(facts, b, a):
		return true, refusal{}
	}
	if result := s.account.Range(s.block(r.stmt.Pat[r.param].Name)); result == nil || result.To <= s.lv.Stmt(r.stmt).To {
		return false, refusal{}
	}
	return false, refuse("peak", "which of them is smaller is not known, and the loop's result lies in either")
}

// initial gives the block whose turn comes first, or, to swap them, the other one.
func initial(r rotation, swap bool) string {
	j := r.next
	if swap {
		j = r.other
	}
	return r.loop.Params[j].Init.(*ir.Ref).Name
}

// hasRoom checks that an array, if it is made anew, would fit in a block.
func (s *state) hasRoom(x, block string, f lmad.Fun) refusal {
	d := s.defs[x]
	if !d.origin {
		return refusal{}
	}
	t := d.elem.Type
	t.Place = placeIn(block, f)
	if !s.rooms.Fits(d.stmt, t) {
		return refuse("room", "`%s` is not known to fit in `%s`", x, block)
	}
	return refusal{}
}

// room checks that a loop's initial value fits in the block of the next values: of that
// nothing tells where the loop has no iteration. Other candidates need no proof: the
// destination is made behind them in any case, or exists.
func (s *state) room(m *move) refusal {
	if m.kind != buffers {
		return refusal{}
	}
	for _, x := range m.members {
		if s.block(x.name) == m.block && x.fun.Equal(s.place(x.name)) {
			continue
		}
		if r := s.hasRoom(x.name, m.block, x.fun); r.refused() {
			return r
		}
	}
	return refusal{}
}

// swapBlocks lets the two blocks that take turns begin the other way round.
func swapBlocks(r rotation) {
	next, other := &r.loop.Params[r.next], &r.loop.Params[r.other]
	next.Init, other.Init = other.Init, next.Init
}

// buffers makes all rotations of the function that can do with one block do with
// it. It tells whether there were any: then the analyses are out of date.
func (s *state) buffers() bool {
	if s.opt.off[buffers] {
		return false
	}
	changed := false
	var walk func(b *ir.Body)
	walk = func(b *ir.Body) {
		for _, st := range b.Stmts {
			for _, in := range ir.Bodies(st.Op) {
				walk(in)
			}
			if loop, ok := st.Op.(*ir.Loop); ok {
				changed = s.buffersOf(b, st, loop) || changed
			}
		}
	}
	walk(s.f.Body)
	return changed
}

// buffersOf does that for one loop.
func (s *state) buffersOf(b *ir.Body, st *ir.Stmt, loop *ir.Loop) bool {
	changed := false
	for k := 0; k < len(loop.Params); k++ {
		p := loop.Params[k].Elem
		if p.Type.Kind != ir.ArrayKind || !p.Type.Place.Exist || s.seen[p.Name] {
			continue
		}
		s.seen[p.Name] = true
		r, ok := s.rotation(st, loop, k)
		if !ok {
			continue
		}
		if rr := s.overwrites(st, loop, p.Name, r.made); rr.refused() {
			s.context.Remark(st.Span, "[%s] `%s` keeps two blocks that take turns: %s", rr.Code, p.Name, rr.Why)
			continue
		}
		swap, rr := s.smallerFirst(r)
		if rr.refused() {
			s.context.Remark(st.Span, "[%s] `%s` keeps two blocks that take turns: %s", rr.Code, p.Name, rr.Why)
			continue
		}
		first, how := s.starts[p.Name] && s.startHasRoom(r, swap) && s.startNoWorse(r), ""
		if first {
			how = ", where its initial value is copied to"
		}
		if !s.context.Rewrite(st.Span, "the next value of `%s` is made over the present one: one block instead of two that take turns%s", p.Name, how) {
			return changed
		}
		if swap {
			swapBlocks(r)
		}
		if first {
			s.start(b, r)
		}
		s.one(r)
		changed, k = true, -1 // the parameters have moved
	}
	return changed
}

// settled gives a candidate for each loop parameter that lies in one block from
// the second iteration on: to make the initial value there, too.
func (s *state) settled() []*candidate {
	var out []*candidate
	var walk func(b *ir.Body, depth int)
	walk = func(b *ir.Body, depth int) {
		for _, st := range b.Stmts {
			for _, in := range ir.Bodies(st.Op) {
				walk(in, depth+1)
			}
			loop, ok := st.Op.(*ir.Loop)
			if !ok {
				continue
			}
			for k, p := range loop.Params {
				init, ok1 := p.Init.(*ir.Ref)
				result, ok2 := loop.Body.Result[k].(*ir.Ref)
				if p.Elem.Type.Kind != ir.ArrayKind || !p.Elem.Type.Place.Exist || !ok1 || !ok2 ||
					len(p.Elem.Type.Place.Ix) > 0 || s.al.Existential(s.block(result.Name)) {
					continue
				}
				d := s.defs[s.block(result.Name)]
				if d.stmt == nil || d.body.From > s.lv.Stmt(st).From || d.body.To < s.lv.Stmt(st).To {
					continue
				}
				out = append(out, &candidate{
					kind: buffers, stmt: st, span: st.Span, point: s.lv.Stmt(st).To, body: b,
					src: init.Name, dst: result.Name, depth: depth, param: p.Elem.Name,
					part: func(f lmad.Fun) lmad.Fun { return f },
				})
			}
		}
	}
	walk(s.f.Body, 0)
	// As for copies: the last of a chain of loops moves all of them at once.
	slices.Reverse(out)
	slices.SortStableFunc(out, func(a, b *candidate) int { return b.depth - a.depth })
	return out
}

// arraysIn gives the arrays that are bound in a body and within, parameters of
// loops included.
func arraysIn(b *ir.Body) []string {
	var out []string
	bind := func(e *ir.Elem) {
		if e.Type.Kind == ir.ArrayKind {
			out = append(out, e.Name)
		}
	}
	ir.WalkStmts(b, func(st *ir.Stmt) bool {
		ir.Elems(st.Op, bind)
		for _, e := range st.Pat {
			bind(e)
		}
		return true
	})
	return out
}
