package memcheck

import "slices"

// A poly is a polynomial with integer coefficients over names and opaque
// expressions, which are numbers here (names.go): proofs compare and combine
// polynomials far too often for texts. The zero poly is 0.
//
// Of a bad one, whose coefficients or terms became too many or too large,
// nothing can be said. Arithmetic here is that of the integers, not of i64: an
// expression that may wrap around is a number of its own (Note [Wrapping]).
type poly struct {
	t   []term // in descending order of their factors; coefficients not zero
	bad bool
}

// A term is a coefficient and its factors, in ascending order.
type term struct {
	c int64
	f []int32
}

const (
	maxCoef  = 1 << 53
	maxTerms = 64
)

func constant(c int64) poly {
	if c == 0 {
		return poly{}
	}
	return poly{t: []term{{c: c}}}
}

func (p poly) isConst() (int64, bool) {
	switch {
	case p.bad:
		return 0, false
	case len(p.t) == 0:
		return 0, true
	case len(p.t) == 1 && len(p.t[0].f) == 0:
		return p.t[0].c, true
	}
	return 0, false
}

func (p poly) is(c int64) bool {
	v, ok := p.isConst()
	return ok && v == c
}

// constTerm gives the constant among the terms.
func (p poly) constTerm() int64 {
	if n := len(p.t); n > 0 && len(p.t[n-1].f) == 0 {
		return p.t[n-1].c
	}
	return 0
}

// isVar gives the name where p is one.
func (p poly) isVar() (int32, bool) {
	if !p.bad && len(p.t) == 1 && p.t[0].c == 1 && len(p.t[0].f) == 1 {
		return p.t[0].f[0], true
	}
	return 0, false
}

// compareFactors orders products: the higher degree first, then by the lists;
// the order is kept by multiplication, which division relies on.
func compareFactors(a, b []int32) int {
	if len(a) != len(b) {
		return len(b) - len(a)
	}
	return slices.Compare(a, b)
}

// coefficient gives that of a product.
func (p poly) coefficient(f []int32) int64 {
	for _, t := range p.t {
		if slices.Equal(t.f, f) {
			return t.c
		}
	}
	return 0
}

func (p poly) equal(q poly) bool {
	return !p.bad && !q.bad && slices.EqualFunc(p.t, q.t, func(a, b term) bool { return a.c == b.c && slices.Equal(a.f, b.f) })
}

func (p poly) add(q poly) poly { return p.plus(q, 1) }
func (p poly) sub(q poly) poly { return p.plus(q, -1) }
func (p poly) neg() poly       { return poly{bad: p.bad}.plus(p, -1) }

func (p poly) addc(c int64) poly { return p.plus(constant(c), 1) }

func (p poly) plus(q poly, sign int64) poly {
	if p.bad || q.bad {
		return poly{bad: true}
	}
	if len(q.t) == 0 {
		return p
	}
	out := make([]term, 0, len(p.t)+len(q.t))
	i, j := 0, 0
	for i < len(p.t) || j < len(q.t) {
		order := 0
		switch {
		case j == len(q.t):
			order = -1
		case i == len(p.t):
			order = 1
		default:
			order = compareFactors(p.t[i].f, q.t[j].f)
		}
		switch {
		case order < 0:
			out = append(out, p.t[i])
			i++
		case order > 0:
			out = append(out, term{sign * q.t[j].c, q.t[j].f})
			j++
		default:
			c := p.t[i].c + sign*q.t[j].c
			if c > maxCoef || c < -maxCoef {
				return poly{bad: true}
			}
			if c != 0 {
				out = append(out, term{c, p.t[i].f})
			}
			i, j = i+1, j+1
		}
	}
	if len(out) > maxTerms {
		return poly{bad: true}
	}
	return poly{t: out}
}

func mulCoef(a, b int64) (int64, bool) {
	if a != 0 && (abs(b) > maxCoef/abs(a)) {
		return 0, false
	}
	return a * b, true
}

func abs(x int64) int64 { return max(x, -x) }

func (p poly) scale(c int64) poly {
	switch {
	case c == 0:
		return poly{bad: p.bad}
	case c == 1:
		return p
	}
	return p.mulTerm(term{c: c})
}

// mulTerm keeps the order of the terms.
func (p poly) mulTerm(u term) poly {
	if p.bad {
		return p
	}
	out := make([]term, len(p.t))
	for k, t := range p.t {
		c, ok := mulCoef(t.c, u.c)
		if !ok {
			return poly{bad: true}
		}
		out[k] = term{c, mulFactors(t.f, u.f)}
	}
	return poly{t: out}
}

func mulFactors(a, b []int32) []int32 {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := make([]int32, 0, len(a)+len(b))
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if a[i] <= b[j] {
			out = append(out, a[i])
			i++
		} else {
			out = append(out, b[j])
			j++
		}
	}
	out = append(out, a[i:]...)
	return append(out, b[j:]...)
}

func (p poly) mul(q poly) poly {
	if p.bad || q.bad {
		return poly{bad: true}
	}
	if len(p.t) < len(q.t) {
		p, q = q, p
	}
	out := poly{}
	for _, u := range q.t {
		out = out.add(p.mulTerm(u))
	}
	return out
}

// divFactors gives a / b where b divides a.
func divFactors(a, b []int32) ([]int32, bool) {
	if len(b) == 0 {
		return a, true
	}
	if len(b) > len(a) {
		return nil, false
	}
	out := make([]int32, 0, len(a)-len(b))
	j := 0
	for _, x := range a {
		if j < len(b) && b[j] == x {
			j++
			continue
		}
		out = append(out, x)
	}
	if j < len(b) {
		return nil, false
	}
	return out, true
}

// divide gives q and r with p = q*d + r, by long division with the first term of
// d, whose coefficient is positive. The coefficients of names are divided rounding
// to zero, so that a small one stays small; a constant's remainder is not negative.
func (p poly) divide(d poly) (q, r poly) {
	if p.bad || d.bad || len(d.t) == 0 || d.t[0].c < 1 {
		return poly{}, p
	}
	lead := d.t[0]
	for steps := 0; len(p.t) > 0 && !p.bad; steps++ {
		t := p.t[0]
		f, ok := divFactors(t.f, lead.f)
		c := t.c / lead.c
		if len(t.f) == 0 {
			c = floorDiv(t.c, lead.c)
		}
		if !ok || c == 0 || steps > maxTerms {
			r = r.add(poly{t: p.t[:1]})
			p = poly{t: p.t[1:]}
			continue
		}
		part := term{c, f}
		q = q.add(poly{t: []term{part}})
		p = p.sub(d.mulTerm(part))
		// What is left of the term cannot be divided again.
		if len(p.t) > 0 && slices.Equal(p.t[0].f, t.f) {
			r = r.add(poly{t: p.t[:1]})
			p = poly{t: p.t[1:]}
		}
	}
	r.bad = r.bad || p.bad || q.bad
	return q, r
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// exact gives p / d where d divides p.
func (p poly) exact(d poly) (poly, bool) {
	if len(d.t) > 0 && d.t[0].c < 0 {
		q, ok := p.exact(d.neg())
		return q.neg(), ok
	}
	q, r := p.divide(d)
	return q, r.is(0)
}

func (p poly) has(x int32) bool {
	for _, t := range p.t {
		if slices.Contains(t.f, x) {
			return true
		}
	}
	return false
}

// linear gives c and rest with p = c*x + rest, where neither mentions x.
func (p poly) linear(x int32) (c, rest poly, ok bool) {
	if p.bad {
		return poly{}, poly{}, false
	}
	for _, t := range p.t {
		k := slices.Index(t.f, x)
		if k < 0 {
			rest.t = append(rest.t, t)
			continue
		}
		if k+1 < len(t.f) && t.f[k+1] == x {
			return poly{}, poly{}, false
		}
		c.t = append(c.t, term{t.c, slices.Delete(slices.Clone(t.f), k, k+1)})
	}
	return c, rest, true
}

// subst replaces names, all at once.
func (p poly) subst(s func(x int32) (poly, bool)) poly {
	if p.bad {
		return p
	}
	out := poly{}
	kept := 0
	for _, t := range p.t {
		if !slices.ContainsFunc(t.f, func(x int32) bool { _, ok := s(x); return ok }) {
			kept++
		}
	}
	if kept == len(p.t) {
		return p
	}
	for _, t := range p.t {
		v := constant(t.c)
		for _, x := range t.f {
			if y, ok := s(x); ok {
				v = v.mul(y)
			} else {
				v = v.mulTerm(term{1, []int32{x}})
			}
		}
		out = out.add(v)
	}
	return out
}

// names lists the names mentioned, in ascending order.
func (p poly) names() []int32 {
	var out []int32
	for _, t := range p.t {
		out = append(out, t.f...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// tighten divides by what divides all coefficients but the constant's, which is
// rounded down: p is at least 0 exactly if the result is, for it is an integer.
func (p poly) tighten() poly {
	g := int64(0)
	for _, t := range p.t {
		if len(t.f) > 0 {
			if g = gcd(g, abs(t.c)); g == 1 {
				return p
			}
		}
	}
	if g < 2 {
		return p
	}
	out := make([]term, 0, len(p.t))
	for _, t := range p.t {
		if c := floorDiv(t.c, g); c != 0 {
			out = append(out, term{c, t.f})
		}
	}
	return poly{t: out, bad: p.bad}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
