package futhark

import (
	"github.com/memc-lang/memc/ir"
)

// An accumulator is a set of arrays of one outer shape that are only added to.
// Without an operator a write puts a value in place of the old one.
type accumulator struct {
	name    string // its certificate's, which identifies it
	shape   []ir.Dim
	prims   []ir.Prim
	elems   [][]ir.Dim // shapes of the elements
	lam     *lambda
	neutral []operand
	// into are the arrays while a kernel is translated whose threads write them. Then the
	// accumulator is no value, and nothing carries it.
	into []string
}

// carried is how many arrays are carried along for the accumulator.
func (a *accumulator) carried() int {
	if a.into != nil {
		return 0
	}
	return len(a.prims)
}

func (a *accumulator) full(k int) []ir.Dim {
	return append(append([]ir.Dim{}, a.shape...), a.elems[k]...)
}

// accOf finds the accumulator that a name of an accumulator's type is: the
// certificate in the type names it.
func (t *translator) accOf(p *param) *accumulator {
	v := t.lookup(p.typ.acc, p.typ.span)
	if v.acc == nil {
		t.wrong(p.typ.span, "`%s` is not an accumulator's certificate", p.typ.acc)
	}
	return v.acc
}

// accVariable makes a variable for an accumulator, with new names for its
// arrays.
func (t *translator) accVariable(a *accumulator, p *param) (*variable, []*ir.Elem) {
	v := &variable{kind: accKind, acc: a}
	var es []*ir.Elem
	for k := range a.carried() {
		name := t.fresh(p.name)
		v.arrs = append(v.arrs, name)
		es = append(es, t.elem(name, a.prims[k], a.full(k), p.span))
	}
	return v, es
}

// withAcc: within the lambda the arrays are carried along as accumulators;
// its results are their last values and then its own.
func (t *translator) withAcc(b *block, s *stm, e *eWithAcc) {
	n := len(e.inputs)
	if len(e.lam.params) != 2*n {
		t.wrong(s.span, "%d accumulators, but %d parameters", n, len(e.lam.params))
	}
	t.push()
	for i, in := range e.inputs {
		a := &accumulator{name: e.lam.params[i].name, shape: t.dims(in.shape), lam: in.lam, neutral: in.neutral}
		v := &variable{kind: accKind, acc: a}
		for _, x := range in.arrays {
			arr := t.own(b, t.lookup(x.name, x.span))
			a.prims = append(a.prims, arr.prim)
			a.elems = append(a.elems, arr.shape[len(in.shape):])
			v.arrs = append(v.arrs, arr.name)
		}
		t.env.names[e.lam.params[i].name] = &variable{kind: unitKind, acc: a}
		t.env.names[e.lam.params[n+i].name] = v
	}
	var vals []*variable
	for _, c := range e.lam.body.stms {
		t.stm(b, c)
	}
	for _, r := range e.lam.body.result {
		v := t.value(b, r)
		if v.kind != accKind {
			vals = append(vals, v)
			continue
		}
		for k, name := range v.arrs {
			vals = append(vals, &variable{kind: arrayKind, name: name, prim: v.acc.prims[k], shape: v.acc.full(k), level: t.within})
		}
	}
	t.pop()
	k := 0
	for _, p := range s.pat {
		if kindOf(p.typ) == memKind {
			t.bind(p)
			continue
		}
		for k < len(vals) && vals[k].kind == memKind {
			k++
		}
		if k >= len(vals) {
			t.wrong(s.span, "too few results of with_acc")
		}
		t.alias(p.name, vals[k])
		k++
	}
}

// updateAcc in sequential code: a read, the operator, a write, where the index
// is inside.
func (t *translator) updateAcc(b *block, s *stm, e *eUpdateAcc) {
	v := t.lookup(e.acc, s.span)
	if v.kind != accKind {
		t.wrong(s.span, "`%s` is not an accumulator", e.acc)
	}
	a := v.acc
	if len(e.index) != len(a.shape) || len(e.value) != len(a.prims) || a.carried() != len(v.arrs) {
		t.wrong(s.span, "an update of `%s` does not match it", e.acc)
	}
	ix := t.exps(e.index)
	if a.into != nil {
		t.put(b, a, ix, t.exps(e.value))
		t.alias(s.pat[0].name, v)
		return
	}
	var inside ir.Exp = ir.BoolLit(true)
	for k, x := range ix {
		inside = and(inside, within(x, a.shape[k].Exp()))
	}
	yes := b.sub()
	var out, old []ir.Exp
	if a.lam == nil {
		for k, x := range e.value {
			name := t.update(yes, v.arrs[k], a.prims[k], a.full(k), fixed(ix, a.elems[k]...), t.exp(x))
			out = append(out, &ir.Ref{Name: name})
		}
	} else {
		out = t.combineInto(yes, a, v.arrs, ix, t.exps(e.value))
	}
	w := &variable{kind: accKind, acc: a}
	var pat []*ir.Elem
	for k, name := range v.arrs {
		old = append(old, &ir.Ref{Name: name})
		n := t.fresh(s.pat[0].name)
		w.arrs = append(w.arrs, n)
		pat = append(pat, t.elem(n, a.prims[k], a.full(k), s.span))
	}
	b.emit(pat, &ir.If{Cond: inside, Then: yes.body(out...), Else: b.sub().body(old...)})
	t.env.names[s.pat[0].name] = w
}

// combineInto applies an accumulator's operator to an element and a value and
// writes the result.
func (t *translator) combineInto(b *block, a *accumulator, arrs []string, ix, vals []ir.Exp) []ir.Exp {
	rank := 0
	for k := range a.prims {
		rank = len(a.elems[k])
	}
	lamRank := a.lam.rank()
	if lamRank > rank {
		t.wrong(a.lam.body.span, "an operator on arrays of rank %d, for elements of rank %d", lamRank, rank)
	}
	one := func(b *block, arrs []string, inner []ir.Exp) []ir.Exp {
		if lamRank > 0 {
			return t.combineRows(b, a, arrs, ix, inner, vals)
		}
		at := append(append([]ir.Exp{}, ix...), inner...)
		var args []ir.Exp
		for k := range a.prims {
			args = append(args, t.scalar(b, "old", &ir.Index{Array: arrs[k], Indices: at, T: a.prims[k]}))
		}
		for k, v := range vals {
			if rank > 0 {
				v = &ir.Index{Array: v.(*ir.Ref).Name, Indices: inner, T: a.prims[k]}
			}
			args = append(args, v)
		}
		next := t.applyLambda(b, a.lam, args, ix)
		var out []ir.Exp
		for k, x := range next {
			out = append(out, &ir.Ref{Name: t.update(b, arrs[k], a.prims[k], a.full(k), fixed(at), x)})
		}
		return out
	}
	if rank == lamRank {
		return one(b, arrs, nil)
	}
	var init []ir.Exp
	var vars []carried
	for k, name := range arrs {
		init = append(init, &ir.Ref{Name: name})
		vars = append(vars, carried{name, a.prims[k], a.full(k)})
	}
	var out []ir.Exp
	for _, n := range t.nest(b, dimExps(a.elems[0][:rank-lamRank]), init, vars, func(b *block, inner []ir.Exp, cur []string) []ir.Exp {
		return one(b, cur, inner)
	}) {
		out = append(out, &ir.Ref{Name: n})
	}
	return out
}

// rank returns that of the values an operator takes.
func (l *lambda) rank() int { return len(l.params[len(l.params)-1].typ.shape) }

// combineRows is combineInto for an operator that takes arrays: whole elements, or
// the parts of them at an index of a vectorised one.
func (t *translator) combineRows(b *block, a *accumulator, arrs []string, ix, inner, vals []ir.Exp) []ir.Exp {
	at := append(append([]ir.Exp{}, ix...), inner...)
	row := func(base, of string, k int, at []ir.Exp) string {
		return t.derived(b, base, a.prims[k], a.elems[k][len(inner):], &ir.Slice{X: of, Items: fixed(at, a.elems[k][len(inner):]...)})
	}
	var args []ir.Exp
	for k, name := range arrs {
		x := row("old", name, k, at)
		args = append(args, &ir.Ref{Name: t.array(b, "old", a.prims[k], a.elems[k][len(inner):], &ir.Copy{X: x})})
	}
	for k, v := range vals {
		if len(inner) > 0 {
			v = &ir.Ref{Name: row("new", v.(*ir.Ref).Name, k, inner)}
		}
		args = append(args, v)
	}
	var out []ir.Exp
	for k, x := range t.applyLambda(b, a.lam, args, ix) {
		out = append(out, &ir.Ref{Name: t.update(b, arrs[k], a.prims[k], a.full(k), fixed(at, a.elems[k][len(inner):]...), x)})
	}
	return out
}

// applyLambda writes out an operator for scalar arguments. Of an accumulator's
// operator the first parameters are the indices.
func (t *translator) applyLambda(b *block, l *lambda, args, ix []ir.Exp) []ir.Exp {
	t.push()
	defer t.pop()
	t.bindLambda(b, l, args, ix)
	for _, s := range l.body.stms {
		t.stm(b, s)
	}
	return t.exps(l.body.result)
}

// bindLambda binds the parameters of an operator, and gives those of the arguments.
func (t *translator) bindLambda(b *block, l *lambda, args, ix []ir.Exp) []*param {
	ps := l.params
	if extra := len(ps) - len(args); extra > 0 {
		for i, p := range ps[:extra] {
			if i < len(ix) {
				t.env.names[p.name] = &variable{kind: scalarKind, prim: ir.I64, name: t.scalar(b, p.name, ix[i]).Name}
			}
		}
		ps = ps[extra:]
	}
	for i, p := range ps {
		if len(p.typ.shape) > 0 {
			v, _ := t.variable(p.name, p.typ, p.span)
			v.name, v.level = args[i].(*ir.Ref).Name, t.within
			t.env.names[p.name] = v
			continue
		}
		t.env.names[p.name] = t.named(b, p.name, args[i])
	}
	return ps
}

// named returns an expression as a variable.
func (t *translator) named(b *block, base string, e ir.Exp) *variable {
	if r, ok := e.(*ir.Ref); ok {
		return &variable{kind: scalarKind, prim: r.T, name: r.Name}
	}
	return &variable{kind: scalarKind, prim: e.Prim(), name: t.scalar(b, base, e).Name}
}

// hasAcc reports whether one of some names is an accumulator.
func hasAcc(ps []*param) bool {
	for _, p := range ps {
		if kindOf(p.typ) == accKind {
			return true
		}
	}
	return false
}
