package lmad

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Copies are elided by place (spec section 6): a copy moves nothing if its source and its target
// have the same block and index function. The functions here return the targets of parts of arrays.

// ConcatPart returns the slice of a concat's result dst that holds an argument: n elements from
// start along dim.
func ConcatPart(dst Fun, dim int, start, n sym.Poly) Fun {
	shape := dst.Shape()
	items := make([]item, len(shape))
	for k, d := range shape {
		items[k] = whole(d)
	}
	items[dim] = item{start: start, len: n, stride: sym.Const(1)}
	return dst.slice(items)
}

// UpdateSlice returns the part of x that an update with these items writes.
func UpdateSlice(x Fun, items []ir.Item) Fun { return x.Slice(items) }

// FixOuter fixes the leading dimensions at the index names of a kernel. The result is the place of
// a thread's own part.
func FixOuter(f Fun, names []string) Fun {
	items := make([]item, f.Rank())
	for k, d := range f.Shape() {
		if k < len(names) {
			items[k] = item{fixed: true, start: sym.Var(names[k])}
		} else {
			items[k] = whole(d)
		}
	}
	return f.slice(items)
}
