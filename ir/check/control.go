package check

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
)

// handover renames the pattern's names to the values of a body, such as `n_1` to its value in this
// branch.
func handover(names []*ir.Elem, values []ir.Exp) *renaming {
	r := newRenaming()
	for i, e := range names {
		if i < len(values) {
			r.give(e, values[i])
		}
	}
	return r
}

func (r *renaming) give(to *ir.Elem, e ir.Exp) {
	if to.Type.Kind == ir.ArrayKind {
		return
	}
	r.scalars[to.Name] = e
	if x, ok := e.(*ir.Ref); ok {
		r.blocks[to.Name] = x.Name
	}
}

// received checks the values of a body against the written types of the names that receive them.
// what and the name of an element describe its value.
func (c *fn) received(elems []*ir.Elem, vals []val, b *ir.Body, at site, what string) {
	if len(vals) != len(elems) {
		return
	}
	r := handover(elems, b.Result)
	for i, e := range elems {
		if e.Type.Kind == ir.NoKind {
			continue
		}
		c.settleVal(&vals[i], b.Result[i], e.Type.Prim)
		c.takes(e, vals[i], r, phrase{what, e.Name}, b.Result[i].Span().Or(b.In), at)
	}
}

// takes checks one value against the written type of the name that takes it.
func (c *fn) takes(e *ir.Elem, v val, r *renaming, what phrase, span diag.Span, at site) {
	if !c.conform(v, &e.Type, what, span) {
		return
	}
	for k, d := range e.Type.Shape {
		c.agree(r.size(d), v.shape[k], span, at, "dimension %d of `%s`", k, e.Name)
	}
	c.fits(v, &e.Type, r, what, span)
}

func (c *fn) ifOp(s *ir.Stmt, op *ir.If) {
	c.exp(op.Cond, ir.Bool, "the condition of `if`")
	c.anticipate(s.Pat)
	var ts, es []val
	c.branches++
	c.body(op.Then, func() { c.assume(op.Cond) }, func(vs []val) {
		ts = vs
		c.received(s.Pat, vs, op.Then, atEnd(op.Then), "the first branch's value for")
	})
	c.body(op.Else, nil, func(vs []val) {
		es = vs
		c.received(s.Pat, vs, op.Else, atEnd(op.Else), "the second branch's value for")
	})
	c.branches--
	if len(ts) != len(es) {
		c.errorf(diag.ValueCount, s.Span, "the branches of `if` give %s and %s", count(len(ts), "value"), count(len(es), "value"))
		c.pattern(make([]val, len(s.Pat)), true)
		return
	}
	if len(ts) != len(s.Pat) {
		c.pattern(ts, true)
		return
	}
	vals := make([]val, len(ts))
	var sized hiddenSizes
	var sizedElems []*ir.Elem
	for i, e := range s.Pat {
		if e.Type.Kind != ir.NoKind {
			vals[i] = val{kind: e.Type.Kind, prim: e.Type.Prim, done: true}
			if c.explicit && e.Type.Kind == ir.ArrayKind && e.Type.Place == nil {
				var v val
				c.common(&v, ts[i], es[i])
				c.completePlace(e, v)
			}
			continue
		}
		before := len(sized.elems)
		vals[i] = c.merge(ts[i], es[i], op, i, &sized)
		if len(sized.elems) > before {
			sizedElems = append(sizedElems, e)
		}
	}
	sized.addTo(s, op.Then, op.Else)
	c.pattern(append(sized.vals(), vals...), true)
	for i := range vals {
		c.equateJoined(&s.Pat[len(s.Pat)-len(vals)+i].Type, ts[i], es[i])
	}
	for _, e := range sizedElems {
		e.Written = true // printed, or reading it again would find another size for it
	}
}

// equateJoined records that a written size is the size that both branches' values have: each branch
// has compared the two.
func (c *fn) equateJoined(t *ir.Type, then, els val) {
	for k, d := range t.Shape {
		if k >= len(then.shape) || k >= len(els.shape) || !c.same(then.shape[k], els.shape[k]) {
			continue
		}
		if x, ok := c.outward(then.shape[k]); ok && !c.same(d.Exp(), x) {
			c.equate(d.Exp(), x)
		}
	}
}

// A hiddenSizes collects hidden results: the existential sizes of arrays whose type is omitted.
type hiddenSizes struct {
	elems []*ir.Elem
	exps  [][2]ir.Exp // the value in each body
}

func (x *hiddenSizes) vals() []val {
	out := make([]val, len(x.elems))
	for i := range out {
		out[i] = val{kind: ir.ScalarKind, prim: ir.I64, done: true}
	}
	return out
}

func (x *hiddenSizes) addTo(s *ir.Stmt, bodies ...*ir.Body) {
	if len(x.elems) == 0 {
		return
	}
	s.Pat = append(append([]*ir.Elem{}, x.elems...), s.Pat...)
	for k, b := range bodies {
		front := make([]ir.Exp, len(x.elems))
		for i := range x.exps {
			front[i] = x.exps[i][k]
		}
		b.Result = append(front, b.Result...)
	}
}

// merge returns the value that two branches have in common.
func (c *fn) merge(t, e val, op *ir.If, i int, sized *hiddenSizes) val {
	if t.kind == ir.NoKind || e.kind == ir.NoKind {
		return val{where: nowhere}
	}
	at := op.Else.Result[i].Span().Or(op.Else.In)
	if t.kind != e.kind || len(t.shape) != len(e.shape) {
		c.errorf(diag.OneType, at, "the branches of `if` give values of types %s and %s", c.shortVal(t), c.shortVal(e)).
			With(op.Then.Result[i].Span(), "the first branch's value")
		return val{where: nowhere}
	}
	switch t.kind {
	case ir.MemKind:
		return val{kind: ir.MemKind}
	case ir.ScalarKind:
		p := c.meet(t.prim, e.prim, op.Then.Result[i], op.Else.Result[i], "the values of the branches")
		if p == ir.Unknown {
			return val{where: nowhere}
		}
		p = c.decide(c.stmt.Pat[i], p)
		c.settleVal(&t, op.Then.Result[i], p)
		c.settleVal(&e, op.Else.Result[i], p)
		return scalar(p)
	}
	if t.prim != e.prim {
		c.errorf(diag.OneType, at, "the branches of `if` give values of types %s and %s", c.shortVal(t), c.shortVal(e)).
			With(op.Then.Result[i].Span(), "the first branch's value")
		return val{where: nowhere}
	}
	v := array(t.prim, make([]ir.Exp, len(t.shape)))
	for k := range t.shape {
		if c.same(t.shape[k], e.shape[k]) {
			if x, ok := c.outward(t.shape[k]); ok {
				v.shape[k] = x
				continue
			}
			if x, ok := c.outward(e.shape[k]); ok {
				v.shape[k] = x
				continue
			}
		}
		if c.explicit {
			c.needsType(c.stmt.Pat[i])
			return val{where: nowhere}
		}
		n := &ir.Elem{Name: c.fresh("n"), Type: ir.Scalar(ir.I64)}
		sized.elems = append(sized.elems, n)
		sized.exps = append(sized.exps, [2]ir.Exp{t.shape[k], e.shape[k]})
		v.shape[k] = &ir.Ref{Name: n.Name, T: ir.I64}
	}
	if c.explicit {
		c.common(&v, t, e)
	}
	return v
}

// needsType reports an array whose type cannot be left out.
func (c *fn) needsType(e *ir.Elem) {
	c.errorf(diag.SizeHidden, e.Span, "the array `%s` needs its type: its size differs between paths", e.Name).
		Hinted("bind the size as a further result: (n1: i64, %s: [n1].. @ ?m)", e.Name)
}

// common gives v the place that both branches share, if there is one outside.
func (c *fn) common(v *val, t, e val) {
	if t.where != derived || e.where != derived {
		v.where = nowhere
		return
	}
	m := c.root(t.mem)
	b := c.names[m]
	if b == nil || !b.visible || c.root(e.mem) != m || !c.sameFun(t.fun, e.fun) {
		return // madeFresh: the pattern has to name the place
	}
	f, ok := c.outwardFun(t.fun)
	if !ok {
		return
	}
	v.where, v.mem, v.fun = derived, m, f
}

func (c *fn) outwardFun(f lmad.Fun) (lmad.Fun, bool) {
	for _, g := range []lmad.Fun{f, f.Map(c.normal)} {
		ok := true
		for _, n := range g.Names() {
			b := c.names[n]
			ok = ok && b != nil && b.visible
		}
		if ok {
			return g, true
		}
	}
	return f, false
}
