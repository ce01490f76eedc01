package check

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Note [Sizes that change by iteration]
//
// In a memory-agnostic function the type of a loop parameter may be omitted. At first memc assumes
// that the parameter keeps the sizes of its initial value. If the body then returns another size,
// memc undoes the walk over the body and makes the size a hidden parameter of the loop. It
// remembers changing sizes by the parameter's name, so that an outer loop's search does not repeat
// that of an inner one: each loop fails at most once per dimension overall.
//
// A walk changes the body, so memc keeps an untouched copy to start again from (pristine). The
// outermost loop that searches makes it, for all loops inside as well; only a failure copies again.
// A failure costs the size of the loop, so the whole costs at most depth times size.

func (c *fn) loop(s *ir.Stmt, op *ir.Loop) {
	if op.While == "" {
		c.exp(op.Bound, ir.I64, "the bound of the loop")
	}
	inits := make([]val, len(op.Params))
	left := make([]bool, len(op.Params)) // the type was left out
	search := false
	for i, p := range op.Params {
		inits[i] = c.operand(p.Init)
		want := p.Elem.Type.Prim
		if want == ir.Unknown {
			want = c.wanted(i)
		}
		if want == ir.Unknown {
			want = c.decide(p.Elem, inits[i].prim)
		}
		if inits[i].kind == ir.ScalarKind {
			c.settleVal(&inits[i], p.Init, want)
		}
		if v := inits[i]; p.Elem.Name == op.While && p.Elem.Span == op.Head && v.kind == ir.ScalarKind && v.prim != ir.Bool {
			c.errorf(diag.WhileCondition, op.Head, "the condition of `while` must be a bool, but is %s", closed(v.prim))
			p.Elem.Type, inits[i] = ir.Type{}, val{where: nowhere}
		}
		left[i] = p.Elem.Type.Kind == ir.NoKind
		search = search || left[i] && inits[i].kind == ir.ArrayKind && !c.explicit
	}
	search = search && c.elab
	if search {
		defer c.keep(op)()
	}
	params := op.Params
	for {
		m := c.mark()
		hidden := c.loopTypes(op, params, inits, left)
		if !c.loopBody(op, params, left, hidden, search) {
			c.finishLoop(s, op, params, hidden)
			return
		}
		c.undo(m)
		op.Params = params
		op.Body = copied(c.pristine[op], func(old, copied *ir.Loop) { c.pristine[copied] = old.Body })
	}
}

// keep makes sure that there is an untouched copy of the loop's body. It returns a function that
// drops the copy at the end.
func (c *fn) keep(op *ir.Loop) (forget func()) {
	if c.pristine[op] != nil {
		return func() {}
	}
	c.pristine = map[*ir.Loop]*ir.Body{}
	c.pristine[op] = copied(op.Body, func(old, copied *ir.Loop) { c.pristine[old] = copied.Body })
	return func() { c.pristine = nil }
}

// copied copies a body, and calls f for every loop within and its copy.
func copied(b *ir.Body, f func(old, copied *ir.Loop)) *ir.Body {
	n := ir.CloneBody(b)
	copies := loopsIn(n)
	for k, old := range loopsIn(b) {
		f(old, copies[k])
	}
	return n
}

func loopsIn(b *ir.Body) []*ir.Loop {
	var out []*ir.Loop
	ir.WalkStmts(b, func(s *ir.Stmt) bool {
		if loop, ok := s.Op.(*ir.Loop); ok {
			out = append(out, loop)
		}
		return true
	})
	return out
}

// A hiddenParam is a size that changes by iteration.
type hiddenParam struct {
	param ir.Param
	of    int // the loop parameter it sizes
	dim   int
}

// loopTypes adds the omitted types of parameters, and puts hidden parameters in front.
func (c *fn) loopTypes(op *ir.Loop, params []ir.Param, inits []val, left []bool) []hiddenParam {
	var hidden []hiddenParam
	for i, p := range params {
		v := inits[i]
		if !left[i] && v.kind == ir.ArrayKind {
			c.completePlace(p.Elem, v)
		}
		if !left[i] || v.kind == ir.NoKind {
			continue
		}
		if !c.elab {
			c.bugf(p.Elem.Span, "`%s` has no type recorded", p.Elem.Name)
			continue
		}
		t := ir.Type{Kind: v.kind, Prim: v.prim}
		variant := c.variant[p.Elem.Name]
		for k, x := range v.shape {
			if k < len(variant) && variant[k] {
				h := &ir.Elem{Name: c.fresh("n"), Type: ir.Scalar(ir.I64)}
				hidden = append(hidden, hiddenParam{ir.Param{Elem: h, Init: x}, i, k})
				t.Shape = append(t.Shape, ir.Dim{Name: h.Name})
				continue
			}
			t.Shape = append(t.Shape, c.dim(x))
		}
		if v.where == derived {
			t.Place = v.derivedPlace()
		}
		p.Elem.Type, p.Elem.Written = t, c.kept[p.Elem.Name]
	}
	if len(hidden) > 0 {
		op.Params = nil
		for _, h := range hidden {
			op.Params = append(op.Params, h.param)
		}
		op.Params = append(op.Params, params...)
	}
	// The first values against the types; sizes may be other parameters.
	r := newRenaming()
	for _, p := range op.Params {
		r.give(p.Elem, p.Init)
	}
	c.anticipate(ir.ParamElems(op.Params))
	for i, p := range params {
		if p.Elem.Type.Kind != ir.NoKind && inits[i].kind != ir.NoKind {
			c.takes(p.Elem, inits[i], r, phrase{"the first value of", p.Elem.Name}, p.Init.Span(), c.here())
		}
	}
	return hidden
}

// handRound finds blocks that a loop only hands round among its parameters: if all begin as one block, each stands
// for that.
func (c *fn) handRound(op *ir.Loop, params []ir.Param) {
	at := map[string]string{} // where parameters begin
	for _, p := range params {
		if r, ok := p.Init.(*ir.Ref); ok && p.Elem.Type.Kind == ir.MemKind {
			at[p.Elem.Name] = c.root(r.Name)
		}
	}
	for changed := true; changed; {
		changed = false
		for k, p := range params {
			first := at[p.Elem.Name]
			if first == "" || k >= len(op.Body.Result) {
				continue
			}
			if r, ok := op.Body.Result[k].(*ir.Ref); !ok || at[r.Name] != first {
				delete(at, p.Elem.Name)
				changed = true
			}
		}
	}
	for name, block := range at {
		c.names[name].root = block
	}
}

// loopBody walks over the body. In a search it records which sizes change; it stops and returns
// true if there are any.
func (c *fn) loopBody(op *ir.Loop, params []ir.Param, left []bool, hidden []hiddenParam, search bool) (again bool) {
	elems := ir.ParamElems(params)
	enter := func() {
		for _, h := range hidden {
			c.bindElem(h.param.Elem)
		}
		for _, p := range params {
			c.bindElem(p.Elem)
			c.bindExist(&p.Elem.Type, p.Elem.Span)
		}
		c.handRound(op, params)
		if op.Var != "" {
			t := ir.Scalar(ir.I64)
			c.bind(op.Var, &t, op.Head.Or(c.stmt.Span))
		}
		for _, p := range params {
			c.typ(&p.Elem.Type, p.Elem.Span, true)
		}
		c.checkWhile(op, params)
	}
	c.body(op.Body, enter, func(vals []val) {
		if len(vals) != len(params) {
			c.errorf(diag.ValueCount, op.Body.In, "the loop has %s, but its body gives %s", count(len(params), "parameter"), count(len(vals), "value"))
			return
		}
		if search {
			if again = c.sizesChange(params, left, vals, op.Body.Result); again {
				return
			}
		}
		front := make([]ir.Exp, len(hidden))
		for i, h := range hidden {
			if vals[h.of].kind != ir.ArrayKind || h.dim >= len(vals[h.of].shape) {
				front = nil
				break
			}
			front[i] = vals[h.of].shape[h.dim]
		}
		if front != nil && len(hidden) > 0 {
			b := op.Body
			b.Result = append(front, b.Result...)
			all := make([]*ir.Elem, 0, len(hidden)+len(elems))
			some := make([]val, 0, cap(all))
			for _, h := range hidden {
				all = append(all, h.param.Elem)
				some = append(some, scalar(ir.I64))
			}
			c.received(append(all, elems...), append(some, vals...), b, atEnd(b), "the next value for")
			return
		}
		c.received(elems, vals, op.Body, atEnd(op.Body), "the next value for")
	})
	return again
}

// sizesChange compares the sizes of the next values with those of the parameters whose types were
// omitted.
func (c *fn) sizesChange(params []ir.Param, left []bool, vals []val, results []ir.Exp) bool {
	r := handover(ir.ParamElems(params), results)
	changed := false
	for i, p := range params {
		t := &p.Elem.Type
		if !left[i] || t.Kind != ir.ArrayKind || vals[i].kind != ir.ArrayKind || len(vals[i].shape) != t.Rank() {
			continue
		}
		variant := c.variant[p.Elem.Name]
		if variant == nil {
			variant = make([]bool, t.Rank())
			c.variant[p.Elem.Name] = variant
		}
		for k, d := range t.Shape {
			if !variant[k] && !c.same(r.size(d), vals[i].shape[k]) {
				variant[k], changed = true, true
			}
		}
	}
	return changed
}

func (c *fn) checkWhile(op *ir.Loop, params []ir.Param) {
	if op.While == "" {
		return
	}
	for _, p := range params {
		if p.Elem.Name != op.While {
			continue
		}
		if t := p.Elem.Type; t.Kind != ir.NoKind && (t.Kind != ir.ScalarKind || t.Prim != ir.Bool) {
			c.errorf(diag.WhileCondition, op.Head.Or(c.stmt.Span), "the condition of `while` must be a bool, but `%s` is %s", op.While, short(t)).
				With(p.Elem.Span, "it is bound here")
		}
		return
	}
	c.errorf(diag.WhileCondition, op.Head.Or(c.stmt.Span), "the condition of `while` must be one of the loop's parameters, but `%s` is none", op.While).
		Hinted("add a parameter: loop (.., %s: bool = true) while %s", op.While, op.While)
}

// finishLoop binds the pattern to the last values.
func (c *fn) finishLoop(s *ir.Stmt, op *ir.Loop, params []ir.Param, hidden []hiddenParam) {
	if len(s.Pat) != len(params) {
		c.pattern(make([]val, len(params)), true)
		return
	}
	if len(hidden) > 0 {
		front := make([]*ir.Elem, len(hidden))
		for i := range hidden {
			front[i] = &ir.Elem{Name: c.fresh("n"), Type: ir.Scalar(ir.I64)}
		}
		s.Pat = append(front, s.Pat...)
	}
	c.anticipate(s.Pat)
	// Parameters become the pattern's names.
	r := newRenaming()
	for i, p := range op.Params {
		r.give(p.Elem, &ir.Ref{Name: s.Pat[i].Name, T: ir.I64})
	}
	vals := make([]val, len(op.Params))
	for i, p := range op.Params {
		t := &p.Elem.Type
		v := val{kind: t.Kind, prim: t.Prim}
		for _, d := range t.Shape {
			v.shape = append(v.shape, r.size(d))
		}
		c.lastPlace(&v, p.Elem, r)
		e := s.Pat[i]
		if e.Type.Kind != ir.NoKind && v.kind != ir.NoKind {
			c.lastValue(e, v, s.Span)
			v = val{kind: e.Type.Kind, prim: e.Type.Prim, done: true}
		}
		vals[i] = v
	}
	c.pattern(vals, true)
	for _, h := range hidden {
		// Printed, or reading the loop again would find another size for them.
		params[h.of].Elem.Written = true
		s.Pat[len(hidden)+h.of].Written = true
	}
}

// lastPlace returns the place of a loop's result: the parameter's place, in the pattern's names. A
// block that the parameter binds is not known outside.
func (c *fn) lastPlace(v *val, p *ir.Elem, r *renaming) {
	if v.kind != ir.ArrayKind || !c.explicit {
		return
	}
	b := c.names[p.Name]
	f, ok := c.fun(b)
	if !ok {
		v.where = nowhere
		return
	}
	v.mem, v.fun = r.block(p.Type.Place.Mem), f.Subst(r.poly)
	v.from = p.Name
	if !existential(p.Type.Place) {
		v.where = derived
	}
}

// lastValue compares the written type of a loop's result with its parameter's.
func (c *fn) lastValue(e *ir.Elem, v val, at diag.Span) {
	what := phrase{"the last value for", e.Name}
	if !c.conform(v, &e.Type, what, e.Span.Or(at)) {
		return
	}
	for k, d := range e.Type.Shape {
		c.agree(d.Exp(), v.shape[k], e.Span, after(c.stmt), "dimension %d of `%s`", k, e.Name)
	}
	c.completePlace(e, v)
	if v.where == madeFresh {
		v.where = derived // existential: compare against the parameter's own names
	}
	c.fits(v, &e.Type, newRenaming(), what, e.Span)
}
