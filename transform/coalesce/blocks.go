package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
)

type liveSpan = liveness.Span

// standing finds which names may stand for which real blocks, and lists the accesses to blocks.
func (s *state) standing() {
	for _, n := range s.al.BlockNames() {
		if !s.al.Existential(n) {
			continue
		}
		reals, more := s.al.BlocksUpTo(n, maxStands)
		if more {
			s.blocks.At(n).any = true
			continue
		}
		for _, r := range reals {
			b := s.blocks.At(r)
			b.standFor = append(b.standFor, n)
		}
	}
	s.everywhere = make([]int, len(s.ac.All))
	for k := range s.ac.All {
		b := s.blocks.At(s.ac.All[k].Block)
		s.everywhere[k] = k
		b.accesses.all = append(b.accesses.all, k)
		if b.any {
			s.anywhere = append(s.anywhere, k)
		}
	}
}

// mayBe returns the names of blocks that may be the same as the named one. It omits names that may
// be any block.
func (s *state) mayBe(block string) []string {
	if out, ok := s.alike[block]; ok {
		return out
	}
	met := map[string]bool{block: true}
	out := []string{block}
	add := func(n string) {
		if !met[n] && !s.blocks.Get(n).any {
			met[n] = true
			out = append(out, n)
		}
	}
	reals, _ := s.al.BlocksUpTo(block, maxStands)
	for _, r := range reals {
		add(r)
		for _, n := range s.blocks.Get(r).standFor {
			add(n)
		}
	}
	s.alike[block] = out
	return out
}

// touching visits the accesses, at the points from..to (both included), to blocks that may be the
// same as the named one, without those that are apart from a region in it by their slots. It stops when
// visit returns false.
func (s *state) touching(block string, region lmad.Fun, bytes int64, from, to int, visit func(a *accesses.Access) (more bool)) {
	var lists [][]int
	switch {
	case s.opt.skip["aliases"]:
		lists = append(lists, s.between(s.blocks.Get(block).accesses.all, from, to))
	case s.blocks.Get(block).any:
		lists = append(lists, s.between(s.everywhere, from, to))
	default:
		for _, b := range s.mayBe(block) {
			lists = append(lists, s.blocks.At(b).accesses.touching(s, region, bytes, from, to))
		}
		lists = append(lists, s.between(s.anywhere, from, to))
	}
	for _, list := range lists {
		for _, k := range list {
			if a := &s.ac.All[k]; !s.differ[[2]string{block, s.accessed(a)}] && !visit(a) {
				return
			}
		}
	}
}

// accessed returns the block that an access touches now: arrays may have moved since the analysis.
func (s *state) accessed(a *accesses.Access) string {
	if a.Array == "" {
		return a.Block
	}
	return s.block(a.Array)
}

// differentBlocks finds pairs of blocks that are never the same although each may be one of
// several: the block of a loop parameter, and the block in which its next value is made. This holds
// if two blocks take turns (package explicit, Note [Two blocks that rotate]), or if every iteration
// allocates a block.
func (s *state) differentBlocks(b *ir.Body) {
	ir.EachOp(b, func(st *ir.Stmt, loop *ir.Loop) {
		var inside []string // the blocks allocated in the body
		looked := false
		for k, p := range loop.Params {
			if p.Elem.Type.Kind != ir.ArrayKind || !p.Elem.Type.Place.Exist {
				continue
			}
			// A block allocated in the loop's body is a new one in every iteration. The parameter
			// stands for that of an earlier iteration, or for the initial one, so for another
			// block.
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
			if ok0 && ok1 && ok2 && (s.forLoop(a.Name, st) || !s.al.MayBeOne(a.Name, s.block(init.Name))) && !s.al.MayBeOne(a.Name, z.Name) {
				s.differs(p.Elem.Type.Place.Mem, loop.Params[next].Elem.Name)
			}
		}
	})
}

func (s *state) differs(x, y string) {
	if rules.Off("coalesce.differentBlocks") {
		return
	}
	s.differ[[2]string{x, y}], s.differ[[2]string{y, x}] = true, true
}

// forLoop reports whether a block is allocated beside a loop, in the same body, and only for the
// loop: no initial value of the loop can lie in it.
func (s *state) forLoop(block string, loop *ir.Stmt) bool {
	return s.forOneUse(block) && s.lv.Def(block).Scope == s.lv.Def(loop.Pat[0].Name).Scope
}

// forOneUse reports whether a block is allocated, used as a value once, and used in no other way.
func (s *state) forOneUse(block string) bool {
	d, b := s.lv.Def(block), s.blocks.Get(block)
	if d == nil || d.Stmt == nil || b.uses != 1 || len(b.arrays) > 0 {
		return false
	}
	_, alloc := d.Stmt.Op.(*ir.Alloc)
	return alloc
}

// allocated returns the names of the blocks that a body allocates, at any depth.
func allocated(b *ir.Body) []string {
	var out []string
	ir.EachOp(b, func(st *ir.Stmt, _ *ir.Alloc) {
		out = append(out, st.Pat[0].Name)
	})
	return out
}

// unused takes away the allocations that no name refers to any more.
func unused(f *ir.Func) {
	idle := map[string]bool{}
	for _, m := range allocated(f.Body) {
		idle[m] = true
	}
	note := func(n string) { delete(idle, n) }
	for _, e := range f.Params {
		ir.TypeNames(e.Type, note)
	}
	for _, r := range f.Results {
		ir.TypeNames(r.Type, note)
	}
	for _, st := range f.Body.Stmts {
		ir.StmtUses(st, note)
	}
	for _, e := range f.Body.Result {
		ir.ExpNames(e, note)
	}
	var sweep func(b *ir.Body)
	sweep = func(b *ir.Body) {
		b.Stmts = slices.DeleteFunc(b.Stmts, func(st *ir.Stmt) bool {
			_, alloc := st.Op.(*ir.Alloc)
			return alloc && idle[st.Pat[0].Name]
		})
		for _, st := range b.Stmts {
			for _, in := range ir.Bodies(st.Op) {
				sweep(in)
			}
		}
	}
	sweep(f.Body)
}

// turns finds the parameters of the two blocks that take turns for parameter k: the next value is
// made in one, and the two change places.
func (s *state) turns(loop *ir.Loop, k int) (next, other int, ok bool) {
	result, ok := loop.Body.Result[k].(*ir.Ref)
	if !ok || !s.array(result.Name) {
		return 0, 0, false
	}
	return peak.Swapping(loop, s.block(result.Name))
}
