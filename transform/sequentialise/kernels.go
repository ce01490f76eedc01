package sequentialise

import (
	"github.com/memc-lang/memc/ir"
)

// kernel writes the loops for the kernel.
func (w *writer) kernel() {
	switch op := w.s.Op.(type) {
	case *ir.Map:
		w.mapOp(op)
	case *ir.Reduce:
		w.fold(op.Space, &op.Op, op.Body, false)
	case *ir.Scan:
		w.fold(op.Space, &op.Op, op.Body, true)
	case *ir.Scatter:
		w.indexed(op.Dests, op.Space, op.Body, nil)
	case *ir.Hist:
		w.indexed(op.Dests, op.Space, op.Body, &op.Op)
	case *ir.Into:
		w.into(op)
	}
}

func (w *writer) mapOp(op *ir.Map) {
	space := w.space(op.Space)
	values := make([]carried, len(w.s.Pat))
	for k, e := range w.s.Pat {
		values[k] = w.scratch(e, space)
	}
	w.nest(w.s.Pat, space, values, op.Body, func(in *writer, now []string) []ir.Exp {
		in.out = append(in.out, op.Body.Stmts...)
		return in.storeAll(values, now, indices(space), op.Body.Result)
	})
}

// storeAll stores one value in each carried array.
func (w *writer) storeAll(values []carried, now []string, at, results []ir.Exp) []ir.Exp {
	next := make([]ir.Exp, len(values))
	for k, v := range values {
		next[k] = w.store(v, now[k], at, results[k])
	}
	return next
}

// indexed writes scatter and hist: for every point the body returns an index and values.
func (w *writer) indexed(dests []string, space ir.Space, body *ir.Body, o *ir.Operator) {
	space = w.space(space)
	values := w.destinations(dests)
	rank := len(body.Result) - len(dests)
	w.nest(w.s.Pat, space, values, body, func(in *writer, now []string) []ir.Exp {
		in.out = append(in.out, body.Stmts...)
		return in.storeAt(values, now, body.Result[:rank], body.Result[rank:], o, body)
	})
}

// destinations returns the arrays that a kernel updates, as values to carry.
func (w *writer) destinations(dests []string) []carried {
	values := make([]carried, len(dests))
	for k, e := range w.s.Pat {
		values[k] = carried{e.Name, e.Type, ref(dests[k], e.Type)}
	}
	return values
}

// storeAt stores one value in each of some arrays of one shape, or combines it with the element, where
// the index is in range. It returns the next values of the arrays.
func (w *writer) storeAt(values []carried, now []string, index, results []ir.Exp, o *ir.Operator, like *ir.Body) []ir.Exp {
	at := make([]ir.Exp, len(index))
	var inside ir.Exp
	for k := range at {
		at[k] = w.let("at", ir.I64, index[k])
		inside = both(inside, compare("<=", ir.IntLit(0), ir.CloneExp(at[k])))
		inside = both(inside, compare("<", ir.CloneExp(at[k]), values[0].typ.Shape[k].Exp()))
	}
	stored := make([]ir.Exp, len(values))
	for k, e := range results {
		stored[k] = w.let("value", values[k].typ.Prim, e)
	}
	then, els := w.inner(), w.inner()
	place := &ir.Body{Span: like.Span, In: like.In}
	if o != nil {
		stored = then.combined(o, values, now, at, stored)
	}
	stored = then.storeAll(values, now, at, stored)
	var kept, next []ir.Exp
	var pat []*ir.Elem
	for k, v := range values {
		kept = append(kept, ref(now[k], v.typ))
		el := w.elem(v.base+"_out", v.typ, false)
		pat = append(pat, el)
		next = append(next, ref(el.Name, el.Type))
	}
	w.add(&ir.If{Cond: inside, Then: then.body(stored, place), Else: els.body(kept, place)}, pat...)
	return next
}

// combined writes an operator on elements and values.
func (w *writer) combined(o *ir.Operator, values []carried, now []string, at, results []ir.Exp) []ir.Exp {
	n := len(values)
	for k, v := range values {
		w.bind(o.Params[k], element(now[k], v.typ.Prim, at))
		w.bind(o.Params[n+k], results[k])
	}
	return w.settled(o.Params, w.inline(o))
}

// settled binds an operator's values to names, since each value is used after updates of the arrays
// that it reads.
func (w *writer) settled(params []*ir.Elem, values []ir.Exp) []ir.Exp {
	out := make([]ir.Exp, len(values))
	for k, e := range values {
		out[k] = w.let(params[k].Name+"_next", params[k].Type.Prim, e)
	}
	return out
}

// element reads one element.
func element(array string, t ir.Prim, at []ir.Exp) ir.Exp {
	ix := make([]ir.Exp, len(at))
	for k, e := range at {
		ix[k] = ir.CloneExp(e)
	}
	return &ir.Index{Array: array, Indices: ix, T: t}
}

func compare(op string, x, y ir.Exp) ir.Exp { return &ir.Binary{Op: op, X: x, Y: y, T: ir.Bool} }

// both returns the conjunction; nil stands for true.
func both(x, y ir.Exp) ir.Exp {
	if x == nil {
		return y
	}
	return &ir.Binary{Op: "&&", X: x, Y: y, T: ir.Bool}
}
