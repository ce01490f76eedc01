package peak

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A premise holds in every run that reaches a region: a polynomial over the names of sizes is
// positive, and the outer premise holds. The premise nil always holds.
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

// reached reports whether some sizes let a run get there, as far as memc can tell.
func (p *premise) reached() bool {
	for ; p != nil; p = p.outer {
		if p.positive.Len() == 0 {
			return false
		}
	}
	return true
}

// premises returns the premise of each region. memc does not compute which sizes choose a branch: if
// sizes may decide an if, both branches count as never reached.
func (b *bound) premises() []*premise {
	given, sizes := make([]*premise, len(b.Regions)), b.sizeNames()
	closed := b.Liveness.Closed()
	for k, r := range b.Regions[1:] {
		outer := given[r.Parent]
		switch op := b.Liveness.Points[r.Stmt.From].Stmt.Op.(type) {
		case *ir.If:
			if b.bySizes(op.Cond, sizes) {
				outer = &premise{sym.Poly{}, outer}
			}
		case *ir.Loop:
			if op.Bound != nil {
				n := sym.Of(op.Bound)
				if b.again[op] {
					n = n.Sub(sym.Const(1))
				}
				// A count that may wrap still follows from the sizes that it is computed from.
				outer = b.positive(outer, sizes, short(closed.Of(n), n))
			}
		}
		given[k+1] = outer
	}
	return given
}

// positive adds the premise that a number is positive, if sizes alone decide the number. If they do
// but nobody can compute it, the premise counts as false for all sizes.
func (b *bound) positive(outer *premise, sizes map[string]bool, p sym.Poly) *premise {
	if c, constant := p.IsConst(); constant && c > 0 || b.byData(p.Names(), sizes) {
		return outer
	}
	computed := true
	Value(p, func(n string) (int64, bool) {
		computed = computed && sizes[n]
		return 1, true
	})
	if !computed {
		p = sym.Poly{}
	}
	return &premise{p, outer}
}

// byData reports whether one of some names is an input that is no size, or is read from an array.
func (b *bound) byData(names []string, sizes map[string]bool) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		d := b.Liveness.Def(n)
		return !sizes[n] && (d == nil || d.Exp == nil || alwaysReads(d.Exp))
	})
}

// bySizes reports whether sizes may decide a condition.
func (b *bound) bySizes(e ir.Exp, sizes map[string]bool) bool {
	switch e := e.(type) {
	case *ir.Ref:
		known, met := b.decided[e.Name]
		if d := b.Liveness.Def(e.Name); !met && d != nil && d.Exp != nil {
			known = b.bySizes(d.Exp, sizes)
			b.decided[e.Name] = known
		}
		return known
	case *ir.Unary:
		return b.bySizes(e.X, sizes)
	case *ir.Binary:
		if e.Op == "&&" || e.Op == "||" {
			return b.bySizes(e.X, sizes) || b.bySizes(e.Y, sizes)
		}
		if e.X.Prim() == ir.I64 {
			p := sym.Of(e.X).Sub(sym.Of(e.Y))
			return !b.byData(b.Liveness.Closed().Of(p).Names(), sizes)
		}
	}
	var names []string
	ir.ExpNames(e, func(n string) { names = append(names, n) })
	return !alwaysReads(e) && !b.byData(names, sizes)
}

// alwaysReads reports whether an expression reads an element in every run, so that data decide its
// value. In a branch that no run takes, they do not.
func alwaysReads(e ir.Exp) bool {
	return ir.Reads(e) && !ir.AnyExp(e, func(e ir.Exp) bool { _, branches := e.(*ir.Cond); return branches })
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
