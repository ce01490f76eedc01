package peak

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A premise holds in every run that reaches a point or goes one way at a fork: a polynomial over
// the names of sizes is positive, and the outer premise holds. The premise nil always holds.
type premise struct {
	positive sym.Poly
	outer    *premise
}

// implies reports whether q is one of the premises that p consists of.
func (p *premise) implies(q *premise) bool {
	for ; p != nil; p = p.outer {
		if p == q {
			return true
		}
	}
	return q == nil
}

// sizeNames returns the names that sizes depend on. A premise about other names affects no size.
func (t *Table) sizeNames() map[string]bool {
	names := map[string]bool{}
	for _, m := range t.Monos {
		for _, n := range m.Names() {
			names[n] = true
		}
	}
	for _, n := range t.Func.Sizes {
		names[n] = true
	}
	return names
}

// positive adds the premise that a number is positive, if sizes alone decide the number. If they do
// but nobody can compute it, the premise counts as false for all sizes.
func (b *bound) positive(outer *premise, sizes map[string]bool, p sym.Poly) *premise {
	if b.closed == nil {
		b.closed = b.Liveness.Closed()
	}
	// A count that may wrap still follows from the sizes that it is computed from.
	p = short(b.closed.Of(p), p)
	computed := true
	for _, n := range p.Names() {
		switch d := b.Liveness.Def(n); {
		case sizes[n]:
		case d == nil || d.Exp == nil || alwaysReads(d.Exp):
			return outer
		default:
			computed = false
		}
	}
	if _, constant := p.IsConst(); constant {
		return outer
	}
	Value(p, func(n string) (int64, bool) {
		computed = computed && sizes[n]
		return 1, true
	})
	if !computed {
		p = sym.Poly{}
	}
	return &premise{p, outer}
}

// alwaysReads reports whether an expression reads an element in every run, so that data decide its
// value. In a branch that no run takes, they do not.
func alwaysReads(e ir.Exp) bool {
	found := false
	ir.WalkExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Index:
			found = true
		case *ir.Cond:
			found = found || alwaysReads(e.C)
			return false
		}
		return !found
	})
	return found
}

// premises adds that a condition holds, or that it does not.
func (b *bound) premises(outer *premise, sizes map[string]bool, e ir.Exp, holds bool) *premise {
	return b.conjuncts(outer, sizes, e, holds, map[truth]bool{})
}

// A truth says of an expression that it holds, or that it does not.
type truth struct {
	exp   ir.Exp
	holds bool
}

// conjuncts is premises. It leaves out the definitions of names that have been added already: of
// names that are used twice in the next one, each would be added twice as often as the next.
func (b *bound) conjuncts(outer *premise, sizes map[string]bool, e ir.Exp, holds bool, added map[truth]bool) *premise {
	switch e := e.(type) {
	case *ir.Ref:
		if d := b.Liveness.Def(e.Name); d != nil && d.Exp != nil && ir.Total(d.Exp) {
			is := truth{d.Exp, holds}
			if added[is] {
				return outer
			}
			added[is] = true
			return b.conjuncts(outer, sizes, d.Exp, holds, added)
		}
	case *ir.Unary:
		if e.Op == "!" {
			return b.conjuncts(outer, sizes, e.X, !holds, added)
		}
	case *ir.Binary:
		if e.Op == "&&" && holds || e.Op == "||" && !holds {
			outer = b.conjuncts(outer, sizes, e.X, holds, added)
			return b.conjuncts(outer, sizes, e.Y, holds, added)
		}
		if e.X.Prim() != ir.I64 {
			break
		}
		x, y, one := sym.Of(e.X), sym.Of(e.Y), sym.Const(1)
		op := e.Op
		if op == ">" || op == ">=" {
			x, y, op = y, x, map[string]string{">": "<", ">=": "<="}[op]
		}
		switch {
		case op == "<" && holds:
			return b.positive(outer, sizes, y.Sub(x))
		case op == "<=" && holds:
			return b.positive(outer, sizes, y.Sub(x).Add(one))
		case op == "<":
			return b.positive(outer, sizes, x.Sub(y).Add(one))
		case op == "<=":
			return b.positive(outer, sizes, x.Sub(y))
		case (op == "==") == holds:
			return b.positive(b.positive(outer, sizes, x.Sub(y).Add(one)), sizes, y.Sub(x).Add(one))
		}
	}
	return outer
}

// guarded returns a sum that is 0 for sizes that make its premise false.
func (t *Table) guarded(s sum) sym.Poly {
	p := t.Poly(s.Vec)
	if rules.Off("peak.premise") {
		return p
	}
	for g := s.given; g != nil; g = g.outer {
		if vanishes(p, g.positive) {
			continue
		}
		least := &ir.Builtin{Fn: "max", Args: []ir.Exp{ir.IntLit(0), g.positive.Exp()}, T: ir.I64}
		p = p.Mul(sym.Of(&ir.Builtin{Fn: "min", Args: []ir.Exp{ir.IntLit(1), least}, T: ir.I64}))
	}
	return p
}

// vanishes reports whether a sum is 0 whenever a size is not positive: the size is a factor of all
// its terms.
func vanishes(p, size sym.Poly) bool {
	all := true
	p.Terms(func(_ int64, factors []sym.Factor) {
		all = all && slices.ContainsFunc(factors, func(f sym.Factor) bool { return f.Opaque == nil && sym.Var(f.Key).Equal(size) })
	})
	return all
}
