package imp

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Reads of both sides]
//
//	if a[i, j] > 0.5 then x[i, k] else x[i, j]
//
// A load in a branch keeps compilers from computing several points at once. Where both sides read
// elements of the same arrays, and these lie in the arrays whatever the condition, a kernel loads
// them before it chooses:
//
//	u = x[i, k]; v = x[i, j]; y[i, j] = a[i, j] > 0.5 ? u : v
//
// The kernel must not write where these arrays lie: a value that is not chosen could be one that another
// point writes, a race (y[0] in `if i == 0 then y[0] else y[i]`, in place). If one side is taken for all
// points, or the places of the elements come from memory, two loads cost more than one.

// maxBoth is the most loads of both sides together.
const maxBoth = 4

// branches reports whether only one side of a conditional is evaluated.
func (b *block) branches(e *ir.Cond) bool {
	return (b.f.fallible(e.X) || b.f.fallible(e.Y)) && !b.readsBoth(e)
}

// readsBoth reports whether a kernel evaluates both sides of a conditional.
func (b *block) readsBoth(e *ir.Cond) bool {
	if b.host() || !b.varies(e.C) {
		return false
	}
	x, y := b.harmless(e.X), b.harmless(e.Y)
	n := 0
	for array, k := range x {
		n += k + y[array]
	}
	return n > 0 && n <= maxBoth && slices.Equal(slices.Sorted(maps.Keys(x)), slices.Sorted(maps.Keys(y))) && b.onlyRead(x)
}

// onlyRead reports whether the kernel writes no block in which one of these arrays may lie.
func (b *block) onlyRead(arrays map[string]int) bool {
	l := &b.f.launch

	if l.writes == nil {
		l.writes = b.f.written(l.stmt)
	}
	for array := range arrays {
		mem := b.f.arrays[array].mem
		if slices.ContainsFunc(l.writes, func(m string) bool { return !b.distinct(mem, m) }) {
			return false
		}
	}
	return true
}

// A launch is a statement on the host that may become kernels.
type launch struct {
	stmt   *ir.Stmt
	writes []string // the blocks that it writes; nil: not known yet
}

// written returns the blocks of the arrays that a statement makes, also within its bodies.
func (f *fn) written(s *ir.Stmt) []string {
	out := []string{}
	makes := func(s *ir.Stmt) bool {
		switch s.Op.(type) {
		case *ir.Alias, *ir.Reshape, *ir.Rearrange, *ir.Slice:
			return true
		}
		for _, e := range s.Pat {
			if p := e.Type.Place; p != nil {
				out = append(out, f.mem(p.Mem))
			}
		}
		return true
	}
	makes(s)
	for _, b := range ir.Bodies(s.Op) {
		ir.WalkStmts(b, makes)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// varies reports whether an expression may differ between the points of a kernel.
func (b *block) varies(e ir.Exp) bool {
	return ir.AnyExp(e, func(e ir.Exp) bool {
		r, ref := e.(*ir.Ref)
		_, read := e.(*ir.Index)
		return read || ref && b.k.vars[b.f.name(r.Name)]
	})
}

// harmless counts the reads of each array in an expression, or returns nil if it can fail unless its
// conditions hold, or a place comes from memory.
func (b *block) harmless(e ir.Exp) map[string]int {
	reads, ok := map[string]int{}, true
	ir.WalkExp(e, func(e ir.Exp) bool {
		if x, isRead := e.(*ir.Index); isRead {
			reads[x.Array]++
			ok = ok && b.f.l.never.Always(x) && !slices.ContainsFunc(x.Indices, b.f.fallible)
			return false
		}
		ok = ok && !failsAlone(e)
		return ok
	})
	if !ok {
		return nil
	}
	return reads
}
