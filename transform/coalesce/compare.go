package coalesce

import (
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// covers tells whether a difference of sizes is provably not negative. A size name
// is 0 or at least 1: n <= n * n holds, but not for all numbers.
func (s *state) covers(facts places.Facts, d sym.Poly) bool {
	if yes, known := s.oneSigned(d); known {
		return yes
	}
	if facts.Covers(d, sym.Poly{}) {
		return true
	}
	names := d.Names()
	if len(names) == 0 || len(names) > 2 {
		return false
	}
	var split func(f places.Facts, d sym.Poly, names []string) bool
	split = func(f places.Facts, d sym.Poly, names []string) bool {
		if len(names) == 0 {
			return f.Covers(d, sym.Poly{})
		}
		n := names[0]
		if !f.AtLeast(sym.Var(n), 0) {
			return false
		}
		zero := d.Subst(func(x string) (sym.Poly, bool) { return sym.Const(0), x == n })
		return split(f.Positive(sym.Var(n)), d, names[1:]) && split(f, zero, names[1:])
	}
	return split(facts, d, names)
}

// closed replaces scalars by what they are computed from, as far as that is
// arithmetic, so that sizes can be compared.
func (s *state) closed(p sym.Poly) sym.Poly {
	for range 8 {
		next := p.Subst(func(n string) (sym.Poly, bool) {
			d := s.defs[n]
			if d == nil || d.exp == nil || d.exp.Prim() != ir.I64 || !arithmetic(d.exp) {
				return sym.Poly{}, false
			}
			return sym.Of(d.exp), true
		})
		if next.Equal(p) {
			break
		}
		p = next
	}
	return p
}
