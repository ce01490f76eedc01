package futhark

import (
	"maps"
	"strconv"

	"github.com/memc-lang/memc/ir"
)

// function translates one function. Its sizes come as parameters; those that
// the source does not have are taken from the arrays.
func (t *translator) function(f *fun) *ir.Func {
	t.used, t.env, t.in, t.kern, t.depth, t.within, t.group = map[string]bool{}, nil, "", nil, 0, 0, false
	t.classes, t.handed, t.slices = t.classesOf(f), nil, map[*ir.Stmt]bool{}
	if !t.copies[f] {
		t.handed = handedOut(f)
	}
	t.push()
	g := &ir.Func{Entry: f.entry != "", Name: t.names[f], Span: f.span}
	if g.Entry && g.Name != f.entry {
		g.Alias = f.entry
		t.remark(f.span, "the entry `%s` is called `%s`", f.entry, g.Name)
	}
	b := &block{span: f.span}
	t.params(f, g, b)
	t.push()
	t.consts = t.env.names
	for _, heavy := range []bool{false, true} {
		for _, s := range t.tree.consts {
			if s.heavy == heavy && (!heavy || f.own[s]) && !f.given[s] {
				t.stm(b, s)
			}
		}
		if !heavy {
			for _, s := range f.needs {
				t.stm(b, s)
			}
		}
	}
	t.consts = maps.Clone(t.env.names)
	for _, s := range f.body.stms {
		t.stm(b, s)
	}
	result := t.results(f, g, b)
	b.span = f.body.span
	g.Body = b.body(result...)
	removeUnused(g) // less is then read
	t.readThrough(g)
	removeUnused(g)
	singles(g)
	t.exclusives(g)
	removeUnused(g)
	locate(g)
	return g
}

// params declares the parameters. In an entry the first ones (blocks and sizes)
// are not of the source; the others are matched with its signature, which
// tells unsigned types.
func (t *translator) params(f *fun, g *ir.Func, b *block) {
	var signs []extType
	if f.entry != "" {
		signs = t.flatten(f.sig)
	}
	hidden := len(f.params) - len(signs)
	if f.entry != "" && hidden < 0 {
		t.wrong(f.span, "the entry `%s` has fewer parameters than its signature", f.entry)
	}
	dims := map[string]bool{}
	for _, p := range f.params {
		for _, d := range p.typ.shape {
			dims[d.name] = true
		}
	}
	for i, p := range f.params {
		if k := kindOf(p.typ); f.entry != "" && i < hidden && k == scalarKind {
			v := &variable{kind: scalarKind, prim: ir.I64, name: t.fresh(p.name)}
			t.env.names[p.name] = v
			if !dims[p.name] {
				t.refuse(p.span, "the size `%s`, which no array of the entry has", p.name)
			}
			g.Sizes = append(g.Sizes, v.name)
			continue
		}
		e := t.bind(p)
		if e != nil && e.Type.Kind == ir.ArrayKind && t.places {
			t.paramPlace(p, e)
		}
		switch {
		case e == nil:
			continue // a block, or a unit: there is nothing to pass
		case f.entry != "" && ir.PrimByName(signs[i-hidden].prim) != e.Type.Prim && unsigned(signs[i-hidden].prim):
			e = t.fromUnsigned(b, p, e, signs[i-hidden].prim)
		}
		g.Params = append(g.Params, e)
	}
}

// flatten returns the values that the types of a signature are made of.
func (t *translator) flatten(ts []extType) []extType {
	var out []extType
	for _, e := range ts {
		out = append(out, t.partsOf(e)...)
		if len(out) > maxParts {
			t.refuse(e.span, "a signature of more than %d values", maxParts)
		}
	}
	return out
}

// partsOf flattens a type; every definition is flattened once, since types within
// types may multiply.
func (t *translator) partsOf(e extType) []extType {
	if e.opaque == "" {
		return []extType{e}
	}
	o := t.tree.types[e.opaque]
	switch {
	case o == nil:
		t.wrong(e.span, "the type \"%s\" is not defined", e.opaque)
	case o.flattening:
		t.wrong(e.span, "the type \"%s\" contains itself", e.opaque)
	case o.flat == nil:
		o.flattening = true
		defer func() { o.flattening = false }()
		o.flat = append([]extType{}, t.flatten(o.parts)...) // not nil, also where it has none
	}
	return o.flat
}

func unsigned(prim string) bool { return ir.PrimByName(prim).Unsigned() }

// fromUnsigned makes a parameter of the unsigned type that the signature says,
// and the signed value that the body computes with: of an array, another name.
func (t *translator) fromUnsigned(b *block, p *param, e *ir.Elem, prim string) *ir.Elem {
	v := t.env.names[p.name]
	u := ir.PrimByName(prim)
	in := &ir.Elem{Name: t.fresh(p.name), Type: e.Type, Written: true, Span: e.Span}
	in.Type.Prim = u
	if v.kind == scalarKind {
		b.emit([]*ir.Elem{e}, &ir.Compute{E: &ir.Convert{X: &ir.Ref{Name: in.Name, T: u}, T: v.prim}})
		return in
	}
	v.name = t.derived(b, p.name, v.prim, v.shape, &ir.Compute{E: &ir.Ref{Name: in.Name, At: e.Span}})
	return in
}

// results declares what the function gives, and gives the values.
func (t *translator) results(f *fun, g *ir.Func, b *block) []ir.Exp {
	if len(f.rets) != len(f.body.result) {
		t.wrong(f.span, "`%s` has %d result types and gives %d values", f.name, len(f.rets), len(f.body.result))
	}
	names := map[int]string{}
	for _, r := range f.rets {
		for _, d := range r.shape {
			if d.ext >= 0 && names[d.ext] == "" {
				if d.ext >= len(f.rets) {
					t.wrong(d.span, "there is no result %d", d.ext)
				}
				names[d.ext] = t.fresh("n" + strconv.Itoa(d.ext))
			}
		}
	}
	var signs []extType
	if f.entry != "" {
		signs = t.flatten(f.sigRets)
	}
	hidden := len(f.rets) - len(signs)
	var out []ir.Exp
	for i, r := range f.rets {
		k := kindOf(r)
		if k == memKind || k == unitKind {
			continue
		}
		if k == accKind {
			t.refuse(r.span, "an accumulator as the result of a function")
		}
		res := ir.Result{Name: names[i], Span: r.span}
		x := t.exp(f.body.result[i])
		p := t.prim(r.prim, r.span)
		if f.entry != "" && i >= hidden && unsigned(signs[i-hidden].prim) {
			p = ir.PrimByName(signs[i-hidden].prim)
		}
		if f.entry == "" && k == arrayKind {
			p = t.lookup(f.body.result[i].name, f.body.result[i].span).prim
		}
		x = t.handOut(b, x, f.body.result[i], p)
		if k == scalarKind {
			res.Type = ir.Scalar(p)
		} else {
			shape := make([]ir.Dim, len(r.shape))
			for j, d := range r.shape {
				if d.ext >= 0 {
					shape[j] = ir.Dim{Name: names[d.ext]}
				} else {
					shape[j] = t.dim(d)
				}
			}
			res.Type = ir.Array(p, shape, nil)
			res.Type.Unique = r.uniq
			if t.places && f.entry == "" {
				res.Type.Place = t.retPlace(r.place, shape)
			}
		}
		g.Results = append(g.Results, res)
		out = append(out, x)
	}
	return out
}

// handOut returns a value with the type that the signature says: an array of the
// other sign is another name for the same bits.
func (t *translator) handOut(b *block, x ir.Exp, o operand, want ir.Prim) ir.Exp {
	if t.kindOfOperand(o) == scalarKind {
		return fit(x, want)
	}
	v := t.lookup(o.name, o.span)
	if v.prim == want {
		return x
	}
	name := t.derived(b, v.name, want, v.shape, &ir.Compute{E: &ir.Ref{Name: v.name, At: o.span}})
	return &ir.Ref{Name: name, At: o.span}
}

// apply: a built-in function of scalars, or one of the program's, which is
// called on the host and written out within a kernel.
func (t *translator) apply(b *block, s *stm, e *eApply) {
	f := t.funs[e.fn]
	if f == nil {
		t.bindScalar(b, s, t.builtin(e))
		return
	}
	if t.in != "" || t.group || t.depth > 0 || onAccumulators(f) {
		t.inline(b, s, e, f)
		return
	}
	if len(e.args) != len(f.params) {
		t.wrong(e.span, "`%s` takes %d arguments", e.fn, len(f.params))
	}
	call := &ir.Call{Fn: t.names[f]}
	for i, a := range e.args {
		if k := kindOf(f.params[i].typ); k == scalarKind || k == arrayKind {
			call.Args = append(call.Args, t.exp(t.argument(a)))
		}
	}
	es := t.pattern(s.pat)
	if t.places {
		for _, p := range s.pat {
			if el := t.elemOf(p, es); el != nil {
				v := t.env.names[p.name]
				l := t.lmadOf(p.typ.place, v.shape)
				el.Type.Place = t.existential(v.name+"_mem", l, v.shape, false)
				t.hold(p.typ.place.mem, el.Type.Place.Mem)
				v.mem, v.ix = el.Type.Place.Mem, t.asPlace("m", l, v.shape).String()
			}
		}
	}
	b.emit(es, call)
}

// paramPlace lets an array parameter bind its block.
func (t *translator) paramPlace(p *param, e *ir.Elem) {
	v, pl := t.env.names[p.name], p.typ.place
	if pl == nil {
		t.noPlace(p.span, "a parameter has no place")
	}
	l := t.lmadOf(pl, v.shape)
	e.Type.Place = t.existential(v.name+"_mem", l, v.shape, false)
	t.hold(pl.mem, e.Type.Place.Mem)
	v.mem, v.ix = e.Type.Place.Mem, t.asPlace("m", l, v.shape).String()
}

// retPlace returns the place of a function's result: the block is existential,
// and what the type leaves open of the index function.
func (t *translator) retPlace(pl *place, shape []ir.Dim) *ir.Place {
	open := false
	var leaf func(e *lexp)
	leaf = func(e *lexp) {
		open = open || e.leaf != nil && e.leaf.ext >= 0
		for _, a := range e.args {
			leaf(a)
		}
	}
	leaf(pl.offset)
	for _, s := range pl.strides {
		leaf(s)
	}
	if open {
		return t.existential("result", nil, shape, true)
	}
	// Row-major: in a function's results the sizes have names of their own, which
	// nothing else of the place can mention.
	out := t.existential("result", &ir.LMAD{Offset: ir.IntLit(0)}, nil, false)
	out.Ix = nil
	return out
}

// argument reads "*x", which marks what a call consumes.
func (t *translator) argument(a operand) operand {
	if a.konst == "" && t.find(a.name) == nil && len(a.name) > 1 && a.name[0] == '*' {
		a.name = a.name[1:]
	}
	return a
}

// value returns an operand as a variable, naming a constant.
func (t *translator) value(b *block, o operand) *variable {
	if o.konst == "()" {
		return &variable{kind: unitKind}
	}
	if o.konst != "" {
		x := t.exp(o)
		return &variable{kind: scalarKind, prim: x.Prim(), name: t.scalar(b, "k", x).Name}
	}
	return t.lookup(o.name, o.span)
}
