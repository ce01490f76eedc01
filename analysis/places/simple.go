package places

import (
	"slices"

	"github.com/memc-lang/memc/ir/sym/integer"
)

// Note [Simple]
// ~~~~~~~~~~~~~
// Most questions are about the own parts of two threads, or of two iterations:
// a.off - b.off is q*s, where q is the difference of two indices that are known
// to be unequal, and s is 1 or a product of sizes. Dimensions, the same for
// both, add something between -r and r, where r is the sum of (len-1)*stride. Or it is a
// multiple of s by a number that is not 0, as between two parts of a concat.
//
// If r < s, no multiple of s but 0 is in reach. For dimensions that tile s, as
// those of a row or a matrix do, that can be read off: some len*stride is s, the
// next len*stride is that stride, and so on; then r = s - (the last stride).
// Lengths count as positive (Note [Empty arrays]); so are strides whose products
// with a length are, ending in a 1.
//
// If all strides are multiples of some size n, and q is between -n and n, which
// the bounds of the two indices tell, no multiple of n but 0 is in reach either:
// so are interleaved arrays told apart.
//
// Nothing here needs the prover. What is not simple is left to it.

// simplyDisjoint tells whether two regions are disjoint for a reason that can be
// read off.
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
	for _, d := range dims { // as of two parts of a concat
		s := d.len.Mul(d.stride)
		if q, ok := off.Exact(s); ok && tile(s, dims) {
			if c, ok := q.IsConst(); ok && c != 0 {
				return true
			}
		}
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

// different gives what a fact says is not 0: p of p != 0, and of p >= 1.
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

// How many of the newest facts are looked through for an inequality (those of
// threads and iterations are the newest), and for the bounds of an index.
const (
	maxSimple = 16
	maxBounds = 256
)

// superset gives the dimensions of one of the two where it has all those of the
// other.
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

// tile tells whether s is 1 and there are no dimensions, or the dimensions tile
// s: then they reach less far than s.
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

// interleaved tells whether p, the difference of two names, is between -n and n
// for a size n that all strides are multiples of.
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

// below gives n where a recent fact says 0 <= x < n.
func (f Facts) below(x string) (poly, bool) {
	for k, n := f.last, 0; k != nil && n < maxBounds; k, n = k.before, n+1 {
		if k.kind == inBounds && k.x == x && k.lo.Is(0) {
			return k.hi.AddConst(1), true
		}
	}
	return poly{}, false
}
