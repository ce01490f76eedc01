package futhark

import "github.com/memc-lang/memc/ir"

// loopStm: parameters that are units vanish, and blocks that an array parameter
// lies in; a loop over another type than i64 counts in i64.
func (t *translator) loopStm(b *block, s *stm, e *eLoop) {
	if len(e.init) != len(e.params) || len(e.body.result) != len(e.params) || len(s.pat) != len(e.params) {
		t.wrong(s.span, "%d parameters, %d initial values, %d next values and %d names of a loop",
			len(e.params), len(e.init), len(e.body.result), len(s.pat))
	}
	op := &ir.Loop{Head: s.span}
	first := t.sources(e.init)
	var init []ir.Exp
	keep := t.keptBlocks(e)
	for i, p := range e.params {
		if v := first[i]; kindOf(p.typ) == arrayKind && p.typ.uniq && v != nil && v.kind == arrayKind {
			init = append(init, &ir.Ref{Name: t.own(b, v).name, At: e.init[i].span})
			continue
		}
		init = append(init, t.values(e.init[i:i+1], keep[i])...)
	}
	t.push()
	if e.while == "" {
		op.Var, op.Bound = "", t.convert(t.exp(e.bound), ir.I64)
		op.Var = t.fresh(e.loopVar)
	}
	elems := t.loopParams(e, keep, first)
	if len(elems) != len(init) {
		t.wrong(s.span, "initial values do not match the loop's parameters")
	}
	for i, el := range elems {
		op.Params = append(op.Params, ir.Param{Elem: el, Init: init[i]})
	}
	sub := b.sub()
	if e.while != "" {
		op.While = t.lookup(e.while, s.span).name
	} else {
		p := t.prim(e.varPrim, s.span)
		v := &variable{kind: scalarKind, prim: p, name: op.Var}
		if p != ir.I64 {
			v.name = t.scalar(sub, e.loopVar, &ir.Convert{X: ir.Var(op.Var), T: p}).Name
		}
		t.env.names[e.loopVar] = v
	}
	var next sources
	t.inBody(sub, e.body, func() {
		op.Body = sub.body(t.values(e.body.result, keep...)...)
		next = t.sources(e.body.result)
	})
	params := make(sources, len(e.params))
	for i, p := range e.params {
		params[i] = t.env.names[p.name]
	}
	t.pop()
	b.span = s.span
	b.emit(t.loopResults(s, e, keep, params, elems, [2]sources{first, next}), op)
}

// keptBlocks tells which parameters are blocks that stay parameters: those in
// which no array parameter lies, such as the other half of a double buffer.
func (t *translator) keptBlocks(e *eLoop) []bool {
	keep := make([]bool, len(e.params))
	if !t.places {
		return keep
	}
	holds := blocksOf(e.params)
	for i, p := range e.params {
		if kindOf(p.typ) == memKind && !holds[p.name] {
			keep[i] = true
		}
	}
	return keep
}

// block binds a name to a block that is a value.
func (t *translator) block(p *param) *ir.Elem {
	v := &variable{kind: memKind, name: t.fresh(p.name), unknown: t.in != ""}
	t.env.names[p.name] = v
	return &ir.Elem{Name: v.name, Type: ir.Mem, Written: true, Span: p.span}
}

func (t *translator) loopParams(e *eLoop, keep []bool, first sources) []*ir.Elem {
	own := make([][]*ir.Elem, len(e.params))
	blocks := blocksOf(e.params)
	for _, arrays := range []bool{false, true} {
		for i, p := range e.params {
			k := kindOf(p.typ)
			if (k == arrayKind || k == accKind) != arrays {
				continue
			}
			switch {
			case k == accKind:
				v, es := t.accVariable(first[i].acc, p)
				for _, el := range es {
					el.Type.Unique = true
				}
				t.env.names[p.name], own[i] = v, es
			case keep[i]:
				own[i] = []*ir.Elem{t.block(p)}
			default:
				el := t.bind(p)
				if el == nil {
					continue
				}
				own[i] = []*ir.Elem{el}
				if k == arrayKind && t.places {
					t.loopPlace(p, el, blocks, e.params, first[i].index() == "")
				}
			}
		}
	}
	var es []*ir.Elem
	for _, o := range own {
		es = append(es, o...)
	}
	return es
}

// loopPlace places an array that a loop hands on, if its block is one of the
// loop's: otherwise the place is that of the initial value.
func (t *translator) loopPlace(p *param, el *ir.Elem, blocks map[string]bool, all []*param, unknown bool) {
	pl, v := p.typ.place, t.env.names[p.name]
	if pl == nil {
		t.noPlace(p.span, "an array has no place")
	}
	if _, ok := blocks[pl.mem]; !ok {
		return
	}
	// An index function that changes by iteration is bound as a whole, and one in
	// a kernel, where the array may be the thread's own or not.
	t.bindPlace(el, v, pl, unknown || t.in != "" || mentions(pl, all))
}

// bindPlace gives an array a place that binds its block, and with ix its index function.
func (t *translator) bindPlace(el *ir.Elem, v *variable, pl *place, ix bool) {
	l := &ir.LMAD{}
	if !ix {
		l = t.lmadOf(pl, v.shape)
	}
	el.Type.Place = t.existential(v.name+"_mem", l, v.shape, ix)
	t.hold(pl.mem, el.Type.Place.Mem)
	v.mem, v.ix = el.Type.Place.Mem, ""
	if !ix {
		v.ix = t.asPlace("m", l, v.shape).String()
	}
}

// mentions reports whether a place's index function mentions one of the names.
func mentions(pl *place, ps []*param) bool {
	found := false
	var leaf func(e *lexp)
	leaf = func(e *lexp) {
		for _, p := range ps {
			found = found || e.leaf != nil && e.leaf.name == p.name
		}
		for _, a := range e.args {
			leaf(a)
		}
	}
	leaf(pl.offset)
	for _, s := range pl.strides {
		leaf(s)
	}
	return found
}

// loopResults binds the pattern, each array in a place of the same form as that
// of its parameter.
func (t *translator) loopResults(s *stm, e *eLoop, keep []bool, params sources, elems []*ir.Elem, from [2]sources) []*ir.Elem {
	var out []*ir.Elem
	kept := map[string]*ir.Elem{}
	for i, p := range s.pat {
		if keep[i] {
			kept[p.name] = t.block(p)
		}
	}
	rest := make([]*param, 0, len(s.pat))
	for i, p := range s.pat {
		if !keep[i] {
			rest = append(rest, p)
		}
	}
	bound := t.pattern(rest)
	k := 0
	for i, p := range s.pat {
		if keep[i] {
			out = append(out, kept[p.name])
			continue
		}
		v := t.env.names[p.name]
		n := 0
		switch v.kind {
		case scalarKind, arrayKind:
			n = 1
		case accKind:
			n = len(v.arrs)
		}
		mine := bound[k : k+n]
		k += n
		out = append(out, mine...)
		if v.kind != arrayKind {
			continue
		}
		v.level = t.within
		if !e.params[i].typ.uniq && from[0][i] != nil {
			v.level = from[0][i].level
		}
		if from[1][i] != nil {
			v.level = min(v.level, from[1][i].level)
		}
		if t.places {
			t.resultPlace(p, mine[0], t.formOf(params[i], elems))
		}
	}
	return out
}

// formOf returns the place of a loop's parameter.
func (t *translator) formOf(v *variable, elems []*ir.Elem) *ir.Place {
	for _, e := range elems {
		if v != nil && e.Name == v.name {
			return e.Type.Place
		}
	}
	return nil
}

func (t *translator) resultPlace(p *param, el *ir.Elem, form *ir.Place) {
	if form == nil {
		return
	}
	t.bindPlace(el, t.env.names[p.name], p.typ.place, len(ir.ExistNames(form)) > 1)
}
