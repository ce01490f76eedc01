package futhark

import "slices"

// splitAccs translates a reduction or scan on the host whose threads also add to accumulators:
// first a map that only adds, then the operation that only combines. Each repeats the body without
// the parts that it does not need. It reports whether there was anything to split.
func (t *translator) splitAccs(b *block, s *stm, e *eSeg) bool {
	var at []int
	for k, ty := range e.types {
		if kindOf(ty) != accKind {
			continue
		}
		if v := t.find(e.body.result[k].name); e.post != nil && v != nil && v.kind == accKind {
			continue // as it came in: only the post-operator adds to it
		}
		at = append(at, k)
	}
	if len(at) == 0 {
		return false
	}
	plain := t.withoutAccs(e.body, e.body.result)
	adds := &eSeg{kind: "segmap", level: "thread", space: e.space, flat: e.flat, types: pick(e.types, at), span: e.span,
		body: &body{stms: e.body.stms, result: pick(e.body.result, at), span: e.body.span}}
	first := &stm{exp: adds, span: s.span}
	rest := *e
	rest.body = plain
	then := &stm{exp: &rest, pat: s.pat, span: s.span}
	if e.post != nil {
		for _, k := range at {
			p := *e.post.params[k]
			p.name += " added"
			first.pat = append(first.pat, &p)
			plain.result[k] = operand{name: p.name, ext: -1, span: p.span}
		}
	} else {
		first.pat = pick(s.pat, at)
		then.pat = without(s.pat, at)
		rest.types, plain.result = without(e.types, at), without(e.body.result, at)
	}
	t.seg(b, first, adds)
	b.span, t.at = s.span, b
	t.seg(b, then, &rest)
	return true
}

// withoutAccs returns a body less all that has to do with accumulators, with these
// results.
func (t *translator) withoutAccs(b *body, result []operand) *body {
	out := &body{result: slices.Clone(result), span: b.span}
	for _, s := range b.stms {
		if s = t.stmWithoutAccs(s); s != nil {
			out.stms = append(out.stms, s)
		}
	}
	return out
}

// stmWithoutAccs returns a statement less the accumulators that it binds, nil where
// nothing is left of it.
func (t *translator) stmWithoutAccs(s *stm) *stm {
	var at []int
	for i, p := range s.pat {
		if kindOf(p.typ) == accKind {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return s
	}
	if len(at) == len(s.pat) {
		return nil
	}
	t.wellFormed(s)
	branch := func(b *body) *body { return t.withoutAccs(b, without(b.result, at)) }
	out := *s
	out.pat = without(s.pat, at)
	switch e := s.exp.(type) {
	case *eLoop:
		l := *e
		l.params, l.init, l.body = without(e.params, at), without(e.init, at), branch(e.body)
		out.exp = &l
	case *eIf:
		out.exp = &eIf{equiv: e.equiv, cond: e.cond, yes: branch(e.yes), no: branch(e.no), types: e.types}
	case *eMatch:
		m := *e
		m.cases, m.dflt = nil, branch(e.dflt)
		for _, c := range e.cases {
			m.cases = append(m.cases, matchCase{c.pats, branch(c.body)})
		}
		out.exp = &m
	default:
		t.refuse(s.span, "a reduction or scan that adds to an accumulator in a %s with other results", constructOf(s.exp))
	}
	return &out
}

// constructOf names what a statement of a dump is.
func constructOf(e exp) string {
	switch e := e.(type) {
	case *eApply:
		return "function"
	case *eSeg:
		return "`" + e.kind + "`"
	}
	return "`with_acc`"
}

// without returns the elements at other positions than these.
func without[T any](xs []T, at []int) []T {
	var out []T
	for i, x := range xs {
		if !slices.Contains(at, i) {
			out = append(out, x)
		}
	}
	return out
}
