package interp

import "github.com/memc-lang/memc/ir"

// alike reports whether a body does the same in every thread of its kernel, but for the values of
// scalars and elements: it fails in all threads or in none. If no thread has an element to write,
// one of them shows all that the others would do. inner has the names that the kernel and the
// bodies around this one bind. A map in the body may differ between threads if it has no points
// of its own; idle has the bounds of such maps.
func alike(body *ir.Body, inner map[string]bool) (idle []ir.Space, same bool) {
	same = true
	scalar := func(e ir.Exp) { same = same && (!uses(e, inner) || !fails(e)) }
	size := func(e ir.Exp) { same = same && !uses(e, inner) }
	for _, s := range body.Stmts {
		switch op := s.Op.(type) {
		case *ir.Compute:
			scalar(op.E)
		case *ir.Alloc:
			size(op.Size)
		case *ir.Replicate:
			for _, d := range op.Dims {
				size(d)
			}
			scalar(op.X)
		case *ir.Map:
			for _, b := range op.Space {
				size(b.Size)
				same = same && !fails(b.Size)
				inner[b.Var] = true
			}
			if more, ok := alike(op.Body, inner); ok {
				idle = append(idle, more...)
			} else {
				idle = append(idle, op.Space)
			}
		default:
			return nil, false
		}
		for _, el := range s.Pat {
			inner[el.Name] = true
		}
	}
	for _, e := range body.Result {
		scalar(e)
	}
	return idle, same
}

func uses(e ir.Exp, names map[string]bool) (found bool) {
	ir.ExpNames(e, func(n string) { found = found || names[n] })
	return found
}

// fails reports whether an expression fails for some values of its names.
func fails(e ir.Exp) (bad bool) {
	ir.WalkExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Index:
			bad = true
		case *ir.Binary:
			bad = bad || ir.Fails(e.Op, e.Y)
		case *ir.Builtin:
			bad = bad || len(e.Args) == 2 && ir.Fails(e.Fn, e.Args[1])
		}
		return !bad
	})
	return bad
}
