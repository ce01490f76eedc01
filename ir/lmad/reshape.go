package lmad

import (
	"slices"

	"github.com/memc-lang/memc/ir/sym"
)

// blocks merges neighbours that lie contiguously, stride_k = len_{k+1} *
// stride_{k+1}, and drops unit dimensions.
func blocks(dims []Dim) []Dim {
	var out []Dim
	for _, d := range dims {
		if d.Len.Is(1) {
			continue
		}
		if k := len(out) - 1; k >= 0 && out[k].Stride.Equal(d.Len.Mul(d.Stride)) {
			out[k] = Dim{out[k].Len.Mul(d.Len), d.Stride}
			continue
		}
		out = append(out, d)
	}
	return out
}

// reshape gives the LMAD of the same elements in new sizes, where there is one.
// That the number of elements stays the same is the caller's to know, or to
// check when the program runs.
//
// Contiguous blocks of old dimensions and groups of new ones are matched by
// their sizes, from the left and then from the right. What stays unmatched is
// no problem where it is one block: its size is that of the new dimensions left,
// since the other sizes and the whole agree.
func (l LMAD) reshape(dims []sym.Poly) (LMAD, bool) {
	old := blocks(l.Dims)
	out := LMAD{Offset: l.Offset, Dims: make([]Dim, len(dims))}
	fill := func(from, to int, stride sym.Poly) {
		copy(out.Dims[from:to], rowMajor(l.Offset, dims[from:to], stride).Dims)
	}
	if slices.ContainsFunc(old, Dim.empty) || slices.ContainsFunc(dims, zero) {
		fill(0, len(dims), sym.Const(1)) // no element: any strides do
		return out, true
	}
	lo, hi := 0, len(dims) // new dimensions not matched yet
	for len(old) > 1 {
		n := group(old[0].Len, lo, hi, func(k int) sym.Poly { return dims[k] })
		if n < 0 {
			break
		}
		fill(lo, lo+n, old[0].Stride)
		lo, old = lo+n, old[1:]
	}
	for len(old) > 1 {
		last := old[len(old)-1]
		n := group(last.Len, lo, hi, func(k int) sym.Poly { return dims[hi-1-(k-lo)] })
		if n < 0 {
			break
		}
		fill(hi-n, hi, last.Stride)
		hi, old = hi-n, old[:len(old)-1]
	}
	switch {
	case len(old) == 0:
		fill(lo, hi, sym.Const(1))
	case len(old) == 1:
		fill(lo, hi, old[0].Stride)
	case !slices.ContainsFunc(dims[lo:hi], notOne):
		// One element is left: all strides left are of dimensions of length 1.
		fill(lo, hi, sym.Const(1))
	default:
		return LMAD{}, false
	}
	return out, true
}

// group counts the new dimensions, from the first one not matched, whose
// product is n; it gives -1 where there are none.
func group(n sym.Poly, lo, hi int, dim func(k int) sym.Poly) int {
	p := sym.Const(1)
	for k := lo; k < hi; k++ {
		p = p.Mul(dim(k))
		if p.Equal(n) {
			return k - lo + 1
		}
	}
	return -1
}

func (d Dim) empty() bool { return d.Len.Is(0) }

func zero(n sym.Poly) bool { return n.Is(0) }

func notOne(n sym.Poly) bool { return !n.Is(1) }
