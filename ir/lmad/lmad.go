package lmad

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A Dim is one dimension: its length, and the distance between neighbours in elements, which may be
// zero or negative.
type Dim struct{ Len, Stride sym.Poly }

// An LMAD maps indices (i_1, .., i_r) to Offset + sum of i_k * Stride_k.
type LMAD struct {
	Offset sym.Poly
	Dims   []Dim
}

// At returns the position of an element; one index per dimension.
func (l LMAD) At(indices []sym.Poly) sym.Poly {
	pos := l.Offset
	for k, i := range indices {
		pos = pos.Add(i.Mul(l.Dims[k].Stride))
	}
	return pos
}

// Shape returns the lengths.
func (l LMAD) Shape() []sym.Poly {
	out := make([]sym.Poly, len(l.Dims))
	for k, d := range l.Dims {
		out[k] = d.Len
	}
	return out
}

// IsRowMajor reports whether l is row-major over its own shape from offset 0.
// Strides of dimensions of length 1 do not matter.
func (l LMAD) IsRowMajor() bool { return l.Offset.Is(0) && l.Contiguous() }

// Contiguous reports whether l is row-major over its own shape from any offset.
func (l LMAD) Contiguous() bool {
	stride := sym.Const(1)
	for k := len(l.Dims) - 1; k >= 0; k-- {
		d := l.Dims[k]
		if !d.Len.Is(1) && !d.Stride.Equal(stride) {
			return false
		}
		stride = stride.Mul(d.Len)
	}
	return true
}

// equal compares as functions: strides of unit dimensions do not matter, nor does anything but the shape where there
// are no elements.
func (l LMAD) equal(m LMAD) bool {
	if !slices.EqualFunc(l.Dims, m.Dims, func(d, e Dim) bool { return d.Len.Equal(e.Len) }) {
		return false
	}
	if slices.ContainsFunc(l.Dims, Dim.empty) {
		return true
	}
	return l.Offset.Equal(m.Offset) && slices.EqualFunc(l.Dims, m.Dims, func(d, e Dim) bool { return d.Stride.Equal(e.Stride) || d.Len.Is(1) })
}

func (l LMAD) mapped(f func(sym.Poly) sym.Poly) LMAD {
	out := LMAD{Offset: f(l.Offset), Dims: make([]Dim, len(l.Dims))}
	for k, d := range l.Dims {
		out.Dims[k] = Dim{f(d.Len), f(d.Stride)}
	}
	return out
}

func (l LMAD) permute(perm []int) LMAD {
	out := LMAD{Offset: l.Offset, Dims: make([]Dim, len(perm))}
	for k, c := range perm {
		out.Dims[k] = l.Dims[c]
	}
	return out
}

func (l LMAD) slice(items []item) LMAD {
	out := LMAD{Offset: l.Offset, Dims: make([]Dim, 0, len(items))}
	for k, it := range items {
		d := l.Dims[k]
		if !d.Len.Is(1) { // the only index is 0, whatever the stride
			out.Offset = out.Offset.Add(it.start.Mul(d.Stride))
		}
		if !it.fixed {
			out.Dims = append(out.Dims, Dim{it.len, d.Stride.Mul(it.stride)})
		}
	}
	return out
}

// rowMajor returns the LMAD that is row-major over dims from an offset, with
// innermost stride s.
func rowMajor(offset sym.Poly, dims []sym.Poly, s sym.Poly) LMAD {
	l := LMAD{Offset: offset, Dims: make([]Dim, len(dims))}
	for k := len(dims) - 1; k >= 0; k-- {
		l.Dims[k] = Dim{dims[k], s}
		s = s.Mul(dims[k])
	}
	return l
}

// An item is an ir.Item with polynomials.
type item struct {
	fixed              bool
	start, len, stride sym.Poly // start is the index if fixed
}

func itemOf(it ir.Item) item {
	if it.Fixed {
		return item{fixed: true, start: sym.Of(it.Index)}
	}
	out := item{start: sym.Of(it.Start), len: sym.Of(it.Len), stride: sym.Const(1)}
	if it.Stride != nil {
		out.stride = sym.Of(it.Stride)
	}
	return out
}

// ir returns the item as it is written.
func (it item) ir() ir.Item {
	if it.fixed {
		return ir.Item{Fixed: true, Index: it.start.Exp()}
	}
	out := ir.Item{Start: it.start.Exp(), Len: it.len.Exp()}
	if !it.stride.Is(1) {
		out.Stride = it.stride.Exp()
	}
	return out
}

// whole is the item that takes all of a dimension.
func whole(n sym.Poly) item { return item{len: n, stride: sym.Const(1)} }

// isWhole reports whether an item leaves a dimension of length n as it is.
func (it item) isWhole(n sym.Poly) bool {
	return !it.fixed && it.start.Is(0) && it.stride.Is(1) && it.len.Equal(n)
}

func (it item) equal(o item) bool {
	return it.fixed == o.fixed && it.start.Equal(o.start) && (it.fixed || it.len.Equal(o.len) && it.stride.Equal(o.stride))
}

func exps(ps []sym.Poly) []ir.Exp {
	out := make([]ir.Exp, len(ps))
	for k, p := range ps {
		out[k] = p.Exp()
	}
	return out
}
