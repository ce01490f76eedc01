package arena

import (
	"cmp"
	"slices"

	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Allocated is the size of a group's blocks laid one behind the other, in bytes, without padding
// for alignment.
func (l *Layout) Allocated() ir.Exp {
	var sum sym.Poly
	for _, b := range l.Blocks {
		sum = sum.Add(b.Poly)
	}
	return sum.Exp()
}

// Shared is the size of the arena, without padding for alignment.
func (l *Layout) Shared() ir.Exp {
	if l.Fixed {
		return ir.IntLit(l.Bytes)
	}
	var same sym.Poly // slots of blocks of one size
	var rest ir.Exp
	for _, slot := range l.Slots {
		var sizes []sym.Poly
		for _, i := range slot {
			sizes = append(sizes, l.Blocks[i].Poly)
		}
		if sizes = distinct(sizes); len(sizes) == 1 {
			same = same.Add(sizes[0])
		} else if rest == nil {
			rest = greatest(sizes)
		} else {
			rest = &ir.Binary{Op: "+", X: rest, Y: greatest(sizes), T: ir.I64}
		}
	}
	switch {
	case rest == nil:
		return same.Exp()
	case same.Is(0):
		return rest
	}
	return &ir.Binary{Op: "+", X: same.Exp(), Y: rest, T: ir.I64}
}

// Lower is the plan bound, for every layout of the blocks as they are: the greatest sum of blocks
// needed at one point.
func (l *Layout) Lower() ir.Exp { return greatest(l.lower) }

// bound finds the sums. Blocks that take turns count as one.
func (l *Layout) bound(meets *interference.Table, turn map[string]string) {
	needed := map[string][]liveness.Span{}
	for _, b := range l.Blocks {
		name := cmp.Or(turn[b.Name], b.Name)
		needed[name] = append(needed[name], meets.Needed(b.Name)...)
	}
	for _, b := range l.Blocks {
		for _, s := range needed[b.Name] {
			var sum sym.Poly
			for _, o := range l.Blocks {
				if slices.ContainsFunc(needed[o.Name], func(t liveness.Span) bool { return t.From <= s.From && s.From <= t.To }) {
					sum = sum.Add(o.Poly)
				}
			}
			l.lower = append(l.lower, sum)
		}
	}
	l.lower = distinct(l.lower)
}

// distinct omits sizes that another one equals, or exceeds in every run.
func distinct(ps []sym.Poly) []sym.Poly {
	var out []sym.Poly
	for _, p := range ps {
		if slices.ContainsFunc(out, func(q sym.Poly) bool { return atLeast(q, p) }) {
			continue
		}
		out = append(slices.DeleteFunc(out, func(q sym.Poly) bool { return atLeast(p, q) }), p)
	}
	return out
}

// atLeast reports whether p is at least q, whatever sizes that are not negative.
func atLeast(p, q sym.Poly) bool {
	ok := true
	p.Sub(q).Terms(func(coef int64, _ []sym.Factor) { ok = ok && coef >= 0 })
	return ok
}

// greatest returns max(a, max(b, c)); 0 of none.
func greatest(ps []sym.Poly) ir.Exp {
	if len(ps) == 0 {
		return ir.IntLit(0)
	}
	e := ps[len(ps)-1].Exp()
	for k := len(ps) - 2; k >= 0; k-- {
		e = &ir.Builtin{Fn: "max", Args: []ir.Exp{ps[k].Exp(), e}, T: ir.I64}
	}
	return e
}
