package runtime

import (
	"cmp"
	"slices"
)

// A Region is a strided place in a block. Offset and Strides count elements; a
// stride may be zero (in a source) or negative.
type Region struct {
	Block   *Block
	Offset  int64
	Strides []int64
}

// A copyDim is one dimension of a copy.
type copyDim struct{ n, dst, src int64 }

// copyDims simplifies a copy to as few dimensions as possible. It drops those of one element. It
// orders the others by the destination's stride, since the order in which elements are copied does
// not matter. It joins neighbours that are evenly spaced in both places:
//
//	dst[i] = dst[i+1] * n[i+1]  and  src[i] = src[i+1] * n[i+1]
//
// It returns false if there is nothing to copy.
func copyDims(shape, dst, src []int64) ([]copyDim, bool) {
	dims := make([]copyDim, 0, len(shape))
	for i, n := range shape {
		if n <= 0 {
			return nil, false
		}
		if n > 1 {
			dims = append(dims, copyDim{n, dst[i], src[i]})
		}
	}
	slices.SortStableFunc(dims, func(a, b copyDim) int {
		if c := cmp.Compare(abs(b.dst), abs(a.dst)); c != 0 {
			return c
		}
		return cmp.Compare(abs(b.src), abs(a.src))
	})
	out := dims[:0]
	for _, d := range dims {
		if k := len(out) - 1; k >= 0 && out[k].dst == d.dst*d.n && out[k].src == d.src*d.n {
			out[k] = copyDim{out[k].n * d.n, d.dst, d.src}
			continue
		}
		out = append(out, d)
	}
	return out, true
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// contiguous reports whether both places are one run of elements.
func contiguous(dims []copyDim) bool {
	return len(dims) == 0 || len(dims) == 1 && dims[0].dst == 1 && dims[0].src == 1
}

// extent returns the lowest and highest element that a place touches; ok is false
// where that is not a number of elements.
func extent(off int64, dims []copyDim, stride func(copyDim) int64) (lo, hi int64, ok bool) {
	lo, hi = off, off
	for _, d := range dims {
		s := stride(d)
		span, fits := mul(d.n-1, s)
		if !fits {
			return 0, 0, false
		}
		if s < 0 {
			lo, fits = add(lo, span)
		} else {
			hi, fits = add(hi, span)
		}
		if !fits {
			return 0, 0, false
		}
	}
	return lo, hi, true
}

func dstStride(d copyDim) int64 { return d.dst }
func srcStride(d copyDim) int64 { return d.src }

// mul multiplies; ok is false if the product does not fit. x is not negative.
func mul(x, y int64) (z int64, ok bool) {
	z = x * y
	return z, x == 0 || z/x == y
}

func add(x, y int64) (z int64, ok bool) {
	z = x + y
	return z, (z > x) == (y > 0) || y == 0
}

// elements returns the product of the dims, and false if it does not fit.
func elements(dims []copyDim) (int64, bool) {
	n, ok := int64(1), true
	for _, d := range dims {
		if n, ok = mul(n, d.n); !ok {
			return 0, false
		}
	}
	return n, true
}
