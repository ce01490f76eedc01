package reuse

import "github.com/memc-lang/memc/ir"

// rename replaces names of blocks throughout a function: in places, where blocks
// are handed on, and where a name is another one's alias. What a place binds
// ("?m") is no use of a name, and stays.
func rename(f *ir.Func, to map[string]string) {
	r := renamer{to}
	for _, e := range f.Params {
		r.elem(e)
	}
	r.body(f.Body)
}

type renamer struct{ to map[string]string }

func (r renamer) elem(e *ir.Elem) {
	p := e.Type.Place
	if p == nil || p.Exist {
		return
	}
	if m, ok := r.to[p.Mem]; ok {
		// Places may be shared by several types.
		q := *p
		q.Mem = m
		e.Type.Place = &q
	}
}

// operand renames an operand that is a block.
func (r renamer) operand(e *ir.Exp) {
	if ref, ok := (*e).(*ir.Ref); ok {
		if m, ok := r.to[ref.Name]; ok {
			q := *ref
			q.Name = m
			*e = &q
		}
	}
}

func (r renamer) body(b *ir.Body) {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Alias:
			if m, ok := r.to[op.X]; ok {
				op.X = m
			}
		case *ir.Loop:
			for k := range op.Params {
				r.operand(&op.Params[k].Init)
			}
		case *ir.Call:
			for k := range op.Args {
				r.operand(&op.Args[k])
			}
		}
		ir.Elems(s.Op, r.elem)
		for _, in := range ir.Bodies(s.Op) {
			r.body(in)
		}
		for _, e := range s.Pat {
			r.elem(e)
		}
	}
	for k := range b.Result {
		r.operand(&b.Result[k])
	}
}
