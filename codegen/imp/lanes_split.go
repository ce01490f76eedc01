package imp

import (
	"github.com/memc-lang/memc/ir"
)

// Comparisons that end the lanes, and checks of the first and the last lane (Note
// [Lanes], 4 and 5).

// compare replaces comparisons by variables that hold them for all lanes.
func (l *lanes) compare(e ir.Exp) ir.Exp {
	return ir.MapExp(e, func(e ir.Exp) ir.Exp {
		c, ok := e.(*ir.Binary)
		if !ok || c.X.Prim() != ir.I64 || !ir.Compares(c.Op) || !l.fixed(c.X) || !l.fixed(c.Y) {
			return e
		}
		x, y := l.poly(c.X), l.poly(c.Y)
		k, ok := slope(x.Sub(y), l.turn).IsConst()
		if !ok || k != 1 && k != -1 || !shallowSlope(slope(x, l.turn)) {
			return e
		}
		key := x.String() + c.Op + y.String()
		for _, s := range l.splits {
			if s.key == key {
				return &ir.Ref{Name: s.name, T: ir.Bool}
			}
		}
		s := split{key: key, op: c.Op, x: l.at(c.X, l.pos), y: l.at(c.Y, l.pos), slope: k}
		if len(l.splits) == maxSplits || large(s.x) || large(s.y) {
			return e
		}
		s.name = l.b.temp("same", ir.Bool).Name
		// With d the distance from pos to where the sides meet, x < y holds below d
		// where x grows faster than y, and above d where it does not.
		switch {
		case c.Op == "==" || c.Op == "!=":
			s.after = []int64{0, 1}
		case (c.Op == "<" || c.Op == ">=") == (k > 0):
			s.after = []int64{0}
		default:
			s.after = []int64{1}
		}
		l.splits = append(l.splits, s)
		return &ir.Ref{Name: s.name, T: ir.Bool}
	})
}

// meet sets the variables that hold comparisons, and ends the lanes where one changes.
func (l *lanes) meet(b *block) {
	for _, s := range l.splits {
		x, y := b.atom(s.x, "side"), b.atom(s.y, "side")
		b.set(s.name, binary(s.op, x, y))
		near := func(e ir.Exp) ir.Exp {
			return less(unsigned(binary("+", e, i64(1<<61))), &ir.Lit{Text: "4611686018427387904", T: ir.U64, Bits: 1 << 62})
		}
		b.when(and(near(x), near(y)), func(b *block) {
			d := b.atom(index(subtract(y, x)), "meet")
			if s.slope < 0 {
				d = b.atom(index(subtract(x, y)), "meet")
			}
			for _, more := range s.after {
				at := add(d, i64(more))
				b.when(less(i64(0), index(at)), func(b *block) {
					b.set(l.end.Name, minimum(l.end, index(add(l.pos, at))))
				}, nil)
			}
		}, func(b *block) { b.set(l.end.Name, index(add(l.pos, i64(1)))) })
	}
}

// ends makes the check of a linear index that of the first and the last lane; nil where
// it is none.
func (l *lanes) ends(s *Check) Stmt {
	i, n, ok := asBelow(s.Cond)
	if !ok || !l.uniform(n) {
		return nil
	}
	known := true
	ir.ExpNames(i, func(n string) { known = known && (n == l.turn || !l.varying[n] || l.defs[n] != nil) })
	if !known || !shallowSlope(slope(l.poly(i), l.turn)) {
		return nil
	}
	hold := and(l.at(s.Cond, l.pos), l.at(s.Cond, l.last), nonNegative(n))
	if large(hold) {
		return nil
	}
	return &If{Cond: &ir.Unary{Op: "!", X: hold, T: ir.Bool}, Then: []Stmt{l.loop([]Stmt{s})}}
}
