package arena

import (
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
)

// Note [Turns in an arena]
//
// A loop whose parameter takes turns in two blocks reads a third block in its first turn:
//
//	let t0 @ m_0 = ..
//	loop (t @ ?m = t0, next: mem = m_a, other: mem = m_b) .. {
//	  let u @ next = ..
//	  in (u, other, next)
//	}
//
// m_b is written in the second turn. By then nobody needs t0, if nothing else lies in m_0 from the
// loop on. So m_b may overlap m_0. Interference cannot see this, since it does not tell turns
// apart. Note [The initial value's block takes turns] in package peak has the conditions. A group's
// threads meet between two turns, so threads need no further condition. memc does this only for loops that stand in no other loop of the group.

type turns struct {
	al    *aliases.Table
	lv    *liveness.Table
	uses  func(name string) int
	group map[string]bool // the group's blocks
}

// pairs returns for blocks like m_b the block of the initial value.
func (t *turns) pairs(body *ir.Body) map[string]string {
	out := map[string]string{}
	for _, at := range body.Stmts {
		op, ok := at.Op.(*ir.Loop)
		if !ok {
			continue
		}
		turns := peak.TurnsOf(at, t.al.BlockOf)
		for k := range op.Params {
			if first, other, ok := t.pair(turns, at, op, k); ok {
				out[other] = first
			}
		}
	}
	return out
}

func (t *turns) pair(l *peak.Turns, at *ir.Stmt, op *ir.Loop, k int) (first, other string, ok bool) {
	init, last, ok := l.Waiting(k, t.uses, false)
	if !ok {
		return "", "", false
	}
	reals, more := t.al.BlocksUpTo(t.al.BlockOf(init), 1)
	if more || len(reals) != 1 || !t.group[reals[0]] || !t.group[last] || reals[0] == last {
		return "", "", false
	}
	return reals[0], last, peak.TakesTurns(t.al, t.lv, at, peak.OuterBlocks(t.al, op), k, reals[0], last)
}
