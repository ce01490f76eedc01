package futhark

import "github.com/memc-lang/memc/ir"

// Note [Accumulators in kernels]
//
// A kernel of memc's writes at computed places in two ways: `scatter` and `hist`, which take one
// index and one value per thread. A thread of Futhark's may add several times, under conditions, to
// several accumulators. So the additions of a body are numbered (slots). Each straight-line
// addition has a number of its own. Those of the two branches of an `if` share numbers; the branch
// with fewer additions returns the index -1, at which nothing is written. Each slot has one scatter
// or hist, which repeats the body without the parts that the slot does not need. An operator is
// commutative, so the order does not matter; without one, writes to one place race in Futhark too.
//
// Additions in a loop have no fixed number. Then the whole map becomes a sequential loop. The same
// holds if a thread writes several times without an operator, since its later writes win.

// A slot is an addition: indices and values, as expressions of the kernel.
type slot struct{ index, value []ir.Exp }

func (t *translator) addSlot(v *variable, index, value []ir.Exp) *variable {
	slots := append(append([]slot{}, v.slots...), slot{index, value})
	return &variable{kind: accKind, acc: v.acc, arrs: v.arrs, slots: slots}
}

// slottable reports whether the additions of a body have fixed numbers, also in the
// functions that it calls, which are written out.
func (t *translator) slottable(b *body, depth int) bool {
	for _, s := range b.stms {
		if !hasAcc(s.pat) {
			continue
		}
		switch e := s.exp.(type) {
		case *eUpdateAcc, *eOperand:
		case *eIf:
			for _, p := range s.pat {
				for _, part := range p.typ.parts {
					if len(part.shape) > 0 {
						return false
					}
				}
			}
			if e.equiv || !t.slottable(e.yes, depth) || !t.slottable(e.no, depth) {
				return false
			}
		case *eApply:
			f := t.funs[e.fn]
			if f == nil || depth > maxDepth || !t.slottable(f.body, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// slotCount counts the slots of an accumulator in a slottable body.
func (t *translator) slotCount(b *body, cert string) int {
	n := 0
	for _, s := range b.stms {
		switch e := s.exp.(type) {
		case *eUpdateAcc:
			if s.pat[0].typ.acc == cert {
				n++
			}
		case *eIf:
			n += max(t.slotCount(e.yes, cert), t.slotCount(e.no, cert))
		case *eApply:
			f := t.funs[e.fn]
			for i, a := range e.args {
				if f != nil && hasAcc(s.pat) && a.name == cert && i < len(f.params) {
					n += t.slotCount(f.body, f.params[i].name)
				}
			}
		}
	}
	return n
}

func hasAcc(ps []*param) bool {
	for _, p := range ps {
		if kindOf(p.typ) == accKind {
			return true
		}
	}
	return false
}

// slottingIf translates an `if` with additions in its branches.
func (t *translator) slottingIf(b *block, s *stm, e *eIf) bool {
	slotting := false
	for _, p := range s.pat {
		if kindOf(p.typ) == accKind && t.accOf(p).slotting {
			slotting = true
		}
	}
	if !slotting {
		return false
	}
	op := &ir.If{Cond: t.exp(e.cond)}
	yes, no := t.branch(b, e.yes), t.branch(b, e.no)
	var elems []*ir.Elem
	t.padded(s, yes, no, &elems)
	op.Then, op.Else = yes.block.body(yes.out...), no.block.body(no.out...)
	b.span = s.span
	b.emit(elems, op)
	return true
}

// A branchOf is a translated body with the values of its results.
type branchOf struct {
	block *block
	vals  []*variable // of accumulators
	exps  [][]ir.Exp  // of the others
	out   []ir.Exp
}

func (t *translator) branch(b *block, x *body) *branchOf {
	br := &branchOf{block: b.sub()}
	t.inBody(br.block, x, func() {
		for i, r := range x.result {
			br.vals, br.exps = append(br.vals, nil), append(br.exps, nil)
			if t.kindOfOperand(r) == accKind {
				br.vals[i] = t.lookup(r.name, r.span)
			} else {
				br.exps[i] = t.values([]operand{r})
			}
		}
	})
	return br
}

// padded lines up the values of two branches, so that both give as many slots,
// and binds the names of the pattern.
func (t *translator) padded(s *stm, yes, no *branchOf, elems *[]*ir.Elem) {
	for i, p := range s.pat {
		if kindOf(p.typ) != accKind {
			if e := t.bind(p); e != nil {
				if e.Type.Kind == ir.ArrayKind && t.places {
					t.noPlace(p.span, "a branch gives an array beside an accumulator")
				}
				e.Type.Unique = false
				*elems = append(*elems, e)
			}
			yes.out, no.out = append(yes.out, yes.exps[i]...), append(no.out, no.exps[i]...)
			continue
		}
		y, n := yes.vals[i], no.vals[i]
		a := y.acc
		v := &variable{kind: accKind, acc: a, arrs: y.arrs}
		common := 0 // what was added before the branches
		for common < len(y.slots) && common < len(n.slots) && sameSlot(y.slots[common], n.slots[common]) {
			v.slots = append(v.slots, y.slots[common])
			common++
		}
		for k := common; k < max(len(y.slots), len(n.slots)); k++ {
			yes.out, no.out = append(yes.out, slotOr(a, y.slots, k)...), append(no.out, slotOr(a, n.slots, k)...)
			var sl slot
			for range a.shape {
				sl.index = append(sl.index, t.slotName(p, ir.I64, elems))
			}
			for _, prim := range a.prims {
				sl.value = append(sl.value, t.slotName(p, signedOf(prim), elems))
			}
			v.slots = append(v.slots, sl)
		}
		t.env.names[p.name] = v
	}
}

func sameSlot(x, y slot) bool { return &x.index[0] == &y.index[0] }

// slotOr returns slot k, or where there is none an index that is out of range.
func slotOr(a *accumulator, slots []slot, k int) []ir.Exp {
	if k < len(slots) {
		return append(append([]ir.Exp{}, slots[k].index...), slots[k].value...)
	}
	var out []ir.Exp
	for range a.shape {
		out = append(out, &ir.Unary{Op: "-", X: &ir.Lit{Text: "1", Suffix: true, T: ir.I64}, T: ir.I64})
	}
	for _, p := range a.prims {
		out = append(out, zeroOf(signedOf(p)))
	}
	return out
}

func (t *translator) slotName(p *param, prim ir.Prim, elems *[]*ir.Elem) ir.Exp {
	name := t.fresh(p.name)
	*elems = append(*elems, t.elem(name, prim, nil, p.span))
	return &ir.Ref{Name: name, T: prim, At: p.span}
}

// accKernel translates a map whose threads add to accumulators.
func (t *translator) accKernel(b *block, s *stm, e *eSeg) {
	many := !t.slottable(e.body, 0)
	for _, ty := range e.types {
		if kindOf(ty) == accKind && t.accOf(&param{typ: ty}).lam == nil && t.slotCount(e.body, ty.acc) > 1 {
			many = true // later writes of a thread must win over its earlier ones
		}
		if kindOf(ty) == accKind {
			if l := t.accOf(&param{typ: ty}).lam; l != nil && l.rank() > 0 {
				many = true // no kernel combines arrays
			}
		}
	}
	if many {
		t.remark(e.span, "the threads of this `segmap` write to accumulators several times, or with an operator on arrays; it becomes a sequential loop")
		t.sequential(b, s, e)
		return
	}
	accs := map[int]*accumulator{}
	var plain []int
	for i, ty := range e.types {
		if kindOf(ty) == accKind {
			accs[i] = t.accOf(&param{typ: ty})
			accs[i].slotting = true
			continue
		}
		plain = append(plain, i)
	}
	inputs := map[int]*variable{}
	for i, a := range accs {
		if inputs[i] = t.freeAcc(e.body, a); inputs[i] == nil {
			t.wrong(s.pat[i].span, "no accumulator goes into `%s`", s.pat[i].name)
		}
	}
	if len(plain) > 0 {
		op := &ir.Map{}
		op.Space, op.Body = t.kernelBody(b, e, func() []ir.Exp { return t.values(pick(e.body.result, plain)) })
		b.span, t.at = s.span, b
		es := t.bindFresh(pick(s.pat, plain))
		fitResults(op.Body, es)
		b.emit(es, op)
	}
	for i := range e.types {
		a := accs[i]
		if a == nil {
			continue
		}
		arrs := inputs[i].arrs
		for k, n := 0, 1; k < n; k++ {
			arrs, n = t.slotKernel(b, e, e.body.result[i], a, arrs, k)
		}
		t.env.names[s.pat[i].name] = &variable{kind: accKind, acc: a, arrs: arrs}
	}
	for _, a := range accs {
		a.slotting = false
	}
}

// slotKernel makes the kernel for slot k of an accumulator, and gives the
// arrays' names after it and how many slots there are.
func (t *translator) slotKernel(b *block, e *eSeg, result operand, a *accumulator, arrs []string, k int) ([]string, int) {
	n := 0
	var inner ir.Space // a thread per element, where the elements are arrays
	var at []ir.Exp
	for _, d := range a.elems[0] {
		v := t.fresh("j")
		inner = append(inner, ir.Bound{Var: v, Size: d.Exp(), Span: e.span})
		at = append(at, ir.Var(v))
	}
	space, body := t.kernelBody(b, e, func() []ir.Exp {
		slots := t.lookup(result.name, result.span).slots
		if n = len(slots); n == 0 {
			return nil
		}
		out := append(append([]ir.Exp{}, slots[k].index...), at...)
		for i, v := range slots[k].value {
			if len(at) > 0 {
				v = &ir.Index{Array: v.(*ir.Ref).Name, Indices: at, T: a.prims[i]}
			}
			out = append(out, fit(v, a.prims[i]))
		}
		return out
	})
	if n == 0 {
		return arrs, 0
	}
	space = append(space, inner...)
	var op ir.Op = &ir.Scatter{Dests: arrs, Space: space, Any: true, Body: body}
	if a.lam != nil {
		h := &ir.Hist{Dests: arrs, Space: space, Body: body}
		h.Op = t.fuse(b, []segOp{{neutral: a.neutral, lam: a.lam, commutative: true}})
		op = h
	}
	b.span = e.span
	var pat []*ir.Elem
	var names []string
	for i := range a.prims {
		names = append(names, t.fresh(arrs[i]))
		pat = append(pat, t.elem(names[i], a.prims[i], a.full(i), e.span))
	}
	b.emit(pat, op)
	return names, n
}
