// Package held says which blocks count in a sum: under their own names, and through holders. The
// peak's formula, the transactions of package peak and the planner of reuse share this model. It
// knows sizes only as sums of numbered monomials, and knows no program.
//
// # Holders
//
// A holder keeps one of several blocks; only the run knows which one. Holders are parameters of
// loops, and results of ifs, loops and calls. The block's own name may already have released it. If
// a loop allocates the block, a holder may keep an instance of an earlier iteration, while the
// block's name stands for the present one.
//
// There are two sums for each point. In the new sum, which may not rise, a holder counts with the
// most that it may keep besides blocks held under other names (Keep). In the old sum, which a run
// must reach, a holder counts only if it surely keeps a block of its own (Surely).
//
// The package imports nothing of memc.
package held

import (
	"cmp"
	"slices"
)

// A Span is a range of points, both ends included.
type Span struct{ From, To int }

// Has reports whether a point is in a span.
func (s Span) Has(p int) bool { return s.From <= p && p <= s.To }

// A Region is a part of the program that is run as a whole or not at all: the function, a branch,
// or the body of a loop. Regions form a tree: the function is the first, and parents come before
// children.
type Region struct {
	Parent int  // -1 for the function
	Body   Span // its points, including those of inner regions
	Stmt   Span // the points of the statement that it is a part of
	Loop   bool // it may be run several times
	Sure   bool // it is known to be run whenever its parent is, in a run that ends without a fault
}

// A Term is a coefficient times a monomial. Here a monomial is only a number, which the caller
// understands. Its value is never negative.
type Term struct {
	Mono int
	Coef int64
}

// A Vec is a size in bytes: a sum of terms.
type Vec []Term

// Of returns the coefficient of a monomial in a sum that has it once at most.
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
	// Older are those of Blocks of which the holder may keep an instance of an earlier iteration.
	Older []int
	// Inherited are blocks that the holder has from the holder Via: the holder is a parameter of
	// a loop, Via is its initial value, and the loop does not allocate these blocks. While Via is
	// held too, the holder adds no further instance of them.
	Inherited []int
	Via       int
}

// MayBeOlder reports whether a holder may keep another instance of a block than the one that the
// block's own name stands for.
func (h *Holder) MayBeOlder(b int) bool { return slices.Contains(h.Older, b) }

// Surely reports whether a holder surely keeps a block that counts under no other name. That is so
// if none of its blocks is held, as the instance that the holder keeps, under its own name, and no
// holder counted before has taken one of them. Surely then marks them as taken.
func Surely[B comparable](blocks []B, present func(b B) bool, taken map[B]bool) bool {
	if slices.ContainsFunc(blocks, func(b B) bool { return taken[b] || present(b) }) {
		return false
	}
	for _, b := range blocks {
		taken[b] = true
	}
	return true
}

// Another reports whether a holder that keeps a block surely keeps another instance than the one
// that the block's name stands for: it may do so, and it is bound before that instance is made.
func Another(mayBeOlder bool, bound, made int) bool { return mayBeOlder && bound < made }

// A State describes a block at a point: the block that it has become part of, whether that one is
// held under its own name, and whether it has only one instance at any time.
type State[B comparable] struct {
	In        B
	Held, One bool
}

// Kept is an upper bound for holders that may keep the same blocks: besides blocks held under other
// names, each holder keeps at most one block, and together they keep at most Count instances of
// each.
type Kept[B comparable] struct {
	Holders int
	Blocks  []B
	Count   []int64
	// Only is the number of the holder if there is just one and none of its blocks is held under
	// its own name: it may keep any of them. Otherwise Only is -1.
	Only int
}

// Most returns an upper bound of the sum of a coefficient over the blocks that are kept. A
// coefficient may be negative. The sum is that of as many blocks as there are holders, with the
// greatest coefficients. A size may have several coefficients; their sums together are at least the
// size that is kept, even if fewer blocks are kept, since no size is negative.
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

// Keep returns the most that holders may keep at one point. active are the numbers of the holders
// that are held there, ascending. Holders that may keep the same blocks together keep each block at
// most once, except for instances of earlier iterations.
func Keep[B comparable](holders []*Holder, active []int, state func(b int) State[B]) []Kept[B] {
	var out []Kept[B]
	isActive := func(h int) bool { _, ok := slices.BinarySearch(active, h); return ok }
	mayKeep := keepersOf(holders, active, func(b int) B { return state(b).In })
	done := make(map[int]bool, len(active))
	number, present := map[B]int{}, map[B]bool{} // of a block among those of its Kept
	for _, first := range active {
		if done[first] {
			continue
		}
		done[first] = true
		k := Kept[B]{Only: first}
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
				at, known := number[s.In]
				if !known {
					at = len(k.Blocks)
					number[s.In] = at
					k.Blocks, k.Count = append(k.Blocks, s.In), append(k.Count, 0)
					for _, g := range mayKeep[s.In] {
						if !done[g] {
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

// keepersOf maps each block, by the block that it has become part of, to the holders that may keep it.
// numbers are those of the holders to look at.
func keepersOf[B comparable](holders []*Holder, numbers []int, in func(b int) B) map[B][]int {
	out := make(map[B][]int, len(numbers))
	for _, h := range numbers {
		for _, b := range holders[h].Blocks {
			out[in(b)] = append(out[in(b)], h)
		}
	}
	return out
}

// Parts divides holders so that two holders of different parts can never keep one block. So the bytes
// that all holders keep are the sum of the bytes that the parts keep. in returns the block that a
// block has become part of. Each part lists the numbers of its holders, ascending.
func Parts[B comparable](holders []*Holder, in func(b int) B) [][]int {
	all := make([]int, len(holders))
	for h := range all {
		all[h] = h
	}
	mayKeep := keepersOf(holders, all, in)
	done := make([]bool, len(holders))
	var out [][]int
	for first := range holders {
		if done[first] {
			continue
		}
		done[first] = true
		part := []int{first}
		for j := 0; j < len(part); j++ {
			for _, b := range holders[part[j]].Blocks {
				for _, h := range mayKeep[in(b)] {
					if !done[h] {
						done[h] = true
						part = append(part, h)
					}
				}
				delete(mayKeep, in(b))
			}
		}
		slices.Sort(part)
		out = append(out, part)
	}
	return out
}

// Spells calls visit for each range of points at which the same holders of a part (Parts) are held, and
// the same of their blocks under their own names. named are the points of the latter.
func Spells[B comparable](holders []*Holder, in func(b int) B, named func(b int) Span, visit func(s Span, active []int)) {
	for _, part := range Parts(holders, in) {
		var cuts []int
		for _, h := range part {
			cuts = append(cuts, holders[h].Span.From, holders[h].Span.To+1)
			for _, b := range holders[h].Blocks {
				cuts = append(cuts, named(b).From, named(b).To+1)
			}
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		waiting := slices.SortedFunc(slices.Values(part), func(g, h int) int { return holders[g].Span.From - holders[h].Span.From })
		var active []int
		for k, p := range cuts[:len(cuts)-1] {
			for len(waiting) > 0 && holders[waiting[0]].Span.From <= p {
				active, waiting = append(active, waiting[0]), waiting[1:]
			}
			active = slices.DeleteFunc(active, func(h int) bool { return holders[h].Span.To < p })
			if len(active) > 0 {
				visit(Span{From: p, To: cuts[k+1] - 1}, slices.Sorted(slices.Values(active)))
			}
		}
	}
}
