package integer

import (
	"cmp"
	"slices"
)

// A Span is an unknown multiple c of a stride, Lo <= c <= Hi. The two provers ask whether
//
//	off + sum of c_k * Stride_k = 0
//
// has a solution: whether two positions can be equal.
type Span[A cmp.Ordered] struct{ Stride, Lo, Hi Poly[A] }

// Join adds a span to others; those of one stride are one.
func Join[A cmp.Ordered](spans []Span[A], stride, lo, hi Poly[A]) []Span[A] {
	k := slices.IndexFunc(spans, func(s Span[A]) bool { return s.Stride.Equal(stride) })
	if k < 0 {
		return append(spans, Span[A]{stride, lo, hi})
	}
	spans[k].Lo, spans[k].Hi = spans[k].Lo.Add(lo), spans[k].Hi.Add(hi)
	return spans
}

// Extent returns the least and the greatest value of the sum, if no stride is negative.
func Extent[A cmp.Ordered](off Poly[A], spans []Span[A]) (lo, hi Poly[A]) {
	lo, hi = off, off
	for _, s := range spans {
		lo, hi = lo.Add(s.Lo.Mul(s.Stride)), hi.Add(s.Hi.Mul(s.Stride))
	}
	return lo, hi
}

// Indivisible reports whether some number divides all of the sum but the constant of off: then it is
// never 0.
func Indivisible[A cmp.Ordered](off Poly[A], spans []Span[A]) bool {
	c := off.Constant()
	rest := off.AddConst(-c)
	g := rest.Content()
	for _, s := range spans {
		if s.Stride.Bad || g == 1 {
			return false
		}
		if !s.Lo.Is(0) || !s.Hi.Is(0) {
			g = GCD(g, s.Stride.Content())
		}
	}
	return !rest.Bad && g > 1 && c%g != 0
}
