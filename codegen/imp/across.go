package imp

import (
	"maps"

	"github.com/memc-lang/memc/ir"
)

// AcrossBarriers returns the scalars of a kernel that live across a barrier: some path from the barrier
// reads one before it assigns it. Not every driver keeps them, so the text marks them (MEMC_KEPT in
// prelude.cl).
func AcrossBarriers(body []Stmt) map[string]bool {
	a := &across{kept: map[string]bool{}}
	a.list(body, map[string]bool{})
	return a.kept
}

// across walks from the end of a kernel to its beginning.
type across struct {
	kept map[string]bool
	ends []map[string]bool // what lives behind the regions around, which a failing check leaves
}

// list changes what lives behind statements into what lives before them.
func (a *across) list(list []Stmt, live map[string]bool) {
	for i := len(list) - 1; i >= 0; i-- {
		a.stmt(list[i], live)
	}
}

func (a *across) stmt(s Stmt, live map[string]bool) {
	v := visitor{exp: func(e ir.Exp) { ir.ExpNames(e, func(n string) { live[n] = true }) }}
	switch s := s.(type) {
	case *Barrier:
		maps.Copy(a.kept, live)
	case *KRegion:
		a.ends = append(a.ends, maps.Clone(live))
		a.list(s.Body, live)
		a.ends = a.ends[:len(a.ends)-1]
	case *Check, *Alloc:
		if n := len(a.ends); n > 0 {
			maps.Copy(live, a.ends[n-1])
		}
	case *If:
		other := maps.Clone(live)
		a.list(s.Then, live)
		a.list(s.Else, other)
		maps.Copy(live, other)
	case *For:
		live[s.Var] = true // the next turn reads it
		a.turns(s.Body, live)
		delete(live, s.Var)
	case *While:
		s.visit(&v)
		a.turns(s.Body, live)
	case *Atomic: // what it assigns may live as well
		v.list = func(l *[]Stmt) { everywhere(*l, visitor{exp: v.exp}) }
	default:
		s.visit(&visitor{set: func(name string, _ Stmt) { delete(live, name) }})
	}
	s.visit(&v)
}

// turns adds what lives before a turn of a loop, in which that lives behind it.
func (a *across) turns(body []Stmt, live map[string]bool) {
	turn := maps.Clone(live)
	a.list(body, turn)
	maps.Copy(live, turn)
	if holdsBarrier(body) {
		a.list(body, maps.Clone(live))
	}
}
