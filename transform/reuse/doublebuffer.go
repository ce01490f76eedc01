package reuse

import (
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
)

// Note [The initial value's block takes turns] in package peak says when the initial value's block of
// a loop can be one of two blocks that take turns. In a kernel every thread has its part of these
// blocks, and threads are not in step. So there is one more condition: the parts of both blocks that
// two different threads touch, by whatever names, are disjoint. The planner receives the information
// that the two blocks do not conflict; it checks sizes and the peak.

// maxReals bounds the real blocks per name that are looked at.
const maxReals = 64

// doubleBuffers calls f for every two blocks that can share by this note: the initial value's
// block, and the one that takes turns with it.
func (s *state) doubleBuffers(f func(init, other int)) {
	var visit func(b *ir.Body, threads bool)
	visit = func(b *ir.Body, threads bool) {
		for _, at := range b.Stmts {
			if op, ok := at.Op.(*ir.Loop); ok {
				for k := range op.Params {
					s.doubleBuffer(at, op, k, threads, f)
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

func (s *state) doubleBuffer(at *ir.Stmt, op *ir.Loop, k int, threads bool, f func(init, other int)) {
	a := s.table.Aliases
	init, last, ok := peak.Waiting(at, op, k, a.BlockOf, s.used)
	if !ok {
		return
	}
	in := func(block string) []string { arrays, _ := s.arraysIn(block); return arrays }
	if _, all := s.arraysIn(last); !all {
		return
	}
	other, ok := s.table.Block(last)
	if !ok || s.table.Blocks[other].Kind != peak.Allocated {
		return
	}
	reals, more := a.BlocksUpTo(a.BlockOf(init), maxReals)
	if more {
		return
	}
	for _, m := range reals {
		b, ok := s.table.Block(m)
		if ok && s.table.Blocks[b].Kind != peak.Called && !s.table.Blocks[b].Kept &&
			peak.TakesTurns(a, s.table.Liveness, in, at, k, m, last) && !(threads && s.meets.Racing(m, last)) {
			f(b, other)
		}
	}
}

// arraysIn returns the arrays that may lie in a real block. It is not ok if some array of the function
// may lie in more blocks than are looked at: then that block may be one of them.
func (s *state) arraysIn(m string) (arrays []string, ok bool) {
	if s.inBlock == nil {
		s.inBlock = map[string][]string{}
		for _, name := range s.table.Aliases.Names() {
			reals, more := s.table.Aliases.BlocksUpTo(s.table.Aliases.BlockOf(name), maxReals)
			s.anywhere = s.anywhere || more
			for _, r := range reals {
				s.inBlock[r] = append(s.inBlock[r], name)
			}
		}
	}
	return s.inBlock[m], !s.anywhere
}

// used tells how often a name is used.
func (s *state) used(name string) int {
	if s.uses == nil {
		s.uses = peak.Uses(s.f.Body)
	}
	return s.uses[name]
}
