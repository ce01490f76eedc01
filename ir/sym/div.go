package sym

import "cmp"

// maxDivSteps bounds the length of a quotient; longer ones are of no use here.
const maxDivSteps = 256

// DivExact gives r with p = q * r, where there is such a polynomial. It says
// nothing about q being zero for some values of the names: then p is, too.
//
// It is long division by the leading term, exact in every coefficient.
func (p Poly) DivExact(q Poly) (Poly, bool) {
	if len(q.terms) == 0 {
		return Poly{}, false
	}
	if p.Equal(q) {
		return Const(1), true
	}
	var quot []term
	rest := p
	for len(rest.terms) > 0 {
		t, ok := divTerm(rest.terms[0], q.terms[0])
		if !ok || len(quot) == maxDivSteps {
			return Poly{}, false
		}
		step := Poly{[]term{t}}.Mul(q)
		next := rest.Sub(step)
		// The leading term must vanish, or the loop would not end.
		if len(next.terms) > 0 && compareMono(next.terms[0], rest.terms[0]) <= 0 {
			return Poly{}, false
		}
		quot = append(quot, t)
		rest = next
	}
	return normal(quot), true
}

// Modulo gives p less multiples of the zeros, polynomials whose value is known to
// be 0: it has the same value as p. It is the remainder of long division by all of
// them at once, so it depends on their order, and two polynomials may have
// different ones although the zeros imply that they are equal.
func (p Poly) Modulo(zeros []Poly) Poly {
	var out []term
	rest := p
	for steps := 0; len(rest.terms) > 0; {
		if next, ok := rest.stepModulo(zeros); ok && steps < maxDivSteps {
			rest = next
			steps++
			continue
		}
		out = append(out, rest.terms[0])
		rest = Poly{rest.terms[1:]}
	}
	return Poly{out}
}

// stepModulo makes the leading term's coefficient smaller by one of the zeros: 6n by
// 5n is n.
func (p Poly) stepModulo(zeros []Poly) (Poly, bool) {
	for _, z := range zeros {
		if len(z.terms) == 0 {
			continue
		}
		lead, by := p.terms[0], z.terms[0]
		lead.coef -= mod(lead.coef, by.coef)
		t, ok := divTerm(lead, by)
		if !ok || lead.coef == 0 {
			continue
		}
		next := p.Sub(Poly{[]term{t}}.Mul(z))
		if len(next.terms) == 0 || compareMono(next.terms[0], p.terms[0]) >= 0 {
			return next, true
		}
	}
	return p, false
}

// mod gives what is left of a after division by b, from 0 to |b| - 1.
func mod(a, b int64) int64 {
	r := a % b
	if r < 0 {
		r += max(b, -b)
	}
	return r
}

func divTerm(a, b term) (term, bool) {
	if a.coef%b.coef != 0 || a.deg < b.deg {
		return term{}, false
	}
	t := term{coef: a.coef / b.coef, deg: a.deg - b.deg}
	j := 0
	for _, x := range a.factors {
		if j < len(b.factors) {
			y := b.factors[j]
			switch c := cmp.Compare(y.atom.key, x.atom.key); {
			case c < 0:
				return term{}, false
			case c == 0:
				j++
				if y.pow > x.pow {
					return term{}, false
				}
				if x.pow -= y.pow; x.pow == 0 {
					continue
				}
			}
		}
		t.factors = append(t.factors, x)
	}
	return t, j == len(b.factors)
}
