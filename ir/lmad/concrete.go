package lmad

import (
	"slices"

	"github.com/memc-lang/memc/ir/sym"
)

// A Concrete is an index function with numbers.
type Concrete struct{ Parts []ConcretePart }

// A ConcretePart is an LMAD with numbers.
type ConcretePart struct {
	Offset      int64
	Len, Stride []int64
}

// Concrete evaluates all sizes, offsets and strides.
func (f Fun) Concrete(eval func(sym.Poly) int64) Concrete {
	c := Concrete{Parts: make([]ConcretePart, len(f.Parts))}
	for k, l := range f.Parts {
		p := ConcretePart{
			Offset: eval(l.Offset),
			Len:    make([]int64, len(l.Dims)),
			Stride: make([]int64, len(l.Dims)),
		}
		for d, dim := range l.Dims {
			p.Len[d], p.Stride[d] = eval(dim.Len), eval(dim.Stride)
		}
		c.Parts[k] = p
	}
	return c
}

// maxCompared bounds the elements that are looked at one by one.
const maxCompared = 1024

// equalNumbers reports whether two functions without names are the same. A function of several
// parts can be written in many ways.
func (f Fun) equalNumbers(g Fun) bool {
	numbers := true
	eval := func(p sym.Poly) int64 {
		n, ok := p.IsConst()
		numbers = numbers && ok
		return n
	}
	c, d := f.Concrete(eval), g.Concrete(eval)
	if !numbers || !slices.Equal(c.Shape(), d.Shape()) || slices.Min(append([]int64{1}, c.Shape()...)) < 0 {
		return false
	}
	elems := int64(1)
	for _, n := range c.Shape() {
		if n > maxCompared || elems*n > maxCompared {
			return false
		}
		elems *= n
	}
	ix := make([]int64, len(c.Shape()))
	for k := range elems {
		for dim := len(ix) - 1; dim >= 0; dim-- {
			ix[dim] = k % c.Shape()[dim]
			k /= c.Shape()[dim]
		}
		if c.Flat(ix) != d.Flat(ix) {
			return false
		}
	}
	return true
}

// Shape returns the lengths of the dimensions.
func (c Concrete) Shape() []int64 { return c.Parts[len(c.Parts)-1].Len }

// Elems returns the number of elements.
func (c Concrete) Elems() int64 {
	n := int64(1)
	for _, l := range c.Shape() {
		n *= l
	}
	return n
}

// Flat returns the position of an element, counted in elements.
func (c Concrete) Flat(ix []int64) int64 {
	last := len(c.Parts) - 1
	p := &c.Parts[last]
	pos := p.Offset
	for k, i := range ix {
		pos += i * p.Stride[k]
	}
	for k := last - 1; k >= 0; k-- {
		pos = c.Parts[k].unravel(pos)
	}
	return pos
}

// unravel returns the position of the element with the number pos in row-major order. The outermost
// index takes the rest.
func (p *ConcretePart) unravel(pos int64) int64 {
	out := p.Offset
	for k := len(p.Len) - 1; k >= 0; k-- {
		i := pos
		if n := p.Len[k]; k > 0 && n > 0 {
			i, pos = pos%n, pos/n
		}
		out += i * p.Stride[k]
	}
	return out
}

// Contiguous reports whether the elements, in row-major order, lie one after another. Flat of the
// first element is where they begin. An empty array is contiguous.
func (c Concrete) Contiguous() bool {
	if c.Elems() == 0 {
		return true
	}
	if len(c.Parts) > 1 {
		return false
	}
	p, stride := c.Parts[0], int64(1)
	for k := len(p.Len) - 1; k >= 0; k-- {
		if p.Len[k] != 1 && p.Stride[k] != stride {
			return false
		}
		stride *= p.Len[k]
	}
	return true
}
