package interp

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// delayed compiles the operations that make a delayed array, and an alias of a
// block. What can fail for the program's user is checked here, the same for
// both semantics.
func (fn *function) delayed(s *ir.Stmt) code {
	el := one(s)
	switch op := s.Op.(type) {
	case *ir.Alias:
		x := fn.operand(&ir.Ref{Name: op.X, At: s.Span})
		t := fn.declare(el)
		if x.kind == ir.ArrayKind {
			v := fn.sem.viewer(fn, el, t.arr, x.arr)
			return v.alias
		}
		move := transfer(s.Span, []target{t}, []operand{x})
		return func(fr []uint64) { move(fr, fr) }
	case *ir.Reshape:
		src, dims := fn.array(op.X, s.Span), fn.sizes(op.Dims)
		v := fn.sem.viewer(fn, el, fn.declare(el).arr, src)
		shape := make([]int64, len(op.Dims))
		return func(fr []uint64) {
			dims(fr, shape)
			if n := checkSize(s.Span, shape, src.size); n != src.elems() {
				sizesDiffer(s.Span, "elements of reshape and of `"+src.name+"`", n, src.elems())
			}
			v.reshape(fr, shape, s.Span)
		}
	case *ir.Rearrange:
		src := fn.array(op.X, s.Span)
		v := fn.sem.viewer(fn, el, fn.declare(el).arr, src)
		return func(fr []uint64) { v.rearrange(fr, op.Perm) }
	case *ir.Slice:
		src, items := fn.array(op.X, s.Span), fn.items(op.Items)
		v := fn.sem.viewer(fn, el, fn.declare(el).arr, src)
		return func(fr []uint64) { v.slice(fr, items.eval(fr, src)) }
	}
	return nil
}

// An itemList is a compiled list of slice items.
type itemList struct {
	codes []itemCode
	sel   []selected
	spans []diag.Span
}

type itemCode struct {
	fixed              bool
	start, len, stride scalar.Code
}

func (fn *function) items(items []ir.Item) *itemList {
	l := &itemList{codes: make([]itemCode, len(items)), sel: make([]selected, len(items)), spans: make([]diag.Span, len(items))}
	for k, it := range items {
		c := itemCode{fixed: it.Fixed}
		if it.Fixed {
			c.start = fn.scalar(it.Index)
			l.spans[k] = it.Index.Span()
		} else {
			c.start, c.len = fn.scalar(it.Start), fn.scalar(it.Len)
			if it.Stride != nil {
				c.stride = fn.scalar(it.Stride)
			}
			l.spans[k] = it.Span
			if !it.Span.Known() {
				l.spans[k] = it.Start.Span().Join(it.Len.Span())
			}
		}
		l.codes[k] = c
	}
	return l
}

// eval evaluates the items and checks them against a's shape.
func (l *itemList) eval(fr []uint64, a *array) []selected {
	for k := range l.codes {
		c, s := &l.codes[k], &l.sel[k]
		s.start = int64(c.start(fr))
		if c.fixed {
			s.fixed = true
			continue
		}
		s.len, s.stride = int64(c.len(fr)), 1
		if c.stride != nil {
			s.stride = int64(c.stride(fr))
		}
	}
	a.check(l.sel, l.spans)
	return l.sel
}

// update compiles "x with [items] = value".
func (fn *function) update(s *ir.Stmt, op *ir.Update) code {
	src, items, val := fn.array(op.X, s.Span), fn.items(op.Items), fn.operand(op.Value)
	dst := fn.declare(one(s)).arr
	at := s.Span
	if dst == nil {
		broken(at, "an update gives an array")
	}
	part := &array{element: dst.element}
	if val.kind == ir.ScalarKind { // one element
		ix := make([]int64, len(op.Items))
		return func(fr []uint64) {
			for k, s := range items.eval(fr, src) {
				if !s.fixed {
					broken(at, "a scalar is written to a slice")
				}
				ix[k] = s.start
			}
			bits := val.code(fr)
			fn.sem.consume(dst, src, at)
			fn.sem.put(dst, dst.position(ix), bits, guardOf(dst), at)
		}
	}
	z := val.arr
	return func(fr []uint64) {
		sel := items.eval(fr, src)
		src.slice(sel, part)
		if len(part.dims) != len(z.dims) {
			broken(at, "an array of %d dimensions is written to a slice of %d", len(z.dims), len(part.dims))
		}
		for k, d := range z.dims {
			if part.dims[k].len != d.len {
				sizesDiffer(at, "dimension "+itoa(k)+" of the slice and of `"+z.name+"`", part.dims[k].len, d.len)
			}
		}
		fn.move(part, z, func() {
			fn.sem.consume(dst, src, at)
			part.stamp = dst.stamp
		}, at)
		part.clear()
	}
}
