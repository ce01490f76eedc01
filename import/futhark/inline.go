package futhark

// onAccumulators reports whether a function takes or gives accumulators. memc has no
// values of that kind, so such a function is written out wherever it is called.
func onAccumulators(f *fun) bool {
	if hasAcc(f.params) {
		return true
	}
	for _, r := range f.rets {
		if kindOf(r) == accKind {
			return true
		}
	}
	return false
}

// standing returns the functions that become functions of memc's program.
func (t *translator) standing() []*fun {
	var fs []*fun
	for _, f := range t.tree.funs {
		if f.entry != "" || !onAccumulators(f) {
			fs = append(fs, f)
		}
	}
	return fs
}

// inline writes out the body of a function in place of its call.
func (t *translator) inline(b *block, s *stm, e *eApply, f *fun) {
	if t.depth++; t.depth > maxDepth {
		t.wrong(e.span, "`%s` calls itself", e.fn)
	}
	args := make([]*variable, len(e.args))
	for i, a := range e.args {
		args[i] = t.value(b, t.argument(a))
	}
	caller, classes := t.env, t.classes
	t.env, t.classes = &scope{names: t.consts}, t.classesOf(f)
	t.push()
	for i, p := range f.params {
		t.alias(p.name, args[i])
	}
	for _, c := range f.body.stms {
		t.stm(b, c)
	}
	vals := make([]*variable, len(f.body.result))
	for i, r := range f.body.result {
		vals[i] = t.value(b, r)
	}
	t.env, t.classes = caller, classes
	t.depth--
	if len(s.pat) != len(vals) {
		t.wrong(e.span, "`%s` gives %d values", e.fn, len(vals))
	}
	for i, p := range s.pat {
		t.alias(p.name, vals[i])
	}
}
