package interp

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// valueArrays is the semantics by value. A fresh array has storage of its own; a delayed one is a
// view of its source's storage. An update writes in place and begins a new generation of the
// storage. Every array value remembers the generation in which it was made. A read through a value
// of an older generation is a use after consumption, which the uniqueness rules exclude.
type valueArrays struct{ *machine }

// fresh checks that a may be read.
func (v *valueArrays) fresh(a *array, at diag.Span) {
	if a.stamp != a.mem.gen {
		broken(at, "use after consumption: `%s` is read, but an update has consumed it", a.name)
	}
}

func (v *valueArrays) index(a *array, e *ir.Index, ix []scalar.Code) scalar.Code {
	load, at := a.load, e.At
	if len(ix) == 1 {
		c := ix[0]
		return func(fr []uint64) uint64 {
			i := int64(c(fr))
			d := a.dims[0]
			if uint64(i) >= uint64(d.len) {
				outside(fr, a, e, ix, 0, i)
			}
			if a.stamp != a.mem.gen {
				v.fresh(a, at)
			}
			return load(a.mem.data, a.off+i*d.stride)
		}
	}
	return func(fr []uint64) uint64 {
		pos := a.off
		for k, c := range ix {
			i := int64(c(fr))
			d := a.dims[k]
			if uint64(i) >= uint64(d.len) {
				outside(fr, a, e, ix, k, i)
			}
			pos += i * d.stride
		}
		if a.stamp != a.mem.gen {
			v.fresh(a, at)
		}
		return load(a.mem.data, pos)
	}
}

func (v *valueArrays) creator(_ *function, el *ir.Elem, a *array, _ diag.Span) func([]uint64, []int64) {
	return func(_ []uint64, shape []int64) { v.param(el, a, shape) }
}

func (v *valueArrays) param(el *ir.Elem, a *array, shape []int64) {
	n := a.size
	for _, d := range shape {
		n *= d
	}
	a.clear()
	a.rowMajor(v.newBlock(el.Name, n, el.Span), shape)
	a.stamp = 0
}

func (v *valueArrays) binder(*function, *ir.Elem, *array) func([]uint64) { return nil }

// alloc makes nothing: blocks do not exist by value.
func (v *valueArrays) alloc(string, string, scalar.Code, diag.Span) func([]uint64) *block {
	return func([]uint64) *block { return nil }
}

func (v *valueArrays) call(string, []bool, []operand, diag.Span) func() { return nil }

func (v *valueArrays) consume(dst, src *array, at diag.Span) {
	v.fresh(src, at)
	src.mem.gen++
	dst.assign(src)
	dst.stamp = src.mem.gen
}

// scratch leaves zeros: any contents are right.
func (v *valueArrays) scratch(*array) {}

func (v *valueArrays) get(a *array, pos int64, at diag.Span) uint64 {
	v.fresh(a, at)
	return a.load(a.mem.data, pos)
}

func (v *valueArrays) put(a *array, pos int64, bits uint64, _ guard, _ diag.Span) {
	a.store(a.mem.data, pos, bits)
}

func (v *valueArrays) gather(a *array, into *elements, _ bool, at diag.Span) {
	v.fresh(a, at)
	to, size := into.data, a.size
	a.runs(func(pos, n, stride int64) {
		if stride == 1 {
			copy(to, a.mem.data[pos*size:(pos+n)*size])
			to = to[n*size:]
			return
		}
		for range n {
			copy(to, a.mem.data[pos*size:(pos+1)*size])
			to = to[size:]
			pos += stride
		}
	})
}

func (v *valueArrays) spread(a *array, from *elements, _ guard, _ diag.Span) {
	src, size := from.data, a.size
	a.runs(func(pos, n, stride int64) {
		if stride == 1 {
			copy(a.mem.data[pos*size:], src[:n*size])
			src = src[n*size:]
			return
		}
		for range n {
			copy(a.mem.data[pos*size:], src[:size])
			src = src[size:]
			pos += stride
		}
	})
}

// same holds where an update writes back what is there already.
func (v *valueArrays) same(dst, src *array) bool { return sameLayout(dst, src) }

func (v *valueArrays) intact(*array, guard, diag.Span) {}
func (v *valueArrays) moved(*array, diag.Span)         {}
func (v *valueArrays) enter(*kernel)                   {}
func (v *valueArrays) leave(*kernel)                   {}
func (v *valueArrays) thread(int64)                    {}

func (v *valueArrays) viewer(_ *function, el *ir.Elem, a, src *array) viewer {
	return &valueView{v, el, a, src}
}

// A valueView makes views as the operation says.
type valueView struct {
	v   *valueArrays
	el  *ir.Elem
	a   *array
	src *array
}

func (w *valueView) alias([]uint64) { w.a.assign(w.src) }

func (w *valueView) slice(_ []uint64, sel []selected) { w.src.slice(sel, w.a) }

func (w *valueView) rearrange(_ []uint64, perm []int) {
	w.a.assign(w.src)
	for k, c := range perm {
		w.a.dims[k] = w.src.dims[c]
	}
}

// reshape gives a view where the elements lie one after another, and a copy
// otherwise.
func (w *valueView) reshape(_ []uint64, shape []int64, at diag.Span) {
	src := w.src
	w.v.fresh(src, at)
	next := int64(1)
	contiguous := true
	for k := len(src.dims) - 1; k >= 0; k-- {
		if d := src.dims[k]; d.len != 1 {
			contiguous = contiguous && d.stride == next
			next *= d.len
		}
	}
	if contiguous || src.elems() == 0 {
		off, stamp := src.off, src.stamp
		w.a.rowMajor(src.mem, shape)
		w.a.off, w.a.stamp = off, stamp
		return
	}
	buf := w.v.take(src.elems() * src.size)
	w.v.gather(src, buf, false, at)
	w.v.param(w.el, w.a, shape)
	w.v.spread(w.a, buf, guard{}, at)
	w.v.give(buf)
}
