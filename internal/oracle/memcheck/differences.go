package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Differences]. A window of k by k in an image of h by w has (h-k)*(w-k) places. Written with h, w
// and k, this product has the term k*k, which may wrap around, so nothing would be known about it. But
// h-k and w-k are dims of an array, and so is their product with any further dim a size. So a dim of
// an array of several dims is a number of its own where it is a sum of terms of which some may be
// negative: it is and the sum is a bound of it from both sides. Two dims whose sums are equal, or differ
// by a constant, are one number, or differ by that.

// factorsOf returns the names of the dims of arrays of several dims.
func factorsOf(fn *ir.Func) map[string]bool {
	out := map[string]bool{}
	note := func(t ir.Type) {
		if t.Kind == ir.ArrayKind && len(t.Shape) > 1 {
			for _, d := range t.Shape {
				out[d.Name] = true
			}
		}
	}
	for _, el := range fn.Params {
		note(el.Type)
	}
	ir.WalkStmts(fn.Body, func(s *ir.Stmt) bool {
		for _, el := range s.Pat {
			note(el.Type)
		}
		ir.Elems(s.Op, func(el *ir.Elem) { note(el.Type) })
		return true
	})
	return out
}

// dimension returns what a name stands for: of such a dim, its number, or what differs from one by a
// constant.
func (f *function) dimension(name string, p sym.Poly) sym.Poly {
	if !f.factors[name] || rules.Off("memcheck.differences") {
		return p
	}
	sum, c := withoutConstant(p)
	terms := f.names.terms(sum)
	natural := func(t term) bool { return t.Coef > 0 && (&proof{facts: f.facts}).natural(t.Atoms) }
	_, alone := sum.IsVar()
	product := len(terms.Terms) == 1 && len(terms.Terms[0].Atoms) > 1 // which sized may find to be a size
	if alone || product || !slices.ContainsFunc(terms.Terms, func(t term) bool { return !natural(t) }) {
		return p
	}
	if name, ok := f.bySum[sum.String()]; ok {
		_, first := withoutConstant(f.sums[name])
		return sym.Var(name).Add(sym.Const(c - first))
	}
	value := f.names.poly(p)
	v := variable{rank: 1 << 21, los: []bound{{value, 1}}, his: []bound{{value, 1}}}
	f.names.latest(&v, terms, value)
	number := "(" + p.String() + ")"
	f.names.add(number, v)
	f.sums[number], f.bySum[sum.String()] = p, number
	return sym.Var(number)
}

// withoutConstant returns a polynomial in two parts.
func withoutConstant(p sym.Poly) (rest sym.Poly, c int64) {
	p.Terms(func(coef int64, factors []sym.Factor) {
		if len(factors) == 0 {
			c = coef
		}
	})
	return p.Sub(sym.Const(c)), c
}

// sum returns a polynomial in the terms of such sums.
func (f *function) sum(p sym.Poly) sym.Poly {
	return p.Subst(func(n string) (sym.Poly, bool) { s, ok := f.sums[n]; return s, ok })
}
