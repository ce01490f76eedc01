package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Launches of nothing]
//
// An array of shape [2^40][0] has no elements, but the kernel that makes it has 2^40 points. So the
// host launches no group if it can tell that no work-item would write or check anything:
//
//	let x = map (i < n) { let t = map (j < m) { in i + j } in t }
//
//	launch main_x_map groups (m > 0 ? (n + 255) / 256 : 0)
//
// Whatever a kernel writes or checks stands in its loops and branches. If one of them has a bound
// that the host knows, and that bound is 0, nothing in it happens.

// acts is the condition that statements of a kernel write memory or check anything, as far as the
// host can tell.
func (b *block) acts(list []Stmt) ir.Exp {
	some := ir.Exp(ir.BoolLit(false))
	terms := 0
	for _, s := range list {
		one := ir.Exp(ir.BoolLit(true))
		switch s := s.(type) {
		case *Set, *Load, *SetMem, *PtrAt, *Barrier, *SizeAs, *SizeOf:
			continue
		case *Store:
			if b.k.local(s.Mem) {
				continue
			}
		case *KRegion:
			one = b.acts(s.Body)
		case *While:
			one = b.acts(s.Body)
		case *For:
			one = b.acts(s.Body)
			if s.Each == 0 && b.hostKnows(s.Bound) {
				one = and(not(notAbove(indexPoly(s.Bound), sym.Const(0))), one)
			}
		case *If:
			one = or(and(b.mayHold(s.Cond), b.acts(s.Then)), b.acts(s.Else))
		}
		if known(one) == 1 {
			return one
		}
		if terms++; terms > maxActs {
			return ir.BoolLit(true)
		}
		if ir.ExpString(some) != ir.ExpString(one) {
			some = or(some, one)
		}
	}
	return some
}

// maxActs bounds the length of such a condition.
const maxActs = 8

// mayHold is a condition that the host knows, and without which cond does not hold: an index
// is below no size of 0.
func (b *block) mayHold(cond ir.Exp) ir.Exp {
	if c, ok := cond.(*ir.Binary); ok && c.Op == "&&" {
		return and(b.mayHold(c.X), b.mayHold(c.Y))
	}
	if _, n, ok := asBelow(cond); ok && b.hostKnows(n) {
		if c, ok := indexPoly(n).IsConst(); ok {
			return ir.BoolLit(c != 0)
		}
		return binary("!=", indexPoly(n).Exp(), i64(0))
	}
	return ir.BoolLit(true)
}

// hostKnows reports whether a kernel's host can evaluate a size.
func (b *block) hostKnows(e ir.Exp) bool {
	e = indexPoly(e).Exp()
	if !polynomial(e) {
		return false
	}
	all := true
	refsOf(e, func(r *ir.Ref) {
		switch r.Name {
		case LocalID, LocalSize, GroupID, NumGroups:
			all = false
		}
		all = all && !b.k.vars[r.Name]
	})
	return all
}

func isLit(e ir.Exp) bool {
	_, ok := e.(*ir.Lit)
	return ok
}

// local reports whether a block is the kernel's own local memory.
func (k *kernel) local(mem string) bool {
	for _, l := range k.out.Locals {
		if l.Name == mem {
			return true
		}
	}
	return false
}
