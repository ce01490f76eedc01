package places

import (
	"slices"

	"github.com/memc-lang/memc/ir/lmad"
)

// Same tells whether a and b provably are the same index function on the same
// shape: equal indices give equal positions.
func Same(f Facts, a, b lmad.Fun) bool {
	if a.Equal(b) {
		return true
	}
	if len(a.Parts) != len(b.Parts) {
		return false
	}
	for k, p := range a.Parts {
		if len(p.Dims) != len(b.Parts[k].Dims) {
			return false
		}
	}
	cv := &converter{}
	var ra, rb []region
	for k := range a.Parts {
		ra = append(ra, cv.regionOf(a.Parts[k], 1))
		rb = append(rb, cv.regionOf(b.Parts[k], 1))
	}
	all := slices.Concat(ra, rb)
	v := f.prover(cv, flatten(all...)...)
	for k := range ra {
		if !v.sameFunction(ra[k], rb[k]) {
			return false
		}
	}
	return true
}

func (v *prover) sameFunction(a, b region) bool {
	same := func(p, q poly) bool { return v.zero(v.enter(p.sub(q))) }
	if !same(a.off, b.off) {
		return false
	}
	for k, d := range a.dims {
		e := b.dims[k]
		if !same(d.len, e.len) || !same(d.stride, e.stride) && !same(d.len, constant(1)) {
			return false
		}
	}
	return true
}

// Contains tells whether it is provable that every byte of b's elements is one
// of a's; see Disjoint for the arguments.
func Contains(f Facts, a, b lmad.Fun, elemA, elemB int64) bool {
	perA, perB, ok := units(elemA, elemB)
	la, single := a.Single()
	if !ok || !single {
		return false
	}
	cv := &converter{}
	ra, rb := cv.regionOf(la, perA), cv.regionOf(b.Parts[0], perB)
	return f.cases(cv, flatten(ra, rb), cv.nonEmpty(b), nil, func(v *prover, ps []poly) bool {
		a, b := ra, rb
		unflatten(ps, &a, &b)
		return v.forward(b.trim(), maxUnknownSigns, func(v *prover, b region) bool {
			return v.forward(a, maxUnknownSigns, func(v *prover, a region) bool {
				return v.contains(a, b)
			})
		})
	})
}

// contains is Note [Containment]; it tries the regions as they are, and with
// their dimensions joined and cut. Those of b are positive; those of a must be
// known not to be negative before they are multiplied.
func (v *prover) contains(a, b region) bool {
	if v.digits(a, b) {
		return true
	}
	joined := b.merge()
	for _, d := range a.dims {
		if !v.atLeastZero(d.len) {
			return v.digits(a, v.split(joined, a.dims))
		}
	}
	merged := a.merge()
	return v.digits(merged, joined) || v.digits(merged, b) || v.digits(a, v.split(joined, a.dims))
}

func (v *prover) digits(a, b region) bool {
	dims := slices.Clone(a.dims)
	slices.SortStableFunc(dims, func(s, t dim) int { return likely(s.stride, t.stride) })
	off := b.off.sub(a.off)
	left := slices.Clone(b.dims)
	for _, d := range dims {
		q, r := off.divide(d.stride)
		last := q
		next := left[:0:0]
		for _, e := range left {
			m, ok := e.stride.exact(d.stride)
			if !ok || !v.atLeastZero(m) {
				next = append(next, e)
				continue
			}
			last = last.add(m.mul(e.len.addc(-1)))
		}
		off, left = r, next
		if !v.atLeastZero(q) || !v.atLeastZero(d.len.sub(last).addc(-1)) {
			return false
		}
	}
	return len(left) == 0 && v.zero(off)
}

// Injective tells whether different indices provably have different positions.
// In a function of several parts, each has to be injective.
func Injective(f Facts, a lmad.Fun) bool {
	cv := &converter{}
	var rs []region
	for _, l := range a.Parts {
		rs = append(rs, cv.regionOf(l, 1))
	}
	return f.cases(cv, flatten(rs...), cv.nonEmpty(a), nil, func(v *prover, ps []poly) bool {
		for _, r := range rs {
			unflatten(ps, &r)
			ps = ps[1+2*len(r.dims):]
			if !v.forward(r, maxUnknownSigns, (*prover).injective) {
				return false
			}
		}
		return true
	})
}

// injective fixes one dimension after another at difference 0.
func (v *prover) injective(r region) bool {
	var spans []span
	for _, d := range r.dims {
		if !d.len.isOne() {
			spans = append(spans, span{d.stride, d.len.addc(-1).neg(), d.len.addc(-1)})
		}
	}
	slices.SortStableFunc(spans, func(s, t span) int { return likely(s.stride, t.stride) })
	for len(spans) > 0 {
		found := -1
		for k, s := range spans {
			rest := slices.Delete(slices.Clone(spans), k, k+1)
			// The extent is symmetric, so one side is enough.
			if _, hi := extent(poly{}, rest); v.atLeastZero(s.stride.sub(hi).addc(-1)) {
				found = k
				break
			}
		}
		if found < 0 {
			return false
		}
		spans = slices.Delete(spans, found, found+1)
	}
	return true
}
