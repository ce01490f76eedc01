package futhark

import "github.com/memc-lang/memc/ir"

// sequential translates a parallel operation to loops: within a kernel, where
// memc has no kernels, one thread does it.
func (t *translator) sequential(b *block, s *stm, e *eSeg) {
	dims := make([]ir.Dim, len(e.space))
	for i, d := range e.space {
		dims[i] = t.dim(d.bound)
	}
	switch e.kind {
	case "segmap":
		t.seqMap(b, s, e, dims)
	case "segred", "segscan":
		t.seqFold(b, s, e, dims)
	case "seghist":
		t.seqHist(b, s, e, dims)
	}
}

// bindSpace names the indices of a parallel operation.
func (t *translator) bindSpace(b *block, e *eSeg, ix []ir.Exp) {
	var space ir.Space
	for i, x := range ix {
		space = append(space, ir.Bound{Var: x.(*ir.Ref).Name, Size: t.exp(e.space[i].bound)})
	}
	t.flatIndexOf(b, e, space)
	for i, x := range ix {
		t.env.names[e.space[i].name] = &variable{kind: scalarKind, prim: ir.I64, name: x.(*ir.Ref).Name}
	}
}

// outputs prepares the arrays that a nest of loops fills: fresh ones for
// values, the accumulators' own.
type outputs struct {
	init []ir.Exp
	vars []carried
	own  []*variable // what each name of the pattern becomes
	from []int       // its first position in vars
}

func (t *translator) outputs(b *block, ps []*param, types []*typ, dims []ir.Dim, from *body) *outputs {
	o := &outputs{}
	for i, p := range ps {
		o.from = append(o.from, len(o.vars))
		if kindOf(types[i]) == accKind {
			a := t.accOf(&param{typ: types[i]})
			v := &variable{kind: accKind, acc: a}
			cur := t.freeAcc(from, a)
			if cur == nil {
				t.wrong(p.span, "no accumulator goes into `%s`", p.name)
			}
			for k, name := range cur.arrs {
				o.init = append(o.init, &ir.Ref{Name: name})
				o.vars = append(o.vars, carried{name, a.prims[k], a.full(k)})
			}
			o.own = append(o.own, v)
			continue
		}
		v := &variable{kind: arrayKind, prim: t.elements(p.name, t.prim(types[i].prim, types[i].span))}
		v.shape = append(append([]ir.Dim{}, dims...), t.dims(types[i].shape)...)
		fresh := t.array(b, p.name, v.prim, v.shape, &ir.Scratch{Prim: v.prim, Dims: dimExps(v.shape)})
		o.init = append(o.init, &ir.Ref{Name: fresh})
		o.vars = append(o.vars, carried{fresh, v.prim, v.shape})
		o.own = append(o.own, v)
	}
	return o
}

// finish binds a pattern to what a nest gave.
func (t *translator) finish(ps []*param, o *outputs, names []string) {
	for i, p := range ps {
		v := o.own[i]
		if v.kind == accKind {
			v.arrs = names[o.from[i] : o.from[i]+v.acc.carried()]
		} else {
			v.name = names[o.from[i]]
			t.madeHere(v)
		}
		t.alias(p.name, v)
	}
}

// store writes the values of a body into the outputs' elements.
func (t *translator) store(b *block, o *outputs, vals []operand, ix []ir.Exp, cur []string) []ir.Exp {
	var next []ir.Exp
	for i, r := range vals {
		if o.own[i].kind == accKind {
			for _, name := range t.lookup(r.name, r.span).arrs {
				next = append(next, &ir.Ref{Name: name})
			}
			continue
		}
		k := o.from[i]
		c := o.vars[k]
		rest := c.shape[len(ix):]
		next = append(next, &ir.Ref{Name: t.update(b, cur[k], c.prim, c.shape, fixed(ix, rest...), t.exp(r))})
	}
	return next
}

func (t *translator) seqMap(b *block, s *stm, e *eSeg, dims []ir.Dim) {
	o := t.outputs(b, s.pat, e.types, dims, e.body)
	names := t.nest(b, dimExps(dims), o.init, o.vars, func(b *block, ix []ir.Exp, cur []string) []ir.Exp {
		t.push()
		t.within++
		defer func() { t.pop(); t.within-- }()
		t.bindSpace(b, e, ix)
		t.rebind(o, cur)
		for _, c := range e.body.stms {
			t.stm(b, c)
		}
		return t.store(b, o, e.body.result, ix, cur)
	})
	t.finish(s.pat, o, names)
}

// rebind makes names of accumulators stand for the arrays that a loop carries.
func (t *translator) rebind(o *outputs, cur []string) {
	for i, v := range o.own {
		if v.kind != accKind {
			continue
		}
		here := cur[o.from[i] : o.from[i]+v.acc.carried()]
		for s := t.env.up; s != nil; s = s.up {
			for name, w := range s.names {
				if w.kind == accKind && w.acc == v.acc {
					t.env.names[name] = &variable{kind: accKind, acc: v.acc, arrs: here}
				}
			}
		}
	}
}

// seqFold: reductions and scans. The last dim is folded; the others are as in a
// map.
func (t *translator) seqFold(b *block, s *stm, e *eSeg, dims []ir.Dim) {
	each, mapped := resultsOf(e.ops, 0, len(e.body.result))
	outer, last := dims[:len(dims)-1], dims[len(dims)-1:]
	scan := e.kind == "segscan"
	resultTypes := e.types
	if e.post != nil {
		resultTypes = e.post.rets
	}
	// Which of the pattern's names are made per element, which per fold.
	perElement := make([]bool, len(s.pat))
	for i := range s.pat {
		perElement[i] = scan || kindOf(resultTypes[i]) == accKind
	}
	if !scan {
		for _, i := range mapped {
			perElement[i] = true
		}
	}
	var outs outputs
	for i, p := range s.pat {
		ds := outer
		if perElement[i] {
			ds = dims
		}
		if !perElement[i] && len(outer) == 0 { // what was accumulated is the result
			v := &variable{kind: kindOf(resultTypes[i]), prim: t.prim(resultTypes[i].prim, s.span)}
			v.shape = t.dims(resultTypes[i].shape)
			outs.own, outs.from = append(outs.own, t.madeHere(v)), append(outs.from, -1)
			continue
		}
		one := t.outputs(b, []*param{p}, []*typ{resultTypes[i]}, ds, e.body)
		outs.from = append(outs.from, len(outs.vars))
		outs.init, outs.vars, outs.own = append(outs.init, one.init...), append(outs.vars, one.vars...), append(outs.own, one.own...)
	}
	scalarResults := map[int]string{}
	fold := func(b *block, ox []ir.Exp, cur []string) []ir.Exp {
		return t.foldOnce(b, e, &outs, each, perElement, last, ox, cur, scalarResults)
	}
	var names []string
	if len(outer) == 0 {
		cur := make([]string, len(outs.vars))
		for k, x := range outs.init {
			cur[k] = x.(*ir.Ref).Name
		}
		for _, x := range fold(b, nil, cur) {
			names = append(names, x.(*ir.Ref).Name)
		}
	} else {
		names = t.nest(b, dimExps(outer), outs.init, outs.vars, fold)
	}
	for i, p := range s.pat {
		v := outs.own[i]
		switch {
		case outs.from[i] < 0:
			v.name = scalarResults[i]
		case v.kind == accKind:
			v.arrs = names[outs.from[i] : outs.from[i]+v.acc.carried()]
		default:
			v.name = names[outs.from[i]]
			t.madeHere(v)
		}
		t.alias(p.name, v)
	}
}

// foldOnce folds along the last dim at one place of the outer ones.
func (t *translator) foldOnce(b *block, e *eSeg, outs *outputs, each [][]int, perElement []bool, last []ir.Dim,
	ox []ir.Exp, cur []string, scalarResults map[int]string) []ir.Exp {
	var init []ir.Exp
	var vars []carried
	for _, o := range e.ops {
		for k, n := range o.neutral {
			shape := append(t.dims(o.shape), t.dims(o.lam.params[k].typ.shape)...)
			p := t.primOf(n)
			x := t.exp(n)
			if t.kindOfOperand(n) == arrayKind && len(o.shape) == 0 {
				x = &ir.Ref{Name: t.array(b, "acc", p, shape, &ir.Copy{X: t.arrayName(n)})}
			} else if len(o.shape) > 0 {
				x = &ir.Ref{Name: t.array(b, "acc", p, shape, &ir.Replicate{Dims: dimExps(shape[:len(o.shape)]), X: x})}
			}
			init = append(init, x)
			vars = append(vars, carried{"acc", p, shape})
		}
	}
	nAcc := len(vars)
	for k, name := range cur {
		init = append(init, &ir.Ref{Name: name})
		vars = append(vars, outs.vars[k])
	}
	scan := e.kind == "segscan"
	after := t.nest(b, dimExps(last), init, vars, func(b *block, lx []ir.Exp, now []string) []ir.Exp {
		t.push()
		t.within++
		defer func() { t.pop(); t.within-- }()
		ix := append(append([]ir.Exp{}, ox...), lx...)
		t.bindSpace(b, e, ix)
		t.rebind(outs, now[nAcc:])
		for _, c := range e.body.stms {
			t.stm(b, c)
		}
		var accs []ir.Exp
		k := 0
		for oi, o := range e.ops {
			n := len(o.neutral)
			accs = append(accs, t.combine(b, o, now[k:k+n], vars[k:k+n], pick(e.body.result, each[oi]))...)
			k += n
		}
		next := append([]ir.Exp{}, accs...)
		vals := e.body.result
		if scan {
			vals = t.scanned(b, e, accs, vars[:nAcc])
		}
		for i := range outs.own {
			if outs.from[i] < 0 {
				continue
			}
			c := nAcc + outs.from[i]
			if outs.own[i].kind == accKind {
				for _, name := range t.lookup(vals[i].name, vals[i].span).arrs {
					next = append(next, &ir.Ref{Name: name})
				}
				continue
			}
			if !perElement[i] {
				next = append(next, &ir.Ref{Name: now[c]})
				continue
			}
			v := vars[c]
			next = append(next, &ir.Ref{Name: t.update(b, now[c], v.prim, v.shape, fixed(ix, v.shape[len(ix):]...), t.exp(vals[i]))})
		}
		return next
	})
	var next []ir.Exp
	for i := range outs.own {
		switch {
		case outs.from[i] < 0:
			scalarResults[i] = after[i]
		case outs.own[i].kind == accKind:
			for k := range outs.own[i].acc.carried() {
				next = append(next, &ir.Ref{Name: after[nAcc+outs.from[i]+k]})
			}
		case perElement[i]:
			next = append(next, &ir.Ref{Name: after[nAcc+outs.from[i]]})
		default:
			v := outs.vars[outs.from[i]]
			x := &ir.Ref{Name: after[i], T: scalarPrim(vars[i])}
			next = append(next, &ir.Ref{Name: t.update(b, after[nAcc+outs.from[i]], v.prim, v.shape, fixed(ox, v.shape[len(ox):]...), x)})
		}
	}
	return next
}

// scanned binds the running values (and mapped results) to the parameters of
// the post-operator and gives its results; without one, the values themselves.
func (t *translator) scanned(b *block, e *eSeg, accs []ir.Exp, vars []carried) []operand {
	name := func(k int, x ir.Exp) *variable {
		if len(vars[k].shape) > 0 {
			return &variable{kind: arrayKind, name: x.(*ir.Ref).Name, prim: vars[k].prim, shape: vars[k].shape}
		}
		return t.named(b, "acc", x)
	}
	if e.post == nil {
		var out []operand
		for k, x := range accs {
			key := " acc" + vars[k].name + string(rune('0'+k))
			t.env.names[key] = name(k, x)
			out = append(out, operand{name: key, ext: -1})
		}
		return append(out, e.body.result[len(accs):]...)
	}
	for k, p := range e.post.params {
		if k < len(accs) {
			t.env.names[p.name] = name(k, accs[k])
		} else {
			t.env.names[p.name] = t.value(b, e.body.result[k])
		}
	}
	for _, s := range e.post.body.stms {
		t.stm(b, s)
	}
	return e.post.body.result
}

// combine applies an operator to accumulated and new values, element by element
// where they are arrays.
func (t *translator) combine(b *block, o segOp, now []string, vars []carried, vals []operand) []ir.Exp {
	if len(o.shape) == 0 {
		var args []ir.Exp
		for k, n := range now {
			args = append(args, &ir.Ref{Name: n, T: scalarPrim(vars[k])})
		}
		return t.fold(b, o.lam, args, vals)
	}
	var init []ir.Exp
	for _, n := range now {
		init = append(init, &ir.Ref{Name: n})
	}
	var out []ir.Exp
	part := func(b *block, base, of string, ix []ir.Exp, v carried, own bool) ir.Exp {
		rest := v.shape[len(ix):]
		if len(rest) == 0 {
			return t.scalar(b, base, &ir.Index{Array: of, Indices: ix, T: v.prim})
		}
		name := t.derived(b, base, v.prim, rest, &ir.Slice{X: of, Items: fixed(ix, rest...)})
		if own { // it is written behind the operator
			name = t.array(b, base, v.prim, rest, &ir.Copy{X: name})
		}
		return &ir.Ref{Name: name}
	}
	for _, n := range t.nest(b, dimExps(vars[0].shape[:len(o.shape)]), init, vars, func(b *block, ix []ir.Exp, cur []string) []ir.Exp {
		var args []ir.Exp
		for k, n := range cur {
			args = append(args, part(b, "old", n, ix, vars[k], true))
		}
		for k, v := range vals {
			args = append(args, part(b, "new", t.arrayName(v), ix, vars[k], false))
		}
		var next []ir.Exp
		for k, x := range t.applyLambda(b, o.lam, args, nil) {
			next = append(next, &ir.Ref{Name: t.update(b, cur[k], vars[k].prim, vars[k].shape, fixed(ix, vars[k].shape[len(ix):]...), x)})
		}
		return next
	}) {
		out = append(out, &ir.Ref{Name: n})
	}
	return out
}

// fold applies an operator to accumulated and new values. What it gives goes to the
// next iteration, which may write it: an array that others see, or that it gives
// twice, is copied.
func (t *translator) fold(b *block, l *lambda, now []ir.Exp, vals []operand) []ir.Exp {
	t.push()
	defer t.pop()
	ps := t.bindLambda(b, l, append(now, t.exps(vals)...), nil)
	for k, v := range vals {
		if t.kindOfOperand(v) == arrayKind {
			t.env.names[ps[len(now)+k].name].level = t.lookup(v.name, v.span).level
		}
	}
	for _, s := range l.body.stms {
		t.stm(b, s)
	}
	out := t.exps(l.body.result)
	given := map[string]bool{}
	for k, r := range l.body.result {
		if t.kindOfOperand(r) != arrayKind {
			continue
		}
		v := *t.lookup(r.name, r.span)
		if given[v.name] {
			v.level = -1
		}
		given[v.name] = true
		out[k] = &ir.Ref{Name: t.own(b, &v).name, At: r.span}
	}
	return out
}

// seqHist updates the histograms where the index is inside.
func (t *translator) seqHist(b *block, s *stm, e *eSeg, dims []ir.Dim) {
	segs := len(dims) - 1
	var accs []*variable
	var init []ir.Exp
	var vars []carried
	nIndex := 0
	for _, o := range e.ops {
		a := &accumulator{lam: o.lam, neutral: o.neutral, shape: append(append([]ir.Dim{}, dims[:segs]...), t.dims(o.hist)...)}
		v := &variable{kind: accKind, acc: a}
		for _, d := range o.dests {
			arr := t.own(b, t.lookup(d.name, d.span))
			a.prims = append(a.prims, arr.prim)
			a.elems = append(a.elems, arr.shape[len(a.shape):])
			v.arrs = append(v.arrs, arr.name)
			init = append(init, &ir.Ref{Name: arr.name})
			vars = append(vars, carried{arr.name, arr.prim, arr.shape})
		}
		accs = append(accs, v)
		nIndex += len(o.hist)
	}
	names := t.nest(b, dimExps(dims), init, vars, func(b *block, ix []ir.Exp, cur []string) []ir.Exp {
		t.push()
		t.within++
		defer func() { t.pop(); t.within-- }()
		t.bindSpace(b, e, ix)
		for _, c := range e.body.stms {
			t.stm(b, c)
		}
		var next []ir.Exp
		at, val, k := 0, nIndex, 0
		for oi, o := range e.ops {
			n := len(o.dests)
			key := " hist"
			v := &variable{kind: accKind, acc: accs[oi].acc, arrs: cur[k : k+n]}
			t.env.names[key] = v
			up := &eUpdateAcc{acc: key, value: e.body.result[val : val+n]}
			for _, d := range e.space[:segs] {
				up.index = append(up.index, operand{name: d.name, ext: -1, span: d.span})
			}
			up.index = append(up.index, e.body.result[at:at+len(o.hist)]...)
			t.updateAcc(b, &stm{pat: []*param{{name: key}}, span: s.span}, up)
			for _, name := range t.env.names[key].arrs {
				next = append(next, &ir.Ref{Name: name})
			}
			at, val, k = at+len(o.hist), val+n, k+n
		}
		return next
	})
	for i, p := range s.pat {
		t.alias(p.name, &variable{kind: arrayKind, name: names[i], prim: vars[i].prim, shape: vars[i].shape})
	}
}
