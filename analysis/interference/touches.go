package interference

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/ir"
)

// A touch is an access through an array of a holder.
//
// Ifs and loops touch nothing, but they hand contents from one holder to another: an array made in
// m0 continues under the name of the result's block. For the first holder this counts as a read of
// the whole array, and for the second as a write, although nothing moves. Both touches have handed
// set. If the two holders are one, only the read remains: the result of a branch or an iteration
// must exist when it ends, even if nobody reads it afterwards.
type touch struct {
	*accesses.Access
	handed bool
	found  *elements // once they were asked for
}

// elements are those that a touch accesses, and those that each argument of a concat fills.
type elements struct{ whole, parts []region }

func (t *Table) touch(holder int, a *accesses.Access, handed bool) {
	h := t.holders[holder]
	h.touches = append(h.touches, touch{Access: a, handed: handed})
}

// findTouches lists each holder's touches in the order of their points.
func (t *Table) findTouches() {
	for k := range t.accesses.All {
		if a := &t.accesses.All[k]; a.Block != "" {
			t.touch(t.holder(a.Block), a, false)
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
				t.handOver(s, span.From, p.Init, p.Elem, s.Pat[k])
				t.handOver(s, end, op.Body.Result[k], p.Elem, s.Pat[k])
			}
		}
		return true
	})
	for _, h := range t.holders {
		slices.SortStableFunc(h.touches, func(a, b touch) int { return a.Point - b.Point })
	}
}

// handOver records that a value continues under other names.
func (t *Table) handOver(s *ir.Stmt, point int, value ir.Exp, to ...*ir.Elem) {
	r, ok := value.(*ir.Ref)
	if !ok {
		return
	}
	from := t.aliases.BlockOf(r.Name)
	if from == "" {
		return
	}
	u := t.holder(from)
	read, write := t.accesses.Whole(s, point, r.Name), t.accesses.Whole(s, point, r.Name)
	write.Write = true
	for _, e := range to {
		if e.Type.Kind != ir.ArrayKind || e.Type.Place == nil {
			continue
		}
		t.touch(u, &read, true)
		if v := t.holder(e.Type.Place.Mem); v != u {
			t.touch(v, &write, true)
		}
	}
}

// between returns a holder's touches at the points of a range.
func (t *Table) between(from, to int, h *holder) []touch {
	at := func(x touch, p int) int { return x.Point - p }
	k, _ := slices.BinarySearchFunc(h.touches, from, at)
	n, _ := slices.BinarySearchFunc(h.touches[k:], to+1, at)
	return h.touches[k : k+n]
}
