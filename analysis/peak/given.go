package peak

import (
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [What a call gives]
//
// A block that a callee allocates and hands out is the caller's from then on, and nobody
// else's: Block.Takes. It has room for the result that lies in it row-major. How large
// it really is follows from the callee's alloc, where its size is computed from sizes and
// scalars that the call tells, and nothing on the way may wrap; otherwise it is an unknown
// size. It is known before the caller is looked at, and sharing does not change it
// (state.handedOut in transform/reuse).
//
// Where a call may hand back an argument as well, what it gives has no name of its own, and
// is left alone: the argument may be one that the caller's caller keeps.

// sizeFrom gives the size of the block that a result of a call lies in, over the
// caller's names, by what is known at a point behind it.
func (w *walk) sizeFrom(call *ir.Call, result, at int) (size sym.Poly, ok bool) {
	callee := w.Aliases.Callee(call.Fn)
	if callee == nil || !ir.IsExplicit(callee.Func) {
		return sym.Poly{}, false
	}
	f := callee.Func
	ref, isRef := f.Body.Result[result].(*ir.Ref)
	if !isRef {
		return sym.Poly{}, false
	}
	reals, many := callee.BlocksUpTo(callee.BlockOf(ref.Name), maxHeld)
	if many || len(reals) == 0 {
		return sym.Poly{}, false
	}
	callees := index.Of(f)
	facts := w.Accesses.Facts(at)
	given := w.sizesGiven(f, call, facts)
	told := func(p sym.Poly) bool {
		return !slices.ContainsFunc(p.Names(), func(n string) bool { _, known := given[n]; return !known })
	}
	here := func(n string) (sym.Poly, bool) { return given[n], true }
	closed := callees.Closed()
	closed.If = func(_ string, _, to sym.Poly) bool { return told(to) && exact(facts, to.Subst(here)) }
	for k, r := range reals {
		d := callees.Def(r)
		if d == nil || d.Stmt == nil {
			return sym.Poly{}, false
		}
		alloc, ok := d.Stmt.Op.(*ir.Alloc)
		if !ok {
			return sym.Poly{}, false
		}
		p := closed.Of(sym.Of(alloc.Size))
		if !told(p) {
			return sym.Poly{}, false
		}
		p = w.Expand(p.Subst(here))
		if k > 0 && !p.Equal(size) {
			return sym.Poly{}, false
		}
		size = p
	}
	return size, true
}

// exact tells whether a number that is computed as the program does is what its polynomial says.
func exact(facts places.Facts, p sym.Poly) bool {
	_, name := p.IsVar()
	_, constant := p.IsConst()
	return name || constant || facts.Unwrapped(p)
}

// sizesGiven gives what a callee's sizes and scalars are, over the caller's names.
func (w *walk) sizesGiven(f *ir.Func, call *ir.Call, facts places.Facts) map[string]sym.Poly {
	given := map[string]sym.Poly{}
	for k, p := range f.Params {
		switch p.Type.Kind {
		case ir.ScalarKind:
			if x := sym.Of(call.Args[k]); p.Type.Prim == ir.I64 && ir.Total(call.Args[k]) && exact(facts, x) {
				given[p.Name] = x
			}
		case ir.ArrayKind:
			ref, ok := call.Args[k].(*ir.Ref)
			if !ok || w.Accesses.Type(ref.Name) == nil {
				continue
			}
			for d, dim := range p.Type.Shape {
				if dim.Name != "" && d < len(w.Accesses.Type(ref.Name).Shape) {
					given[dim.Name] = sym.Of(w.Accesses.Type(ref.Name).Shape[d].Exp())
				}
			}
		case ir.MemKind:
		}
	}
	return given
}
