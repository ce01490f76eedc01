package interference_test

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// overlayBytes is the size of the common block; programs here run with small inputs.
const overlayBytes = 1 << 13

// overlay makes some allocated blocks of a function one, which is allocated in the smallest body
// around all of them.
func overlay(p *ir.Program, function string, blocks ...string) *ir.Program {
	p = ir.CloneProgram(p)
	f := p.Func(function)
	one := map[string]string{}
	for _, m := range blocks {
		one[m] = "overlaid"
	}
	rename(f.Body, one)
	place(f.Body, len(blocks))
	return p
}

func rename(b *ir.Body, names map[string]string) {
	elem := func(e *ir.Elem) {
		if n, ok := names[e.Name]; ok {
			e.Name = n
		}
		if p := e.Type.Place; p != nil {
			if n, ok := names[p.Mem]; ok {
				p.Mem = n
			}
		}
	}
	exps := func(es []ir.Exp) {
		for _, e := range es {
			if r, ok := e.(*ir.Ref); ok {
				if n, ok := names[r.Name]; ok {
					r.Name = n
				}
			}
		}
	}
	for _, s := range b.Stmts {
		for _, e := range s.Pat {
			elem(e)
		}
		ir.Elems(s.Op, elem)
		switch op := s.Op.(type) {
		case *ir.Alias:
			if n, ok := names[op.X]; ok {
				op.X = n
			}
		case *ir.Loop:
			for _, p := range op.Params {
				exps([]ir.Exp{p.Init})
			}
		case *ir.Call:
			exps(op.Args)
		}
		for _, inner := range ir.Bodies(s.Op) {
			rename(inner, names)
		}
	}
	exps(b.Result)
}

// place removes the count allocations of the block. It puts one allocation before the first
// statement that contains one of them, in the smallest body that contains all.
func place(b *ir.Body, count int) {
	for k, s := range b.Stmts {
		n := allocations(s)
		if n == 0 {
			continue
		}
		if n == count && len(ir.Bodies(s.Op)) > 0 {
			for _, inner := range ir.Bodies(s.Op) {
				within := 0
				for _, x := range inner.Stmts {
					within += allocations(x)
				}
				if within == count {
					place(inner, count)
					return
				}
			}
		}
		drop(b)
		b.Stmts = slices.Insert(b.Stmts, k, &ir.Stmt{
			Pat: []*ir.Elem{{Name: "overlaid", Type: ir.Mem}}, Op: &ir.Alloc{Size: ir.IntLit(overlayBytes)},
		})
		return
	}
}

func overlaid(s *ir.Stmt) bool {
	_, ok := s.Op.(*ir.Alloc)
	return ok && s.Pat[0].Name == "overlaid"
}

func allocations(s *ir.Stmt) int {
	if overlaid(s) {
		return 1
	}
	n := 0
	for _, b := range ir.Bodies(s.Op) {
		for _, x := range b.Stmts {
			n += allocations(x)
		}
	}
	return n
}

func drop(b *ir.Body) {
	b.Stmts = slices.DeleteFunc(b.Stmts, overlaid)
	for _, s := range b.Stmts {
		for _, inner := range ir.Bodies(s.Op) {
			drop(inner)
		}
	}
}
