package sym

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// A Factor is an atom of a term and its power.
type Factor struct {
	// Key is the name, or the canonical text of an opaque expression.
	Key string
	// Opaque is an expression that is not a name, with normalised parts. It is nil for a name.
	Opaque ir.Exp
	Pow    int
}

// Terms calls f for every term of p in descending order, with its coefficient and its factors by
// key. A constant has no factors.
func (p Poly) Terms(f func(coef int64, factors []Factor)) {
	for _, t := range p.p.Terms {
		factors := make([]Factor, 0, len(t.Atoms))
		for _, x := range t.Atoms {
			if k := len(factors) - 1; k >= 0 && factors[k].Key == x {
				factors[k].Pow++
				continue
			}
			next := Factor{Key: x, Pow: 1}
			if a := p.opaque.of(x); a != nil {
				next.Opaque = a.exp
			}
			factors = append(factors, next)
		}
		f(t.Coef, factors)
	}
}

// Monomials calls f for every term of p in descending order, with its coefficient and the product of
// its factors.
func (p Poly) Monomials(f func(coef int64, m Poly)) {
	for _, t := range p.p.Terms {
		f(t.Coef, made(poly{Terms: []term{{Coef: 1, Atoms: t.Atoms}}}, p.opaque))
	}
}

// OverNames returns p as a polynomial over names, if it has no other atoms.
func (p Poly) OverNames() (integer.Poly[string], bool) {
	for _, t := range p.p.Terms {
		for _, x := range t.Atoms {
			if p.opaque.of(x) != nil {
				return integer.Poly[string]{}, false
			}
		}
	}
	return p.p, true
}

// Replace returns p as a polynomial over names, given one for each opaque expression. It asks in the
// order of Exp's text. The result is bad if a coefficient of p is beyond a limit.
func (p Poly) Replace(limit int64, by func(ir.Exp) integer.Poly[string]) integer.Poly[string] {
	terms := make([]term, 0, len(p.p.Terms))
	for _, t := range leadPositive(p.p.Terms) {
		if t.Coef > limit || t.Coef < -limit {
			return poly{Bad: true}
		}
		first := slices.IndexFunc(t.Atoms, func(x string) bool { return p.opaque.of(x) != nil })
		if first < 0 {
			terms = append(terms, t)
			continue
		}
		product := poly{Terms: []term{{Coef: t.Coef, Atoms: t.Atoms[:first]}}}
		for _, x := range t.Atoms[first:] {
			if a := p.opaque.of(x); a != nil {
				product = product.Mul(by(a.exp))
			} else {
				product = product.Mul(integer.Atom(x))
			}
		}
		if product.Bad {
			return product
		}
		terms = append(terms, product.Terms...)
	}
	return integer.Sum(terms)
}

// Len returns the number of terms.
func (p Poly) Len() int { return len(p.p.Terms) }
