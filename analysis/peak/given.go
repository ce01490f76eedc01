package peak

import (
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [What a call gives]
//
// If a callee allocates a block and hands it out, the block then belongs to the caller alone
// (Block.Takes). It has room for the result that lies in it row-major. Its real size follows from
// the callee's alloc, if that computes it from sizes and scalars that the call determines, and no
// computation on the way may wrap. Otherwise its size is unknown. The size is known before the
// caller is analysed, and sharing does not change it (state.handedOut in transform/reuse).
//
// If a call may instead return one of its arguments, the result's block has no name of its own, and
// memc leaves it alone: the argument may be one that the caller's own caller keeps.

// sizeFrom returns the size of the block in which a result of a call lies, over the caller's names,
// by the facts at a point after the call.
func (w *walk) sizeFrom(call *ir.Call, result, at int) (size sym.Poly, ok bool) {
	if rules.Off("peak.given") {
		return sym.Poly{}, false
	}
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
	allGiven := func(p sym.Poly) bool {
		return !slices.ContainsFunc(p.Names(), func(n string) bool { _, known := given[n]; return !known })
	}
	here := func(n string) (sym.Poly, bool) { return given[n], true }
	closed := callees.Closed()
	closed.If = func(_ string, _, to sym.Poly) bool { return allGiven(to) && exact(facts, to.Subst(here)) }
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
		if !allGiven(p) {
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

// exact reports whether a number, as the program computes it, is the value of its polynomial.
func exact(facts places.Facts, p sym.Poly) bool {
	_, name := p.IsVar()
	_, constant := p.IsConst()
	return name || constant || facts.Unwrapped(p)
}

// sizesGiven returns the callee's sizes and scalars as polynomials over the caller's names.
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
