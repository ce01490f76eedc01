package memcheck

import (
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A region is a set of positions in a block: off + sum of x_k * stride_k for
// 0 <= x_k < len_k, in units of some number of bytes. It covers the array, or
// more than it.
type region struct {
	off  sym.Poly
	dims []lmad.Dim
	// exact: the region is just the array's elements.
	exact bool
}

// regionOf gives where an index function leads. Of one with several parts only
// the one nearest to memory counts, which covers the others.
func regionOf(f lmad.Fun) region {
	_, single := f.Single()
	return region{f.Parts[0].Offset, f.Parts[0].Dims, single}
}

// inBytes gives the region of elements of that size in bytes.
func (r region) inBytes(size int64) region {
	c := sym.Const(size)
	out := region{off: r.off.Mul(c), exact: r.exact}
	for _, d := range r.dims {
		out.dims = append(out.dims, lmad.Dim{Len: d.Len, Stride: d.Stride.Mul(c)})
	}
	out.dims = append(out.dims, lmad.Dim{Len: c, Stride: sym.Const(1)})
	return out
}

func (r region) subst(s func(string) (sym.Poly, bool)) region {
	out := region{off: r.off.Subst(s), exact: r.exact}
	for _, d := range r.dims {
		out.dims = append(out.dims, lmad.Dim{Len: d.Len.Subst(s), Stride: d.Stride.Subst(s)})
	}
	return out
}

// names gives all names mentioned.
func (r region) names() []string {
	names := r.off.Names()
	for _, d := range r.dims {
		names = append(names, d.Len.Names()...)
		names = append(names, d.Stride.Names()...)
	}
	return names
}

// straight gives the region with strides that are at least 1 and without
// dimensions that do not move; ok is false where the sign of a stride is not
// known. The region holds at least one element.
func (f *facts) straight(r region) (region, bool) {
	out := region{off: r.off, exact: r.exact}
	one := sym.Const(1)
	for _, d := range r.dims {
		switch {
		case d.Len.Is(1) || d.Stride.Is(0):
		case f.nonneg(d.Stride.Sub(one)):
			out.dims = append(out.dims, d)
		case f.nonneg(d.Stride.Neg().Sub(one)):
			out.off = out.off.Add(d.Len.Sub(one).Mul(d.Stride))
			out.dims = append(out.dims, lmad.Dim{Len: d.Len, Stride: d.Stride.Neg()})
		case f.nonneg(d.Stride): // possibly 0: only its extent is right
			out.dims, out.exact = append(out.dims, d), false
		default:
			return r, false
		}
	}
	return out, true
}

// inhabited gives facts to which it is added that no region is empty, and that
// the counters which they mention have a value.
func (f *facts) inhabited(rs ...region) *facts {
	g := f.with()
	for _, r := range rs {
		for _, n := range r.names() {
			if v := f.lookup(n); v.bounded() {
				g.positive(v.hi.Sub(v.lo).Add(sym.Const(1)))
			}
		}
		for _, d := range r.dims {
			g.positive(d.Len)
		}
	}
	return g
}

// last gives the largest position of a straight region.
func (r region) last() sym.Poly {
	p := r.off
	for _, d := range r.dims {
		p = p.Add(d.Len.Sub(sym.Const(1)).Mul(d.Stride))
	}
	return p
}

// disjoint proves that two regions share no position.
func (f *facts) disjoint(a, b region) bool {
	if empty(a) || empty(b) {
		return true
	}
	if a.off.Equal(b.off) {
		return false // both have an element, or the question is idle
	}
	g := f.inhabited(a, b)
	a, ok := g.straight(a)
	if !ok {
		return false
	}
	if b, ok = g.straight(b); !ok {
		return false
	}
	if g.less(a.last(), b.off) || g.less(b.last(), a.off) {
		return true
	}
	return g.digitwise(a, b, false) || g.digitwise(a, b, true)
}

func empty(r region) bool {
	for _, d := range r.dims {
		if c, ok := d.Len.IsConst(); ok && c <= 0 {
			return true
		}
	}
	return false
}

// equal tells whether two regions are the same expression.
func (r region) equal(s region) bool {
	if len(r.dims) != len(s.dims) || !r.off.Equal(s.off) {
		return false
	}
	for k, d := range r.dims {
		if !d.Len.Equal(s.dims[k].Len) || !d.Stride.Equal(s.dims[k].Stride) {
			return false
		}
	}
	return true
}

// contains proves that every position of inner is one of outer.
func (f *facts) contains(outer, inner region) bool {
	if !outer.exact {
		return false
	}
	if outer.equal(inner) {
		return true
	}
	g := f.inhabited(inner) // an empty one is contained in anything
	o, ok := g.straight(outer)
	if !ok || !o.exact || !solid(o) {
		return false
	}
	in, ok := g.straight(inner)
	return ok && g.nonneg(in.off.Sub(o.off)) && g.nonneg(o.last().Sub(in.last()))
}

// solid tells whether a straight region has no gaps, in the order of its dims or
// any other.
func solid(r region) bool {
	dims := append([]lmad.Dim{}, r.dims...)
	stride := sym.Const(1)
	for len(dims) > 0 {
		found := -1
		for k, d := range dims {
			if d.Stride.Equal(stride) {
				found = k
				break
			}
		}
		if found < 0 {
			return false
		}
		stride = stride.Mul(dims[found].Len)
		dims = append(dims[:found], dims[found+1:]...)
	}
	return true
}

// meet proves that two regions share a position, where neither is empty.
func (f *facts) meet(a, b region) bool {
	if !a.exact || !b.exact {
		return false
	}
	if a.off.Equal(b.off) || f.contains(a, b) || f.contains(b, a) {
		return true
	}
	g := f.inhabited(a, b)
	a, ok := g.straight(a)
	if !ok || !solid(a) {
		return false
	}
	b, ok = g.straight(b)
	return ok && solid(b) && g.nonneg(a.last().Sub(b.off)) && g.nonneg(b.last().Sub(a.off))
}

// digits is a region as a number in mixed radix: position = sum of g_k * x_k
// with lo_k <= x_k <= hi_k, for radices g_0 > g_1 > ...
type digits struct{ lo, hi []sym.Poly }

// digitwise proves that two straight regions are disjoint by their digits. If
// at every place k down to some one, all that lies below can differ by less than
// g_k, then equal positions have equal digits from the top down to it; so where
// the digits of that place cannot be equal, no positions are.
func (f *facts) digitwise(a, b region, sums bool) bool {
	radix, ok := f.radices(a, b, sums)
	if !ok {
		return false
	}
	da, db := f.digitsOf(a, radix), f.digitsOf(b, radix)
	one := sym.Const(1)
	for k, g := range radix {
		up, down := sym.Poly{}, sym.Poly{}
		for l := k + 1; l < len(radix); l++ {
			up = up.Add(radix[l].Mul(da.hi[l].Sub(db.lo[l])))
			down = down.Add(radix[l].Mul(db.hi[l].Sub(da.lo[l])))
		}
		room := g.Sub(one)
		if !f.nonneg(room.Sub(up)) || !f.nonneg(room.Sub(down)) {
			return false
		}
		if f.less(da.hi[k], db.lo[k]) || f.less(db.hi[k], da.lo[k]) {
			return true
		}
	}
	return false
}

// maxRadices bounds the places of a number.
const maxRadices = 12

// radices collects the strides of both regions, and the factors of bounded names
// in their offsets, from the largest to the smallest; factors that are sums (of the
// strides of two dimensions with one index, say) only where they are asked for.
func (f *facts) radices(a, b region, sums bool) ([]sym.Poly, bool) {
	out := []sym.Poly{sym.Const(1)}
	add := func(g sym.Poly) bool {
		for k, h := range out {
			if g.Equal(h) {
				return true
			}
			if f.nonneg(g.Sub(h)) {
				out = append(out[:k], append([]sym.Poly{g}, out[k:]...)...)
				return len(out) <= maxRadices
			}
			if !f.nonneg(h.Sub(g)) {
				return false
			}
		}
		return true // smaller than 1: no radix
	}
	for _, r := range []region{a, b} {
		for _, d := range r.dims {
			if !add(d.Stride) {
				return nil, false
			}
		}
	}
	for _, r := range []region{a, b} {
		for _, n := range r.off.Names() {
			if !f.lookup(n).bounded() {
				continue
			}
			if c, ok := coefficient(r.off, n); ok && (sums || len(monomials(c)) == 1) && f.nonneg(c.Sub(sym.Const(1))) {
				add(c) // one that does not fit in is left out
			}
		}
	}
	return out, true
}

func (f *facts) digitsOf(r region, radix []sym.Poly) digits {
	d := digits{make([]sym.Poly, len(radix)), make([]sym.Poly, len(radix))}
	for _, dim := range r.dims {
		for k, g := range radix {
			if dim.Stride.Equal(g) {
				d.hi[k] = d.hi[k].Add(dim.Len.Sub(sym.Const(1)))
				break
			}
		}
	}
	put := func(p sym.Poly) bool {
		for k, g := range radix {
			if q, ok := p.DivExact(g); ok {
				d.lo[k], d.hi[k] = d.lo[k].Add(q), d.hi[k].Add(q)
				return true
			}
		}
		return false
	}
	rest := r.off
	for _, n := range rest.Names() {
		if !f.lookup(n).bounded() {
			continue
		}
		if c, ok := coefficient(rest, n); ok {
			if t := c.Mul(sym.Var(n)); !divides(t, radix) {
				for _, m := range monomials(t) { // each goes where it fits
					put(m.poly)
				}
				rest = rest.Sub(t)
			} else if put(t) {
				rest = rest.Sub(t)
			}
		}
	}
	for k, g := range radix[:len(radix)-1] {
		q := multiples(&rest, g)
		d.lo[k], d.hi[k] = d.lo[k].Add(q), d.hi[k].Add(q)
	}
	for _, m := range monomials(rest) {
		if c, isConst := m.poly.IsConst(); isConst {
			d.number(c, radix)
			continue
		}
		put(m.poly)
	}
	return d
}

// divides tells whether a radix other than 1 divides p.
func divides(p sym.Poly, radix []sym.Poly) bool {
	for _, g := range radix[:len(radix)-1] {
		if _, ok := p.DivExact(g); ok {
			return true
		}
	}
	return false
}

// multiples takes multiples of a sum g out of p, term by term, as long as that
// makes p shorter, and gives their number.
func multiples(p *sym.Poly, g sym.Poly) sym.Poly {
	parts := monomials(g)
	count := sym.Poly{}
	if len(parts) < 2 {
		return count
	}
	for again := true; again; {
		again = false
		terms := monomials(*p)
		for _, m := range terms {
			q, ok := m.poly.DivExact(parts[0].poly)
			if !ok {
				continue
			}
			if rest := p.Sub(q.Mul(g)); len(monomials(rest)) <= len(terms)-len(parts) {
				*p, count, again = rest, count.Add(q), true
				break
			}
		}
	}
	return count
}

// number distributes a constant over the constant radices.
func (d digits) number(c int64, radix []sym.Poly) {
	for k, g := range radix {
		r, ok := g.IsConst()
		if !ok || r < 1 {
			continue
		}
		q := c / r
		if c%r < 0 {
			q--
		}
		d.lo[k], d.hi[k] = d.lo[k].Add(sym.Const(q)), d.hi[k].Add(sym.Const(q))
		c -= q * r
	}
}

// injective proves that no two elements of an array share a position. certain
// tells that two do.
func (f *facts) injective(r region) (ok, certain bool) {
	g := f.inhabited(r)
	for _, d := range r.dims {
		if n, isConst := d.Len.IsConst(); d.Stride.Is(0) && !(isConst && n <= 1) {
			return false, true // unless its length is at most 1 in every run
		}
	}
	s, ok := g.straight(r)
	if !ok || len(s.dims) == 0 {
		return ok, false
	}
	radix, ok := g.radices(region{dims: s.dims}, region{}, false)
	if !ok {
		return false, false
	}
	// Each radix is larger than all that lies below it.
	below, last := sym.Poly{}, len(radix)-1
	for k := last; k >= 0; k-- {
		count := 0
		for _, d := range s.dims {
			if d.Stride.Equal(radix[k]) {
				if count++; count > 1 {
					return false, false
				}
				if !g.less(below, radix[k]) {
					return false, false
				}
				below = below.Add(d.Len.Sub(sym.Const(1)).Mul(d.Stride))
			}
		}
	}
	return true, false
}
