package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// one moves the contents of the rotating blocks into the first of them, and removes the parameters
// for the blocks.
func (s *state) one(r doubleBuffer) {
	block := r.loop.Params[r.next].Init.(*ir.Ref).Name
	for _, x := range r.made {
		t := &s.lv.Def(x).Elem.Type
		place := *t.Place // which other versions of the function share
		place.Mem = block
		t.Place = &place
	}
	drop := []int{r.next, r.other}
	slices.Sort(drop)
	for _, j := range []int{drop[1], drop[0]} {
		r.loop.Params = slices.Delete(r.loop.Params, j, j+1)
		r.loop.Body.Result = slices.Delete(r.loop.Body.Result, j, j+1)
		r.stmt.Pat = slices.Delete(r.stmt.Pat, j, j+1)
	}
}

// buffers returns one block to every rotation of the function for which one suffices. It reports
// whether there was any: then the analyses are out of date.
func (s *state) buffers() bool {
	if s.opt.off[buffers] || rules.Off("coalesce.buffers") {
		return false
	}
	changed := false
	var starts []func()
	var walk func(b *ir.Body)
	walk = func(b *ir.Body) {
		for _, st := range b.Stmts {
			for _, in := range ir.Bodies(st.Op) {
				walk(in)
			}
			if loop, ok := st.Op.(*ir.Loop); ok {
				changed = s.buffersOf(b, st, loop, &starts) || changed
			}
		}
	}
	walk(s.f.Body)
	for _, start := range starts {
		start()
	}
	return changed
}

// buffersOf does the same for one loop. `starts` collects functions that make loops begin with copies.
func (s *state) buffersOf(b *ir.Body, st *ir.Stmt, loop *ir.Loop, starts *[]func()) bool {
	changed := false
	for k := 0; k < len(loop.Params); k++ {
		p := loop.Params[k].Elem
		if p.Type.Kind != ir.ArrayKind || !p.Type.Place.Exist || s.seen[p.Name] {
			continue
		}
		s.seen[p.Name] = true
		r, ok := s.doubleBuffer(st, loop, k)
		if !ok {
			continue
		}
		s.account() // before anything is changed
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
			next, other := &r.loop.Params[r.next], &r.loop.Params[r.other]
			next.Init, other.Init = other.Init, next.Init
		}
		if first {
			*starts = append(*starts, s.start(b, r))
		}
		s.one(r)
		changed, k = true, -1 // the parameters have moved
	}
	return changed
}
