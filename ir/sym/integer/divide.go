package integer

import (
	"cmp"
	"slices"
)

// Quotient returns a / b if the product b divides the product a.
func Quotient[A cmp.Ordered](a, b []A) ([]A, bool) {
	switch {
	case len(b) == 0:
		return a, true
	case len(b) > len(a):
		return nil, false
	}
	out := make([]A, 0, len(a)-len(b))
	j := 0
	for _, x := range a {
		if j < len(b) && b[j] == x {
			j++
		} else if len(out) == cap(out) {
			return nil, false
		} else {
			out = append(out, x)
		}
	}
	return out, true
}

// maxSteps bounds the length of a quotient; longer ones are of no use.
const maxSteps = 256

// Divide returns q and r with p = q*d + r, by long division with d's leading term. The equation
// always holds; the caller decides whether the result is useful.
func (p Poly[A]) Divide(d Poly[A]) (q, r Poly[A]) { return p.divide(d, false) }

// divide, if only an exact quotient is wanted, stops at the first term that d's leading term does
// not divide.
func (p Poly[A]) divide(d Poly[A], exact bool) (q, r Poly[A]) {
	if p.Bad || d.Bad || len(d.Terms) == 0 {
		return Poly[A]{}, p
	}
	lead := d.Terms[0]
	for len(p.Terms) > 0 && !(exact && len(r.Terms) > 0) {
		t := p.Terms[0]
		m, ok := Quotient(t.Atoms, lead.Atoms)
		c := FloorDiv(t.Coef, lead.Coef)
		if !ok || c == 0 || len(q.Terms) == maxSteps {
			r.Terms = append(r.Terms, t)
			p.Terms = p.Terms[1:]
			continue
		}
		u := Term[A]{c, m}
		q.Terms = append(q.Terms, u)
		if p = p.Sub(d.MulTerm(u)); p.Bad {
			return Poly[A]{}, p
		}
		if len(p.Terms) > 0 && slices.Equal(p.Terms[0].Atoms, t.Atoms) { // the rest of the coefficient
			r.Terms = append(r.Terms, p.Terms[0])
			p.Terms = p.Terms[1:]
		}
	}
	return q, r
}

// Exact returns p / d if d divides p in every coefficient. d may be 0 for some values of the atoms;
// then p is 0, too.
func (p Poly[A]) Exact(d Poly[A]) (Poly[A], bool) {
	if len(d.Terms) == 0 {
		return Poly[A]{}, false
	}
	q, r := p.divide(d, true)
	return q, r.Is(0)
}

// Tighten divides p >= 0 by the common divisor of all coefficients but the constant, which it
// rounds down: 2*n - 1 >= 0 becomes n - 1 >= 0, since p is an integer.
func (p Poly[A]) Tighten() Poly[A] {
	var g int64
	for _, t := range p.Terms {
		if len(t.Atoms) > 0 {
			if g = GCD(g, t.Coef); g == 1 {
				return p
			}
		}
	}
	if g <= 1 {
		return p
	}
	out := Poly[A]{Bad: p.Bad}
	for _, t := range p.Terms {
		if c := FloorDiv(t.Coef, g); c != 0 {
			out.Terms = append(out.Terms, Term[A]{c, t.Atoms})
		}
	}
	return out
}

// Common returns the greatest product of atoms that divides all terms.
func (p Poly[A]) Common() []A {
	if len(p.Terms) == 0 {
		return nil
	}
	m := p.Terms[0].Atoms
	for _, t := range p.Terms[1:] {
		var both []A
		rest := t.Atoms
		for _, x := range m {
			if k := slices.Index(rest, x); k >= 0 {
				both, rest = append(both, x), slices.Concat(rest[:k], rest[k+1:])
			}
		}
		m = both
	}
	return m
}

// Over divides by a product that divides all terms.
func (p Poly[A]) Over(m []A) Poly[A] {
	out := make([]Term[A], len(p.Terms))
	for k, t := range p.Terms {
		rest, _ := Quotient(t.Atoms, m)
		out[k] = Term[A]{t.Coef, rest}
	}
	return Sum[A](out)
}

// Primitive returns p without the factors, atoms and numbers, that all of its terms have.
func (p Poly[A]) Primitive() Poly[A] {
	if p.Bad || len(p.Terms) < 2 {
		return p
	}
	q := p.Over(p.Common())
	g := q.Content()
	for k := range q.Terms {
		q.Terms[k].Coef /= g
	}
	return q
}

// Content returns the greatest number that divides all coefficients, 0 of 0.
func (p Poly[A]) Content() (g int64) {
	for _, t := range p.Terms {
		g = GCD(g, t.Coef)
	}
	return g
}
