package accesses

import (
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// CanFail reports whether a statement, or one within it, may fail for a reason other than lack of
// memory.
func (t *Table) CanFail(s *ir.Stmt) bool {
	switch op := s.Op.(type) { // exhaustive
	case *ir.Assert, *ir.Call, *ir.Slice, *ir.Concat, *ir.Reshape, *ir.Scatter, *ir.Hist, *ir.Into:
		return true // checks of indices and sizes
	case *ir.Loop:
		if op.While != "" {
			return true // it may never end
		}
	case *ir.Update:
		shape := lmad.Sizes(s.Pat[0].Type.Shape)
		for k, it := range op.Items {
			if !it.Fixed || !t.within(it.Index, shape[k], t.Stmt(s).From) {
				return true
			}
		}
	case *ir.Scratch, *ir.Range, *ir.Replicate:
		if t.ShapeFails(s.Pat[0].Type, t.Stmt(s).From) {
			return true
		}
	case *ir.Compute, *ir.Copy, *ir.ArrayLit, *ir.Alias, *ir.Rearrange, *ir.Alloc, *ir.If,
		*ir.Map, *ir.Reduce, *ir.Scan, *ir.Put:
	}
	if t.negative(s) {
		return true
	}
	bad := false
	point := t.Stmt(s).From
	ir.Exps(s.Op, func(e ir.Exp) { bad = bad || t.exp(e, point) })
	for _, b := range ir.Bodies(s.Op) {
		for _, in := range b.Stmts {
			if bad {
				return true
			}
			bad = t.CanFail(in)
		}
		for _, e := range b.Result {
			bad = bad || t.exp(e, t.Body(b).To)
		}
	}
	return bad
}

// ShapeFails reports whether a size of an array that is made at a point may be negative. The result of
// a kernel is such an array, even if the kernel has no thread.
func (t *Table) ShapeFails(typ ir.Type, point int) bool {
	return slices.ContainsFunc(typ.Shape, func(d ir.Dim) bool {
		return d.Name != "" && !slices.Contains(t.Func.Sizes, d.Name) && !t.Facts(point).AtLeast(lmad.Size(d), 0)
	})
}

// negative reports whether a bound of a kernel may be.
func (t *Table) negative(s *ir.Stmt) bool {
	space, _ := ir.KernelSpace(s.Op)
	return slices.ContainsFunc(space, func(b ir.Bound) bool { return !t.Facts(t.Stmt(s).From).AtLeast(sym.Of(b.Size), 0) })
}

// SpaceFails reports whether the bounds of a kernel may fail: one may be negative, or its computation
// may fail.
func (t *Table) SpaceFails(s *ir.Stmt) bool {
	space, _ := ir.KernelSpace(s.Op)
	return t.negative(s) || slices.ContainsFunc(space, func(b ir.Bound) bool { return t.exp(b.Size, t.Stmt(s).From) })
}

// ExpFails reports whether an expression may fail at a point.
func (t *Table) ExpFails(e ir.Exp, point int) bool { return e != nil && t.exp(e, point) }

// exp reports whether an expression could fail.
func (t *Table) exp(e ir.Exp, point int) bool { return t.fails(e, point, t.Facts(point)) }

// fails does so by some facts; what a condition decides to evaluate, by that condition, too.
func (t *Table) fails(e ir.Exp, point int, f places.Facts) bool {
	bad := false
	switch e := e.(type) {
	case *ir.Index:
		typ := t.Type(e.Array)
		for k, i := range e.Indices {
			bad = bad || typ == nil || !t.inBounds(i, lmad.Size(typ.Shape[k]), point, f)
		}
	case *ir.Binary:
		bad = ir.Fails(e.Op, e.Y) && (e.Op == "**" || !f.NotZero(sym.Of(e.Y)))
	case *ir.Builtin:
		bad = len(e.Args) == 2 && ir.Fails(e.Fn, e.Args[1]) && !f.NotZero(sym.Of(e.Args[1]))
	}
	ir.Evaluated(e, func(x, cond ir.Exp, holds bool) {
		switch {
		case bad || x == nil || cond != nil && ir.Total(x):
		case cond == nil:
			bad = t.fails(x, point, f)
		case holds:
			bad = t.fails(x, point, f.FromCondition(t.Expand(cond)))
		default:
			bad = t.fails(x, point, f.FromNegation(t.Expand(cond)))
		}
	})
	return bad
}

// within reports whether an index is provably in bounds.
func (t *Table) within(e ir.Exp, size sym.Poly, point int) bool {
	return t.inBounds(e, size, point, t.Facts(point))
}

func (t *Table) inBounds(e ir.Exp, size sym.Poly, point int, f places.Facts) bool {
	if x, ok := sym.Of(e).IsVar(); ok && !rules.Off("accesses.counts") && t.counts(x, size, point) {
		return true
	}
	return f.Within(e, size)
}

// counts reports whether a name is an index that runs over a size, or over less, around a point.
// This is the common case, and a cheap test.
func (t *Table) counts(name string, size sym.Poly, point int) bool {
	for sc := t.Scope(point); sc != nil; sc = sc.Outer {
		for _, b := range sc.Binders {
			if b.Name == name {
				return b.Bound.Equal(size)
			}
		}
	}
	return false
}
