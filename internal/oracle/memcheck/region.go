package memcheck

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// A dim is one direction in which a region extends.
type dim struct{ len, stride poly }

// A region is a set of positions in a block: off + sum of x_k * stride_k for
// 0 <= x_k < len_k, in units of some number of bytes. It covers the array, or
// more than it.
type region struct {
	off  poly
	dims []dim
	// exact: the region is just the array's elements.
	exact bool
}

// region returns the region of an index function. Of one with several parts only
// the one nearest to memory counts, which covers the others.
func (t *names) region(f lmad.Fun) region {
	_, single := f.Single()
	return t.part(f.Parts[0], single)
}

func (t *names) part(l lmad.LMAD, exact bool) region {
	r := region{dims: make([]dim, len(l.Dims)), exact: exact}
	f := t.known()
	for k, d := range l.Dims {
		r.dims[k].len = t.poly(d.Len)
		if n := r.dims[k].len; len(n.Atoms()) > 0 && !rules.Off("memcheck.inhabited") { // of an empty region it matters not where it leads
			if f == t.known() {
				f = f.with()
			}
			f.atLeast(n.AddConst(-1))
		}
	}
	r.off = t.polyBy(l.Offset, f)
	for k, d := range l.Dims {
		r.dims[k].stride = t.polyBy(d.Stride, f)
	}
	return r
}

// in returns the region of elements of that size in units of unit bytes, which
// divides it.
func (r region) in(size, unit int64) region {
	c := size / unit
	if c == 1 {
		return r
	}
	out := region{off: r.off.Scale(c), exact: r.exact}
	for _, d := range r.dims {
		out.dims = append(out.dims, dim{d.len, d.stride.Scale(c)})
	}
	out.dims = append(out.dims, dim{constant(c), constant(1)})
	return out
}

// common returns two regions in one unit.
func common(a region, sizeA int64, b region, sizeB int64) (region, region) {
	unit := integer.GCD(sizeA, sizeB)
	return a.in(sizeA, unit), b.in(sizeB, unit)
}

func (r region) subst(s func(int32) (poly, bool)) region {
	out := region{off: r.off.SubstAll(s), dims: make([]dim, len(r.dims)), exact: r.exact}
	for k, d := range r.dims {
		out.dims[k] = dim{d.len.SubstAll(s), d.stride.SubstAll(s)}
	}
	return out
}

// names returns all names mentioned.
func (r region) names() []int32 {
	out := r.off.Atoms()
	for _, d := range r.dims {
		out = append(out, d.len.Atoms()...)
		out = append(out, d.stride.Atoms()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func text(x int32) string { return strconv.FormatInt(int64(x), 36) }

// key is equal for equal regions.
func (r region) key() string {
	var b strings.Builder
	r.off.Write(&b, text)
	for _, d := range r.dims {
		b.WriteByte(';')
		d.len.Write(&b, text)
		b.WriteByte(':')
		d.stride.Write(&b, text)
	}
	return b.String()
}

// elements returns the number of elements.
func (r region) elements() poly {
	n := constant(1)
	for _, d := range r.dims {
		n = n.Mul(d.len)
	}
	return n
}

// equal reports whether two regions are the same expression.
func (r region) equal(s region) bool {
	return r.off.Equal(s.off) && slices.EqualFunc(r.dims, s.dims, func(a, b dim) bool { return a.len.Equal(b.len) && a.stride.Equal(b.stride) })
}

func empty(r region) bool {
	for _, d := range r.dims {
		if c, ok := number(d.len); ok && c <= 0 {
			return true
		}
	}
	return false
}

// straight returns the region with strides that are at least 1 and without
// dimensions that do not move; ok is false where the sign of a stride is not
// known. The region holds at least one element.
func (f *facts) straight(r region) (region, bool) {
	out := region{off: r.off, exact: r.exact}
	for _, d := range r.dims {
		switch {
		case d.len.Is(1) || d.stride.Is(0):
		case f.nonneg(d.stride.AddConst(-1)):
			out.dims = append(out.dims, d)
		case f.nonneg(d.stride.Neg().AddConst(-1)):
			out.off = out.off.Add(d.len.AddConst(-1).Mul(d.stride))
			out.dims = append(out.dims, dim{d.len, d.stride.Neg()})
		case f.nonneg(d.stride): // possibly 0: only its extent is right
			out.dims, out.exact = append(out.dims, d), false
		default:
			return r, false
		}
	}
	return out, true
}

// inhabited returns facts to which it is added that no region is empty, and that
// the counters which they mention have a value.
func (f *facts) inhabited(rs ...region) *facts {
	g := f.with()
	for _, r := range rs {
		for _, n := range r.names() {
			if lo, hi, ok := f.lookup(n).simple(); ok {
				g.atLeast(hi.Sub(lo))
			}
		}
		for _, d := range r.dims {
			if len(f.assumed) > 0 && f.nonneg(d.len.Neg()) {
				g.impossible = true // it is empty
				return g
			}
			g.atLeast(d.len.AddConst(-1))
		}
	}
	return g
}

// last returns the largest position of a straight region.
func (r region) last() poly {
	p := r.off
	for _, d := range r.dims {
		p = p.Add(d.len.AddConst(-1).Mul(d.stride))
	}
	return p
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
	if g.impossible {
		return true
	}
	o, ok := g.straight(outer)
	if !ok || !o.exact {
		return false
	}
	in, ok := g.straight(inner)
	if !ok {
		return false
	}
	if solid(o) && g.nonneg(in.off.Sub(o.off)) && g.nonneg(o.last().Sub(in.last())) {
		return true
	}
	return !rules.Off("memcheck.spans") && g.spans(o, in)
}

// holds proves that a region of elements of that size contains some others; of unknown ones it does not.
func (f *facts) holds(outer region, size int64, rs []region, sizeOf int64) bool {
	return rs != nil && !slices.ContainsFunc(rs, func(r region) bool {
		o, in := common(outer, size, r, sizeOf)
		return !f.contains(o, in)
	})
}

// spans proves that inner lies in outer index by index: the strides of inner are
// multiples of those of outer, and its offset is a sum of such multiples, that
// keep every index in its range.
func (f *facts) spans(outer, inner region) bool {
	dims := slices.Clone(outer.dims)
	slices.SortStableFunc(dims, func(a, b dim) int { return size(b.stride, a.stride) })
	rest := inner.off.Sub(outer.off)
	lows := make([]poly, len(dims)) // the indices where inner begins
	for k, d := range dims {
		lows[k], rest = rest.Divide(d.stride)
	}
	if !rest.Is(0) {
		return false
	}
	highs := slices.Clone(lows)
next:
	for _, d := range inner.dims {
		for k, o := range dims {
			if m, ok := d.stride.Exact(o.stride); ok {
				highs[k] = highs[k].Add(m.Mul(d.len.AddConst(-1)))
				continue next
			}
		}
		return false
	}
	for k, d := range dims {
		if !f.nonneg(lows[k]) || !f.less(highs[k], d.len) {
			return false
		}
	}
	return true
}

// size orders strides by their likely values.
func size(p, q poly) int {
	lead := func(p poly) term {
		if len(p.Terms) == 0 {
			return term{}
		}
		return p.Terms[0]
	}
	a, b := lead(p), lead(q)
	if len(a.Atoms) != len(b.Atoms) {
		return len(a.Atoms) - len(b.Atoms)
	}
	return cmp.Compare(a.Coef, b.Coef)
}

// solid reports whether a straight region has no gaps, in the order of its dims or
// any other.
func solid(r region) bool {
	dims := slices.Clone(r.dims)
	stride := constant(1)
	for len(dims) > 0 {
		k := slices.IndexFunc(dims, func(d dim) bool { return d.stride.Equal(stride) })
		if k < 0 {
			return false
		}
		stride = stride.Mul(dims[k].len)
		dims = slices.Delete(dims, k, k+1)
	}
	return true
}

// meet proves that two regions share a position, where neither is empty.
func (f *facts) meet(a, b region) bool {
	if !a.exact || !b.exact || f.impossible || f.inhabited(a, b).impossible {
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

// injective proves that no two elements of an array share a position. certain
// tells that two do.
func (f *facts) injective(r region) (ok, certain bool) {
	if ok, certain = f.plainlyInjective(r); ok || certain {
		return ok, certain
	}
	return !rules.Off("memcheck.zeros") && f.inCases(func(f *facts, rs []region) bool {
		one := region{off: rs[0].off, exact: rs[0].exact}
		for _, d := range rs[0].dims {
			if !d.stride.Is(0) || !f.nonneg(d.len.Neg().AddConst(1)) {
				one.dims = append(one.dims, d)
			}
		}
		ok, _ := f.plainlyInjective(one)
		return ok
	}, r), false
}

func (f *facts) plainlyInjective(r region) (ok, certain bool) {
	g := f.inhabited(r)
	if g.impossible {
		return true, false
	}
	for _, d := range r.dims {
		if n, isConst := number(d.len); d.stride.Is(0) && !(isConst && n <= 1) {
			return false, true // unless its length is at most 1 in every run
		}
	}
	s, ok := g.straight(r)
	if !ok {
		return false, false
	}
	// Some order of the dimensions in which each stride is larger than all that
	// lies below it.
	below, left := poly{}, slices.Clone(s.dims)
	slices.SortStableFunc(left, func(a, b dim) int { return size(a.stride, b.stride) })
	for len(left) > 0 {
		k := slices.IndexFunc(left, func(d dim) bool {
			if !g.less(below, d.stride) && (rules.Off("memcheck.several") || !g.of(d).less(below, d.stride)) {
				return false
			}
			sum := below.Add(d.len.AddConst(-1).Mul(d.stride)) // and the others are beyond
			for _, e := range left {
				if !e.stride.Equal(d.stride) && !g.nonneg(e.stride.Sub(d.stride)) && !g.less(sum, e.stride) {
					return false
				}
			}
			return true
		})
		if k < 0 {
			return false, false
		}
		below = below.Add(left[k].len.AddConst(-1).Mul(left[k].stride))
		left = slices.Delete(left, k, k+1)
	}
	return true, false
}

// of returns the facts where a dimension has several elements; of one alone, its stride does
// not matter.
func (f *facts) of(d dim) *facts {
	g := f.with()
	g.atLeast(d.len.AddConst(-2))
	return g
}
