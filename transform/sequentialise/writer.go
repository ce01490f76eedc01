package sequentialise

import (
	"github.com/memc-lang/memc/ir"
)

// A writer collects the statements that replace one kernel, or those of one body in it.
type writer struct {
	*function
	s   *ir.Stmt // the kernel
	out []*ir.Stmt
}

// inner returns a writer for a body inside.
func (w *writer) inner() *writer { return &writer{function: w.function, s: w.s} }

func (w *writer) add(op ir.Op, pat ...*ir.Elem) {
	w.out = append(w.out, &ir.Stmt{Pat: pat, Op: op, Span: w.s.Span})
}

// body makes a body of the statements written so far.
func (w *writer) body(result []ir.Exp, like *ir.Body) *ir.Body {
	return &ir.Body{Stmts: w.out, Result: result, Lead: like.Lead, Span: like.Span, In: like.In}
}

func (w *writer) elem(base string, t ir.Type, written bool) *ir.Elem {
	t.Unique = false
	return &ir.Elem{Name: w.names.Fresh(base), Type: ir.CloneType(t), Written: written, Span: w.s.Span}
}

// let binds a new scalar, unless e is a name or a literal.
func (w *writer) let(base string, t ir.Prim, e ir.Exp) ir.Exp {
	switch e.(type) {
	case *ir.Ref, *ir.Lit:
		return e
	}
	el := w.elem(base, ir.Scalar(t), true)
	w.add(&ir.Compute{E: e}, el)
	return &ir.Ref{Name: el.Name, T: t, At: e.Span()}
}

// bind binds a scalar that is an operator's parameter.
func (w *writer) bind(param *ir.Elem, e ir.Exp) {
	el := ir.CloneElem(param)
	el.Written = true
	w.add(&ir.Compute{E: e}, el)
}

// space evaluates the bounds once. It asserts that they are not negative, unless an array has that
// size.
func (w *writer) space(s ir.Space) ir.Space {
	out := make(ir.Space, len(s))
	for k, b := range s {
		b.Size = w.let("n_"+b.Var, ir.I64, b.Size)
		if n, ok := b.Size.(*ir.Ref); ok && w.sizes[n.Name] == 0 {
			at := n.At
			cond := &ir.Binary{Op: ">=", X: ir.CloneExp(n), Y: ir.IntLit(0), T: ir.Bool, At: at}
			w.add(&ir.Assert{Cond: cond, Msg: "a kernel over a negative number of threads"})
		}
		out[k] = b
	}
	return out
}

// A carried value goes through a nest of loops.
type carried struct {
	base string
	typ  ir.Type
	init ir.Exp
}

func (c carried) isArray() bool { return c.typ.Kind == ir.ArrayKind }

func ref(name string, t ir.Type) *ir.Ref {
	r := &ir.Ref{Name: name}
	if t.Kind == ir.ScalarKind {
		r.T = t.Prim
	}
	return r
}

// scratch makes the array that collects a result, one element (or row) per point of a space. A
// kernel compares its bounds with the sizes in the result's type, which may have other names; so
// does scratch.
func (w *writer) scratch(e *ir.Elem, space ir.Space) carried {
	el := w.elem(e.Name+"_0", e.Type, false)
	sizes := dims(e.Type.Shape)
	for k, d := range space {
		sizes[k] = ir.CloneExp(d.Size)
	}
	w.add(&ir.Scratch{Prim: e.Type.Prim, Dims: sizes}, el)
	w.speakOf(el.Name, e.Name)
	return carried{e.Name, e.Type, ref(el.Name, el.Type)}
}

// speakOf makes messages show a new name under the user's name for it. If another function has the
// new name, too, messages keep that function's meaning.
func (w *writer) speakOf(name, as string) {
	if w.taken[name] {
		return
	}
	if w.prog.Renamed == nil {
		w.prog.Renamed = map[string]string{}
	}
	w.prog.Renamed[name] = w.prog.Speak(as)
}

func dims(shape []ir.Dim) []ir.Exp {
	out := make([]ir.Exp, len(shape))
	for k, d := range shape {
		out[k] = d.Exp()
	}
	return out
}

// nest writes loops over a space that carry values. The last values are bound to pat. inside writes
// the innermost body: it receives the values' names and returns the next values.
func (w *writer) nest(pat []*ir.Elem, space ir.Space, values []carried, like *ir.Body, inside func(in *writer, now []string) []ir.Exp) {
	params := make([]ir.Param, len(values))
	now := make([]string, len(values))
	deeper := make([]carried, len(values))
	for k, v := range values {
		el := w.elem(v.base+"_in", v.typ, true)
		el.Type.Unique = v.isArray()
		params[k] = ir.Param{Elem: el, Init: v.init}
		now[k] = el.Name
		deeper[k] = carried{v.base, v.typ, ref(el.Name, v.typ)}
	}
	in := w.inner()
	var next []ir.Exp
	body := like
	if len(space) > 1 {
		body = &ir.Body{Span: like.Span, In: like.In}
		var inner []*ir.Elem
		for _, v := range values {
			el := w.elem(v.base+"_out", v.typ, false)
			inner = append(inner, el)
			next = append(next, ref(el.Name, el.Type))
		}
		in.nest(inner, space[1:], deeper, like, inside)
	} else {
		next = inside(in, now)
	}
	w.add(&ir.Loop{Params: params, Var: space[0].Var, Bound: ir.CloneExp(space[0].Size), Head: space[0].Span, Body: in.body(next, body)}, pat...)
}

// store updates an element of a carried array or, if the value is an array, a row of it. It returns
// the array's next value.
func (w *writer) store(v carried, now string, at []ir.Exp, value ir.Exp) ir.Exp {
	items := make([]ir.Item, len(v.typ.Shape))
	for k, d := range v.typ.Shape {
		if k < len(at) {
			items[k] = ir.Item{Fixed: true, Index: ir.CloneExp(at[k])}
		} else {
			items[k] = ir.Item{Start: ir.IntLit(0), Len: d.Exp()}
		}
	}
	el := w.elem(v.base+"_out", v.typ, false)
	w.add(&ir.Update{X: now, Items: items, Value: value}, el)
	return ref(el.Name, el.Type)
}

// indices returns the index names of a space as expressions.
func indices(space ir.Space) []ir.Exp {
	out := make([]ir.Exp, len(space))
	for k, b := range space {
		out[k] = ir.Var(b.Var)
	}
	return out
}

// inline writes an operator's body and gives its values.
func (w *writer) inline(op *ir.Operator) []ir.Exp {
	w.out = append(w.out, op.Body.Stmts...)
	return op.Body.Result
}
