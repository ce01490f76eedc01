package futhark

import "github.com/memc-lang/memc/ir"

// A read is an element of an array in an expression. Where the whole right-hand
// side of a statement is one, whole is that statement.
type read struct {
	exp      *ir.Index
	whole    *ir.Stmt
	inKernel bool
}

// reads tells how a function uses its names.
type reads struct {
	of    map[string][]read // elements read, by array
	other map[string]bool   // names with any other use
	fresh map[string]bool   // arrays that kernels make
}

func readsOf(f *ir.Func) *reads {
	r := &reads{of: map[string][]read{}, other: map[string]bool{}, fresh: map[string]bool{}}
	for _, res := range f.Results {
		ir.TypeNames(res.Type, r.use)
	}
	r.body(f.Body, false)
	return r
}

func (r *reads) use(name string) { r.other[name] = true }

func (r *reads) body(b *ir.Body, inKernel bool) {
	for _, s := range b.Stmts {
		c, compute := s.Op.(*ir.Compute)
		if compute {
			whole, _ := c.E.(*ir.Index)
			r.exp(c.E, s, whole, inKernel)
		} else {
			ir.Exps(s.Op, func(e ir.Exp) { r.exp(e, nil, nil, inKernel) })
		}
		for _, a := range ir.Arrays(s.Op) {
			r.use(a)
		}
		switch s.Op.(type) {
		case *ir.Map, *ir.Reduce, *ir.Scan:
			for _, e := range s.Pat {
				r.fresh[e.Name] = true
			}
		}
		for _, e := range s.Pat {
			ir.TypeNames(e.Type, r.use)
		}
		ir.Elems(s.Op, func(e *ir.Elem) { ir.TypeNames(e.Type, r.use) })
		_, kernel := ir.KernelSpace(s.Op)
		for _, in := range ir.Bodies(s.Op) {
			r.body(in, inKernel || kernel)
		}
	}
	for _, e := range b.Result {
		r.exp(e, nil, nil, inKernel)
	}
}

// exp records the names of an expression; whole is the one that is all of the
// statement s.
func (r *reads) exp(e ir.Exp, s *ir.Stmt, whole *ir.Index, inKernel bool) {
	ir.WalkExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Ref:
			r.use(e.Name)
		case *ir.Index:
			x := read{exp: e, inKernel: inKernel}
			if e == whole {
				x.whole = s
			}
			r.of[e.Array] = append(r.of[e.Array], x)
		}
		return true
	})
}
