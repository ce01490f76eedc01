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
		turns := peak.TurnsOf(l.at, s.table.Aliases.BlockOf)
		for k := range l.op.Params {
			turn, ok := s.table.Turn(turns, k)
			if !ok {
				continue
			}
			take := func(turn peak.Turn, candidates []int, where string) {
				for _, b := range s.fill(turn, candidates, gone) {
					blk := s.table.Blocks[b]
					if s.context.Rewrite(blk.Stmt.Span, "%s (%s) lies in `%s`, "+where, block{s, b}, bytes{blk.Size}, turn.Next) {
						renamed[blk.Name] = turn.Next
						gone[blk.Stmt] = true
					}
				}
			}
			take(turn, s.within(l.region), "one of two blocks that take turns in the loop, until the next value is made there")
			if rules.Off("reuse.left") {
				continue
			}
			last := turn
			last.Next, last.Value = l.at.Pat[turn.Waits].Name, l.at.Pat[k].Type.Place.Mem
			take(last, s.left(l, turn), "the one of two blocks that waits when the loop ends")
		}
	}
	if len(gone) > 0 {
		s.giveWay(renamed, gone)
	}
	return len(gone) > 0
}

// left returns the block that is allocated next behind a loop, if it is as large as two that take turns.
func (s *state) left(l hostLoop, turn peak.Turn) []int {
	st := s.holdsNext(l.at, nil)
	if st == nil {
		return nil
	}
	if _, alloc := st.Op.(*ir.Alloc); !alloc {
		return nil
	}
	b, ok := s.table.Block(st.Pat[0].Name)
	if !ok || !asLarge(s.table.Blocks[turn.Blocks[0]], s.table.Blocks[b].Size) || !asLarge(s.table.Blocks[turn.Blocks[1]], s.table.Blocks[b].Size) {
		return nil
	}
	return []int{b}
}

// holdsNext returns the next statement behind a loop, in its body, that may hold a block, other than those.
func (s *state) holdsNext(loop *ir.Stmt, others []*ir.Stmt) *ir.Stmt {
	lv := s.table.Liveness
	body := lv.Points[lv.Stmt(loop).From].Body
	for at := lv.Stmt(loop).To + 1; ; {
		st, span, ok := lv.Enclosing(body, at)
		if !ok {
			return nil
		}
		if holds(st) && !slices.Contains(others, st) {
			return st
		}
		at = span.To + 1
	}
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
func (s *state) fill(turn peak.Turn, candidates []int, gone map[*ir.Stmt]bool) []int {
	room := turn.Blocks
	var names []string
	for _, b := range room {
		names = append(names, s.table.Blocks[b].Name)
	}
	var fit []int
	for _, b := range candidates {
		blk := s.table.Blocks[b]
		if blk.Kind != peak.Allocated || gone[blk.Stmt] || !s.meets.Alone(blk.Name) {
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

// within returns the blocks of a region, and of those in it.
func (s *state) within(region int) (out []int) {
	for b, blk := range s.table.Blocks {
		if s.inside(blk.Region, region) {
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
