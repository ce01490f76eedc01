package places

import (
	"slices"

	"github.com/memc-lang/memc/ir/sym/integer"
)

// Note [Simple]
// ~~~~~~~~~~~~~
// Most questions are about the parts that two threads or two iterations own: a.off - b.off is q*s.
// Here q is the difference of two indices that are known to be unequal, and s is 1 or a product of
// sizes. The dimensions, the same for both, add something between -r and r, where r is the sum of
// (len-1)*stride.
//
// If r < s, the only multiple of s within reach is 0. This is easy to see for dimensions that tile
// s, as those of a row or a matrix do: some len*stride is s, the next len*stride is that stride,
// and so on. Then r = s - (the last stride). Lengths count as positive (Note [Empty arrays]). So do
// strides that are, through such products with lengths, multiples of a stride 1.
//
// If all strides are multiples of some size n, and q is between -n and n by the bounds of the two
// indices, then 0 is again the only multiple of n within reach. This tells interleaved arrays
// apart.
//
// None of this needs the prover. All other questions go to the prover.

// simplyDisjoint reports whether two regions are disjoint for one of these simple reasons.
func (f Facts) simplyDisjoint(a, b region) bool {
	off := a.off.Sub(b.off)
	if off.Bad {
		return false
	}
	if c, ok := off.IsConst(); ok && c == 0 {
		return false
	}
	dims, ok := superset(a.trim().dims, b.trim().dims)
	if !ok {
		return false
	}
	for k, n := f.last, 0; k != nil && n < maxSimple; k, n = k.before, n+1 {
		p, ok := k.different()
		if !ok {
			continue
		}
		s, ok := off.Exact(p)
		if !ok {
			continue
		}
		if tile(s, dims) || tile(s.Neg(), dims) || (s.Is(1) || s.Neg().Is(1)) && f.interleaved(p, dims) {
			return true
		}
	}
	return false
}

// different returns the polynomial that is not 0 by a fact: p for p != 0 and for p >= 1.
func (k *fact) different() (poly, bool) {
	switch k.kind {
	case notZero:
		return k.p, true
	case atLeastZero:
		if n := len(k.p.Terms); n > 1 && len(k.p.Terms[n-1].Atoms) == 0 && k.p.Terms[n-1].Coef < 0 {
			return poly{Terms: k.p.Terms[:n-1]}, true
		}
	}
	return poly{}, false
}

// How many of the newest facts are searched for an inequality (those of threads and iterations are
// the newest), and for the bounds of an index.
const (
	maxSimple = 16
	maxBounds = 256
)

// superset returns the dimensions of one of the two if it has all those of the other.
func superset(a, b []dim) ([]dim, bool) {
	if len(a) < len(b) {
		a, b = b, a
	}
	for _, d := range b {
		if !slices.ContainsFunc(a, func(e dim) bool { return e.stride.Equal(d.stride) && e.len.Equal(d.len) }) {
			return nil, false
		}
	}
	return a, true
}

// tile reports whether the dimensions tile s, or there are none and s is 1. Then their reach is
// less than s.
func tile(s poly, dims []dim) bool {
	if c, ok := s.IsConst(); ok && c == 0 {
		return false
	}
	if len(dims) == 0 {
		c, ok := s.IsConst()
		return ok && c != 0
	}
	dims = slices.Clone(dims)
	for len(dims) > 0 {
		k := slices.IndexFunc(dims, func(d dim) bool { return d.len.Mul(d.stride).Equal(s) })
		if k < 0 {
			return false
		}
		s = dims[k].stride
		dims = slices.Delete(dims, k, k+1)
	}
	return s.Is(1)
}

// interleaved reports whether p, the difference of two names, is between -n and n for a size n that
// divides all strides.
func (f Facts) interleaved(p poly, dims []dim) bool {
	if len(p.Terms) != 2 || len(dims) == 0 || len(p.Terms[0].Atoms) != 1 || len(p.Terms[1].Atoms) != 1 || p.Terms[0].Coef != -p.Terms[1].Coef || integer.Abs(p.Terms[0].Coef) != 1 {
		return false
	}
	x, ok := f.below(p.Terms[0].Atoms[0])
	y, ok2 := f.below(p.Terms[1].Atoms[0])
	if !ok || !ok2 || !x.Equal(y) {
		return false
	}
	return !slices.ContainsFunc(dims, func(d dim) bool { _, ok := d.stride.Exact(x); return !ok })
}

// below returns n if a recent fact is 0 <= x < n.
func (f Facts) below(x string) (poly, bool) {
	for k, n := f.last, 0; k != nil && n < maxBounds; k, n = k.before, n+1 {
		if k.kind == inBounds && k.x == x && k.lo.Is(0) {
			return k.hi.AddConst(1), true
		}
	}
	return poly{}, false
}
