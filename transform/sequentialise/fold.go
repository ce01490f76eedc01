package sequentialise

import (
	"github.com/memc-lang/memc/ir"
)

// A fold is a reduce or a scan along the last bound, for every point of the others.
type fold struct {
	op    *ir.Operator
	body  *ir.Body
	space ir.Space
	scan  bool
	n     int        // values that are combined
	elem  []ir.Dim   // the shape of a value
	ends  []*ir.Elem // of a scan: results that are only the last value; nil if all values are stored
}

func (w *writer) fold(space ir.Space, op *ir.Operator, body *ir.Body, scan bool) {
	f := &fold{op: op, body: body, space: w.space(space), scan: scan, n: len(op.Neutral)}
	outer := len(space) - 1
	if scan {
		outer++
	}
	f.ends = make([]*ir.Elem, f.n)
	for k, e := range w.s.Pat[:f.n] {
		if e.Type.Kind == ir.ArrayKind {
			f.elem = e.Type.Shape[outer:]
		} else if scan {
			f.ends[k] = e
		}
	}
	neutral := make([]ir.Exp, f.n)
	for k, e := range op.Neutral {
		neutral[k] = w.let("neutral_value", op.Params[k].Type.Prim, e)
	}
	segs := f.space[:len(space)-1]
	var values []carried
	pat := make([]*ir.Elem, 0, len(w.s.Pat))
	for k, e := range w.s.Pat {
		if k < f.n && f.ends[k] != nil {
			continue
		}
		pat = append(pat, e)
		switch {
		case scan || k >= f.n:
			values = append(values, w.scratch(e, f.space))
		case len(segs) > 0:
			values = append(values, w.scratch(e, segs))
		default: // of one reduction: the accumulator itself
			values = append(values, carried{base: e.Name, typ: e.Type})
		}
	}
	if len(segs) == 0 {
		w.segment(f, pat, values, neutral)
		return
	}
	w.nest(w.s.Pat, segs, values, &ir.Body{Span: body.Span, In: body.In}, func(in *writer, now []string) []ir.Exp {
		inner := make([]carried, len(values))
		pat := make([]*ir.Elem, len(values))
		next := make([]ir.Exp, len(values))
		for k, v := range values {
			inner[k] = carried{v.base, v.typ, ref(now[k], v.typ)}
			if !scan && k < f.n {
				inner[k].typ = f.value(k)
			}
			pat[k] = in.elem(v.base+"_out", inner[k].typ, false)
			next[k] = ref(pat[k].Name, pat[k].Type)
		}
		in.segment(f, pat, inner, neutral)
		if !scan {
			copy(next, in.storeAll(values[:f.n], now, indices(segs), next[:f.n]))
		}
		return next
	})
}

// value returns the type of the k-th combined value.
func (f *fold) value(k int) ir.Type {
	p := f.op.Params[k].Type.Prim
	if len(f.elem) == 0 {
		return ir.Scalar(p)
	}
	return ir.Array(p, f.elem, nil)
}

// segment writes the loop along the last bound. It carries the accumulators and these values: of a
// scan, all but those of which only the last is requested; of a reduce, the mapped ones, since the
// combined ones are the accumulators themselves. The last values are bound to pat.
func (w *writer) segment(f *fold, pat []*ir.Elem, values []carried, neutral []ir.Exp) {
	kept := values
	if !f.scan {
		kept = values[f.n:]
	}
	var carry []carried
	for k := range f.n {
		c := carried{w.accumulator(f, pat, k), f.value(k), neutral[k]}
		if c.isArray() {
			el := w.elem(c.base+"_0", c.typ, true)
			w.add(&ir.Replicate{Dims: dims(f.elem), X: ir.CloneExp(neutral[k])}, el)
			c.init = ref(el.Name, el.Type)
		}
		carry = append(carry, c)
	}
	carry = append(carry, kept...)
	if f.scan {
		unused := make([]*ir.Elem, f.n, f.n+len(pat))
		for k := range unused {
			if unused[k] = f.ends[k]; unused[k] == nil {
				unused[k] = w.elem(carry[k].base+"_last", carry[k].typ, false)
			}
		}
		pat = append(unused, pat...)
	}
	last := f.space[len(f.space)-1:]
	w.nest(pat, last, carry, f.body, func(in *writer, now []string) []ir.Exp {
		in.out = append(in.out, f.body.Stmts...)
		next := in.combine(f, carry[:f.n], now[:f.n])
		results := f.body.Result[f.n:]
		if f.scan {
			var stored []ir.Exp
			for k, x := range next {
				if f.ends[k] == nil {
					stored = append(stored, x)
				}
			}
			results = append(stored, results...)
		}
		return append(next, in.storeAll(kept, now[f.n:], indices(f.space), results)...)
	})
}

// accumulator names the k-th accumulator after the result that it makes.
func (w *writer) accumulator(f *fold, pat []*ir.Elem, k int) string {
	if f.ends[k] != nil {
		return f.ends[k].Name + "_acc"
	}
	at := k
	for _, e := range f.ends[:k] {
		if e != nil {
			at-- // it has no place in pat
		}
	}
	return pat[at].Name + "_acc"
}

// combine applies the operator to the accumulators and the body's values. It returns the next
// accumulators, by name.
func (w *writer) combine(f *fold, acc []carried, now []string) []ir.Exp {
	params, values := f.op.Params, f.body.Result
	if len(f.elem) == 0 {
		for k := range f.n {
			w.bind(params[k], ref(now[k], acc[k].typ))
			w.bind(params[f.n+k], values[k])
		}
		return w.settled(params, w.inline(f.op))
	}
	var space ir.Space
	for _, d := range f.elem {
		space = append(space, ir.Bound{Var: w.names.Fresh("e"), Size: d.Exp()})
	}
	pat, next := make([]*ir.Elem, f.n), make([]ir.Exp, f.n)
	inner := make([]carried, f.n)
	for k, a := range acc {
		inner[k] = carried{a.base, a.typ, ref(now[k], a.typ)}
		pat[k] = w.elem(a.base+"_out", a.typ, false)
		next[k] = ref(pat[k].Name, pat[k].Type)
	}
	w.nest(pat, space, inner, &ir.Body{Span: f.body.Span, In: f.body.In}, func(in *writer, now []string) []ir.Exp {
		for k, a := range acc {
			in.bind(params[k], element(now[k], a.typ.Prim, indices(space)))
			in.bind(params[f.n+k], element(values[k].(*ir.Ref).Name, a.typ.Prim, indices(space)))
		}
		return in.storeAll(inner, now, indices(space), in.settled(params, in.inline(f.op)))
	})
	return next
}
