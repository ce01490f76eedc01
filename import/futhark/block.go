package futhark

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A block collects the statements of a body under way.
type block struct {
	stmts []*ir.Stmt
	span  diag.Span // of the statement of the dump that is translated
}

func (b *block) emit(pat []*ir.Elem, op ir.Op) {
	b.stmts = append(b.stmts, &ir.Stmt{Pat: pat, Op: op, Span: b.span})
}

// sub opens a body within.
func (b *block) sub() *block { return &block{span: b.span} }

// body closes a block with the values that it gives.
func (b *block) body(result ...ir.Exp) *ir.Body {
	return &ir.Body{Stmts: b.stmts, Result: result, Span: b.span, In: b.span}
}

// scalar gives an expression a name.
func (t *translator) scalar(b *block, base string, e ir.Exp) *ir.Ref {
	p := e.Prim()
	name := t.fresh(base)
	t.define(name, e)
	b.emit([]*ir.Elem{{Name: name, Type: ir.Scalar(p), Written: true, Span: b.span}}, &ir.Compute{E: e})
	return &ir.Ref{Name: name, T: p, At: b.span}
}

// define records the definition of a scalar of a kernel's body.
func (t *translator) define(name string, e ir.Exp) {
	if t.kern != nil {
		t.kern.defs[name] = e
	}
}

// array gives the array of an operation that makes one a name, and a block.
func (t *translator) array(b *block, base string, p ir.Prim, shape []ir.Dim, op ir.Op) string {
	name := t.fresh(base)
	e := t.elem(name, p, shape, b.span)
	if t.places {
		e.Type.Place = t.ownPlace(b, name, p, shape)
	}
	b.emit([]*ir.Elem{e}, op)
	return name
}

// derived gives the array of an update, a scatter or a view a name.
func (t *translator) derived(b *block, base string, p ir.Prim, shape []ir.Dim, op ir.Op) string {
	name := t.fresh(base)
	b.emit([]*ir.Elem{t.elem(name, p, shape, b.span)}, op)
	return name
}

// elem makes the element of a pattern that binds an array, or a scalar where
// the shape is empty.
func (t *translator) elem(name string, p ir.Prim, shape []ir.Dim, at diag.Span) *ir.Elem {
	ty := ir.Scalar(p)
	if len(shape) > 0 {
		ty = ir.Array(p, shape, nil)
	}
	return &ir.Elem{Name: name, Type: ty, Written: true, Span: at}
}

// carried is an array that a nest of loops hands on, updating it.
type carried struct {
	name  string // its value before
	prim  ir.Prim
	shape []ir.Dim
}

// nest makes nested loops over dims. f writes the innermost body: it receives the indices and the
// present names of the carried variables, and returns their next values. A variable with an empty
// shape is carried as a scalar; init names the variables or is their value. The values after the
// nest are bound to the given names.
func (t *translator) nest(b *block, dims []ir.Exp, init []ir.Exp, vars []carried,
	f func(b *block, ix []ir.Exp, cur []string) []ir.Exp) []string {
	return t.nestFrom(b, dims, nil, init, vars, f)
}

func (t *translator) nestFrom(b *block, dims, ix, init []ir.Exp, vars []carried,
	f func(b *block, ix []ir.Exp, cur []string) []ir.Exp) []string {
	loop := &ir.Loop{Var: t.fresh("i"), Bound: dims[0], Head: b.span}
	out, cur := make([]string, len(vars)), make([]string, len(vars))
	var pat []*ir.Elem
	for k, v := range vars {
		cur[k], out[k] = t.fresh(v.name), t.fresh(v.name)
		e := t.elem(cur[k], v.prim, v.shape, b.span)
		e.Type.Unique = len(v.shape) > 0
		loop.Params = append(loop.Params, ir.Param{Elem: e, Init: init[k]})
		pat = append(pat, t.elem(out[k], v.prim, v.shape, b.span))
	}
	inner := b.sub()
	at := append(append([]ir.Exp{}, ix...), ir.Var(loop.Var))
	var next []ir.Exp
	if len(dims) == 1 {
		next = f(inner, at, cur)
	} else {
		refs := make([]ir.Exp, len(cur))
		for k := range cur {
			refs[k] = &ir.Ref{Name: cur[k], T: scalarPrim(vars[k])}
		}
		for k, n := range t.nestFrom(inner, dims[1:], at, refs, vars, f) {
			next = append(next, &ir.Ref{Name: n, T: scalarPrim(vars[k])})
		}
	}
	loop.Body = inner.body(next...)
	b.emit(pat, loop)
	return out
}

func scalarPrim(v carried) ir.Prim {
	if len(v.shape) == 0 {
		return v.prim
	}
	return ir.Unknown
}

// tabulate makes an array whose elements f gives: with a kernel, or, inside of
// one, with loops.
func (t *translator) tabulate(b *block, base string, p ir.Prim, shape []ir.Dim, f func(b *block, ix []ir.Exp) ir.Exp) string {
	if t.in == "" {
		m := &ir.Map{}
		var ix []ir.Exp
		for _, d := range shape {
			v := t.fresh("i")
			m.Space = append(m.Space, ir.Bound{Var: v, Size: d.Exp(), Span: b.span})
			ix = append(ix, ir.Var(v))
		}
		inner := b.sub()
		m.Body = inner.body(fit(f(inner, ix), p))
		return t.array(b, base, p, shape, m)
	}
	s := t.array(b, base, p, shape, &ir.Scratch{Prim: p, Dims: dimExps(shape)})
	return t.nest(b, dimExps(shape), []ir.Exp{&ir.Ref{Name: s}}, []carried{{s, p, shape}},
		func(b *block, ix []ir.Exp, cur []string) []ir.Exp {
			return []ir.Exp{&ir.Ref{Name: t.update(b, cur[0], p, shape, fixed(ix), f(b, ix))}}
		})[0]
}

// update writes a value into a part of an array and gives the result's name.
func (t *translator) update(b *block, x string, p ir.Prim, shape []ir.Dim, items []ir.Item, v ir.Exp) string {
	return t.derived(b, x, p, shape, &ir.Update{X: x, Items: items, Value: fit(v, p)})
}

// fixed makes the items of one element, or, with dims behind, of a slice that
// takes all of these.
func fixed(ix []ir.Exp, rest ...ir.Dim) []ir.Item {
	var items []ir.Item
	for _, x := range ix {
		items = append(items, ir.Item{Fixed: true, Index: x})
	}
	for _, d := range rest {
		items = append(items, ir.Item{Start: ir.IntLit(0), Len: d.Exp()})
	}
	return items
}
