package coalesce

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
)

// Note [Steps to a place]
//
// An array that goes into a row is often made in several steps:
//
//	let v = map (i < n) { in w[i] - h * q[i] }
//	let s = reduce (i < n) op .. { in v[i] * v[i] }
//	let unit = map (i < n) { in v[i] / s }
//	let t1 = table with [r, (0, n)] = unit
//
// unit is made in the row, and each of its threads reads one element of v, for the last time. So v can be
// made in the row, too, and after it w. That is a candidate like a copy of v to unit: nothing else may
// touch the row between the making of v and the end of unit's kernel (C3), and all threads must read v's
// elements in their places before they write there. No copy vanishes, but the block of v does. Whole
// blocks are for the pass reuse; so this is tried only if the array was put in a part of another one.

// steps returns the candidates that a map gives: the arrays whose elements its threads read at their own
// points, for each array that it makes of them.
func (s *state) steps(st *ir.Stmt, b *ir.Body, depth int) (out []*candidate) {
	op, ok := st.Op.(*ir.Map)
	if !ok {
		return nil
	}
	for _, x := range ownReads(op) {
		if s.lv.Def(x).At > s.lv.Stmt(st).From {
			continue // a thread's
		}
		for k, e := range st.Pat {
			if e.Type.Rank() == len(op.Space) && op.Body.Result[k].Prim() != ir.Unknown && s.bytes(x) == int64(e.Type.Prim.Size()) {
				out = append(out, &candidate{
					kind: steps, stmt: st, span: st.Span, point: s.lv.Body(op.Body).To, body: b, src: x, dst: e.Name, depth: depth,
					part: func(f lmad.Fun) lmad.Fun { return f },
				})
			}
		}
	}
	return out
}

// ownReads returns the arrays of which the threads of a map read elements at their own points.
func ownReads(op *ir.Map) (out []string) {
	met := set{}
	ir.EachExpIn(op.Body, func(e *ir.Exp) {
		ir.WalkExp(*e, func(e ir.Exp) bool {
			x, ok := e.(*ir.Index)
			own := ok && len(x.Indices) == len(op.Space) && !met[x.Array]
			for k, b := range op.Space {
				own = own && ir.IsRef(x.Indices[k], b.Var)
			}
			if own {
				met[x.Array] = true
				out = append(out, x.Array)
			}
			return true
		})
	})
	return out
}

// step checks that the source of a step is used last by the map, whose threads read its elements before
// they write the destination's there.
func (s *state) step(m *move) refusal {
	if m.kind != steps || s.opt.skip["step"] {
		return refusal{}
	}
	for _, x := range m.members {
		if !s.sameElements(m, x.name, m.dst, s.lv.Stmt(m.stmt)) {
			return refuse("C3", "`%s` is made from other elements of `%s`", m.dst, x.name)
		}
	}
	return refusal{}
}

// leads reports whether a step leads to an array that was put in a part of another one, and not from one
// that moves with it anyway.
func (s *state) leads(c *candidate) bool {
	to := s.of(c.dst).root()
	return len(s.around[to]) > 0 && s.of(c.src).root() != to && !rules.Off("coalesce.steps")
}
