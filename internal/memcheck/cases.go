package memcheck

import "slices"

// Note [Strides that may be 0]. Such as (q-1)*b: the tiles of an anti-diagonal lie in
// a matrix of q by q tiles, and where q is 1, there is one tile. A stride that may be 0
// divides nothing, so questions that get stuck on one are asked twice: where its
// factor is 0, which says what a name is, and where it is at least 1.

// A zeroCase is a factor of strides that may be 0.
type zeroCase struct {
	factor poly
	name   int32 // is value where the factor is 0
	value  poly
}

// mayVanish finds such a factor.
func (f *facts) mayVanish(rs ...region) (zeroCase, bool) {
	for _, r := range rs {
		for _, d := range r.dims {
			z := d.stride.primitive()
			if len(z.t) < 2 || !f.nonneg(z) || f.nonneg(z.addc(-1)) {
				continue
			}
			for _, x := range z.names() {
				c, rest, ok := z.linear(x)
				if k, isConst := c.isConst(); ok && isConst && (k == 1 || k == -1) && !rest.has(x) {
					return zeroCase{z, x, rest.scale(-k)}, true
				}
			}
		}
	}
	return zeroCase{}, false
}

// inCases asks a question of regions in both cases.
func (f *facts) inCases(ask func(f *facts, rs []region) bool, rs ...region) bool {
	z, ok := f.mayVanish(rs...)
	if !ok {
		return false
	}
	zero, more := f.with(), f.with()
	zero.left, more.left = nil, nil
	zero.assume(z.factor.neg())
	more.assume(z.factor.addc(-1))
	here := make([]region, len(rs))
	for k, r := range rs {
		here[k] = r.subst(byName(map[int32]poly{z.name: z.value}))
	}
	return (zero.impossible || ask(zero, here)) && (more.impossible || ask(more, rs))
}

// primitive gives p without the factors that all of its terms have.
func (p poly) primitive() poly {
	if p.bad || len(p.t) < 2 {
		return p
	}
	f, c := p.common()
	out := poly{}
	for _, t := range p.t {
		rest, _ := divFactors(t.f, f)
		out = out.add(poly{t: []term{{t.c / c, rest}}})
	}
	return out
}

// common gives the greatest product and number that divide all terms.
func (p poly) common() (f []int32, c int64) {
	f = p.t[0].f
	for _, t := range p.t {
		c = gcd(c, abs(t.c))
		var both []int32
		rest := slices.Clone(t.f)
		for _, x := range f {
			if k := slices.Index(rest, x); k >= 0 {
				both, rest = append(both, x), slices.Delete(rest, k, k+1)
			}
		}
		f = both
	}
	return f, c
}
