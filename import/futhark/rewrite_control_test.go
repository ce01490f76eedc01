package futhark

import (
	"strings"
)

// matchForIf writes every second branch as a match on two values.
func matchForIf(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		e, ok := s.exp.(*eIf)
		if !ok || e.equiv {
			return []*stm{s}
		}
		r.done++
		m := &eMatch{on: []operand{k("3i32"), e.cond}, dflt: e.no, types: e.types}
		m.cases = []matchCase{{[]operand{k("4i32"), v("_")}, e.no}, {[]operand{v("_"), k("true")}, e.yes}}
		if r.done%2 == 0 {
			m.cases = []matchCase{{[]operand{k("3i32"), k("false")}, e.no}}
			m.dflt = e.yes
		}
		return []*stm{{pat: s.pat, certs: s.certs, exp: m}}
	})
}

// whileForFor counts loops by hand.
func whileForFor(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		e, ok := s.exp.(*eLoop)
		if !ok || e.while != "" {
			return []*stm{s}
		}
		r.done++
		integer, boolean := &typ{prim: e.varPrim}, &typ{prim: "bool"}
		bits := strings.TrimPrefix(e.varPrim, "i")
		cond, first, next, more := r.fresh("cond"), r.fresh("cond"), r.fresh("i"), r.fresh("cond")
		zero := k("0" + e.varPrim)
		less := func(name string, x operand) *stm {
			return &stm{pat: []*param{{name: name, typ: boolean}}, exp: &ePrim{op: "slt" + bits, args: []operand{x, e.bound}}}
		}
		w := &eLoop{while: cond, body: &body{}}
		w.params = append([]*param{{name: e.loopVar, typ: integer}, {name: cond, typ: boolean}}, e.params...)
		w.init = append([]operand{zero, v(first)}, e.init...)
		w.body.stms = append(append(w.body.stms, e.body.stms...),
			&stm{pat: []*param{{name: next, typ: integer}}, exp: &ePrim{op: "add" + bits, args: []operand{v(e.loopVar), k("1" + e.varPrim)}}},
			less(more, v(next)))
		w.body.result = append([]operand{v(next), v(more)}, e.body.result...)
		pat := append([]*param{{name: r.fresh("i"), typ: integer}, {name: r.fresh("cond"), typ: boolean}}, s.pat...)
		return []*stm{less(first, zero), {pat: pat, certs: s.certs, exp: w}}
	})
}

// makes reports whether a statement makes one array or scalars, anew.
func makes(s *stm) bool {
	for _, p := range s.pat {
		if p.typ.prim == "mem" || p.typ.prim == "acc" || p.typ.prim == "unit" {
			return false
		}
	}
	switch e := s.exp.(type) {
	case *eSeg:
		return e.kind != "seghist"
	case *eReplicate, *eIota, *eConcat, *eManifest, *eGPU:
		return true
	}
	return false
}

// branches puts what makes an array into both branches of an if.
func branches(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		if _, update := s.exp.(*eUpdate); !update && !makes(s) {
			return []*stm{s}
		}
		if _, group := s.exp.(*eSeg); group && s.exp.(*eSeg).level == "inblock" {
			return []*stm{s}
		}
		r.done++
		cond := r.fresh("c")
		e := &eIf{cond: v(cond), yes: &body{stms: []*stm{s}, result: names(s.pat)}}
		e.no = e.yes
		for _, p := range s.pat {
			e.types = append(e.types, p.typ)
		}
		return []*stm{
			{pat: []*param{{name: cond, typ: &typ{prim: "bool"}}}, exp: &ePrim{op: "slt64", args: []operand{k("1i64"), k("2i64")}}},
			{pat: s.pat, exp: e},
		}
	})
}

// loops makes an array in the one iteration of a loop.
func loops(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		if g, group := s.exp.(*eSeg); !makes(s) || len(s.pat) != 1 || len(s.pat[0].typ.shape) == 0 || group && g.level == "inblock" {
			return []*stm{s}
		}
		r.done++
		t := s.pat[0].typ
		u := *t
		u.uniq = true
		init := &param{name: r.fresh("init"), typ: t}
		l := &eLoop{params: []*param{{name: r.fresh("p"), typ: &u}}, init: []operand{v(init.name)}, loopVar: r.fresh("i"), varPrim: "i64", bound: one,
			body: &body{stms: []*stm{s}, result: names(s.pat)}}
		return []*stm{{pat: []*param{init}, exp: &eScratch{prim: t.prim, shape: t.shape}}, {pat: s.pat, exp: l}}
	})
}

// threadBranches puts what a thread does into both branches of an if.
func threadBranches(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		e, ok := s.exp.(*eSeg)
		if !ok || len(e.body.stms) == 0 {
			return []*stm{s}
		}
		for _, o := range e.body.result {
			if o.tile != nil {
				return []*stm{s}
			}
		}
		var pat []*param
		for _, t := range e.types {
			if len(t.shape) > 0 && t.prim != "acc" || t.prim == "unit" {
				return []*stm{s}
			}
			pat = append(pat, &param{name: r.fresh("r"), typ: t})
		}
		r.done++
		cond := r.fresh("c")
		test := &stm{pat: []*param{{name: cond, typ: &typ{prim: "bool"}}}, exp: &ePrim{op: "slt64", args: []operand{v(e.space[0].name), e.space[0].bound}}}
		e.body = &body{stms: []*stm{test, {pat: pat, exp: &eIf{cond: v(cond), yes: e.body, no: e.body, types: e.types}}}, result: names(pat)}
		return []*stm{s}
	})
}

// certificates lets every statement depend on an assertion of its own.
func certificates(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		switch s.exp.(type) {
		case *eAlloc, *eSize, *eAssert:
			return []*stm{s}
		}
		r.done++
		cond, cert := r.fresh("c"), r.fresh("cert")
		t := &stm{pat: []*param{{name: cond, typ: &typ{prim: "bool"}}}, exp: &ePrim{op: "slt64", args: []operand{k("1i64"), k("2i64")}}}
		a := &stm{pat: []*param{{name: cert, typ: &typ{prim: "unit"}}}, loc: "a file.fut:1:2-3",
			exp: &eAssert{cond: v(cond), msg: []any{"Index [", v(cond), "] \"is\" \n" + strings.Repeat("\\", 2) + " é"}}}
		s.certs = append(s.certs, cert)
		return []*stm{t, a, s}
	})
}
