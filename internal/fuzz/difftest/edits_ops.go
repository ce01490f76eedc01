package difftest

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// bodies puts a branch's or a loop's statements in its place, once.
func (r *reducer) bodies() bool {
	return r.each(statements, func(k int) []edit {
		inline := func(which int) edit {
			return func(p *ir.Program, _ *Subject) bool {
				s := allStmts(p)[k]
				return inline(s, which)
			}
		}
		return []edit{inline(0), inline(1), inline(2)}
	})
}

// inline puts in place of an if its first or second branch; of a loop, what it
// gives without a turn (1) or after one (0); of a map, its body for the first thread (2).
func inline(s slot, which int) bool {
	st := s.stmt()
	var put []*ir.Stmt
	let := func(name *ir.Elem, e ir.Exp) {
		pat := *name
		pat.Type.Unique = false
		put = append(put, &ir.Stmt{Pat: []*ir.Elem{&pat}, Op: &ir.Compute{E: e}})
	}
	var body *ir.Body
	switch op := st.Op.(type) {
	case *ir.If:
		body = op.Then
		if which == 1 {
			body = op.Else
		} else if which == 2 {
			return false
		}
	case *ir.Loop:
		if which == 2 || len(op.Params) != len(st.Pat) {
			return false
		}
		if which == 1 {
			for k, e := range st.Pat {
				let(e, op.Params[k].Init)
			}
			break
		}
		for _, p := range op.Params {
			let(p.Elem, p.Init)
		}
		if op.Var != "" {
			let(&ir.Elem{Name: op.Var, Type: ir.Scalar(ir.I64)}, ir.IntLit(0))
		}
		body = op.Body
	default:
		return false
	}
	if body != nil {
		put = append(put, body.Stmts...)
		if len(body.Result) != len(st.Pat) {
			return false
		}
		for k, e := range st.Pat {
			let(e, body.Result[k])
		}
	}
	s.body.Stmts = slices.Concat(s.body.Stmts[:s.at], put, s.body.Stmts[s.at+1:])
	return true
}

// parts drops one result of a statement with several, one bound, one
// destination, one argument.
func (r *reducer) parts() bool {
	return r.each(statements, func(k int) []edit {
		st := allStmts(r.prog)[k].stmt()
		var edits []edit
		at := func(f func(s slot) bool) {
			edits = append(edits, func(p *ir.Program, _ *Subject) bool {
				all := allStmts(p)
				return k < len(all) && f(all[k])
			})
		}
		for i := range st.Pat {
			at(func(s slot) bool { return dropValue(s, i) })
		}
		switch op := st.Op.(type) {
		case *ir.Concat:
			at(func(s slot) bool { // one argument is a copy
				s.stmt().Op = &ir.Copy{X: op.Args[0]}
				return true
			})
		case *ir.Loop:
			at(func(s slot) bool {
				l := s.stmt().Op.(*ir.Loop)
				if l.Bound == nil {
					return false
				}
				l.Bound = ir.IntLit(1)
				return true
			})
			for i := range op.Params {
				at(func(s slot) bool {
					e := s.stmt().Op.(*ir.Loop).Params[i].Elem
					was := e.Type.Unique
					e.Type.Unique = false
					return was
				})
			}
		}
		at(func(s slot) bool { // types that can be left out
			some := false
			for _, e := range s.stmt().Pat {
				some = some || e.Written
				e.Written = false
			}
			return some
		})
		return edits
	})
}

// dropValue takes one value of a statement away; where its name is used it is
// bound to a constant.
func dropValue(s slot, i int) bool {
	st := s.stmt()
	if len(st.Pat) < 2 || i >= len(st.Pat) {
		return false
	}
	first := st.Pat[i]
	drop := func(b *ir.Body, k int) { b.Result = slices.Delete(b.Result, k, k+1) }
	switch op := st.Op.(type) {
	case *ir.If:
		drop(op.Then, i)
		drop(op.Else, i)
	case *ir.Loop:
		p := op.Params[i]
		if op.While == p.Elem.Name {
			return false
		}
		op.Params = slices.Delete(op.Params, i, i+1)
		drop(op.Body, i)
		pat := *p.Elem
		pat.Type.Unique = false
		op.Body.Stmts = slices.Insert(op.Body.Stmts, 0, &ir.Stmt{Pat: []*ir.Elem{&pat}, Op: &ir.Compute{E: p.Init}})
		if !usedNames(s.f)[p.Elem.Name] {
			op.Body.Stmts = op.Body.Stmts[1:]
		}
	case *ir.Map:
		drop(op.Body, i)
	case *ir.Reduce:
		if i < len(op.Op.Neutral) {
			return false
		}
		drop(op.Body, i)
	case *ir.Scan:
		if i < len(op.Op.Neutral) {
			return false
		}
		drop(op.Body, i)
	case *ir.Scatter:
		op.Dests = slices.Delete(op.Dests, i, i+1)
		drop(op.Body, len(op.Body.Result)-len(st.Pat)+i)
	case *ir.Into:
		if !dropAccumulator(op, i) {
			return false
		}
	default:
		return false
	}
	st.Pat = slices.Delete(st.Pat, i, i+1)
	if usedNames(s.f)[first.Name] {
		d := plain(first)
		if d == nil {
			return false
		}
		s.body.Stmts = slices.Insert(s.body.Stmts, s.at, d)
	}
	return true
}

// dropAccumulator removes the accumulator of array i, if it has no other, and what is written to it.
func dropAccumulator(op *ir.Into, i int) bool {
	name := ir.Dests(op)[i]
	k := slices.IndexFunc(op.Accs, func(a ir.Accumulator) bool { return slices.Contains(a.Dests, name) })
	if len(op.Accs) == 1 || len(op.Accs[k].Dests) > 1 {
		return false
	}
	op.Accs = slices.Delete(op.Accs, k, k+1)
	dropPuts(op.Body, name)
	return true
}

func dropPuts(b *ir.Body, name string) {
	b.Stmts = slices.DeleteFunc(b.Stmts, func(s *ir.Stmt) bool {
		p, ok := s.Op.(*ir.Put)
		return ok && p.Dests[0] == name
	})
	for _, s := range b.Stmts {
		for _, inner := range ir.Bodies(s.Op) {
			dropPuts(inner, name)
		}
	}
}

// operations replaces a statement by another name for one of its arrays, or by
// a map by one by a constant; and uses of one array by another.
func (r *reducer) operations() bool {
	return r.each(statements, func(k int) []edit {
		s := allStmts(r.prog)[k]
		st := s.stmt()
		if len(st.Pat) != 1 {
			return nil
		}
		var edits []edit
		set := func(op ir.Op) {
			edits = append(edits, func(p *ir.Program, _ *Subject) bool {
				allStmts(p)[k].stmt().Op = op
				return true
			})
		}
		e := st.Pat[0]
		if e.Type.Kind == ir.ArrayKind {
			if d := plain(e); d != nil {
				set(d.Op)
			}
			for _, x := range ir.Arrays(st.Op) {
				if _, same := st.Op.(*ir.Alias); !same {
					set(&ir.Alias{X: x})
					set(&ir.Copy{X: x})
				}
			}
			if op, ok := st.Op.(*ir.Alias); ok {
				edits = append(edits, func(p *ir.Program, _ *Subject) bool {
					at := allStmts(p)[k]
					at.body.Stmts = slices.Delete(at.body.Stmts, at.at, at.at+1)
					rename(at.f, e.Name, op.X)
					return true
				})
			}
			return edits
		}
		if op, ok := st.Op.(*ir.Compute); ok { // a scalar goes where it is used
			edits = append(edits, func(p *ir.Program, _ *Subject) bool {
				at := allStmts(p)[k]
				at.body.Stmts = slices.Delete(at.body.Stmts, at.at, at.at+1)
				mapFunc(at.f, func(x ir.Exp) ir.Exp {
					if ref, ok := x.(*ir.Ref); ok && ref.Name == e.Name {
						return op.E
					}
					return x
				})
				return true
			})
		}
		return edits
	})
}

// rename puts one name in place of another in a function.
func rename(f *ir.Func, from, to string) {
	mapFunc(f, func(e ir.Exp) ir.Exp {
		switch e := e.(type) {
		case *ir.Ref:
			if e.Name == from {
				e.Name = to
			}
		case *ir.Index:
			if e.Array == from {
				e.Array = to
			}
		}
		return e
	})
	for _, s := range allStmts(&ir.Program{Funcs: []*ir.Func{f}}) {
		ir.EachUse(s.stmt().Op, func(x *string) {
			if *x == from {
				*x = to
			}
		}, func(ir.Exp) {})
	}
}
