package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Neighbours]
//
// On a GPU neighbouring threads should touch neighbouring elements. The pass explicit interleaves
// the arrays that threads have of their own, for this reason. In a row of the result, however, each
// thread is a row's length away from the next. The copy costs one read, and one write with that
// stride; without the copy all accesses of the thread have the stride. So such a move pays if the
// array is traversed only once, when it is made. It loses if the array is read and written
// repeatedly. On an H200, insertion sort of rows takes 4 to 11 times as long with such moves, LocVolCalib and
// myocyte 9 and 12% longer; only nw gains (20%). Processors have a cache per thread, and lose nothing:
// there the moves take 56% of the sort's time, and 58% of LocVolCalib's. So the switch -neighbours permits
// them for processors (pipeline.ForProcessors).
//
// The same holds for an array that kernels read in loops, repeatedly, if the move would spread it
// out: three columns of ten occupy more than three times the cache lines of three columns alone.
// That cost nbody 38%.

// A thread, or a group of threads, may keep an array in its own memory and read it there
// repeatedly. Such an array stays there: the slower memory further away would cost more than the
// copy.

// maxSpoiled is the number of traversals of an array that may lose the neighbourhood.
const maxSpoiled = 1

// neighbours refuses a move that would cost more in scattered accesses than the copy.
func (s *state) neighbours(m *move) refusal {
	if s.opt.off[access] || rules.Off("coalesce.neighbours") {
		return refusal{}
	}
	spoiled, left := 0, 0
	to := s.nearness(m.block)
	for _, x := range m.members {
		old := s.place(x.name)
		from := s.nearness(s.block(x.name))
		for _, k := range x.accesses {
			a := &s.ac.All[k]
			if a.Point == m.point && a.Stmt == m.stmt {
				continue // the copy
			}
			if to < from && !a.Write {
				if left += 1 + s.loopsAround(a); left > 1 {
					return refuse("access", "a %s reads `%s` several times, in its own memory", spaces[from], m.src)
				}
			}
			index, loops := s.lane(a)
			if index != "" && loops > 0 && sparse(x.fun) && !sparse(old) {
				return refuse("access", "`%s` is read in loops, and would be spread out", x.name)
			}
			if index == "" || alike(old, x.fun, index) || !near(a.Region(old), index) || near(a.Region(x.fun), index) {
				continue
			}
			// The innermost loop is assumed to go over the elements, and loops around it to repeat
			// that.
			if spoiled++; loops > 1 {
				spoiled += maxSpoiled
			}
		}
	}
	if spoiled > maxSpoiled && !s.opt.off[apart] {
		return refuse("access", "neighbouring threads would no longer touch neighbouring elements of `%s`", m.src)
	}
	return refusal{}
}

// spaces of blocks, in the order of their distance from a thread.
var spaces = []string{"device", ir.GroupSpace, ir.ThreadSpace}

// nearness returns the space of a block, as a number of spaces.
func (s *state) nearness(block string) int {
	if s.near == nil {
		s.near = map[string]int{}
		ir.EachOp(s.f.Body, func(st *ir.Stmt, op *ir.Alloc) {
			if op.Space != "" {
				s.near[st.Pat[0].Name] = slices.Index(spaces, op.Space)
			}
		})
	}
	return s.near[block]
}

// loopsAround returns the number of loops around an access that are in the outermost kernel.
func (s *state) loopsAround(a *accesses.Access) (inside int) {
	loops := 0
	for sc := s.ac.Scope(a.Point); sc != nil; sc = sc.Outer {
		if sc.Loop {
			loops++
		}
		if sc.Kernel {
			inside = loops
		}
	}
	return inside
}

// line is how many elements a line of a cache is taken to hold.
const line = 32

// sparse reports whether an array leaves gaps between runs of elements that are shorter than a
// cache line.
func sparse(f lmad.Fun) bool {
	l, one := f.Single()
	if !one {
		return false
	}
	run := int64(1) // elements that follow one another, innermost dimensions first
	for k := len(l.Dims) - 1; k >= 0; k-- {
		d := l.Dims[k]
		n, known := d.Len.IsConst()
		if n == 1 && known {
			continue
		}
		if s, ok := d.Stride.IsConst(); !ok || s != run && s != -run {
			return run < line && ok // an unknown stride is a row's length, a long one
		}
		if !known || run*n >= line {
			return false
		}
		run *= n
	}
	return false
}

// lane returns, for an access in a kernel, the index in which neighbouring threads differ, and the
// number of loops in the kernel around the access.
func (s *state) lane(a *accesses.Access) (index string, loops int) {
	for sc := s.ac.Scope(a.Point); sc != nil; sc = sc.Outer {
		if sc.Kernel && len(sc.Binders) > 0 {
			return sc.Binders[len(sc.Binders)-1].Name, loops
		}
		if sc.Loop {
			loops++
		}
	}
	return "", 0
}

// alike reports whether two places differ only in their offsets, for every value of the index: then
// neighbours are equally near to each other in both.
func alike(f, g lmad.Fun, index string) bool {
	l, one := f.Single()
	m, too := g.Single()
	return one && too && !l.Offset.Has(index) && !m.Offset.Has(index) && slices.EqualFunc(l.Dims, m.Dims, func(a, b lmad.Dim) bool {
		return a.Len.Equal(b.Len) && a.Stride.Equal(b.Stride)
	})
}

// near reports whether threads whose indices differ by one visibly touch the same element or
// adjacent ones.
func near(f lmad.Fun, index string) bool {
	l := f.Parts[0]
	next := l.Offset.Subst(func(n string) (sym.Poly, bool) {
		return sym.Var(n).Add(sym.Const(1)), n == index
	})
	d, ok := next.Sub(l.Offset).IsConst()
	return ok && -1 <= d && d <= 1
}
