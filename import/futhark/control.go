package futhark

import "github.com/memc-lang/memc/ir"

// inBody translates the statements of a body in a scope of its own; f says what
// becomes of its values.
func (t *translator) inBody(b *block, x *body, f func()) {
	t.push()
	defer t.pop()
	for _, s := range x.stms {
		t.stm(b, s)
	}
	b.span = x.span
	f()
}

// values returns those of the operands that memc has values for: no units, no
// blocks but those that keep asks for; an accumulator is its arrays.
func (t *translator) values(ops []operand, keep ...bool) []ir.Exp {
	var out []ir.Exp
	for i, o := range ops {
		switch t.kindOfOperand(o) {
		case scalarKind, arrayKind:
			out = append(out, t.exp(o))
		case memKind:
			if i < len(keep) && keep[i] {
				name := t.lookup(o.name, o.span).name
				if name == "" {
					t.noPlace(o.span, "the block `"+o.name+"` is not known here")
				}
				out = append(out, &ir.Ref{Name: name, At: o.span})
			}
		case accKind:
			v := t.lookup(o.name, o.span)
			for _, a := range v.arrs {
				out = append(out, &ir.Ref{Name: a, At: o.span})
			}
		}
	}
	return out
}

// A branch's sources are the variables that its values are, nil for constants.
type sources []*variable

func (t *translator) sources(ops []operand) sources {
	vs := make(sources, len(ops))
	for i, o := range ops {
		if o.konst == "" {
			vs[i] = t.find(o.name)
		}
	}
	return vs
}

// subBody translates a body to one of memc's, and gives what its values are.
func (t *translator) subBody(b *block, x *body) (out *ir.Body, from sources) {
	sub := b.sub()
	t.inBody(sub, x, func() {
		out = sub.body(t.values(x.result)...)
		from = t.sources(x.result)
	})
	out.Span = x.span
	return out, from
}

// pattern binds the names of a statement whose values come as values() gives
// them: scalars first, which the types of arrays may mention.
func (t *translator) pattern(ps []*param) []*ir.Elem {
	own := make([][]*ir.Elem, len(ps))
	for _, arrays := range []bool{false, true} {
		for i, p := range ps {
			k := kindOf(p.typ)
			if (k == arrayKind || k == accKind) != arrays {
				continue
			}
			if k == accKind {
				v, elems := t.accVariable(t.accOf(p), p)
				t.env.names[p.name], own[i] = v, elems
				continue
			}
			if e := t.bind(p); e != nil {
				e.Type.Unique = false
				own[i] = []*ir.Elem{e}
			}
		}
	}
	var es []*ir.Elem
	for _, o := range own {
		es = append(es, o...)
	}
	return es
}

// elemOf finds the element that binds what a parameter became.
func (t *translator) elemOf(p *param, es []*ir.Elem) *ir.Elem {
	v := t.env.names[p.name]
	for _, e := range es {
		if v.kind == arrayKind && e.Name == v.name {
			return e
		}
	}
	return nil
}

// ifStm: of versions of the same code (e.equiv) both are kept, and the host chooses by
// sizes, as Futhark's does.
func (t *translator) ifStm(b *block, s *stm, e *eIf) {
	op := &ir.If{Cond: t.exp(e.cond)}
	var from [2]sources
	op.Then, from[0] = t.subBody(b, e.yes)
	op.Else, from[1] = t.subBody(b, e.no)
	t.joined(b, s, op, from[:])
}

// joined binds a pattern to what branches give.
func (t *translator) joined(b *block, s *stm, op *ir.If, from []sources) {
	b.span = s.span
	es := t.pattern(s.pat)
	blocks := blocksOf(s.pat)
	for i, p := range s.pat {
		v := t.env.names[p.name]
		if v.kind != arrayKind {
			continue
		}
		for _, f := range from {
			if f[i] != nil {
				v.level = min(v.level, f[i].level)
			}
		}
		if e := t.elemOf(p, es); e != nil && t.places {
			t.joinedPlace(p, v, e, blocks, i, from)
		}
	}
	b.emit(es, op)
}

// joinedPlace: see Note [Keeping the places of a dump].
func (t *translator) joinedPlace(p *param, v *variable, e *ir.Elem, blocks map[string]bool, i int, from []sources) {
	pl := p.typ.place
	_, own := blocks[pl.mem]
	same, ix := true, from[0][i].index()
	for _, f := range from {
		same = same && f[i].index() == ix && ix != "" && f[i].mem == from[0][i].mem
	}
	if !own && (same || ix == "" && t.in != "") {
		return // one place for all: it follows
	}
	alike := ix != ""
	for _, f := range from {
		alike = alike && f[i].index() == ix
	}
	l := &ir.LMAD{}
	if alike {
		l = t.lmadOf(pl, v.shape)
		alike = t.asPlace("m", l, v.shape).String() == ix
	}
	e.Type.Place = t.existential(v.name+"_mem", l, v.shape, !alike)
	t.hold(pl.mem, e.Type.Place.Mem)
	v.mem, v.ix = e.Type.Place.Mem, ""
	if alike {
		v.ix = ix
	}
}

func (v *variable) index() string {
	if v == nil {
		return ""
	}
	return v.ix
}

// splice puts the statements of a body in place of a statement.
func (t *translator) splice(b *block, s *stm, x *body) {
	if len(x.result) != len(s.pat) {
		t.wrong(s.span, "%d values for %d names", len(x.result), len(s.pat))
	}
	vals := make([]*variable, len(x.result))
	t.inBody(b, x, func() {
		for i, r := range x.result {
			vals[i] = t.value(b, r)
		}
	})
	for i, p := range s.pat {
		t.alias(p.name, vals[i])
	}
}

// matchStm: a chain of branches. What is matched is compared with constants.
func (t *translator) matchStm(b *block, s *stm, e *eMatch) {
	if len(e.cases) == 0 {
		t.splice(b, s, e.dflt)
		return
	}
	op, from := t.matchFrom(b, s, e, e.cases)
	t.joined(b, s, op, from)
}

func (t *translator) matchFrom(b *block, s *stm, e *eMatch, cases []matchCase) (op *ir.If, from []sources) {
	c := cases[0]
	if len(c.pats) != len(e.on) {
		t.wrong(c.body.span, "%d patterns for %d values", len(c.pats), len(e.on))
	}
	var cond ir.Exp = ir.BoolLit(true)
	for i, p := range c.pats {
		if p.konst != "" {
			cond = and(cond, compare("==", t.exp(e.on[i]), t.exp(p)))
		}
	}
	op = &ir.If{Cond: cond}
	var yes, no sources
	op.Then, yes = t.subBody(b, c.body)
	if len(cases) == 1 {
		op.Else, no = t.subBody(b, e.dflt)
		return op, []sources{yes, no}
	}
	// The names of the statement's pattern serve each branch of the chain, in
	// a scope of its own.
	rest := b.sub()
	t.push()
	inner, froms := t.matchFrom(rest, s, e, cases[1:])
	t.joined(rest, s, inner, froms)
	var refs []operand
	for _, p := range s.pat {
		refs = append(refs, operand{name: p.name, ext: -1, span: p.span})
	}
	op.Else, no = rest.body(t.values(refs)...), t.sources(refs)
	t.pop()
	return op, []sources{yes, no}
}
