package forget

import (
	"fmt"

	"github.com/memc-lang/memc/ir"
)

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
	r := &remainder{gone: map[string]bool{}}
	for _, n := range e.Scalars {
		r.gone[n] = true
	}
	if len(r.gone) > 0 {
		r.body(f.Body)
	}
	return r.refusal
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

// A remainder is a function without its memory.
type remainder struct {
	gone map[string]bool // scalars of places, and scalars that were computed from them
	refusal
}

// body drops the scalars that have no value any more.
func (r *remainder) body(b *ir.Body) {
	kept := b.Stmts[:0:0]
	for _, s := range b.Stmts {
		op, compute := s.Op.(*ir.Compute)
		if compute && r.uses(op.E) && ir.Total(op.E) {
			r.gone[s.Pat[0].Name] = true
			continue
		}
		ir.Exps(s.Op, func(e ir.Exp) { r.check(e) })
		for _, inner := range ir.Bodies(s.Op) {
			r.body(inner)
		}
		kept = append(kept, s)
	}
	for _, e := range b.Result {
		r.check(e)
	}
	b.Stmts = kept
}

func (r *remainder) uses(e ir.Exp) bool {
	found := false
	ir.ExpNames(e, func(n string) { found = found || r.gone[n] })
	return found
}

// check notes that an expression which stays needs a scalar that has no value.
func (r *remainder) check(e ir.Exp) {
	ir.ExpNames(e, func(n string) {
		if r.gone[n] && r.why == "" {
			r.refusal = refusal{"place", fmt.Sprintf("a value depends on `%s`, which comes from a place", n)}
		}
	})
}
