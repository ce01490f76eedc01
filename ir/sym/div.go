package sym

import "github.com/memc-lang/memc/ir/sym/integer"

// maxDivSteps bounds the steps of a reduction; longer ones are of no use here.
const maxDivSteps = 256

// Modulo returns p minus multiples of the zeros, which are polynomials whose value is known to be
// 0. The result has the same value as p. It is the remainder of long division by all zeros at once.
// So it depends on their order, and two polynomials may have different remainders although the
// zeros imply that they are equal.
func (p Poly) Modulo(zeros []Poly) Poly {
	var out gathering
	rest := p
	for steps := 0; len(rest.p.Terms) > 0; {
		if next, ok := rest.stepModulo(zeros); ok && steps < maxDivSteps {
			rest = next
			steps++
			continue
		}
		out.add(made(poly{Terms: rest.p.Terms[:1]}, rest.opaque))
		rest.p = rest.p.Without(0)
	}
	return out.normal()
}

// stepModulo reduces the leading term's coefficient by one of the zeros: 6n modulo 5n is n.
func (p Poly) stepModulo(zeros []Poly) (Poly, bool) {
	for _, z := range zeros {
		if len(z.p.Terms) == 0 {
			continue
		}
		lead, by := p.p.Terms[0], z.p.Terms[0]
		m, ok := integer.Quotient(lead.Atoms, by.Atoms)
		c := integer.FloorDiv(lead.Coef, integer.Abs(by.Coef))
		if by.Coef < 0 {
			c = -c
		}
		if next := p.p.Sub(z.p.MulTerm(term{Coef: c, Atoms: m})); ok && c != 0 && !next.Bad {
			return made(next, p.opaque.and(z.opaque)), true
		}
	}
	return p, false
}

// Quotient returns p / q, if q divides p in every coefficient. q may be 0 for some values of the names;
// then p is 0, too.
func (p Poly) Quotient(q Poly) (Poly, bool) {
	out, ok := p.p.Exact(q.p)
	return made(out, p.opaque), ok && !out.Bad
}

// Divide returns quotient and rest of long division by the leading term of q: p = quotient * q + rest.
func (p Poly) Divide(q Poly) (quotient, rest Poly) {
	out, r := p.p.Divide(q.p)
	if out.Bad || r.Bad {
		return Poly{}, p
	}
	known := p.opaque.and(q.opaque)
	return made(out, known), made(r, known)
}
