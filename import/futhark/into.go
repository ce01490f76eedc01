package futhark

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Accumulators in kernels]
//
// A map whose threads add to accumulators becomes a `map .. into`, and an addition the statement
// `into`, wherever it stands: in branches, loops and functions, which are written out. A value per
// thread is written into one more accumulator, of an array that begins undefined. An element that
// is an array is written element by element. Without an operator, writes to one place race in
// Futhark too. If a thread writes once, at the end, the kernel is a scatter or a hist. An operator on whole arrays has no counterpart: then the map is a loop on the host.

// accKernel translates a map whose threads add to accumulators.
func (t *translator) accKernel(b *block, s *stm, e *eSeg) {
	if slices.ContainsFunc(e.types, t.combinesArrays) {
		t.warn(e.span, "the threads of this `segmap` combine whole arrays in an accumulator; it becomes a sequential loop on the host")
		t.sequential(b, s, e)
		return
	}
	op := &ir.Into{}
	var pat []*ir.Elem
	taken := map[int]*variable{} // the accumulators, as they come in
	for i, ty := range e.types {
		if kindOf(ty) == accKind {
			v, es := t.taken(b, s.pat[i], e, op)
			taken[i], pat = v, append(pat, es...)
		}
	}
	names := make([]string, len(e.types)) // of the arrays for other values
	for i, p := range s.pat {
		if k := kindOf(e.types[i]); k == scalarKind || k == arrayKind {
			names[i] = t.fresh(p.name)
		}
	}
	op.Space, op.Body = t.kernelBody(b, e, func(in *block) []ir.Exp {
		for i, r := range e.body.result {
			if names[i] != "" {
				t.putValue(in, names[i], e, r)
			}
		}
		return nil
	})
	b.span, t.at = s.span, b
	for i, p := range s.pat {
		if v := taken[i]; v != nil {
			v.arrs, v.acc.into = v.acc.into, nil
			continue
		}
		for _, el := range t.bindFresh([]*param{p}) {
			first := ir.CloneElem(el)
			first.Name = names[i]
			b.emit([]*ir.Elem{first}, &ir.Scratch{Prim: el.Type.Prim, Dims: dimExps(el.Type.Shape)})
			op.Accs, pat = append(op.Accs, ir.Accumulator{Dests: []string{first.Name}}), append(pat, el)
		}
	}
	b.span = e.span
	b.emit(pat, once(op))
}

// once returns a scatter or a hist, which memc knows more about, if a thread writes once, at the
// end of its body.
func once(op *ir.Into) ir.Op {
	puts := 0
	ir.WalkStmts(op.Body, func(s *ir.Stmt) bool {
		if _, put := s.Op.(*ir.Put); put {
			puts++
		}
		return true
	})
	if len(op.Accs) != 1 || puts != 1 {
		return op
	}
	body, acc := *op.Body, op.Accs[0]
	last := len(body.Stmts) - 1
	p, ok := body.Stmts[last].Op.(*ir.Put)
	if !ok {
		return op
	}
	body.Stmts, body.Result = body.Stmts[:last], slices.Concat(p.Index, p.Values)
	if acc.Op == nil {
		return &ir.Scatter{Dests: acc.Dests, Space: op.Space, Any: acc.Any, Body: &body}
	}
	return &ir.Hist{Dests: acc.Dests, Space: op.Space, Op: *acc.Op, Body: &body}
}

// combinesArrays reports whether a type is that of an accumulator with an operator on arrays.
func (t *translator) combinesArrays(ty *typ) bool {
	if kindOf(ty) != accKind {
		return false
	}
	l := t.accOf(&param{typ: ty}).lam
	return l != nil && l.rank() > 0
}

// taken adds an accumulator to a kernel. It returns the variable that is it before the kernel, and the
// elements of the arrays after it.
func (t *translator) taken(b *block, p *param, e *eSeg, op *ir.Into) (*variable, []*ir.Elem) {
	a := t.accOf(&param{typ: p.typ})
	v := t.freeAcc(e.body, a)
	if v == nil {
		t.wrong(p.span, "no accumulator goes into `%s`", p.name)
	}
	acc := ir.Accumulator{Dests: v.arrs, Any: a.lam == nil}
	if a.lam != nil {
		o := t.fuse(b, []segOp{{neutral: a.neutral, lam: a.lam, commutative: true}})
		acc.Op = &o
	}
	op.Accs = append(op.Accs, acc)
	after, es := t.accVariable(a, &param{name: v.arrs[0], typ: p.typ, span: e.span})
	t.alias(p.name, after)
	a.into, v.arrs = v.arrs, nil
	return v, es
}

// put adds to an accumulator in a kernel.
func (t *translator) put(b *block, a *accumulator, ix, vals []ir.Exp) {
	one := func(b *block, inner []ir.Exp, _ []string) []ir.Exp {
		p := &ir.Put{Dests: a.into, Index: slices.Concat(ix, inner)}
		for k, v := range vals {
			if len(inner) > 0 {
				v = &ir.Index{Array: v.(*ir.Ref).Name, Indices: inner, T: a.prims[k]}
			}
			p.Values = append(p.Values, fit(v, a.prims[k]))
		}
		b.emit(nil, p)
		return nil
	}
	if dims := a.elems[0]; len(dims) > 0 {
		t.nest(b, dimExps(dims), nil, nil, one)
	} else {
		one(b, nil, nil)
	}
}

// putValue writes a value of a thread into its part of an array.
func (t *translator) putValue(b *block, array string, e *eSeg, r operand) {
	v := t.value(b, r)
	a := &accumulator{prims: []ir.Prim{v.prim}, elems: [][]ir.Dim{v.shape}, into: []string{array}}
	var ix []ir.Exp
	for _, d := range e.space {
		ix = append(ix, t.exp(operand{name: d.name, ext: -1, span: d.span}))
	}
	t.put(b, a, ix, t.exps([]operand{r}))
}
