package lmad

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A Fun is an index function. Parts[0] is nearest to memory; the last part
// takes the array's indices; a part's result is a flat position, unravelled
// row-major over the lengths of the part before it. One part is the normal case.
//
// Parts is there to be read; a Fun is made by the functions of this package.
type Fun struct {
	Parts []LMAD
	// steps lead from Parts[0] to the last part, in the user's form; the first
	// one is a reshape. They cannot be told from the parts alone.
	steps []step
}

// A step is one operation of a chain: just one field is set.
type step struct {
	reshape []sym.Poly
	perm    []int
	items   []item
}

// RowMajor gives the index function that is row-major over dims.
func RowMajor(dims []sym.Poly) Fun {
	return Of(rowMajor(sym.Poly{}, dims, sym.Const(1)))
}

// Of gives the index function that is one LMAD.
func Of(l LMAD) Fun { return Fun{Parts: []LMAD{l}} }

func (f Fun) last() LMAD { return f.Parts[len(f.Parts)-1] }

// Shape gives the lengths of the dimensions the function takes indices of.
func (f Fun) Shape() []sym.Poly { return f.last().Shape() }

// Rank gives the number of dimensions.
func (f Fun) Rank() int { return len(f.last().Dims) }

// Dimless tells whether all dimensions are fixed: the place of one element.
func (f Fun) Dimless() bool { return f.Rank() == 0 }

// Single gives the LMAD where there is just one part.
func (f Fun) Single() (LMAD, bool) { return f.Parts[0], len(f.Parts) == 1 }

// Permute makes new dimension k from old dimension perm[k]. perm must be a
// permutation of the dimensions.
func (f Fun) Permute(perm []int) Fun {
	if slices.IsSorted(perm) {
		return f
	}
	return f.apply(step{perm: slices.Clone(perm)})
}

// Slice takes one item per dimension.
func (f Fun) Slice(items []ir.Item) Fun {
	its := make([]item, len(items))
	for k, it := range items {
		its[k] = itemOf(it)
	}
	return f.slice(its)
}

func (f Fun) slice(items []item) Fun {
	dims := f.last().Dims
	for k, it := range items {
		if !it.isWhole(dims[k].Len) {
			return f.apply(step{items: items})
		}
	}
	return f
}

// Reshape puts the same elements, row-major, in new sizes; that their number is
// the same is the caller's to know. It merges into one part where the
// dimensions are contiguous, otherwise it adds a part.
func (f Fun) Reshape(dims []sym.Poly) Fun {
	// A reshape of a reshape forgets the first.
	for k := len(f.steps) - 1; k >= 0 && f.steps[k].reshape != nil; k-- {
		f = replay(Of(f.Parts[0]), f.steps[:k])
	}
	if dims == nil {
		dims = []sym.Poly{} // a step is told by its field
	}
	return f.apply(step{reshape: slices.Clone(dims)})
}

func replay(f Fun, steps []step) Fun {
	for _, s := range steps {
		f = f.apply(s)
	}
	return f
}

// apply makes a new function and leaves f as it is.
func (f Fun) apply(s step) Fun {
	l := f.last()
	if s.reshape != nil {
		if m, ok := l.reshape(s.reshape); ok {
			return f.withLast(m, s)
		}
		parts := slices.Clone(f.Parts)
		parts[len(parts)-1] = LMAD{l.Offset, blocks(l.Dims)}
		parts = append(parts, rowMajor(sym.Poly{}, s.reshape, sym.Const(1)))
		return Fun{parts, append(slices.Clip(f.steps), s)}
	}
	if s.perm != nil {
		return f.withLast(l.permute(s.perm), s)
	}
	return f.withLast(l.slice(s.items), s)
}

// withLast replaces the last part; a first part needs no steps.
func (f Fun) withLast(l LMAD, s step) Fun {
	if len(f.Parts) == 1 {
		return Of(l)
	}
	parts := slices.Clone(f.Parts)
	parts[len(parts)-1] = l
	return Fun{parts, append(slices.Clip(f.steps), s)}
}

// Equal tells whether f and g are provably the same function on the same shape.
func (f Fun) Equal(g Fun) bool {
	return slices.EqualFunc(f.Parts, g.Parts, LMAD.equal) ||
		len(f.Parts)+len(g.Parts) > 2 && f.equalNumbers(g)
}

// Key gives a text that equal functions with equal parts share, and no others.
func (f Fun) Key() string {
	var b strings.Builder
	for _, l := range f.Parts {
		b.WriteString(l.Offset.String())
		for _, d := range l.Dims {
			b.WriteString(" (" + d.Len.String() + " : " + d.Stride.String() + ")")
		}
		b.WriteByte(';')
	}
	return b.String()
}

// IsRowMajor tells whether f is row-major over its own shape, from offset 0.
func (f Fun) IsRowMajor() bool {
	l, ok := f.Single()
	return ok && l.IsRowMajor()
}

// FlatOffset gives the position of an element, where there is just one part;
// one index per dimension.
func (f Fun) FlatOffset(indices []sym.Poly) (sym.Poly, bool) {
	l, ok := f.Single()
	if !ok || len(indices) != len(l.Dims) {
		return sym.Poly{}, false
	}
	return l.At(indices), true
}

// Subst replaces names, all at once. Parts may merge by it.
func (f Fun) Subst(s func(name string) (sym.Poly, bool)) Fun {
	return f.Map(func(p sym.Poly) sym.Poly { return p.Subst(s) })
}

// Map replaces every offset, length and stride. Parts may merge by it.
func (f Fun) Map(s func(sym.Poly) sym.Poly) Fun {
	out := Of(f.Parts[0].mapped(s))
	for _, st := range f.steps {
		switch {
		case st.reshape != nil:
			dims := make([]sym.Poly, len(st.reshape))
			for k, d := range st.reshape {
				dims[k] = s(d)
			}
			out = out.Reshape(dims)
		case st.perm != nil:
			out = out.apply(st)
		default:
			items := make([]item, len(st.items))
			for k, it := range st.items {
				items[k] = item{it.fixed, s(it.start), s(it.len), s(it.stride)}
			}
			out = out.slice(items)
		}
	}
	return out
}

// Names gives all names mentioned, sorted.
func (f Fun) Names() []string {
	var out []string
	for _, l := range f.Parts {
		out = append(out, l.Offset.Names()...)
		for _, d := range l.Dims {
			out = append(out, d.Len.Names()...)
			out = append(out, d.Stride.Names()...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
