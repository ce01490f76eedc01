package futhark

func isView(s *stm) bool {
	if len(s.pat) != 1 || kindOf(s.pat[0].typ) != arrayKind {
		return false
	}
	switch s.exp.(type) {
	case *eIndex, *eReshape, *eRearrange:
		return true
	}
	return false
}

// wrongViews puts beside every view one that has too many elements, and a branch or a
// loop that uses it and is never run.
func wrongViews(r *rewriter) {
	r.everywhere(func(s *stm) []*stm {
		if !isView(s) || s.pat[0].typ.place == nil || s.pat[0].typ.shape[0].konst != "" {
			return []*stm{s}
		}
		r.done++
		x := s.pat[0]
		prim := x.typ.prim
		boolean, elem := &typ{prim: "bool"}, &typ{prim: prim}
		zero := k("0" + prim)
		switch prim {
		case "bool":
			zero = k("false")
		case "f16", "f32", "f64":
			zero = k("0.0" + prim)
		}
		leaf := func(konst string) *lexp { o := k(konst); return &lexp{leaf: &o} }
		many := *x.typ
		size := r.fresh("n")
		many.shape = []operand{v(size)}
		pl := *x.typ.place
		pl.offset, pl.strides = leaf("0i64"), []*lexp{leaf("1i64")}
		many.place = &pl
		cond, bad, read, used := r.fresh("never"), r.fresh("wrong"), r.fresh("x"), r.fresh("x")
		one := func(name string, ty *typ, e exp) *stm { return &stm{pat: []*param{{name: name, typ: ty}}, exp: e} }
		same := func(of string, to string) *stm {
			if prim == "bool" {
				return one(to, boolean, &ePrim{op: "logor", args: []operand{v(of), k("true")}})
			}
			op := "eq_"
			return one(to, boolean, &ePrim{op: op + prim, args: []operand{v(of), v(of)}})
		}
		// No algebra sees through the loop: a size that is known to be wrong is refused.
		n, more, integer := r.fresh("n"), r.fresh("n"), &typ{prim: "i64"}
		bigger := one(size, integer, &eLoop{params: []*param{{name: n, typ: integer}}, init: x.typ.shape[:1], loopVar: r.fresh("i"), varPrim: "i64", bound: k("1i64"),
			body: &body{stms: []*stm{one(more, integer, &ePrim{op: "add64", args: []operand{v(n), k("1000003i64")}})}, result: []operand{v(more)}}})
		out := []*stm{s, bigger, one(bad, &many, &eReshape{x: v(x.name), shape: many.shape})}
		index := one(read, elem, &eIndex{x: bad, item: []item{{fixed: true, x: k("5i64")}}})
		if r.done%2 == 0 {
			carried := r.fresh("x")
			l := &eLoop{params: []*param{{name: carried, typ: elem}}, init: []operand{zero}, loopVar: r.fresh("i"), varPrim: "i64", bound: k("0i64"),
				body: &body{stms: []*stm{index}, result: []operand{v(read)}}}
			out = append(out, one(used, elem, l))
		} else {
			out = append(out, one(cond, boolean, &ePrim{op: "slt64", args: []operand{x.typ.shape[0], k("0i64")}}))
			out = append(out, one(used, elem, &eIf{cond: v(cond), yes: &body{stms: []*stm{index}, result: []operand{v(read)}}, no: &body{result: []operand{zero}}, types: []*typ{elem}}))
		}
		ok, cert := r.fresh("ok"), r.fresh("cert")
		return append(out, same(used, ok), one(cert, &typ{prim: "unit"}, &eAssert{cond: v(ok), msg: []interface{}{"wrong view"}}))
	})
}
