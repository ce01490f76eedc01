package check

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// boundNames returns every name that a function binds, with its first place.
func boundNames(f *ir.Func) map[string]diag.Span {
	bound := make(map[string]diag.Span, ir.Size(f))
	note := func(n string, at diag.Span) {
		if _, ok := bound[n]; !ok && n != "" {
			bound[n] = at
		}
	}
	typ := func(t *ir.Type) {
		if t.Place == nil {
			return
		}
		for _, n := range ir.ExistScalars(t.Place) {
			note(n, t.Place.Span)
		}
		if t.Place.Exist {
			note(t.Place.Mem, t.Place.Span)
		}
	}
	elem := func(e *ir.Elem) {
		note(e.Name, e.Span)
		typ(&e.Type)
	}
	for _, n := range f.Sizes {
		note(n, f.Span)
	}
	for _, e := range f.Params {
		elem(e)
	}
	for i := range f.Results {
		typ(&f.Results[i].Type)
	}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			elem(e)
		}
		ir.Elems(s.Op, elem)
		if loop, ok := s.Op.(*ir.Loop); ok {
			note(loop.Var, loop.Head)
		}
		space, _ := ir.KernelSpace(s.Op)
		for _, b := range space {
			note(b.Var, b.Span)
		}
		return true
	})
	return bound
}
