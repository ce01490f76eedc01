package futhark

// resultPat returns names to the results of a function, with the types that they
// have where it is called.
func (r *rewriter) resultPat(rets []*typ) []*param {
	ps := make([]*param, len(rets))
	for i := range rets {
		ps[i] = &param{name: r.fresh("r")}
	}
	var leaf func(e *lexp) *lexp
	resolve := func(o operand) operand {
		if o.ext >= 0 {
			return v(ps[o.ext].name)
		}
		return o
	}
	leaf = func(e *lexp) *lexp {
		c := *e
		if e.leaf != nil {
			o := resolve(*e.leaf)
			c.leaf = &o
		}
		c.args = nil
		for _, a := range e.args {
			c.args = append(c.args, leaf(a))
		}
		return &c
	}
	for i, t := range rets {
		c := *t
		c.uniq, c.shape = false, nil
		for _, d := range t.shape {
			c.shape = append(c.shape, resolve(d))
		}
		if t.place != nil {
			pl := *t.place
			if pl.mem == "" {
				pl.mem, pl.ext = ps[pl.ext].name, -1
			}
			pl.offset, pl.strides = leaf(pl.offset), nil
			for _, x := range t.place.strides {
				pl.strides = append(pl.strides, leaf(x))
			}
			c.place = &pl
		}
		ps[i].typ = &c
	}
	return ps
}

// entriesCall lets every entry call a function that does its work.
func entriesCall(r *rewriter) {
	for _, f := range append([]*fun{}, r.tree.funs...) {
		if f.entry == "" {
			continue
		}
		r.done++
		g := &fun{name: "work_of_" + f.name, params: f.params, rets: f.rets, body: f.body, attrs: []string{"noinline"}}
		call := &eApply{fn: g.name, rets: f.rets}
		for _, p := range f.params {
			o := v(p.name)
			if p.typ.uniq {
				o.name = "*" + o.name
			}
			call.args = append(call.args, o)
		}
		pat := r.resultPat(f.rets)
		f.body = &body{stms: []*stm{{pat: pat, exp: call}}, result: names(pat)}
		r.tree.funs = append(r.tree.funs, g)
	}
}

// entriesBranch puts the work of every entry into both branches of an if.
func entriesBranch(r *rewriter) {
	for _, f := range r.tree.funs {
		if f.entry == "" {
			continue
		}
		r.done++
		types := make([]*typ, len(f.rets))
		for i, t := range f.rets {
			c := *t
			c.uniq = false
			types[i] = &c
		}
		cond := r.fresh("c")
		pat := r.resultPat(f.rets)
		f.body = &body{result: names(pat), stms: []*stm{
			{pat: []*param{{name: cond, typ: &typ{prim: "bool"}}}, exp: &ePrim{op: "slt64", args: []operand{k("1i64"), k("2i64")}}},
			{pat: pat, exp: &eIf{cond: v(cond), yes: f.body, no: f.body, types: types}},
		}}
	}
}

// threadsCall lets the threads of kernels call a function; arrays come out of it
// in blocks that it gives, too.
func threadsCall(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		e, ok := s.exp.(*eSeg)
		if !ok || e.kind == "seghist" || e.level != "thread" || len(e.body.stms) == 0 {
			return []*stm{s}
		}
		inner := map[string]bool{}
		boundIn(nil, e.body, inner)
		var blocks, values []operand
		var blockTypes, types []*typ
		for i, t := range e.types {
			o := e.body.result[i]
			o.certs = nil
			if t.prim == "acc" || o.tile != nil {
				return []*stm{s}
			}
			if len(t.shape) > 0 {
				at := r.types[o.name]
				if at == nil || at.place == nil || r.mentions(at, inner) {
					return []*stm{s}
				}
				pl := *at.place
				pl.mem, pl.ext = "", len(blocks)
				blocks, blockTypes = append(blocks, v(at.place.mem)), append(blockTypes, r.types[at.place.mem])
				t = &typ{prim: t.prim, shape: t.shape, place: &pl}
			}
			values, types = append(values, o), append(types, t)
		}
		free, ok := r.free(e)
		if !ok || mayConsume(e.body, free) {
			return []*stm{s}
		}
		r.done++
		rets := append(blockTypes, types...)
		g := &fun{name: r.fresh("thread"), params: free, rets: rets, attrs: []string{"noinline"}}
		g.body = &body{stms: e.body.stms, result: append(blocks, values...)}
		r.tree.funs = append(r.tree.funs, g)
		pat := r.resultPat(rets)
		e.body = &body{stms: []*stm{{pat: pat, exp: &eApply{fn: g.name, rets: rets, args: names(free)}}}, result: names(pat[len(blocks):])}
		return []*stm{s}
	})
}

// mayConsume reports whether a body that updates arrays has other names for one of
// these, which a function would have to declare as consumed.
func mayConsume(x *body, ps []*param) bool {
	updates, whole := false, map[string]bool{}
	var look func(_ []*param, x *body)
	look = func(_ []*param, x *body) {
		for _, s := range x.stms {
			bodiesOf(s.exp, look)
			switch e := s.exp.(type) {
			case *eUpdate:
				updates, whole[e.x] = true, true
			case *eIndex:
				whole[e.x] = whole[e.x] || len(s.pat[0].typ.shape) > 0
			case *eRearrange:
				whole[e.x.name] = true
			case *eReshape:
				whole[e.x.name] = true
			case *eLoop:
				for _, o := range e.init {
					whole[o.name] = true
				}
			}
		}
	}
	look(nil, x)
	for _, p := range ps {
		if updates && len(p.typ.shape) > 0 && whole[p.name] {
			return true
		}
	}
	return false
}

// mentions reports whether the index function of an array's place needs one of
// these names.
func (r *rewriter) mentions(t *typ, set map[string]bool) bool {
	found := false
	q := &printer{bound: r.all(), name: func(n string) string { found = found || set[n]; return n }}
	q.lexp(t.place.offset)
	for _, s := range t.place.strides {
		q.lexp(s)
	}
	return found
}

// free returns the names that the body of a kernel needs from outside, as parameters of a
// function: blocks and scalars first.
func (r *rewriter) free(e *eSeg) ([]*param, bool) {
	inner := map[string]bool{}
	boundIn(nil, e.body, inner)
	seen := map[string]bool{}
	var blocks, scalars, arrays []*param
	ok := true
	var visit func(name string)
	use := func(text func(p *printer)) {
		q := &printer{bound: r.all(), name: func(n string) string { visit(n); return n }}
		text(q)
	}
	visit = func(name string) {
		t := r.types[name]
		if inner[name] || seen[name] || t == nil || r.constant(name) {
			return
		}
		seen[name] = true
		c := *t
		c.uniq = false
		q := &param{name: name, typ: &c}
		switch {
		case t.prim == "acc":
			ok = false
		case t.prim == "mem":
			blocks = append(blocks, q)
		case len(t.shape) > 0:
			use(func(p *printer) { p.typ(t) })
			arrays = append(arrays, q)
		default:
			scalars = append(scalars, q)
		}
	}
	use(func(p *printer) { p.kernelBody(e.body) })
	return append(append(blocks, scalars...), arrays...), ok
}

func (r *rewriter) constant(name string) bool {
	for _, s := range r.tree.consts {
		for _, p := range s.pat {
			if p.name == name {
				return true
			}
		}
	}
	return false
}

// constants makes the leading statements of entries that need no parameter
// constants of the file, as far as their arrays are only read by element.
func constants(r *rewriter) {
	for _, f := range r.tree.funs {
		if f.entry == "" {
			continue
		}
		r.in(f)
		elsewhere := map[string]bool{} // used as a whole
		var look func(x *body)
		look = func(x *body) {
			q := &printer{bound: r.all(), name: func(n string) string { elsewhere[n] = true; return n }}
			for _, s := range x.stms {
				bodiesOf(s.exp, func(_ []*param, y *body) { look(y) })
				switch e := s.exp.(type) {
				case *eIndex:
					for _, it := range e.item {
						if !it.fixed {
							elsewhere[e.x] = true
						}
					}
					continue
				case *eSeg:
					for _, o := range e.ops {
						q.operands(o.neutral)
						q.operands(o.dests)
					}
					continue
				case *eLoop:
					q.operands(e.init)
					continue
				case *eWithAcc:
					for _, in := range e.inputs {
						q.operands(in.arrays)
					}
					continue
				case *eIf, *eMatch, *eGPU:
					continue
				case *eApply:
					q.list("", "", len(e.args), func(i int) { q.operand(e.args[i]) })
					continue
				case *eAlloc:
					continue
				}
				q.exp(s.exp)
			}
			q.operands(x.result)
		}
		look(f.body)
		known := map[string]bool{}
		for _, s := range r.tree.consts {
			for _, p := range s.pat {
				known[p.name] = true
			}
		}
		var rest []*stm
		for _, s := range f.body.stms {
			move := len(s.pat) == 1 && len(s.certs) == 0
			switch s.exp.(type) {
			case *ePrim, *eAlloc, *eIota, *eLit, *eReplicate, *eIndex:
			case *eSeg:
			default:
				move = false
			}
			inner := map[string]bool{}
			boundBy(s, inner)
			q := &printer{bound: r.all(), name: func(n string) string { move = move && (known[n] || inner[n]); return n }}
			q.stm(s)
			for _, p := range s.pat {
				if len(p.typ.shape) > 0 && elsewhere[p.name] || p.typ.prim == "mem" && elsewhere[p.name] {
					move = false
				}
			}
			if !move {
				rest = append(rest, s)
				continue
			}
			r.done++
			known[s.pat[0].name] = true
			r.tree.consts = append(r.tree.consts, s)
		}
		f.body.stms = rest
	}
}
