package check

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A kernel is the context in which a kernel's body is checked.
type kernel struct {
	what  string // "map"
	space ir.Space
	first int // names bound from here on are the kernel's own
	outer *kernel
}

// inKernel refuses operations that a kernel's body must not contain.
func (c *fn) inKernel(s *ir.Stmt) {
	switch op := s.Op.(type) {
	case *ir.Map, *ir.Reduce, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Into:
		switch {
		case c.combine:
			c.errorf(diag.KernelWithin, s.Span, "a kernel inside the operator of a `%s`", c.kernel.what).
				Hinted("an operator works on scalars: write a `loop`")
		case !c.explicit: // the pass levels makes loops of those that a device does not run
		case c.kernel.what != "map":
			c.errorf(diag.KernelWithin, s.Span, "a kernel inside the body of a `%s`", c.kernel.what).
				Hinted("a `map` may hold kernels, which a group of threads runs; or write a `loop`")
		case c.kernel.outer != nil:
			c.errorf(diag.KernelWithin, s.Span, "a kernel inside a kernel of a group: there are two levels, groups and threads").
				Hinted("give one of the kernels one more dimension: (i < n, j < m), or write a `loop`; without places there may be any number of levels")
		}
	case *ir.Call:
		g := c.funcs[op.Fn]
		switch {
		case !c.elab:
			c.bugf(s.Span, "a call of `%s` inside a kernel", op.Fn)
		case g != nil:
			c.inlines = true
			c.callInKernel(s, g)
		}
	}
}

// onScalars refuses arrays and blocks in the operator of a kernel.
func (c *fn) onScalars(e *ir.Elem) {
	if c.combine && e.Type.Kind != ir.ScalarKind && e.Type.Kind != ir.NoKind {
		c.errorf(diag.OperatorScalars, c.stmt.Span, "the operator of a `%s` works on scalars only", c.kernel.what).
			Hinted("if the values are arrays, the operator works on their elements")
	}
}

// kernelBody checks the bounds and the body of a kernel. It returns the values of the body over
// names that are in scope outside.
func (c *fn) kernelBody(what string, space ir.Space, b *ir.Body, leave func(vals []val)) []val {
	if len(space) == 0 {
		c.errorf(diag.NothingNamed, c.stmt.Span, "this `%s` has no index", what).
			Hinted("name one, with its bound: (i < n)")
	}
	for _, x := range space {
		c.dims([]ir.Exp{x.Size})
	}
	outer := c.kernel
	c.kernel = &kernel{what, space, len(c.order), outer}
	var out []val
	c.body(b, func() {
		for _, x := range space {
			t := ir.Scalar(ir.I64)
			c.bind(x.Var, &t, x.Span.Or(c.stmt.Span))
		}
	}, func(vals []val) {
		out = vals
		if leave != nil {
			leave(vals)
		}
	})
	c.kernel = outer
	return out
}

// counts reports whether a name is an index of the kernel.
func (k *kernel) counts(name string) bool {
	return slices.ContainsFunc(k.space, func(b ir.Bound) bool { return b.Var == name })
}

// inner compares the sizes of array values of a kernel body with the pattern's sizes behind the
// first outer dims, while the body's names are in scope. If the pattern has no sizes, there is
// nothing to compare.
func (c *fn) inner(pat []*ir.Elem, b *ir.Body, vals []val, outer func(i int) int) {
	for i, v := range vals {
		if v.kind != ir.ArrayKind || i >= len(pat) {
			continue
		}
		e, n := pat[i], outer(i)
		if e.Type.Kind != ir.ArrayKind || e.Type.Rank() != n+len(v.shape) {
			continue
		}
		for k, x := range v.shape {
			c.agree(e.Type.Shape[n+k].Exp(), x, b.Result[i].Span().Or(b.In), atEnd(b), "dimension %d of `%s`", n+k, e.Name)
		}
	}
}

// collected returns the value that a kernel makes of one value of its body: the outer dims, then
// the value's own.
func (c *fn) collected(v val, e ir.Exp, i int, outer []ir.Exp, at diag.Span) val {
	if v.kind == ir.NoKind {
		return val{where: nowhere}
	}
	if v.kind == ir.MemKind {
		c.errorf(diag.BlockAsValue, e.Span().Or(at), "a kernel cannot return memory blocks")
		return val{where: nowhere}
	}
	c.settleVal(&v, e, c.needed(i, v.prim))
	if len(outer)+len(v.shape) == 0 {
		return scalar(v.prim)
	}
	out := array(v.prim, append([]ir.Exp{}, outer...))
	written := i < len(c.stmt.Pat) && c.stmt.Pat[i].Type.Kind == ir.ArrayKind && c.stmt.Pat[i].Type.Rank() == len(outer)+len(v.shape)
	for k, x := range v.shape {
		switch y, ok := c.outward(x); {
		case written:
			// Compared in the body, over names that have no meaning here.
			out.shape, out.settled, out.unsettled = append(out.shape, x), true, len(outer)
		case ok:
			out.shape = append(out.shape, y)
		default:
			c.errorf(diag.SizeRagged, e.Span().Or(at), "the size of dimension %d of this array is computed in the body, so it may differ between threads", k).
				Hinted("kernels give regular arrays: compute the size before the kernel, or write the result's type")
			return val{where: nowhere}
		}
	}
	return out
}

func (c *fn) mapOp(s *ir.Stmt, op *ir.Map) {
	vals := c.kernelStmt(s, "map", op.Space, op.Body, func(int) int { return len(op.Space) })
	for i := range vals {
		vals[i] = c.collected(vals[i], op.Body.Result[i], i, op.Space.Sizes(), op.Body.In)
	}
	c.pattern(vals, false)
}

// kernelStmt checks a kernel's body with inner sizes against the pattern.
func (c *fn) kernelStmt(s *ir.Stmt, what string, space ir.Space, b *ir.Body, outer func(i int) int) []val {
	return c.kernelBody(what, space, b, func(vals []val) { c.inner(s.Pat, b, vals, outer) })
}

// fold checks reduce and scan. Combined results have the first outer bounds as outer dims, other
// results have all bounds. With a single bound, the pattern of a scan may have a scalar: the last
// value.
func (c *fn) fold(s *ir.Stmt, space ir.Space, o *ir.Operator, b *ir.Body, outer int, what string) {
	n := len(o.Params) / 2
	last := func(i int) bool {
		return what == "scan" && len(space) == 1 && i < len(s.Pat) && s.Pat[i].Type.Kind == ir.ScalarKind
	}
	vals := c.kernelStmt(s, what, space, b, func(i int) int {
		if i < n {
			return outer
		}
		return len(space)
	})
	prims := make([]ir.Prim, n)
	if len(o.Params)%2 != 0 || n == 0 {
		c.errorf(diag.OperatorShape, s.Span, "the operator of `%s` takes pairs of values, but has %s", what, count(len(o.Params), "parameter"))
		c.pattern(make([]val, len(s.Pat)), false)
		return
	} else if len(vals) < n {
		c.errorf(diag.OperatorShape, b.In, "the operator of `%s` combines %s, but the body gives %s", what, count(n, "value"), count(len(vals), "value"))
	} else {
		for i := range n {
			p := o.Params[i].Type.Prim
			if p == ir.Unknown {
				p = c.wanted(i)
			}
			if p == ir.Unknown {
				p = c.decide(o.Params[i], vals[i].prim)
			}
			c.settleVal(&vals[i], b.Result[i], p)
			prims[i] = vals[i].prim
		}
	}
	if n > 0 {
		c.operator(o, prims, what, space)
	}
	for i := range vals {
		dims := space.Sizes()
		if i < n {
			dims = dims[:outer]
			if last(i) && vals[i].kind == ir.ScalarKind {
				dims = nil
			}
		}
		vals[i] = c.collected(vals[i], b.Result[i], i, dims, b.In)
	}
	c.pattern(vals, false)
}

// operator checks the operator of a kernel on values of the types prims.
func (c *fn) operator(o *ir.Operator, prims []ir.Prim, what string, space ir.Space) {
	n := len(prims)
	for i, e := range o.Params {
		p := prims[i%n]
		switch {
		case e.Type.Kind == ir.NoKind && !c.elab:
			c.bugf(e.Span, "`%s` has no type recorded", e.Name)
		case e.Type.Kind == ir.NoKind && p != ir.Unknown:
			e.Type, e.Written = ir.Scalar(p), c.kept[o.Params[i%n].Name]
		case e.Type.Kind == ir.ArrayKind || e.Type.Kind == ir.MemKind || p != ir.Unknown && e.Type.Prim != p:
			c.errorf(diag.WrongType, e.Span, "the operator's parameter `%s` has type %s, but the values are of type %s", e.Name, short(e.Type), p)
		}
	}
	if len(o.Neutral) != n {
		c.errorf(diag.OperatorShape, c.stmt.Span, "the operator of `%s` needs %s, but %s given", what, count(n, "neutral value"), given(len(o.Neutral)))
	}
	for i, e := range o.Neutral {
		if i >= n {
			continue
		}
		// One that may fail fails once, whether there are threads or not.
		if t := c.exp(e, prims[i], "the neutral value"); c.elab && t != ir.Unknown && !ir.Total(e) {
			o.Neutral[i] = &ir.Ref{Name: c.insert("neutral", e, t), T: t, At: e.Span()}
		}
	}
	outer, combine := c.kernel, c.combine
	c.kernel, c.combine = &kernel{what, space, len(c.order), c.kernel}, true
	c.body(o.Body, func() {
		for _, e := range o.Params {
			c.bindElem(e)
		}
	}, func(vals []val) {
		if len(vals) != n {
			c.errorf(diag.OperatorShape, o.Body.In, "the operator of `%s` must give %s, but gives %s", what, count(n, "value"), count(len(vals), "value"))
			return
		}
		for i := range vals {
			c.settleVal(&vals[i], o.Body.Result[i], prims[i])
			t := ir.Scalar(prims[i])
			if prims[i] != ir.Unknown {
				c.conform(vals[i], &t, phrase{what: "the operator's value"}, o.Body.Result[i].Span().Or(o.Body.In))
			}
		}
	})
	c.kernel, c.combine = outer, combine
}

func (c *fn) scatter(s *ir.Stmt, op *ir.Scatter) {
	dests := c.destinations(s, op.Dests, "scatter")
	vals := c.kernelBody("scatter", op.Space, op.Body, nil)
	c.indexed(op.Body.Result, op.Body.In, vals, dests, "the body of `scatter`")
	c.pattern(c.updated(dests), false)
}

func (c *fn) hist(s *ir.Stmt, op *ir.Hist) {
	dests := c.destinations(s, op.Dests, "hist")
	vals := c.kernelBody("hist", op.Space, op.Body, nil)
	c.indexed(op.Body.Result, op.Body.In, vals, dests, "the body of `hist`")
	c.combines(s, &op.Op, dests, "hist", op.Space)
	c.pattern(c.updated(dests), false)
}

// destinations looks up the arrays that a scatter or hist writes into. They have one shape.
func (c *fn) destinations(s *ir.Stmt, names []string, what string) []*binding {
	out := make([]*binding, len(names))
	if len(names) == 0 {
		c.errorf(diag.NothingNamed, s.Span, "this `%s` names no array to write into", what)
	}
	var first *binding
	for i, x := range names {
		b := c.array(x, s.Span)
		out[i] = b
		switch {
		case b == nil:
		case first == nil:
			first = b
		case b.t.Rank() != first.t.Rank():
			c.errorf(diag.OneType, s.Span, "`%s` serves arrays of one shape, but `%s` has %s and `%s` has %s", what,
				first.name, count(first.t.Rank(), "dimension"), x, count(b.t.Rank(), "dimension"))
			out[i] = nil
		default:
			for k := range b.t.Shape {
				c.agree(first.t.Shape[k].Exp(), b.t.Shape[k].Exp(), s.Span, c.here(), "dimension %d of `%s` and `%s` in `%s`", k, first.name, x, what)
			}
		}
	}
	return out
}

// indexed checks the values es of a scatter's or hist's body, or of an `into`: one index per
// dimension, then one scalar per array.
func (c *fn) indexed(es []ir.Exp, at diag.Span, vals []val, dests []*binding, what string) {
	rank := -1
	for _, d := range dests {
		if d != nil {
			rank = d.t.Rank()
			break
		}
	}
	if rank < 0 {
		return
	}
	if len(vals) != rank+len(dests) {
		c.errorf(diag.ValueCount, at, "%s must give %s and %s, but gives %s", what,
			count(rank, "index value"), count(len(dests), "element"), count(len(vals), "value"))
		return
	}
	for i := range vals {
		e, role, want := es[i], "an index", ir.I64
		if i >= rank {
			d := dests[i-rank]
			if d == nil {
				continue
			}
			role, want = "the element", d.t.Prim
		}
		c.settleVal(&vals[i], e, want)
		t := ir.Scalar(want)
		c.conform(vals[i], &t, phrase{what: role}, e.Span().Or(at))
	}
}

// updated returns the values of updated arrays: they have the type and place of the consumed ones.
func (c *fn) updated(dests []*binding) []val {
	vals := make([]val, len(dests))
	for i, d := range dests {
		vals[i] = val{where: nowhere}
		if d != nil {
			vals[i] = c.of(d)
		}
	}
	return vals
}
