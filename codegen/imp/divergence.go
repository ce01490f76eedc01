package imp

import (
	"github.com/memc-lang/memc/ir"
)

// A divergence says what differs between lanes that do the same statements: the points of a loop
// (Note [Lanes]), or the rows of a work-item (Note [Rows that share reads]).
type divergence struct {
	turn    string          // the number of a lane
	varying map[string]bool // scalars that are not the same for all lanes
	whole   map[*For]bool   // loops that each lane does by itself
}

func divergent(turn string) divergence {
	return divergence{turn: turn, varying: map[string]bool{}, whole: map[*For]bool{}}
}

// uniform reports whether an expression has one value for all lanes.
func (d *divergence) uniform(es ...ir.Exp) bool {
	ok := true
	for _, e := range es {
		ir.ExpNames(e, func(n string) { ok = ok && n != d.turn && !d.varying[n] })
	}
	return ok
}

// vary marks variables that are not the same for all lanes: in a lane, all that are assigned.
func (d *divergence) vary(list []Stmt, lane bool) {
	for _, s := range list {
		in := lane
		switch s := s.(type) {
		case *Set:
			if lane || !d.uniform(s.E) {
				d.varying[s.Dst] = true
			}
		case *Load:
			if lane || !d.uniform(s.Off) {
				d.varying[s.Dst] = true
			}
		case *If:
			in = lane || !d.uniform(s.Cond)
		case *For:
			if !lane && !d.uniform(s.Bound) {
				d.whole[s] = true
			}
			if in = lane || d.whole[s]; in {
				d.varying[s.Var] = true
			}
		case *While:
			in = true
		}
		for _, body := range inside(s) {
			d.vary(body, in)
		}
	}
}
