package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

type liveSpan = liveness.Span

// maxStands bounds how many real blocks a name is asked to stand for; beyond, it
// may be any block.
const maxStands = 32

// standing finds which names may stand for which real blocks.
func (s *state) standing() {
	s.standFor = map[string][]string{}
	for _, n := range s.al.BlockNames() {
		if !s.al.Existential(n) {
			continue
		}
		reals, more := s.al.BlocksUpTo(n, maxStands)
		if more {
			s.anyBlock = append(s.anyBlock, n)
			continue
		}
		for _, r := range reals {
			s.standFor[r] = append(s.standFor[r], n)
		}
	}
}

// mayBe gives the names of blocks that may be one with the block named.
func (s *state) mayBe(block string) []string {
	if out, ok := s.alike[block]; ok {
		return out
	}
	out := []string{block}
	if s.opt.skip["aliases"] {
		return out
	}
	met := map[string]bool{block: true}
	for _, n := range s.differ[block] {
		met[n] = true // as if it were there already
	}
	add := func(n string) {
		if !met[n] {
			met[n] = true
			out = append(out, n)
		}
	}
	reals, more := s.al.BlocksUpTo(block, maxStands)
	if more {
		reals = s.al.BlockNames()
	}
	for _, r := range reals {
		add(r)
		for _, n := range s.standFor[r] {
			add(n)
		}
	}
	for _, n := range s.anyBlock {
		add(n)
	}
	s.alike[block] = out
	return out
}

// takingTurns finds the pairs of blocks that are never one although either may be
// any of several: that of a loop parameter, and that in which its next value is
// made, where two blocks take turns (package explicit, Note [Two blocks that
// rotate]) or every iteration allocates one.
func (s *state) takingTurns(b *ir.Body) {
	ir.WalkStmts(b, func(st *ir.Stmt) bool {
		loop, ok := st.Op.(*ir.Loop)
		if !ok {
			return true
		}
		var inside []string // the blocks allocated in the body
		looked := false
		for k, p := range loop.Params {
			if p.Elem.Type.Kind != ir.ArrayKind || !p.Elem.Type.Place.Exist {
				continue
			}
			// A block allocated in the loop's body is a new one in every iteration, so
			// that what the parameter stands for, the one of an iteration before or
			// what went in, is another.
			if !looked {
				inside, looked = allocated(loop.Body), true
			}
			for _, m := range inside {
				s.differs(p.Elem.Type.Place.Mem, m)
			}
			next, other, ok := s.turns(loop, k)
			if !ok {
				continue
			}
			init, ok0 := p.Init.(*ir.Ref)
			a, ok1 := loop.Params[next].Init.(*ir.Ref)
			z, ok2 := loop.Params[other].Init.(*ir.Ref)
			if ok0 && ok1 && ok2 && !s.al.MayBeOne(a.Name, z.Name) && !s.al.MayBeOne(a.Name, s.block(init.Name)) {
				s.differs(p.Elem.Type.Place.Mem, loop.Params[next].Elem.Name)
			}
		}
		return true
	})
}

func (s *state) differs(x, y string) {
	s.differ[x] = append(s.differ[x], y)
	s.differ[y] = append(s.differ[y], x)
}

// allocated gives the names of the blocks that a body allocates, at any depth.
func allocated(b *ir.Body) []string {
	var out []string
	ir.WalkStmts(b, func(st *ir.Stmt) bool {
		if _, ok := st.Op.(*ir.Alloc); ok {
			out = append(out, st.Pat[0].Name)
		}
		return true
	})
	return out
}

// unused takes away the allocations that no name refers to any more.
func unused(f *ir.Func) {
	used := map[string]bool{}
	note := func(n string) { used[n] = true }
	for _, e := range f.Params {
		ir.TypeNames(e.Type, note)
	}
	for _, r := range f.Results {
		ir.TypeNames(r.Type, note)
	}
	var body func(b *ir.Body)
	body = func(b *ir.Body) {
		for _, st := range b.Stmts {
			ir.Uses(st.Op, note)
			for _, e := range st.Pat {
				ir.TypeNames(e.Type, note)
			}
			ir.Elems(st.Op, func(e *ir.Elem) { ir.TypeNames(e.Type, note) })
			for _, in := range ir.Bodies(st.Op) {
				body(in)
			}
		}
		for _, e := range b.Result {
			ir.ExpNames(e, note)
		}
	}
	body(f.Body)
	var sweep func(b *ir.Body)
	sweep = func(b *ir.Body) {
		b.Stmts = slices.DeleteFunc(b.Stmts, func(st *ir.Stmt) bool {
			_, alloc := st.Op.(*ir.Alloc)
			return alloc && !used[st.Pat[0].Name]
		})
		for _, st := range b.Stmts {
			for _, in := range ir.Bodies(st.Op) {
				sweep(in)
			}
		}
	}
	sweep(f.Body)
}
