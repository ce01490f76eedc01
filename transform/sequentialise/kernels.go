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
		w.indexed(op.Dests, op.Space, op.Body, func(in *writer, _ []carried, _ []string, _, values []ir.Exp) []ir.Exp { return values })
	case *ir.Hist:
		w.hist(op)
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

// indexed writes scatter and hist: for every point the body returns an index and values. combine
// returns the values to store there.
func (w *writer) indexed(dests []string, space ir.Space, body *ir.Body, combine func(in *writer, values []carried, now []string, at, results []ir.Exp) []ir.Exp) {
	space = w.space(space)
	values := make([]carried, len(dests))
	for k, e := range w.s.Pat {
		values[k] = carried{e.Name, e.Type, ref(dests[k], e.Type)}
	}
	rank := len(body.Result) - len(dests)
	w.nest(w.s.Pat, space, values, body, func(in *writer, now []string) []ir.Exp {
		in.out = append(in.out, body.Stmts...)
		at := make([]ir.Exp, rank)
		var inside ir.Exp
		for k := range at {
			at[k] = in.let("at", ir.I64, body.Result[k])
			inside = both(inside, compare("<=", ir.IntLit(0), ir.CloneExp(at[k])))
			inside = both(inside, compare("<", ir.CloneExp(at[k]), values[0].typ.Shape[k].Exp()))
		}
		results := make([]ir.Exp, len(dests))
		for k, e := range body.Result[rank:] {
			results[k] = in.let("value", values[k].typ.Prim, e)
		}
		then, els := in.inner(), in.inner()
		place := &ir.Body{Span: body.Span, In: body.In}
		stored := then.storeAll(values, now, at, combine(then, values, now, at, results))
		var kept, next []ir.Exp
		var pat []*ir.Elem
		for k, v := range values {
			kept = append(kept, ref(now[k], v.typ))
			el := in.elem(v.base+"_out", v.typ, false)
			pat = append(pat, el)
			next = append(next, ref(el.Name, el.Type))
		}
		in.add(&ir.If{Cond: inside, Then: then.body(stored, place), Else: els.body(kept, place)}, pat...)
		return next
	})
}

func (w *writer) hist(op *ir.Hist) {
	w.indexed(op.Dests, op.Space, op.Body, func(in *writer, values []carried, now []string, at, results []ir.Exp) []ir.Exp {
		n := len(values)
		for k, v := range values {
			in.bind(op.Op.Params[k], element(now[k], v.typ.Prim, at))
			in.bind(op.Op.Params[n+k], results[k])
		}
		return in.settled(op.Op.Params, in.inline(&op.Op))
	})
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
