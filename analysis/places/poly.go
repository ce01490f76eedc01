package places

import (
	"cmp"
	"slices"
)

// Bounds of the prover's polynomials. What exceeds them is bad, and nothing is
// ever proved of it; they keep the reasoning cheap, and far from where int64
// coefficients would wrap.
const (
	maxCoef  = 1 << 53
	maxTerms = 96
	maxDeg   = 14
)

// A poly is a polynomial over the integers, not over wrapping machine words:
// see Note [No wrapping]. Terms are in descending graded lexicographic order,
// coefficients not zero.
type poly struct {
	t   []term
	bad bool
}

// A term is a coefficient and a monomial: its atoms, sorted, repeated for powers.
type term struct {
	c int64
	m []string
}

var badPoly = poly{bad: true}

func constant(c int64) poly {
	switch {
	case c == 0:
		return poly{}
	case c > maxCoef || c < -maxCoef:
		return badPoly
	}
	return poly{t: []term{{c: c}}}
}

func atomPoly(key string) poly { return poly{t: []term{{1, []string{key}}}} }

func compareMono(a, b []string) int {
	if len(a) != len(b) {
		return cmp.Compare(len(b), len(a))
	}
	return slices.Compare(a, b)
}

func (p poly) isZero() bool { return len(p.t) == 0 && !p.bad }

// isConst gives the value of a constant.
func (p poly) isConst() (int64, bool) {
	switch {
	case p.bad:
		return 0, false
	case len(p.t) == 0:
		return 0, true
	case len(p.t) == 1 && len(p.t[0].m) == 0:
		return p.t[0].c, true
	}
	return 0, false
}

func (p poly) equal(q poly) bool {
	return !p.bad && !q.bad && slices.EqualFunc(p.t, q.t, func(a, b term) bool {
		return a.c == b.c && slices.Equal(a.m, b.m)
	})
}

func (p poly) add(q poly) poly { return p.plus(q, 1) }
func (p poly) sub(q poly) poly { return p.plus(q, -1) }
func (p poly) neg() poly       { return p.scale(-1) }
func (p poly) addc(c int64) poly {
	return p.plus(constant(c), 1)
}

// plus gives p + sign*q by merging two sorted lists.
func (p poly) plus(q poly, sign int64) poly {
	if p.bad || q.bad {
		return badPoly
	}
	if len(q.t) == 0 {
		return p
	}
	out := make([]term, 0, len(p.t)+len(q.t))
	i, j := 0, 0
	for i < len(p.t) || j < len(q.t) {
		c := 0
		switch {
		case j == len(q.t):
			c = -1
		case i == len(p.t):
			c = 1
		default:
			c = compareMono(p.t[i].m, q.t[j].m)
		}
		switch {
		case c < 0:
			out = append(out, p.t[i])
			i++
		case c > 0:
			out = append(out, term{sign * q.t[j].c, q.t[j].m})
			j++
		default:
			s := p.t[i].c + sign*q.t[j].c
			if s > maxCoef || s < -maxCoef {
				return badPoly
			}
			if s != 0 {
				out = append(out, term{s, p.t[i].m})
			}
			i, j = i+1, j+1
		}
	}
	if len(out) > maxTerms {
		return badPoly
	}
	return poly{t: out}
}

func mulCoef(a, b int64) (int64, bool) {
	f := float64(a) * float64(b)
	return a * b, f <= maxCoef && f >= -maxCoef
}

func (p poly) scale(c int64) poly {
	if p.bad || c == 1 {
		return p
	}
	if c == 0 {
		return poly{}
	}
	return p.mulTerm(term{c: c})
}

// mulTerm multiplies by one term. The order of monomials is compatible with
// that, so the terms stay sorted.
func (p poly) mulTerm(u term) poly {
	if p.bad {
		return p
	}
	out := make([]term, len(p.t))
	for k, t := range p.t {
		c, ok := mulCoef(t.c, u.c)
		if !ok || len(t.m)+len(u.m) > maxDeg {
			return badPoly
		}
		out[k] = term{c, mulMono(t.m, u.m)}
	}
	return poly{t: out}
}

func mulMono(a, b []string) []string {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := make([]string, 0, len(a)+len(b))
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
	return append(append(out, a[i:]...), b[j:]...)
}

func (p poly) mul(q poly) poly {
	if p.bad || q.bad {
		return badPoly
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

// divMono gives a / b where b divides a.
func divMono(a, b []string) ([]string, bool) {
	if len(b) == 0 {
		return a, true
	}
	if len(b) > len(a) {
		return nil, false
	}
	var out []string
	j := 0
	for _, x := range a {
		if j < len(b) && b[j] == x {
			j++
			continue
		}
		out = append(out, x)
	}
	return out, j == len(b)
}

// divide gives q and r with p = q*d + r. It is long division by d's leading
// term; coefficients are divided with a remainder of at least 0. Whether the
// result is of use is for the caller to find out: the equation always holds.
func (p poly) divide(d poly) (q, r poly) {
	if p.bad || d.bad || len(d.t) == 0 {
		return poly{}, p
	}
	lead := d.t[0]
	for step := 0; len(p.t) > 0; {
		t := p.t[0]
		m, ok := divMono(t.m, lead.m)
		c := floorDiv(t.c, lead.c)
		if !ok || c == 0 || step == maxTerms {
			r = r.add(poly{t: []term{t}})
			p = poly{t: p.t[1:]}
			continue
		}
		step++
		u := poly{t: []term{{c, m}}}
		q = q.add(u)
		p = p.sub(u.mul(d))
		if len(p.t) > 0 && slices.Equal(p.t[0].m, t.m) {
			r = r.add(poly{t: p.t[:1]})
			p = poly{t: p.t[1:]}
		}
		if p.bad {
			return poly{}, badPoly
		}
	}
	return q, r
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// exact gives q with p = q*d.
func (p poly) exact(d poly) (poly, bool) {
	if p.bad || d.bad || d.isZero() {
		return poly{}, false
	}
	q, r := p.divide(d)
	return q, r.isZero() && !q.bad
}

// has tells whether x occurs.
func (p poly) has(x string) bool {
	return slices.ContainsFunc(p.t, func(t term) bool { return slices.Contains(t.m, x) })
}

// collect gives a and b with p = a*x + b, b free of x; affine tells whether a
// is free of x, too.
func (p poly) collect(x string) (a, b poly, affine bool) {
	affine = true
	for _, t := range p.t {
		k := slices.Index(t.m, x)
		if k < 0 {
			b.t = append(b.t, t)
			continue
		}
		m := slices.Delete(slices.Clone(t.m), k, k+1)
		affine = affine && !slices.Contains(m, x)
		a.t = append(a.t, term{t.c, m})
	}
	// Dropping one x of each keeps the order by degree, and the order of
	// equally long lists that differ elsewhere, but not always: sort.
	slices.SortFunc(a.t, func(s, t term) int { return compareMono(s.m, t.m) })
	return a, b, affine
}

// subst replaces x by q.
func (p poly) subst(x string, q poly) poly {
	if p.bad || !p.has(x) {
		return p
	}
	a, b, affine := p.collect(x)
	if !affine {
		a = a.subst(x, q)
	}
	return a.mul(q).add(b)
}

// atoms appends the atoms that occur.
func (p poly) atoms(into map[string]bool) {
	for _, t := range p.t {
		for _, x := range t.m {
			into[x] = true
		}
	}
}

// tighten divides p >= 0 by the greatest common divisor of the coefficients
// but the constant's, which is rounded down: 2*n - 1 >= 0 becomes n - 1 >= 0.
func (p poly) tighten() poly {
	var g int64
	for _, t := range p.t {
		if len(t.m) > 0 {
			if g = gcd(g, t.c); g == 1 {
				return p
			}
		}
	}
	if g <= 1 {
		return p
	}
	out := poly{t: make([]term, 0, len(p.t))}
	for _, t := range p.t {
		if c := floorDiv(t.c, g); c != 0 {
			out.t = append(out.t, term{c, t.m})
		}
	}
	return out
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// rename replaces atoms that are names, all at once.
func (p poly) rename(names map[string]string) poly {
	out := poly{bad: p.bad}
	for _, t := range p.t {
		m := slices.Clone(t.m)
		for k, x := range m {
			if y, ok := names[x]; ok {
				m[k] = y
			}
		}
		slices.Sort(m)
		out = out.add(poly{t: []term{{t.c, m}}})
	}
	return out
}
