package places

import "slices"

// Note [Simple]
// ~~~~~~~~~~~~~
// Most questions are about the own parts of two threads, or of two iterations:
// a.off - b.off is q*s, where q is the difference of two indices that are known
// to be unequal, and s is 1 or a product of sizes. Dimensions, the same for
// both, add something between -r and r, where r is the sum of (len-1)*stride.
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
	off := a.off.sub(b.off)
	if off.bad {
		return false
	}
	if c, ok := off.isConst(); ok && c == 0 {
		return false
	}
	dims, ok := together(a.trim().dims, b.trim().dims)
	if !ok {
		return false
	}
	for k, n := f.last, 0; k != nil && n < maxSimple; k, n = k.before, n+1 {
		p, ok := k.different()
		if !ok {
			continue
		}
		s, ok := off.exact(p)
		if !ok {
			continue
		}
		if tile(s, dims) || tile(s.neg(), dims) || (s.isOne() || s.neg().isOne()) && f.interleaved(p, dims) {
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
		if n := len(k.p.t); n > 1 && len(k.p.t[n-1].m) == 0 && k.p.t[n-1].c < 0 {
			return poly{t: k.p.t[:n-1]}, true
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

// together gives the dimensions of one of the two where it has all those of the
// other.
func together(a, b []dim) ([]dim, bool) {
	if len(a) < len(b) {
		a, b = b, a
	}
	for _, d := range b {
		if !slices.ContainsFunc(a, func(e dim) bool { return e.stride.equal(d.stride) && e.len.equal(d.len) }) {
			return nil, false
		}
	}
	return a, true
}

// tile tells whether s is 1 and there are no dimensions, or the dimensions tile
// s: then they reach less far than s.
func tile(s poly, dims []dim) bool {
	if c, ok := s.isConst(); ok && c == 0 {
		return false
	}
	if len(dims) == 0 {
		c, ok := s.isConst()
		return ok && c != 0
	}
	dims = slices.Clone(dims)
	for len(dims) > 0 {
		k := slices.IndexFunc(dims, func(d dim) bool { return d.len.mul(d.stride).equal(s) })
		if k < 0 {
			return false
		}
		s = dims[k].stride
		dims = slices.Delete(dims, k, k+1)
	}
	return s.isOne()
}

// interleaved tells whether p, the difference of two names, is between -n and n
// for a size n that all strides are multiples of.
func (f Facts) interleaved(p poly, dims []dim) bool {
	if len(p.t) != 2 || len(dims) == 0 || len(p.t[0].m) != 1 || len(p.t[1].m) != 1 || p.t[0].c*p.t[1].c != -1 {
		return false
	}
	x, ok := f.below(p.t[0].m[0])
	y, ok2 := f.below(p.t[1].m[0])
	if !ok || !ok2 || !x.equal(y) {
		return false
	}
	return !slices.ContainsFunc(dims, func(d dim) bool { _, ok := d.stride.exact(x); return !ok })
}

// below gives n where a recent fact says 0 <= x < n.
func (f Facts) below(x string) (poly, bool) {
	for k, n := f.last, 0; k != nil && n < maxBounds; k, n = k.before, n+1 {
		if k.kind == inBounds && k.x == x && k.lo.isZero() {
			return k.hi.addc(1), true
		}
	}
	return poly{}, false
}
