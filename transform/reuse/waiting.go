package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// Note [The block that waits for its turn]
//
// A loop whose parameter xs alternates between two blocks, as in Note [The initial value's block
// takes turns], holds both in each iteration. xs lies in one. The other, `next`, is empty until the
// next value is made there. Arrays that the body makes and stops needing before that can lie in it:
//
//	loop (xs @ ?m = xs0, next: mem = m_a, other: mem = m_b) ...
//	  let m_t = alloc n * 4
//	  let t @ m_t = ... xs ...          -- t @ next
//	  let k = t[0]
//	  let ys @ next = ... xs ... k ...
//	  in (ys, other, next)
//
// The conditions are:
//
//	(1) the two blocks take turns (peak.Table.Turn);
//	(2) m_t has room in both, and is allocated in the body; only its own name
//	    stands for it, and no iteration needs its contents of an earlier one;
//	(3) while t is needed, xs is the only needed array that may lie in m_a or m_b.
//
// Both blocks are held anyway, so no peak rises, and the planner has one block less to place. This
// happens before planning, and the planner then sees t in next.
//
// When the loop ends, one block waits still:
//
//	let (xs' @ ?m', next', other') = loop ...
//	let m_t = alloc n * 4
//	let t @ m_t = ... xs' ...           -- t @ next'
//
// There the waiting block would die with the loop. So it must be as large as t, and between the loop and
// m_t nothing may be allocated.

// fillWaiting places short-lived arrays of loops in the waiting block, and reports whether there
// were any.
func (s *state) fillWaiting() bool {
	renamed := map[string]string{}
	gone := map[*ir.Stmt]bool{}
	if s.meets.Crowded() || rules.Off("reuse.waiting") {
		return false
	}
	for _, l := range s.loops() {
		for k := range l.op.Params {
			turn, ok := s.table.Turn(l.op, k)
			if !ok {
				continue
			}
			within := func(b int) bool { return s.inside(s.table.Blocks[b].Region, l.region) }
			for _, b := range s.fill(turn, within, gone) {
				blk := s.table.Blocks[b]
				if s.context.Rewrite(blk.Stmt.Span, "%s (%s) lies in `%s`, one of two blocks that take turns in the loop, until the next value is made there",
					block{s, b}, bytes{blk.Size}, turn.Next) {
					renamed[blk.Name] = turn.Next
					gone[blk.Stmt] = true
				}
			}
			if rules.Off("reuse.left") {
				continue
			}
			last := turn
			last.Next, last.Value = l.at.Pat[turn.Waits].Name, l.at.Pat[k].Type.Place.Mem
			for _, b := range s.fill(last, func(b int) bool { return s.takesLeft(b, l, turn) }, gone) {
				blk := s.table.Blocks[b]
				if s.context.Rewrite(blk.Stmt.Span, "%s (%s) lies in `%s`, the one of two blocks that waits when the loop ends",
					block{s, b}, bytes{blk.Size}, last.Next) {
					renamed[blk.Name] = last.Next
					gone[blk.Stmt] = true
				}
			}
		}
	}
	if len(gone) > 0 {
		s.giveWay(renamed, gone)
	}
	return len(gone) > 0
}

// takesLeft reports whether a block is allocated behind a loop, next to it, and as large as two that take turns.
func (s *state) takesLeft(b int, l hostLoop, turn peak.Turn) bool {
	blk, loop := s.table.Blocks[b], s.table.Liveness.Stmt(l.at)
	if blk.Region != s.table.Regions[l.region].Parent || blk.Alloc <= loop.To ||
		!asLarge(s.table.Blocks[turn.Blocks[0]], blk.Size) || !asLarge(s.table.Blocks[turn.Blocks[1]], blk.Size) {
		return false
	}
	body := s.table.Regions[blk.Region].IR
	from, to := slices.Index(body.Stmts, l.at), slices.Index(body.Stmts, blk.Stmt)
	return !slices.ContainsFunc(body.Stmts[from+1:to], holds)
}

// holds reports whether a statement may hold a block that it did not before.
func holds(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Alloc, *ir.Call:
		return true
	}
	return slices.ContainsFunc(ir.Bodies(s.Op), func(b *ir.Body) bool { return slices.ContainsFunc(b.Stmts, holds) })
}

// fill returns the blocks that can lie in the waiting block, largest first: conditions (2) and (3).
func (s *state) fill(turn peak.Turn, candidate func(b int) bool, gone map[*ir.Stmt]bool) []int {
	room := turn.Blocks
	var names []string
	for _, b := range room {
		names = append(names, s.table.Blocks[b].Name)
	}
	var fit []int
	for b, blk := range s.table.Blocks {
		if blk.Kind != peak.Allocated || gone[blk.Stmt] || !candidate(b) || !s.meets.Alone(blk.Name) {
			continue
		}
		if _, again := s.meets.Repeats(blk.Name); again || !s.fits(b, room[0]) || !s.fits(b, room[1]) ||
			s.meets.Beyond(blk.Name, names, turn.Value) {
			continue
		}
		fit = append(fit, b)
	}
	slices.SortStableFunc(fit, func(a, b int) int {
		switch down, up := s.fits(a, b), s.fits(b, a); {
		case up && !down:
			return -1
		case down && !up:
			return 1
		}
		return a - b
	})
	var out []int
	for _, b := range fit {
		if !slices.ContainsFunc(out, func(c int) bool { _, bad := s.conflict(b, c); return bad }) {
			out = append(out, b)
		}
	}
	return out
}

// inside reports whether a region is another one, or within it.
func (s *state) inside(r, outer int) bool {
	for r > outer {
		r = s.table.Regions[r].Parent
	}
	return r == outer
}
