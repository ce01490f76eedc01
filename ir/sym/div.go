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
