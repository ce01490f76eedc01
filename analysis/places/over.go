package places

import (
	"slices"

	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Over promotes a name that an access depends on, 0 <= name < bound, to a
// dimension: the region of all iterations together. It succeeds where the
// offset is affine in the name, and lengths and strides are free of it.
func Over(l lmad.LMAD, name string, bound sym.Poly) (lmad.LMAD, bool) {
	stride, ok := slope(l.Offset, name)
	if !ok || mentions(bound, name) {
		return lmad.LMAD{}, false
	}
	for _, d := range l.Dims {
		if mentions(d.Len, name) || mentions(d.Stride, name) {
			return lmad.LMAD{}, false
		}
	}
	dims := append([]lmad.Dim{{Len: bound, Stride: stride}}, l.Dims...)
	return lmad.LMAD{Offset: at(l.Offset, name, sym.Poly{}), Dims: dims}, true
}

// Cover is Over for lengths that depend on the name, too, which it replaces by
// the greatest they can be: what it gives contains the region of all iterations
// together, and may be more.
func Cover(f Facts, l lmad.LMAD, name string, bound sym.Poly) (lmad.LMAD, bool) {
	out := lmad.LMAD{Offset: l.Offset, Dims: append([]lmad.Dim(nil), l.Dims...)}
	for k, d := range out.Dims {
		s, ok := slope(d.Len, name)
		if !ok {
			return lmad.LMAD{}, false
		}
		switch {
		case s.Is(0):
		case f.AtLeast(s, 0):
			out.Dims[k].Len = at(d.Len, name, bound.Sub(sym.Const(1)))
		case f.AtLeast(s.Neg(), 0):
			out.Dims[k].Len = at(d.Len, name, sym.Poly{})
		default:
			return lmad.LMAD{}, false
		}
	}
	return Over(out, name, bound)
}

// slope gives the factor of a name that p is affine in.
func slope(p sym.Poly, name string) (sym.Poly, bool) {
	zero := at(p, name, sym.Poly{})
	s := at(p, name, sym.Const(1)).Sub(zero)
	if mentions(s, name) || mentions(zero, name) {
		return sym.Poly{}, false
	}
	return s, zero.Add(s.Mul(sym.Var(name))).Equal(p)
}

func at(p sym.Poly, name string, v sym.Poly) sym.Poly {
	return p.Subst(func(n string) (sym.Poly, bool) { return v, n == name })
}

func mentions(p sym.Poly, name string) bool {
	_, ok := slices.BinarySearch(p.Names(), name)
	return ok
}
