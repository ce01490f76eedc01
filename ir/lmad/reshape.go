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

// reshape returns the LMAD of the same elements in new sizes, if there is one. The caller, or a
// test at run time, ensures that the number of elements stays the same.
//
// Contiguous blocks of old dimensions are matched with groups of new ones by their sizes, first
// from the left and then from the right. One unmatched block is no problem: its size is that of the
// remaining new dimensions, because the other sizes and the total are equal.
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

// group counts the new dimensions, from the first unmatched one on, whose product is n. It returns
// -1 if there are none.
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
