package lmad

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A Fun is an index function. Parts[0] is nearest to memory, and the last part takes the array's
// indices. The result of a part is a flat position, which is unravelled row-major over the lengths
// of the part before it. Usually there is one part.
//
// Parts is only for reading; the functions of this package make Funs.
type Fun struct {
	Parts []LMAD
	// steps lead from Parts[0] to the last part, in the user's form; the first one is a reshape.
	// The parts alone do not determine them.
	steps []step
	apart bool // a reshape always adds a part (Spells)
}

// A step is one operation of a chain: of reshape, perm and items just one is set.
type step struct {
	reshape []sym.Poly
	perm    []int
	items   []item
	// before is the last of the parts that there were before the step.
	before LMAD
	parts  int
}

// RowMajor returns the index function that is row-major over dims.
func RowMajor(dims []sym.Poly) Fun {
	return Of(rowMajor(sym.Poly{}, dims, sym.Const(1)))
}

// Of returns the index function that is one LMAD.
func Of(l LMAD) Fun { return Fun{Parts: []LMAD{l}} }

func (f Fun) last() LMAD { return f.Parts[len(f.Parts)-1] }

// Shape returns the lengths of the dimensions the function takes indices of.
func (f Fun) Shape() []sym.Poly { return f.last().Shape() }

// Len returns the length of one dimension.
func (f Fun) Len(dim int) sym.Poly { return f.last().Dims[dim].Len }

// Rank returns the number of dimensions.
func (f Fun) Rank() int { return len(f.last().Dims) }

// Single returns the LMAD if there is just one part.
func (f Fun) Single() (LMAD, bool) { return f.Parts[0], len(f.Parts) == 1 }

// Over returns the function with its elements where l puts those of the first LMAD, whose shape l has.
func (f Fun) Over(l LMAD) Fun {
	f.Parts = slices.Clone(f.Parts)
	f.Parts[0] = l
	return f
}

// Permute makes new dimension k from old dimension perm[k]. perm must be a
// permutation of the dimensions.
func (f Fun) Permute(perm []int) Fun { return f.changed(func(f *Fun) { f.permute(perm) }) }

// permute of a permutation is one.
func (f *Fun) permute(perm []int) {
	perm = slices.Clone(perm)
	if k := len(f.steps) - 1; k >= 0 && f.steps[k].perm != nil {
		for j, c := range perm {
			perm[j] = f.steps[k].perm[c]
		}
		f.undo()
	}
	if !slices.IsSorted(perm) {
		f.apply(step{perm: perm})
	}
}

// changed returns a changed function and leaves f as it is.
func (f Fun) changed(by func(f *Fun)) Fun {
	f.Parts, f.steps = slices.Clone(f.Parts), slices.Clone(f.steps)
	by(&f)
	return f
}

// Slice takes one item per dimension.
func (f Fun) Slice(items []ir.Item) Fun {
	its := make([]item, len(items))
	for k, it := range items {
		its[k] = itemOf(it)
	}
	return f.slice(its)
}

func (f Fun) slice(items []item) Fun { return f.changed(func(f *Fun) { f.cut(items) }) }

func (f *Fun) cut(items []item) {
	dims := f.last().Dims
	for k, it := range items {
		if !it.isWhole(dims[k].Len) {
			f.apply(step{items: items})
			return
		}
	}
}

// Reshape arranges the same elements, row-major, in new sizes. The caller ensures that their number
// stays the same. If the dimensions are contiguous, the result is one part; otherwise Reshape adds
// a part.
func (f Fun) Reshape(dims []sym.Poly) Fun {
	return f.changed(func(f *Fun) { f.reshape(slices.Clone(dims)) })
}

// reshape of a reshape forgets the first.
func (f *Fun) reshape(dims []sym.Poly) {
	for k := len(f.steps) - 1; k >= 0 && f.steps[k].reshape != nil; k-- {
		f.undo()
	}
	if slices.EqualFunc(f.Shape(), dims, sym.Poly.Equal) {
		return
	}
	if dims == nil {
		dims = []sym.Poly{} // a non-nil field identifies the step
	}
	f.apply(step{reshape: dims})
}

// undo takes the last step back.
func (f *Fun) undo() {
	s := f.steps[len(f.steps)-1]
	f.steps = f.steps[:len(f.steps)-1]
	f.Parts = f.Parts[:s.parts]
	f.Parts[s.parts-1] = s.before
}

// apply changes the last part or adds one; a first part needs no steps.
func (f *Fun) apply(s step) {
	l := f.last()
	s.before, s.parts = l, len(f.Parts)
	last := &f.Parts[s.parts-1]
	switch {
	case s.reshape != nil:
		if m, ok := l.reshape(s.reshape); ok && !f.apart {
			*last = m
			break
		}
		*last = LMAD{l.Offset, blocks(l.Dims)}
		f.Parts = append(f.Parts, rowMajor(sym.Poly{}, s.reshape, sym.Const(1)))
	case s.perm != nil:
		*last = l.permute(s.perm)
	default:
		*last = l.slice(s.items)
	}
	if len(f.Parts) > 1 {
		f.steps = append(f.steps, s)
	}
}

// Equal reports whether f and g are provably the same function on the same shape.
func (f Fun) Equal(g Fun) bool {
	return slices.EqualFunc(f.Parts, g.Parts, LMAD.equal) ||
		len(f.Parts)+len(g.Parts) > 2 && f.equalNumbers(g)
}

// Spells reports whether f, which a program spells out, is g if names have the values that here and
// there replace them by. The steps of g are known to be right (Note [Fitting]). Those of f are not,
// so parts of f must not join: LMAD(0; (a : 9), (b : 1)) -> Reshape(d, c) with a = d is
// LMAD(0; (d : 9), (c : 1)) only if b = c. Contiguous dimensions of the first part may: what follows
// takes its elements row-major.
func (f Fun) Spells(g Fun, here, there func(sym.Poly) sym.Poly) bool {
	x := f.mapped(here, true)
	if len(x.Parts) == 1 || len(x.Names()) == 0 {
		return x.Equal(g.Map(there))
	}
	y := g.mapped(there, true)
	if slices.ContainsFunc(x.Shape(), func(n sym.Poly) bool { return n.Is(0) }) && slices.EqualFunc(x.Shape(), y.Shape(), sym.Poly.Equal) {
		return true // of no element
	}
	return len(y.Parts) > 1 && x.Parts[0].equal(y.Parts[0]) && slices.EqualFunc(x.steps, y.steps, step.equal)
}

func (s step) equal(t step) bool {
	return (s.reshape == nil) == (t.reshape == nil) && slices.EqualFunc(s.reshape, t.reshape, sym.Poly.Equal) &&
		slices.Equal(s.perm, t.perm) && slices.EqualFunc(s.items, t.items, item.equal)
}

// Key returns a text that equal functions with equal parts share, and no others.
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

// IsRowMajor reports whether f is row-major over its own shape, from offset 0.
func (f Fun) IsRowMajor() bool {
	l, ok := f.Single()
	return ok && l.IsRowMajor()
}

// FlatOffset returns the position of an element, if there is just one part. There is one index per
// dimension.
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
func (f Fun) Map(s func(sym.Poly) sym.Poly) Fun { return f.mapped(s, false) }

func (f Fun) mapped(s func(sym.Poly) sym.Poly, apart bool) Fun {
	first := f.Parts[0]
	if len(f.steps) > 0 {
		first = f.steps[0].before
	}
	out := Of(first.mapped(s))
	out.apart = apart
	for _, st := range f.steps {
		switch {
		case st.reshape != nil:
			dims := make([]sym.Poly, len(st.reshape))
			for k, d := range st.reshape {
				dims[k] = s(d)
			}
			out.reshape(dims)
		case st.perm != nil:
			out.permute(st.perm)
		default:
			items := make([]item, len(st.items))
			for k, it := range st.items {
				items[k] = item{it.fixed, s(it.start), s(it.len), s(it.stride)}
			}
			out.cut(items)
		}
	}
	return out
}

// Names returns all names mentioned, sorted.
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
