package check

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// call checks a call. It renames the callee's sizes, parameters and blocks to the caller's
// arguments. The callee's named results become the names of the pattern.
func (c *fn) call(s *ir.Stmt, op *ir.Call) {
	g := c.funcs[op.Fn]
	args := make([]val, len(op.Args))
	for i, a := range op.Args {
		args[i] = c.operand(a)
	}
	if g == nil {
		d := c.errorf(diag.UnknownFunction, s.Span, "unknown function `%s`", op.Fn)
		if near := diag.Nearest(op.Fn, slices.Concat(c.checker.names, ir.BuiltinNames())); near != "" {
			d.Hinted("did you mean `%s`?", near)
		}
		c.pattern(make([]val, len(s.Pat)), true)
		return
	}
	c.calls[c.f] = append(c.calls[c.f], callSite{g, s.Span})
	if len(args) != len(g.Params) {
		c.errorf(diag.ArgumentCount, s.Span, "`%s` takes %s, but %s given", op.Fn, count(len(g.Params), "argument"), given(len(args))).
			With(g.Span, "the function is here")
		c.pattern(make([]val, len(s.Pat)), true)
		return
	}
	r := c.arguments(op, g, args)
	if len(s.Pat) != len(g.Results) {
		c.pattern(make([]val, len(g.Results)), true)
		return
	}
	c.anticipate(s.Pat)
	c.callResults(s, g, r)
}

func given(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

// arguments checks the arguments and gives the renaming of the callee's names.
func (c *fn) arguments(op *ir.Call, g *ir.Func, args []val) *renaming {
	r := newRenaming()
	for i, p := range g.Params {
		c.settleVal(&args[i], op.Args[i], p.Type.Prim)
		r.give(p, op.Args[i])
	}
	isSize := map[string]bool{}
	for _, n := range g.Sizes {
		isSize[n] = true
	}
	for i, p := range g.Params {
		v, at := args[i], op.Args[i].Span()
		what := phrase{fmt.Sprintf("argument %d of", i+1), g.Name}
		if !c.conform(v, &p.Type, what, at) {
			continue
		}
		for k, d := range p.Type.Shape {
			if _, ok := r.scalars[d.Name]; !ok && isSize[d.Name] {
				r.scalars[d.Name] = v.shape[k]
				continue
			}
			c.agree(r.size(d), v.shape[k], at, c.here(), "dimension %d of %s", k, what)
		}
	}
	for i, p := range g.Params {
		v, at := args[i], op.Args[i].Span()
		if p.Type.Kind != ir.ArrayKind || v.kind != ir.ArrayKind || len(v.shape) != p.Type.Rank() {
			continue
		}
		what := phrase{fmt.Sprintf("argument %d of", i+1), g.Name}
		if p.Type.Place != nil {
			c.fits(v, &p.Type, r, what, at)
		} else if c.explicit && v.where == derived && !c.sameFun(v.fun, lmad.RowMajor(sym.OfAll(v.shape))) {
			c.errorf(diag.NotRowMajor, at, "%s lies at %s, but the parameter is row-major", what, showFun(v.fun)).
				With(p.Span, "the parameter is here").
				Hinted("copy the array first")
		}
	}
	return r
}

// callResults binds the pattern to the results of the callee.
func (c *fn) callResults(s *ir.Stmt, g *ir.Func, r *renaming) {
	for i := range g.Results {
		if n := g.Results[i].Name; n != "" {
			r.scalars[n] = &ir.Ref{Name: s.Pat[i].Name, T: ir.I64}
			r.blocks[n] = s.Pat[i].Name
		}
	}
	vals := make([]val, len(g.Results))
	for i := range g.Results {
		t := &g.Results[i].Type
		v := val{kind: t.Kind, prim: t.Prim}
		for _, d := range t.Shape {
			if _, ok := r.scalars[d.Name]; d.Name != "" && !ok {
				v = val{where: nowhere} // an error in the callee's header, or in an argument
				break
			}
			v.shape = append(v.shape, r.size(d))
		}
		if g.Entry && !mayBeRowMajor(t) {
			c.errorf(diag.NotRowMajor, s.Span, "`%s` is an entry, which returns its arrays row-major; by its type result %d has another layout", g.Name, i+1).
				With(g.Results[i].Span, "this one").Hinted("make it a fun")
		}
		c.resultPlace(&v, t, r)
		e := s.Pat[i]
		if e.Type.Kind != ir.NoKind && v.kind != ir.NoKind {
			c.callResult(e, v, g, i)
			v = val{kind: e.Type.Kind, prim: e.Type.Prim, done: true}
		}
		vals[i] = v
	}
	c.pattern(vals, true)
}

// mayBeRowMajor reports whether an array of a type is row-major if the scalars that the type binds
// have the right values.
func mayBeRowMajor(t *ir.Type) bool {
	if t.Kind != ir.ArrayKind || t.Place == nil || len(t.Place.Ix) == 0 {
		return true
	}
	f, err := lmad.OfPlace(t.Place, t.Shape)
	if err != nil || f.IsRowMajor() {
		return true // or an error of its own
	}
	l, one := f.Single()
	if !one {
		return false
	}
	binds := ir.ExistScalars(t.Place)
	fits := func(p, q sym.Poly) bool {
		n, ok := p.IsVar()
		return p.Equal(q) || ok && slices.Contains(binds, n)
	}
	want := lmad.RowMajor(f.Shape()).Parts[0]
	for k, d := range l.Dims {
		if !fits(d.Stride, want.Dims[k].Stride) {
			return false
		}
	}
	return fits(l.Offset, want.Offset)
}

// resultPlace returns the place of a call's result in the caller's names. Names that the callee
// itself binds have no name here and become unknowns.
func (c *fn) resultPlace(v *val, t *ir.Type, r *renaming) {
	if v.kind != ir.ArrayKind || !c.explicit {
		return
	}
	v.mem = "result of the call"
	if t.Place == nil {
		v.fun = lmad.RowMajor(sym.OfAll(v.shape))
		return
	}
	f, err := lmad.OfPlace(t.Place, t.Shape)
	if err != nil { // an error in the callee's header
		*v = val{where: nowhere}
		return
	}
	v.fun = f.Subst(func(n string) (sym.Poly, bool) {
		if e, ok := r.scalars[n]; ok {
			return sym.Of(e), true
		}
		return sym.Var("callee's " + n), true
	})
	if m, ok := r.blocks[t.Place.Mem]; ok && !t.Place.Exist {
		v.mem = m
		if !existential(t.Place) {
			v.where, v.from = derived, m
		}
	}
}

func (c *fn) callResult(e *ir.Elem, v val, g *ir.Func, i int) {
	what := phrase{what: c.resultOf(g, i)}
	if !c.conform(v, &e.Type, what, e.Span) {
		return
	}
	for k, d := range e.Type.Shape {
		c.agree(d.Exp(), v.shape[k], e.Span, after(c.stmt), "dimension %d of `%s`", k, e.Name)
	}
	if !c.explicit || e.Type.Kind != ir.ArrayKind {
		return
	}
	if e.Type.Place == nil {
		if v.where != derived {
			c.errorf(diag.NeedsPlace, e.Span, "the array `%s` comes from a call and needs a place", e.Name).
				Hinted("let it bind its block: %s: %s @ ?m", e.Name, short(e.Type))
		} else if c.elab {
			e.Type.Place = v.derivedPlace()
		}
		return
	}
	v.where = derived
	c.fits(v, &e.Type, newRenaming(), what, e.Span)
}

// recursion reports functions that reach themselves by calls.
func (c *checker) recursion() {
	const (
		white = iota
		grey
		black
	)
	colour := map[*ir.Func]int{}
	type frame struct {
		f    *ir.Func
		next int
	}
	for _, f := range c.p.Funcs {
		if colour[f] != white {
			continue
		}
		colour[f] = grey
		stack := []frame{{f, 0}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			sites := c.calls[top.f]
			if top.next == len(sites) {
				colour[top.f] = black
				stack = stack[:len(stack)-1]
				continue
			}
			s := sites[top.next]
			top.next++
			switch colour[s.callee] {
			case grey:
				c.errorf(diag.Recursion, s.span, "functions do not recurse: `%s` is called while it runs", s.callee.Name).
					With(s.callee.Span, "the function is here").
					Hinted("write a `loop`")
			case white:
				colour[s.callee] = grey
				stack = append(stack, frame{s.callee, 0})
			}
		}
	}
}
