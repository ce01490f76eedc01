package check

import (
	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/ir"
)

// Explicit tells whether f is in explicit form: it mentions a place, a block
// or an alloc. A function that does not is memory-agnostic.
func Explicit(f *ir.Func) bool {
	s := &survey{bound: make(map[string]diag.Span, ir.Size(f))}
	s.function(f)
	return s.explicit
}

// A survey goes over a function before the walk: which names it binds, and
// which form it is in.
type survey struct {
	bound    map[string]diag.Span // every bound name, with its first place
	explicit bool
}

func (s *survey) function(f *ir.Func) {
	for _, n := range f.Sizes {
		s.name(n, f.Span)
	}
	for _, e := range f.Params {
		s.elem(e)
	}
	for i := range f.Results {
		s.typ(&f.Results[i].Type)
	}
	s.body(f.Body)
}

func (s *survey) name(n string, at diag.Span) {
	if _, ok := s.bound[n]; !ok && n != "" {
		s.bound[n] = at
	}
}

func (s *survey) elem(e *ir.Elem) {
	s.name(e.Name, e.Span)
	s.typ(&e.Type)
}

func (s *survey) typ(t *ir.Type) {
	if t.Kind == ir.MemKind {
		s.explicit = true
	}
	if t.Place == nil {
		return
	}
	s.explicit = true
	for _, n := range existNames(t.Place) {
		s.name(n, t.Place.Span)
	}
	if t.Place.Exist {
		s.name(t.Place.Mem, t.Place.Span)
	}
}

func (s *survey) body(b *ir.Body) {
	if b == nil {
		return
	}
	for _, st := range b.Stmts {
		for _, e := range st.Pat {
			s.elem(e)
		}
		s.op(st.Op)
	}
}

func (s *survey) op(op ir.Op) {
	space, _ := ir.KernelSpace(op)
	for _, b := range space {
		s.name(b.Var, b.Span)
	}
	ir.Elems(op, s.elem)
	switch op := op.(type) {
	case *ir.Alloc:
		s.explicit = true
	case *ir.Loop:
		s.name(op.Var, op.Head)
	}
	for _, b := range ir.Bodies(op) {
		s.body(b)
	}
}
