package futhark

// freeAcc finds, in a body, the variable of an accumulator that comes from
// outside. There is one: accumulators are used linearly.
func (t *translator) freeAcc(b *body, a *accumulator) *variable {
	for _, s := range b.stms {
		if v := t.freeAccExp(s.exp, a); v != nil {
			return v
		}
	}
	return t.accAmong(b.result, a)
}

func (t *translator) accAmong(ops []operand, a *accumulator) *variable {
	for _, o := range ops {
		o = t.argument(o)
		if v := t.find(o.name); o.konst == "" && v != nil && v.kind == accKind && v.acc == a {
			return v
		}
	}
	return nil
}

func (t *translator) freeAccExp(e exp, a *accumulator) *variable {
	in := func(bs ...*body) *variable {
		for _, b := range bs {
			if v := t.freeAcc(b, a); v != nil {
				return v
			}
		}
		return nil
	}
	switch e := e.(type) {
	case *eOperand:
		return t.accAmong([]operand{e.x}, a)
	case *eUpdateAcc:
		return t.accAmong([]operand{{name: e.acc, ext: -1}}, a)
	case *eApply:
		return t.accAmong(e.args, a)
	case *eIf:
		return in(e.yes, e.no)
	case *eMatch:
		for _, c := range e.cases {
			if v := in(c.body); v != nil {
				return v
			}
		}
		return in(e.dflt)
	case *eLoop:
		if v := t.accAmong(e.init, a); v != nil {
			return v
		}
		return in(e.body)
	case *eWithAcc:
		return in(e.lam.body)
	case *eSeg:
		return in(e.body)
	}
	return nil
}

// whole returns the body of a function with the calls that give it constants.
func (f *fun) whole() *body {
	return &body{stms: append(f.needs[:len(f.needs):len(f.needs)], f.body.stms...), result: f.body.result}
}

// callees calls f for every call in a body.
func callees(b *body, f func(*eApply)) {
	for _, s := range b.stms {
		if e, ok := s.exp.(*eApply); ok {
			f(e)
		}
		bodiesOf(s.exp, func(_ []*param, in *body) { callees(in, f) })
	}
}
