package forget

import "github.com/memc-lang/memc/ir"

// A refusal tells why a function keeps its memory: the condition that fails, and a sentence. It is zero if
// the function need not.
type refusal struct{ condition, why string }

// forgotten erases the memory of a function, and looks whether the rest is a function of the same meaning.
func forgotten(f *ir.Func) refusal {
	e := ir.EraseFunc(f)
	for _, s := range e.Stmts {
		if !harmless(s) {
			return refusal{"choice", "a statement that only chooses blocks may stop the run"}
		}
	}
	depends := false
	note := func(x ir.Exp) { depends = depends || e.Depends(x) }
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		ir.Exps(s.Op, note)
		for _, b := range ir.Bodies(s.Op) {
			each(b.Result, note)
		}
		return !depends
	})
	each(f.Body.Result, note)
	if depends {
		return refusal{"place", "a value depends on where an array lies"}
	}
	return refusal{}
}

func each(es []ir.Exp, f func(ir.Exp)) {
	for _, e := range es {
		f(e)
	}
}

// harmless reports whether a statement ends and cannot fail, whatever values its names have.
func harmless(s *ir.Stmt) bool {
	ok := true
	ir.Exps(s.Op, func(e ir.Exp) { ok = ok && ir.Total(e) })
	switch op := s.Op.(type) {
	case *ir.Compute, *ir.Alias, *ir.If:
	case *ir.Loop:
		ok = ok && op.While == ""
	default:
		return false
	}
	for _, b := range ir.Bodies(s.Op) {
		for _, inner := range b.Stmts {
			ok = ok && harmless(inner)
		}
		for _, e := range b.Result {
			ok = ok && ir.Total(e)
		}
	}
	return ok
}
