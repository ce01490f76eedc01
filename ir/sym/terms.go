package sym

import "github.com/memc-lang/memc/ir"

// A Factor is an atom of a term and its power.
type Factor struct {
	// Key is the name, or the canonical text of an opaque expression.
	Key string
	// Opaque is the expression that is no name, with normalised parts; nil for a
	// name.
	Opaque ir.Exp
	Pow    int
}

// Terms calls f for every term of p in descending order: its coefficient, and
// its factors by key. Of a constant there are none.
func (p Poly) Terms(f func(coef int64, factors []Factor)) {
	for _, t := range p.terms {
		factors := make([]Factor, len(t.factors))
		for k, x := range t.factors {
			factors[k] = Factor{x.atom.key, x.atom.exp, x.pow}
		}
		f(t.coef, factors)
	}
}
