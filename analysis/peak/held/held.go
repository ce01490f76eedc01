// Package held is the model of what is held when that the peak's formula, the
// transactions of package peak, and the planner of reuse have in common: blocks are held
// under their own names, and by holders. It knows sizes as sums of numbered monomials, and
// no program.
//
// # Holders
//
// A holder keeps one of some blocks, and which one is known at run time only: a
// parameter of a loop, or what an if, a loop or a call gives. The block's own name may
// have let go of it by then. Of a block that a loop allocates, a holder may keep an
// instance that an earlier iteration made, while the block's name stands for another one.
//
// Two sums are taken at each point. In one that may not rise, holders count with the most
// that they may keep besides what is held under other names (Keep). In one that a run must
// reach, a holder counts only where it surely keeps something of its own (Surely).
//
// The package imports nothing of memc.
package held

import (
	"cmp"
	"slices"
)

// A Span is a range of points, both ends included.
type Span struct{ From, To int }

// Has tells whether a point is in a span.
func (s Span) Has(p int) bool { return s.From <= p && p <= s.To }

// A Region is a part of the program that is run as a whole or not at all: the
// function, a branch, the body of a loop. Regions are a tree; a parent comes
// before its children, and the first one is the function.
type Region struct {
	Parent int  // -1 for the function
	Body   Span // its own points, those of the regions within included
	Stmt   Span // the points of the statement that it is a part of
	Loop   bool // it may be run several times
	Sure   bool // it is known to be run whenever its parent is, in a run that ends without a fault
}

// A Term is a coefficient times a monomial, which is a number here. The value of a
// monomial is never negative; which one it is, is the caller's to know.
type Term struct {
	Mono int
	Coef int64
}

// A Vec is a size in bytes: a sum of terms.
type Vec []Term

// Of gives the coefficient of a monomial in a sum that has it once at most.
func (v Vec) Of(mono int) int64 {
	for _, t := range v {
		if t.Mono == mono {
			return t.Coef
		}
	}
	return 0
}

// A Holder is a name that keeps one of several blocks.
type Holder struct {
	Span   Span
	Blocks []int
	// Older are those of Blocks of which it may keep an instance that an earlier iteration of
	// a loop made.
	Older []int
	// Inherited are blocks of which it keeps no other instance than other names do that
	// are held as well, as long as the holder Via is: it is a parameter of a loop that
	// begins with that, and the loop does not allocate them.
	Inherited []int
	Via       int
}

// MayBeOlder tells whether what a holder keeps of a block may be another instance than the
// one that the block's own name stands for.
func (h *Holder) MayBeOlder(b int) bool { return slices.Contains(h.Older, b) }

// Surely tells whether a holder, whichever of its blocks it keeps, keeps something that
// counts under no other name: none of the blocks is held under its own name, as the instance
// that the holder keeps, and no other holder that counts has taken one. Then it takes them.
func Surely[B comparable](blocks []B, present func(b B) bool, taken map[B]bool) bool {
	if slices.ContainsFunc(blocks, func(b B) bool { return taken[b] || present(b) }) {
		return false
	}
	for _, b := range blocks {
		taken[b] = true
	}
	return true
}

// Another tells whether a holder that keeps a block surely keeps another instance than the
// one that the block's name stands for: it may, and is bound before that one is made.
func Another(mayBeOlder bool, bound, made int) bool { return mayBeOlder && bound < made }

// A State tells of a block at a point: what it has become a part of, whether that is held
// under its own name, and whether there is but one instance of it at any time.
type State[B comparable] struct {
	In        B
	Held, One bool
}

// Kept is what some holders that may keep the same blocks keep besides what is held
// under other names: each one block at most, and of each block as many instances as Count
// tells at most.
type Kept[B comparable] struct {
	Holders int
	Blocks  []B
	Count   []int64
	// Only is the only holder, which may keep any of its blocks: none of them is held under
	// its own name. Otherwise it is -1.
	Only int
}

// Most gives the greatest sum of what is kept, of a coefficient in the size of each block, which
// may be negative: that of as many blocks as holders keep, those with the greatest ones. Of a
// size with several coefficients these sums together are no less than what is kept, however few
// that is, since no size is negative.
func (k *Kept[B]) Most(coef func(b B) int64) int64 {
	if len(k.Blocks) == 1 {
		return min(int64(k.Holders), k.Count[0]) * coef(k.Blocks[0])
	}
	order, number := make([]int, len(k.Blocks)), make([]int64, len(k.Blocks))
	for j, b := range k.Blocks {
		order[j], number[j] = j, coef(b)
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(number[j], number[i]) })
	var sum int64
	left := int64(k.Holders)
	for _, j := range order {
		n := min(left, k.Count[j])
		sum, left = sum+n*number[j], left-n
	}
	return sum
}

// Keep gives what holders keep at one point at most; active are the numbers of those that
// are held there, ascending. Several that may keep the same blocks keep each at most once,
// but for instances of earlier iterations.
func Keep[B comparable](holders []*Holder, active []int, state func(b int) State[B]) []Kept[B] {
	var out []Kept[B]
	isActive := func(h int) bool { _, ok := slices.BinarySearch(active, h); return ok }
	done := map[int]bool{}
	for _, first := range active {
		if done[first] {
			continue
		}
		done[first] = true
		k := Kept[B]{Only: first}
		present := map[B]bool{}
		connected := []int{first}
		for j := 0; j < len(connected); j++ {
			h, keeps := holders[connected[j]], false
			for _, b := range h.Blocks {
				s := state(b)
				same := s.One || !h.MayBeOlder(b)
				if s.Held && same || slices.Contains(h.Inherited, b) && isActive(h.Via) {
					k.Only = -1
					continue
				}
				keeps = true
				at := slices.Index(k.Blocks, s.In)
				if at < 0 {
					at = len(k.Blocks)
					k.Blocks, k.Count = append(k.Blocks, s.In), append(k.Count, 0)
					for _, g := range active {
						if !done[g] && slices.ContainsFunc(holders[g].Blocks, func(c int) bool { return c == b || state(c).In == s.In }) {
							done[g] = true
							connected = append(connected, g)
						}
					}
				}
				if !same || !present[s.In] {
					k.Count[at]++
				}
				present[s.In] = present[s.In] || same
			}
			if keeps {
				k.Holders++
			}
		}
		if len(connected) > 1 {
			k.Only = -1
		}
		if k.Holders > 0 {
			out = append(out, k)
		}
	}
	return out
}
