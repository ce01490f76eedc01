package places

import (
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// A region is a set of units of memory: off + sum of i_k * stride_k, for 0 <= i_k < len_k. Both
// element sizes are multiples of a unit.
type region struct {
	off  poly
	dims []dim
}

type dim struct{ len, stride poly }

// regionOf returns the units of an LMAD's elements. Dimensions are in memory's order; per is the
// number of units of an element. Lengths are values; offset and strides are right modulo 2^64 (Note
// [No wrapping]).
func (c *converter) regionOf(l lmad.LMAD, per int64) region {
	r := region{off: c.ring(l.Offset).Scale(per)}
	for _, d := range l.Dims {
		r.dims = append(r.dims, dim{c.value(d.Len), c.ring(d.Stride).Scale(per)})
	}
	if per > 1 {
		r.dims = append(r.dims, dim{constant(per), constant(1)})
	}
	return r
}

// units returns how many units an element of either size takes.
func units(elemA, elemB int64) (perA, perB int64, ok bool) {
	if elemA <= 0 || elemB <= 0 {
		return 0, 0, false
	}
	g := integer.GCD(elemA, elemB)
	return elemA / g, elemB / g, true
}

// nonEmpty returns len-1 >= 0 for each length of the array, and of the parts that it is unravelled
// over (Note [Empty arrays]). Such an array exists, so its lengths are within the limits of the run
// time.
func (c *converter) nonEmpty(f lmad.Fun) []poly {
	var out []poly
	for _, l := range f.Parts {
		for _, n := range l.Shape() {
			p := c.value(n)
			out = append(out, p.AddConst(-1))
			c.ranges = c.ranges.refine(p.AddConst(-1)).small(p)
		}
	}
	return out
}

// flatten lists the polynomials of regions, for cases; unflatten puts them back.
func flatten(rs ...region) []poly {
	var out []poly
	for _, r := range rs {
		out = append(out, r.off)
		for _, d := range r.dims {
			out = append(out, d.len, d.stride)
		}
	}
	return out
}

func unflatten(ps []poly, rs ...*region) {
	for _, r := range rs {
		n := len(r.dims)
		r.off, r.dims, ps = ps[0], make([]dim, n), ps[1:]
		for k := range n {
			r.dims[k] = dim{ps[2*k], ps[2*k+1]}
		}
		ps = ps[2*n:]
	}
}

// trim drops dimensions of length 1 or stride 0: they add no positions.
func (r region) trim() region {
	out := region{off: r.off}
	for _, d := range r.dims {
		if n, ok := d.len.IsConst(); ok && n == 1 || d.stride.Is(0) {
			continue
		}
		out.dims = append(out.dims, d)
	}
	return out
}

// forward makes the strides of a region not negative and passes the region on. If the sign of a
// stride is unknown, it tries both.
func (v *prover) forward(r region, unknown int, then func(*prover, region) bool) bool {
	out := region{off: r.off}
	for _, d := range r.dims {
		switch {
		case v.atLeastZero(d.stride):
			out.dims = append(out.dims, d)
		case v.atLeastZero(d.stride.Neg()):
			out.off = out.off.Add(d.len.AddConst(-1).Mul(d.stride))
			out.dims = append(out.dims, dim{d.len, d.stride.Neg()})
		case unknown == 0:
			return false
		default:
			// What is done already is done again, with more knowledge.
			up, down := v.with(d.stride), v.with(d.stride.Neg().AddConst(-1))
			if !up.atLeastZero(d.stride) || !down.atLeastZero(d.stride.Neg()) {
				return false
			}
			return up.forward(r, unknown-1, then) && down.forward(r, unknown-1, then)
		}
	}
	return then(v, out)
}
