package erase

import "github.com/memc-lang/memc/ir"

// Program returns the memory-agnostic program that an elaborated explicit one is
// without its memory. The program itself stays as it is.
func Program(p *ir.Program) *ir.Program {
	n := ir.CloneProgram(p)
	for _, f := range n.Funcs {
		e := &eraser{mem: map[string]bool{}}
		f.Params = e.elems(f.Params)
		var results []ir.Result
		for _, r := range f.Results {
			if r.Type.Kind != ir.MemKind {
				r.Type.Place = nil
				results = append(results, r)
			}
		}
		f.Results = results
		e.body(f.Body)
	}
	return n
}

// An eraser erases one function.
type eraser struct {
	mem map[string]bool // names of type mem

}

// elems leaves out blocks, and places of the rest.
func (e *eraser) elems(els []*ir.Elem) []*ir.Elem {
	var out []*ir.Elem
	for _, el := range els {
		if el.Type.Kind == ir.MemKind {
			e.mem[el.Name] = true
			continue
		}
		if p := el.Type.Place; p != nil && p.Exist {
			e.mem[p.Mem] = true
		}
		el.Type.Place = nil
		out = append(out, el)
	}
	return out
}

// values leaves out operands that are blocks.
func (e *eraser) values(es []ir.Exp) []ir.Exp {
	var out []ir.Exp
	for _, x := range es {
		if r, ok := x.(*ir.Ref); ok && e.mem[r.Name] {
			continue
		}
		out = append(out, x)
	}
	return out
}

func (e *eraser) body(b *ir.Body) {
	var stmts []*ir.Stmt
	for _, s := range b.Stmts {
		if e.stmt(s) {
			stmts = append(stmts, s)
		}
	}
	b.Stmts = stmts
	b.Result = e.values(b.Result)
}

// stmt erases a statement; it gives false where nothing is left.
func (e *eraser) stmt(s *ir.Stmt) bool {
	switch op := s.Op.(type) { // the others hold no memory of their own
	case *ir.Alloc:
		e.elems(s.Pat)
		return false
	case *ir.Alias:
		if e.mem[op.X] {
			e.elems(s.Pat)
			return false
		}
	case *ir.Loop:
		var params []ir.Param
		for _, p := range op.Params {
			if len(e.elems([]*ir.Elem{p.Elem})) > 0 {
				params = append(params, p)
			}
		}
		op.Params = params
	case *ir.Call:
		op.Args = e.values(op.Args)
	}
	for _, b := range ir.Bodies(s.Op) {
		e.body(b)
	}
	s.Pat = e.elems(s.Pat)
	_, assert := s.Op.(*ir.Assert)
	return assert || len(s.Pat) > 0
}
