package reuse

import (
	"slices"
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
//
// The same holds for a value whose next values are all made in one block m_a, if other values of the loop begin with
// the same array:
//
//	loop (r @ ?m = b, p @ ?l = b) ...
//	  let r1 @ m_r = .. r .. p ..
//	  let p1 @ m_p = .. r1 .. p ..     -- m_p can be b's block
//
// In the first iteration, when all of them lie in b's block, none needs it any longer where p1 is made there; in later
// ones only p lies there. Interference takes r of the first iteration for one of a later one.

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
					if s.doubleBuffer(turns, at, outer, k, threads, f); !threads {
						s.oneBuffer(at, outer, k, f)
					}
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
	init, last, ok := turns.Waiting(k, s.used, true)
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

// oneBuffer calls f for the initial value's block of parameter k and that of its next values, if several parameters
// begin there, and the two can be one.
func (s *state) oneBuffer(at *ir.Stmt, outer func() []string, k int, f func(init, next int)) {
	a, op := s.table.Aliases, at.Op.(*ir.Loop)
	init, ok1 := op.Params[k].Init.(*ir.Ref)
	value, ok2 := op.Body.Result[k].(*ir.Ref)
	if op.Params[k].Elem.Type.Kind != ir.ArrayKind || !ok1 || !ok2 {
		return
	}
	next := a.BlockOf(value.Name)
	n, ok := s.table.Block(next)
	if !ok || s.table.Blocks[n].Kind != peak.Allocated || !s.firstIn(at, next) {
		return
	}
	reals, _ := a.BlocksUpTo(a.BlockOf(init.Name), maxReals)
	for _, m := range reals {
		b, ok := s.table.Block(m)
		if !ok || m == next || s.table.Blocks[b].Kind == peak.Called || s.table.Blocks[b].Kept {
			continue
		}
		if params, ok := s.beginIn(op, m); ok && len(params) > 1 && !slices.ContainsFunc(outer(), func(o string) bool { return a.MayBeOne(o, m) }) &&
			!slices.ContainsFunc(params, func(j int) bool {
				_, bad := s.meets.Between(a.BlockOf(op.Params[j].Elem.Name), next)
				return bad
			}) && peak.Replaces(a, s.table.Liveness, at, params, m, next) {
			f(b, n)
		}
	}
}

// firstIn reports whether a block has no contents before a loop, which does not allocate it.
func (s *state) firstIn(loop *ir.Stmt, mem string) bool {
	lv := s.table.Liveness
	arrays, more := s.table.Aliases.MayLieInUpTo(mem, maxNames)
	d := lv.Def(mem)
	return !more && d != nil && d.Point < lv.Stmt(loop).From && !slices.ContainsFunc(arrays, func(x string) bool {
		d := lv.Def(x)
		return d == nil || d.Point <= lv.Stmt(loop).From
	})
}

// beginIn returns the parameters of a loop that may begin in a block; not ok if one may lie there later, too.
func (s *state) beginIn(op *ir.Loop, mem string) (params []int, ok bool) {
	a := s.table.Aliases
	mayBe := func(m string) bool { return m != "" && a.MayBeOne(m, mem) }
	for j, p := range op.Params {
		r, isRef := op.Body.Result[j].(*ir.Ref)
		switch p.Elem.Type.Kind {
		case ir.ArrayKind:
			if !isRef || mayBe(a.BlockOf(r.Name)) {
				return nil, false
			}
			if mayBe(a.BlockOf(p.Elem.Name)) {
				params = append(params, j)
			}
		case ir.MemKind:
			if !isRef || mayBe(p.Elem.Name) || mayBe(r.Name) {
				return nil, false
			}
		case ir.ScalarKind:
		}
	}
	return params, true
}

// maxNames bounds the arrays that may lie in a block.
const maxNames = 256
