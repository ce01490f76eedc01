package futhark

// wellFormed checks that a statement binds as many names as its right-hand side
// gives values, and that the lists of a construct have the lengths that they
// need, so that the translation need not look again.
func (t *translator) wellFormed(s *stm) {
	want := func(ok bool, what string) {
		if !ok {
			t.wrong(s.span, "%s do not match", what)
		}
	}
	n := len(s.pat)
	switch e := s.exp.(type) {
	case *eOperand:
		want(n == 1 || n == 2 && kindOf(s.pat[0].typ) == memKind, "names and values")
	case *eIf:
		want(n == len(e.yes.result) && n == len(e.no.result), "names and branches")
	case *eMatch:
		want(n == len(e.dflt.result), "names and cases")
		for _, c := range e.cases {
			want(n == len(c.body.result), "names and cases")
		}
	case *eLoop:
		want(n == len(e.params) && n == len(e.init) && n == len(e.body.result), "the parameters, values and names of a loop")
	case *eApply:
		want(n == len(e.rets), "names and results")
	case *eGPU:
		want(n == len(e.types) && n == len(e.body.result), "names and results")
	case *eWithAcc:
		want(len(e.lam.params) == 2*len(e.inputs), "accumulators and parameters")
		for i, in := range e.inputs {
			want(len(in.shape) > 0, "an accumulator and its shape")
			p := e.lam.params[len(e.inputs)+i]
			want(kindOf(p.typ) == accKind && len(in.arrays) > 0 && len(p.typ.parts) == len(in.arrays), "accumulators and arrays")
			t.operator(in.lam, in.neutral, len(in.arrays), want)
		}
	case *eUpdateAcc:
		want(n == 1 && kindOf(s.pat[0].typ) == accKind && len(s.pat[0].typ.parts) == len(e.value) &&
			len(s.pat[0].typ.shape) == len(e.index), "an accumulator and its values")
	case *eSeg:
		t.wellFormedSeg(s, e, want)
	default:
		want(n == 1, "names and values")
	}
}

// operator checks an operator on k values; nil is none.
func (t *translator) operator(l *lambda, neutral []operand, k int, want func(bool, string)) {
	if l == nil {
		return
	}
	want(len(neutral) == k && len(l.params) >= 2*k && len(l.body.result) == k, "an operator and its values")
}

func (t *translator) wellFormedSeg(s *stm, e *eSeg, want func(bool, string)) {
	const what = "the results of a kernel"
	want(len(e.space) > 0, "a kernel and its dimensions")
	n := len(e.body.result)
	want(n == len(e.types), what)
	combined := 0
	for _, o := range e.ops {
		k := len(o.neutral)
		t.operator(o.lam, o.neutral, k, want)
		want(k > 0 && (e.kind != "seghist" || len(o.dests) == k), "an operator and its values")
		combined += k
	}
	switch {
	case e.kind == "segmap":
		want(n == len(s.pat), what)
		return
	case e.kind == "seghist":
		index := 0
		for _, o := range e.ops {
			index += len(o.hist)
		}
		want(n == index+combined && len(s.pat) == combined, what)
		return
	}
	want(len(e.ops) > 0 && n >= combined, what)
	if e.post == nil {
		want(len(s.pat) == n, what)
		return
	}
	want(len(e.post.params) == n && len(e.post.rets) == len(s.pat) && len(e.post.body.result) == len(s.pat), what)
}
