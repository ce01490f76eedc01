package places

import (
	"slices"

	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
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
		q := b.Parts[k]
		if len(p.Dims) != len(q.Dims) || !f.SameValue(p.Offset, q.Offset) {
			return false
		}
		for j, d := range p.Dims {
			e := q.Dims[j]
			if !f.SameValue(d.Len, e.Len) || !f.SameValue(d.Stride, e.Stride) && !f.SameValue(d.Len, sym.Const(1)) {
				return false
			}
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
	if f.counter(func(k int) bool { _, outside := f.overlap(b, a, perB, perA, k); return outside }) {
		return false
	}
	cv := f.converter()
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
	off := b.off.Sub(a.off)
	left := slices.Clone(b.dims)
	for _, d := range dims {
		q, r := off.Divide(d.stride)
		last := q
		next := left[:0:0]
		for _, e := range left {
			m, ok := e.stride.Exact(d.stride)
			if !ok || !v.atLeastZero(m) {
				next = append(next, e)
				continue
			}
			last = last.Add(m.Mul(e.len.AddConst(-1)))
		}
		off, left = r, next
		if !v.atLeastZero(q) || !v.atLeastZero(d.len.Sub(last).AddConst(-1)) {
			return false
		}
	}
	return len(left) == 0 && v.zero(off)
}
