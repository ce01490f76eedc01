package interp

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// An operand is a name of any type, or a scalar expression.
type operand struct {
	kind ir.Kind
	code scalar.Code
	arr  *array
	blk  **block
	at   diag.Span
}

func (fn *function) operand(e ir.Exp) operand {
	if r, ok := e.(*ir.Ref); ok {
		if l := fn.arrays[r.Name]; l != nil {
			return operand{kind: ir.ArrayKind, arr: l.use().arr, at: r.At}
		}
		if l := fn.blocks[r.Name]; l != nil {
			return operand{kind: ir.MemKind, blk: l.use().blk, at: r.At}
		}
	}
	return operand{kind: ir.ScalarKind, code: fn.scalar(e), at: e.Span()}
}

func (fn *function) operands(es []ir.Exp) []operand {
	out := make([]operand, len(es))
	for k, e := range es {
		out[k] = fn.operand(e)
	}
	return out
}

// transfer compiles the binding of values to as many variables, where no value
// is one of the variables. The values are read in frame src.
func transfer(at diag.Span, to []target, from []operand) func(dst, src []uint64) {
	if len(to) != len(from) {
		broken(at, "%d values are bound to %d names", len(from), len(to))
	}
	type scalarMove struct {
		slot int
		code scalar.Code
	}
	var scalars []scalarMove
	var others []func()
	for k, t := range to {
		o := from[k]
		switch {
		case t.kind != o.kind:
			broken(at, "value %d has another kind than the name it is bound to", k+1)
		case t.kind == ir.ScalarKind:
			scalars = append(scalars, scalarMove{t.slot, o.code})
		case t.kind == ir.ArrayKind:
			a, b := t.arr, o.arr
			others = append(others, func() { a.assign(b) })
		default:
			a, b := t.blk, o.blk
			others = append(others, func() { hold(a, *b) })
		}
	}
	if len(scalars) == 1 && len(others) == 0 {
		slot, code := scalars[0].slot, scalars[0].code
		return func(dst, src []uint64) { dst[slot] = code(src) }
	}
	return func(dst, src []uint64) {
		for _, m := range scalars {
			dst[m.slot] = m.code(src)
		}
		for _, f := range others {
			f()
		}
	}
}

// temporaries makes variables like those of to, and the operands that read
// them.
func (fn *function) temporaries(to []target) ([]target, []operand) {
	ts, os := make([]target, len(to)), make([]operand, len(to))
	for k, t := range to {
		ts[k] = target{kind: t.kind, el: t.el}
		os[k].kind = t.kind
		switch t.kind {
		case ir.ScalarKind:
			slot := fn.anonymous()
			ts[k].slot = slot
			os[k].code = func(fr []uint64) uint64 { return fr[slot] }
		case ir.ArrayKind:
			ts[k].arr = temporary(t.arr)
			os[k].arr = ts[k].arr
		default:
			ts[k].blk = new(*block)
			os[k].blk = ts[k].blk
		}
	}
	return ts, os
}

// anonymous makes a scalar variable that no name of a program can be.
func (fn *function) anonymous() int {
	return fn.scalarSlot("." + itoa(len(fn.scalars)))
}

// forget releases temporaries.
func forget(ts []target) {
	for _, t := range ts {
		switch t.kind {
		case ir.ArrayKind:
			t.arr.clear()
		case ir.MemKind:
			hold(t.blk, nil)
		}
	}
}

// binder compiles what binding el means beyond its value: its shape must be
// the declared one, and its place is bound or checked. It is nil where there
// is nothing to do.
func (fn *function) binder(el *ir.Elem, t target) code {
	if t.kind != ir.ArrayKind {
		return nil
	}
	dims := make([]scalar.Code, len(el.Type.Shape))
	for k, d := range el.Type.Shape {
		dims[k] = fn.scalar(d.Exp())
	}
	a := t.arr
	place := fn.sem.binder(fn, el, a)
	return func(fr []uint64) {
		if len(a.dims) != len(dims) {
			broken(el.Span, "`%s` gets a value of %d dimensions instead of %d", el.Name, len(a.dims), len(dims))
		}
		for k, d := range dims {
			if want := int64(d(fr)); a.dims[k].len != want {
				sizesDiffer(el.Span, "dimension "+itoa(k)+" of `"+el.Name+"`", a.dims[k].len, want)
			}
		}
		if place != nil {
			place(fr)
		}
	}
}

// binders compiles the binders of several variables.
func (fn *function) binders(to []target) code {
	var all []code
	for _, t := range to {
		if b := fn.binder(t.el, t); b != nil {
			all = append(all, b)
		}
	}
	if all == nil {
		return nil
	}
	return func(fr []uint64) {
		for _, b := range all {
			b(fr)
		}
	}
}
