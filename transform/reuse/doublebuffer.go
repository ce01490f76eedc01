package reuse

import (
	"sync"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// Note [The initial value's block takes turns] in package peak says when the initial value's block of
// a loop can be one of two blocks that take turns. In a kernel every thread has its part of these
// blocks, and threads are not in step. So there is one more condition: the parts of both blocks that
// two different threads touch, by whatever names, are disjoint. The planner receives the information
// that the two blocks do not conflict; it checks sizes and the peak.

// doubleBuffers calls f for every two blocks that can share by this note: the initial value's
// block, and the one that takes turns with it.
func (s *state) doubleBuffers(f func(init, other int)) {
	if rules.Off("reuse.turns") {
		return
	}
	var visit func(b *ir.Body, threads bool)
	visit = func(b *ir.Body, threads bool) {
		for _, at := range b.Stmts {
			if op, ok := at.Op.(*ir.Loop); ok {
				turns := peak.TurnsOf(at, s.table.Aliases.BlockOf)
				outer := sync.OnceValue(func() []string { return peak.OuterBlocks(s.table.Aliases, op) })
				for k := range op.Params {
					s.doubleBuffer(turns, at, outer, k, threads, f)
				}
			}
			_, kernel := ir.KernelSpace(at.Op)
			for _, in := range ir.Bodies(at.Op) {
				visit(in, threads || kernel)
			}
		}
	}
	visit(s.f.Body, false)
}

func (s *state) doubleBuffer(turns *peak.Turns, at *ir.Stmt, outer func() []string, k int, threads bool, f func(init, other int)) {
	a := s.table.Aliases
	init, last, ok := turns.Waiting(k, s.usedOnlyHere(at, k), true)
	if !ok {
		var next int
		if init, last, next, ok = turns.Following(k, s.used); !ok {
			return
		}
		params := at.Op.(*ir.Loop).Params
		if _, bad := s.meets.Between(params[k].Elem.Type.Place.Mem, params[next].Elem.Name); bad {
			return
		}
	}
	other, ok := s.table.Block(last)
	if !ok || s.table.Blocks[other].Kind != peak.Allocated {
		return
	}
	reals, _ := a.BlocksUpTo(a.BlockOf(init), maxReals)
	for _, m := range reals {
		b, ok := s.table.Block(m)
		if ok && s.table.Blocks[b].Kind != peak.Called && !s.table.Blocks[b].Kept &&
			peak.TakesTurns(a, s.table.Liveness, at, outer(), k, m, last) && !(threads && s.meets.Racing(m, last)) {
			f(b, other)
		}
	}
}

// used tells how often a name is used.
func (s *state) used(name string) int {
	if s.uses == nil {
		s.uses = peak.Uses(s.f.Body)
	}
	return s.uses[name]
}
