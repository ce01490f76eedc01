package reuse

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform/reuse/plan"
)

// An edit is the rewrites that one group requests.
type edit struct {
	leader  int
	members []int // others, that give way
	at      int   // where the leader's block is allocated
	sizes   []int // blocks whose greatest size it gets; nil: its own
}

// rewrite carries out a plan, and tells whether anything changed.
func (s *state) rewrite(r *plan.Result) bool {
	renamed := map[string]string{}
	var edits []edit
	for _, g := range r.Groups {
		e := s.edit(g)
		if len(e.members) == 0 && !s.moves(g) {
			continue
		}
		for _, m := range e.members {
			renamed[s.table.Blocks[m].Name] = s.table.Blocks[e.leader].Name
		}
		edits = append(edits, e)
	}
	if len(edits) == 0 {
		return false
	}
	rename(s.f, renamed)
	gone := map[*ir.Stmt]bool{}
	for _, e := range edits {
		for _, m := range e.members {
			gone[s.table.Blocks[m].Stmt] = true
		}
	}
	before := map[*ir.Stmt][]*ir.Stmt{} // allocs that move
	for _, e := range edits {
		b := s.table.Blocks[e.leader]
		if b.Kind != peak.Allocated {
			continue
		}
		if e.sizes != nil {
			b.Stmt.Op.(*ir.Alloc).Size = s.greatest(e.sizes)
		}
		if e.at != b.Alloc {
			target := s.table.Liveness.Points[e.at].Stmt
			gone[b.Stmt] = true
			before[target] = append(before[target], b.Stmt)
		}
	}
	for _, region := range s.table.Regions {
		b := region.IR
		out := make([]*ir.Stmt, 0, len(b.Stmts))
		for _, st := range b.Stmts {
			out = append(out, before[st]...)
			if !gone[st] {
				out = append(out, st)
			}
		}
		b.Stmts = out
	}
	return true
}

// moves asks whether a block that shares with nobody may move out of a loop.
func (s *state) moves(g plan.Group) bool {
	b := s.table.Blocks[g.Leader]
	return b.Kind == peak.Allocated && len(g.Members) == 1 && g.At != b.Alloc &&
		s.context.Rewrite(b.Stmt.Span, "%s (%s) moves out of the loop", block{s, g.Leader}, bytes{b.Size})
}

// edit requests the rewrites of a group. With a limit only some of them may be granted.
func (s *state) edit(g plan.Group) edit {
	e := edit{leader: g.Leader, at: g.At}
	leader := s.table.Blocks[g.Leader]
	for _, m := range g.Members {
		if m == g.Leader {
			continue
		}
		b := s.table.Blocks[m]
		if s.context.Rewrite(b.Stmt.Span, "%s (%s) reuses %s (%s)", block{s, m}, bytes{b.Size}, block{s, g.Leader}, bytes{leader.Size}) {
			e.members = append(e.members, m)
		}
	}
	if leader.Kind != peak.Allocated {
		return e
	}
	if len(e.members) == 0 {
		if g.At != leader.Alloc {
			e.sizes = []int{g.Leader}
		}
		return e
	}
	// With all members granted the sizes are the plan's.
	e.sizes = g.Sizes
	if len(e.members)+1 < len(g.Members) {
		e.sizes = s.largest(append([]int{g.Leader}, e.members...))
	}
	if e.sizes = s.mutant.sizes(s, g.Leader, e.members, e.sizes); len(e.sizes) == 1 && e.sizes[0] == g.Leader && e.at == leader.Alloc {
		e.sizes = nil
	}
	return e
}

// largest returns the members of an unfinished group that have room in no other member. If the size
// of one is not known in time, there is an equal size that is, as in the plan's group; failing
// that, the plan's size is used.
func (s *state) largest(members []int) []int {
	var out []int
	for k, m := range members {
		beaten := slices.ContainsFunc(members, func(x int) bool {
			if x == m || !s.fits(m, x) {
				return false
			}
			return !s.fits(x, m) || slices.Index(members, x) < k
		})
		if !beaten {
			out = append(out, m)
		}
	}
	for _, m := range members { // "has room in" need not be transitive
		if !slices.ContainsFunc(out, func(x int) bool { return x == m || s.fits(m, x) }) {
			out = append(out, m)
		}
	}
	return out
}

// greatest returns the greatest of some blocks' sizes as an expression.
func (s *state) greatest(blocks []int) ir.Exp {
	var e ir.Exp
	for _, b := range blocks {
		size := s.table.Blocks[b].Size.Exp()
		if e == nil {
			e = size
			continue
		}
		e = &ir.Builtin{Fn: "max", Args: []ir.Exp{e, size}, T: ir.I64}
	}
	return e
}

// bytes is a size for remarks, which is written where there are any.
type bytes struct{ sym.Poly }

func (p bytes) String() string { return ir.ExpString(p.Exp()) + " bytes" }

// A block is one of a function's, for remarks: its name with where it comes from.
type block struct {
	*state
	number int
}

func (b block) String() string {
	s, blk := b.state, b.table.Blocks[b.number]
	span := s.f.Span
	what := ""
	switch blk.Kind {
	case peak.Allocated:
		span = blk.Stmt.Span
	case peak.Given:
		span, what = s.f.Params[blk.Param].Span, "parameter, "
	case peak.Called:
		span, what = blk.Stmt.Span, "from a call, "
	}
	if at := s.where(span); at != "" {
		return fmt.Sprintf("`%s` (%s%s)", blk.Name, what, at)
	}
	return "`" + blk.Name + "`"
}
