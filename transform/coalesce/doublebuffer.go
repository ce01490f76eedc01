package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [One buffer instead of two]
//
// The pass explicit gives a loop parameter two blocks that take turns, so that the next value is
// never made over the present one:
//
//	loop (xs @ ?m = x0, next: mem = m_a, other: mem = m_b) {
//	  let ys @ next = map (i < n) { in xs[i] + 1 }
//	  in (ys, other, next)
//	}
//
// If the next value can be made over the present one, element by element, m_a alone suffices: ys is
// always made in m_a, and xs is in m_a from the second iteration on. For this, every element of xs
// must be read before it is overwritten: before the first write to ys, or at the same place by the
// same thread or iteration. Then the initial value can be made in m_a as well, if nothing else
// needs it, and xs, ys and the loop's result have one place.

// A doubleBuffer is a parameter with two blocks that take turns.
type doubleBuffer struct {
	stmt        *ir.Stmt
	loop        *ir.Loop
	param       int      // the array
	next, other int      // the blocks' parameters
	made        []string // arrays in next
}

// swaps reports whether any loop has two parameters that change places.
func swaps(f *ir.Func) bool {
	return ir.AnyStmt(f.Body, func(s *ir.Stmt) bool {
		loop, ok := s.Op.(*ir.Loop)
		return ok && slices.ContainsFunc(loop.Params, func(p ir.Param) bool {
			_, _, ok := peak.Swapping(loop, p.Elem.Name)
			return ok
		})
	})
}

// doubleBuffer returns the double buffer of parameter k, if its blocks are for that only.
func (s *state) doubleBuffer(st *ir.Stmt, loop *ir.Loop, k int) (doubleBuffer, bool) {
	next, other, ok := s.turns(loop, k)
	if !ok {
		return doubleBuffer{}, false
	}
	r := doubleBuffer{stmt: st, loop: loop, param: k, next: next, other: other}
	// The blocks are for this and nothing else.
	for _, j := range []int{next, other} {
		given := st.Pat[j].Name
		result := s.blocks.Get(given)
		if s.blocks.Get(loop.Params[j].Elem.Name).uses != 1 || result.uses != 0 || len(s.mentions[given])+len(result.arrays) > 0 {
			return doubleBuffer{}, false
		}
		a, ok := loop.Params[j].Init.(*ir.Ref)
		if !ok || !s.forOneUse(a.Name) {
			return doubleBuffer{}, false
		}
	}
	if len(s.blocks.Get(loop.Params[other].Elem.Name).arrays) > 0 || s.filled(st, initial(r, false), initial(r, true)) {
		return doubleBuffer{}, false
	}
	r.made = s.blocks.Get(loop.Params[next].Elem.Name).arrays
	return r, true
}

// filled reports whether an array from before a loop may lie in one of some blocks, and be needed
// when the loop has begun. It got there in an earlier iteration of a loop around this one, so there
// is none if the blocks are allocated beside this loop.
func (s *state) filled(loop *ir.Stmt, blocks ...string) bool {
	span := s.lv.Stmt(loop)
	around := s.ac.Scope(span.From)
	if !slices.ContainsFunc(blocks, func(b string) bool { return s.lv.Def(b).Scope != around }) {
		return false
	}
	crossing, known := s.crossing[loop]
	if !known {
		crossing = slices.DeleteFunc(slices.Clone(s.al.Names()), func(x string) bool {
			return !s.array(x) || s.lv.Def(x).At >= span.From ||
				!slices.ContainsFunc(s.lv.Array(x), func(i liveness.Interval) bool { return i.To > span.From })
		})
		s.crossing[loop] = crossing
	}
	return slices.ContainsFunc(blocks, func(b string) bool {
		return slices.ContainsFunc(crossing, func(x string) bool { return s.al.MayBeOne(s.block(x), b) })
	})
}

// initial returns the block whose turn comes first, or, to swap them, the other one.
func initial(r doubleBuffer, swap bool) string {
	j := r.next
	if swap {
		j = r.other
	}
	return r.loop.Params[j].Init.(*ir.Ref).Name
}

// smallerFirst decides which of the two blocks stays. The loop's result lies in either of them,
// depending on the number of iterations, so the block that stays must be no larger than the other
// one. If nothing holds the result, either may stay. All arrays made in the loop must fit in the
// block that stays: before, each block held only those of its turns.
func (s *state) smallerFirst(r doubleBuffer) (swap bool, refused refusal) {
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

// smaller reports whether it is the second block that is smaller.
func (s *state) smaller(r doubleBuffer) (second bool, refused refusal) {
	size := func(swap bool) sym.Poly {
		return s.account().Expand(sym.Of(s.lv.Def(initial(r, swap)).Stmt.Op.(*ir.Alloc).Size))
	}
	a, b := size(false), size(true)
	facts := s.ac.Facts(s.lv.Stmt(r.stmt).From)
	switch {
	case rules.Off("coalesce.smaller") && !a.Equal(b):
	case a.Equal(b) || s.account().AtMost(facts, a, b):
		return false, refusal{}
	case s.account().AtMost(facts, b, a):
		return true, refusal{}
	}
	if result := s.account().Range(s.block(r.stmt.Pat[r.param].Name)); result == nil || result.To <= s.lv.Stmt(r.stmt).To {
		return false, refusal{}
	}
	return false, refuse("peak", "memc does not know which one is smaller, and the loop's result may lie in either")
}
