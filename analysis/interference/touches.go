package interference

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/ir"
)

// A touch is an access through an array of a holder.
//
// Ifs and loops touch nothing, but they hand contents from one holder to
// another: what was made in m0 goes on in what the result's block is called. To
// the one that is a read of the whole array, to the other a write, although
// nothing moves. Both are touches with handed set. Where the two holders are one,
// the read remains: what a branch or an iteration gives must be there when it
// ends, even if nobody looks at it afterwards.
type touch struct {
	accesses.Access
	holder int
	handed bool
}

// findTouches lists the touches in the order of their points.
func (t *Table) findTouches() {
	for k := range t.accesses.All {
		if a := t.accesses.All[k]; a.Block != "" {
			t.touches = append(t.touches, touch{a, t.holder(a.Block), false})
		}
	}
	ir.WalkStmts(t.Func.Body, func(s *ir.Stmt) bool {
		span := t.live.Stmt(s)
		switch op := s.Op.(type) {
		case *ir.If:
			for k, e := range s.Pat {
				t.handOver(s, t.live.Body(op.Then).To, op.Then.Result[k], e)
				t.handOver(s, t.live.Body(op.Else).To, op.Else.Result[k], e)
			}
		case *ir.Loop:
			end := t.live.Body(op.Body).To
			for k, p := range op.Params {
				t.handOver(s, span.From, p.Init, p.Elem)
				t.handOver(s, span.From, p.Init, s.Pat[k])
				t.handOver(s, end, op.Body.Result[k], p.Elem)
				t.handOver(s, end, op.Body.Result[k], s.Pat[k])
			}
		}
		return true
	})
	slices.SortStableFunc(t.touches, func(a, b touch) int { return a.Point - b.Point })
}

// handOver notes that a value goes on under another name.
func (t *Table) handOver(s *ir.Stmt, point int, value ir.Exp, to *ir.Elem) {
	r, ok := value.(*ir.Ref)
	if !ok || to.Type.Kind != ir.ArrayKind || to.Type.Place == nil || t.aliases.BlockOf(r.Name) == "" {
		return
	}
	u, v := t.holder(t.aliases.BlockOf(r.Name)), t.holder(to.Type.Place.Mem)
	a := accesses.Access{Stmt: s, Point: point, Array: r.Name}
	t.touches = append(t.touches, touch{a, u, true})
	if u == v {
		return
	}
	a.Write = true
	t.touches = append(t.touches, touch{a, v, true})
}

// between gives the touches of two holders at the points of a range.
func (t *Table) between(from, to int, u, v *holder) (us, vs []*touch) {
	k, _ := slices.BinarySearchFunc(t.touches, from, func(x touch, p int) int { return x.Point - p })
	for ; k < len(t.touches) && t.touches[k].Point <= to; k++ {
		switch x := &t.touches[k]; t.holders[x.holder] {
		case u:
			us = append(us, x)
		case v:
			vs = append(vs, x)
		}
	}
	return us, vs
}
