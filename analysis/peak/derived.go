package peak

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Derived returns the sizes that a function computes from its sizes and scalar parameters, and nothing
// else: with let m = n - k, m is n - k. The number of workers is MostWorkers.
func Derived(f *ir.Func) map[string]sym.Poly {
	given := map[string]bool{}
	for _, n := range f.Sizes {
		given[n] = true
	}
	for _, e := range f.Params {
		if e.Type.Kind == ir.ScalarKind && e.Type.Prim == ir.I64 {
			given[e.Name] = true
		}
	}
	out := map[string]sym.Poly{Workers: sym.Const(MostWorkers)}
	ir.EachOp(f.Body, func(s *ir.Stmt, c *ir.Compute) {
		if s.Pat[0].Type.Prim != ir.I64 || ir.Reads(c.E) {
			return
		}
		p := sym.Of(c.E).Subst(func(n string) (sym.Poly, bool) { q, ok := out[n]; return q, ok })
		if p.Size() <= maxDerived && !slices.ContainsFunc(p.Names(), func(n string) bool { return !given[n] }) {
			out[s.Pat[0].Name] = p
		}
	})
	return out
}

// maxDerived bounds the length of what a size is computed from.
const maxDerived = 64

// With returns the formula with other sizes in place of names.
func (f Formula) With(sizes map[string]sym.Poly) Formula {
	out := f
	out.Sums = slices.Clone(f.Sums)
	for k, p := range out.Sums {
		out.Sums[k] = p.Subst(func(n string) (sym.Poly, bool) { q, ok := sizes[n]; return q, ok })
	}
	return out
}
