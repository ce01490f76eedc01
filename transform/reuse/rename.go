package reuse

import "github.com/memc-lang/memc/ir"

// rename replaces names of blocks throughout a function: in places, where blocks are passed on, and
// in other names for them. A name that a place binds ("?m") is not a use, and stays.
func rename(f *ir.Func, to map[string]string) {
	name := func(n *string) {
		if m, ok := to[*n]; ok {
			*n = m
		}
	}
	elem := func(e *ir.Elem) {
		p := e.Type.Place
		if p == nil || p.Exist {
			return
		}
		if _, ok := to[p.Mem]; ok {
			q := *p // places may be shared by several types
			name(&q.Mem)
			e.Type.Place = &q
		}
	}
	operand := func(e *ir.Exp) {
		if r, ok := (*e).(*ir.Ref); ok && to[r.Name] != "" {
			other := *r // expressions may be shared, too
			name(&other.Name)
			*e = &other
		}
	}
	results := func(b *ir.Body) {
		for k := range b.Result {
			operand(&b.Result[k])
		}
	}
	for _, e := range f.Params {
		elem(e)
	}
	results(f.Body)
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		ir.EachUse(s.Op, name, func(ir.Exp) {})
		ir.EachExp(s.Op, operand)
		ir.Elems(s.Op, elem)
		for _, b := range ir.Bodies(s.Op) {
			results(b)
		}
		for _, e := range s.Pat {
			elem(e)
		}
		return true
	})
}
