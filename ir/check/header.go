package check

import (
	"fmt"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// header binds sizes and parameters, and checks the types of parameters and results. All headers
// are checked before any body.
func (c *fn) header() {
	f := c.f
	c.stmt = &ir.Stmt{Span: f.Span}
	if _, ok := ir.Builtins[f.Name]; ok {
		c.errorf(diag.FunctionTaken, f.Span, "`%s` is a built-in function", f.Name).Hinted("choose another name")
	}
	for _, n := range f.Sizes {
		t := ir.Scalar(ir.I64)
		c.bind(n, &t, f.Span)
	}
	for _, e := range f.Params {
		c.bindElem(e)
		c.bindExist(&e.Type, e.Span)
	}
	used := map[string]bool{}
	for _, e := range f.Params {
		c.parameter(e)
		for _, d := range e.Type.Shape {
			used[d.Name] = true
		}
	}
	for _, n := range f.Sizes {
		if !used[n] {
			c.errorf(diag.HeaderSize, f.Span, "the size `%s` is not a dim of a parameter", n).
				Hinted("pass it as a parameter, `%s: i64`, or take it from an array: `xs: [%s]f32`", n, n)
		}
	}
	c.resultTypes()
}

func (c *fn) parameter(e *ir.Elem) {
	t := &e.Type
	switch {
	case t.Kind == ir.NoKind:
		c.bugf(e.Span, "the parameter `%s` has no type", e.Name)
		return
	case t.Kind == ir.MemKind && c.f.Entry:
		c.errorf(diag.BlockAsValue, e.Span, "an entry cannot take a memory block: `%s`", e.Name)
	case t.Kind == ir.ArrayKind && t.Place == nil && c.explicit:
		c.errorf(diag.NeedsPlace, e.Span, "the array parameter `%s` needs a place", e.Name).
			Hinted("let it bind its block: %s: %s @ ?m", e.Name, short(*t))
	}
	for _, d := range t.Shape {
		if b := c.names[d.Name]; d.Name != "" && b == nil && !c.reported[d.Name] {
			c.reported[d.Name] = true
			c.errorf(diag.HeaderSize, e.Span, "the size `%s` of `%s` is not declared", d.Name, e.Name).
				Hinted("declare it after the function's name: %s [%s] (...)", c.f.Name, d.Name)
		}
	}
	c.typ(t, e.Span, true)
	if c.f.Entry && t.Place != nil && !t.Place.Exist {
		c.errorf(diag.EntryPlace, t.Place.Span.Or(e.Span), "an entry takes each array in a block of its own").
			Hinted("let the place bind a block: @ ?m_%s", e.Name)
	}
	if c.f.Entry && t.Place != nil && len(t.Place.Ix) > 0 {
		if fun, ok := c.fun(c.names[e.Name]); ok && !fun.IsRowMajor() {
			c.errorf(diag.EntryPlace, t.Place.Span.Or(e.Span), "an entry takes its arrays row-major from offset 0").
				Hinted("leave the index function out: @ ?%s", t.Place.Mem)
		}
	}
}

// resultTypes checks the types of the results. The names of results have a scope of their own: a
// named scalar sizes the later results, and arrays may lie in a named block. A place does not
// mention what another result's place binds: that has no name for a caller.
func (c *fn) resultTypes() {
	f := c.f
	bound := map[string]*binding{}
	enter := func(name string, t *ir.Type, at diag.Span) {
		if old := bound[name]; old != nil {
			c.errorf(diag.BoundAgain, at, "two results are named `%s`", name).With(old.span, "the first one is here")
		} else if old := c.names[name]; old != nil {
			c.errorf(diag.BoundAgain, at, "the result name `%s` is a parameter already", name).With(old.span, "it is bound here")
		}
		b := &binding{name: name, t: t, span: at, visible: true}
		if t.Kind == ir.MemKind {
			b.root = name
		}
		bound[name] = b
	}
	c.extra = map[string]*binding{}
	for i := range f.Results {
		r := &f.Results[i]
		if r.Name != "" {
			enter(r.Name, &r.Type, r.Span)
			c.extra[r.Name] = bound[r.Name]
		}
		if p := r.Type.Place; p != nil {
			if p.Exist {
				m := ir.Mem
				enter(p.Mem, &m, p.Span.Or(r.Span))
			}
			for _, n := range ir.ExistScalars(p) {
				s := ir.Scalar(ir.I64)
				enter(n, &s, p.Span.Or(r.Span))
			}
		}
	}
	for i := range f.Results {
		r := &f.Results[i]
		if r.Type.Kind == ir.MemKind && f.Entry {
			c.errorf(diag.BlockAsValue, r.Span, "an entry cannot return a memory block")
		}
		c.typ(&r.Type, r.Span, true)
	}
	c.extra = nil
}

// function walks over the body and compares its values with the results.
func (c *fn) function() {
	f := c.f
	if c.elab {
		c.inferred = c.classes(f)
	}
	c.spaces(f.Body, nil, nil, false)
	c.body(f.Body, nil, func(vals []val) {
		if len(vals) != len(f.Results) {
			c.errorf(diag.ValueCount, f.Body.In, "`%s` has %s, but its body gives %s", f.Name, count(len(f.Results), "result"), count(len(vals), "value"))
			return
		}
		r := newRenaming()
		for i := range f.Results {
			if n := f.Results[i].Name; n != "" {
				r.give(&ir.Elem{Name: n, Type: f.Results[i].Type}, f.Body.Result[i])
			}
		}
		for i := range f.Results {
			c.result(&f.Results[i], &vals[i], f.Body.Result[i], i, r)
		}
	})
}

func (c *fn) result(res *ir.Result, v *val, e ir.Exp, i int, r *renaming) {
	at := e.Span().Or(c.f.Body.In)
	what := phrase{what: c.resultOf(c.f, i)}
	c.settleVal(v, e, res.Type.Prim)
	if !c.conform(*v, &res.Type, what, at) {
		return
	}
	for k, d := range res.Type.Shape {
		c.agree(r.size(d), v.shape[k], at, atEnd(c.f.Body), "dimension %d of %s", k, what)
	}
	if res.Type.Place != nil {
		c.fits(*v, &res.Type, r, what, at)
		return
	}
	// No place is written: the result is row-major, so that callers know its place. If an entry's
	// result lies elsewhere, it is copied at the boundary.
	if !c.explicit || c.f.Entry || v.kind != ir.ArrayKind || v.where != derived {
		return
	}
	if !c.sameFun(v.fun, lmad.RowMajor(sym.OfAll(v.shape))) {
		c.errorf(diag.NotRowMajor, at, "%s lies at %s, but its place must be row-major", what, showFun(v.fun)).
			With(res.Span, "the result's type has no place").
			Hinted("copy the array first, or write the place: @ ?m -> LMAD(?off; (n : ?s))")
	}
}

// resultOf describes a result by its number in the header as it is written: the size that memc adds
// for a dim has the span of its array (Note [Dims of headers]).
func (c *checker) resultOf(f *ir.Func, i int) string {
	shown := c.shown[f]
	if shown == nil {
		shown = make([]int, len(f.Results))
		number := 1
		for k := range f.Results {
			if shown[k] = number; k+1 < len(shown) {
				if at := f.Results[k].Span; !at.Known() || at != f.Results[k+1].Span {
					number++
				}
			}
		}
		c.shown[f] = shown
	}
	return fmt.Sprintf("result %d of `%s`", shown[i], f.Name)
}
