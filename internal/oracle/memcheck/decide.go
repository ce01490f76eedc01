package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// decide adds what a condition chooses, as in (if c then n else 0), wherever the size of
// a block depends on it and it is known whether the condition holds.
func (f *function) decide(size poly) {
	if rules.Off("memcheck.decide") {
		return
	}
	seen, values := map[int32]bool{}, map[int32]poly{}
	var visit func(p poly)
	visit = func(p poly) {
		for _, n := range p.Atoms() {
			if seen[n] {
				continue
			}
			seen[n] = true
			v := *f.facts.lookup(n)
			for _, c := range v.cases {
				visit(c)
			}
			e, ok := v.exp.(*ir.Cond)
			if !ok || len(v.cases) < 2 {
				continue
			}
			for k, holds := range []bool{true, false} {
				if f.implies(e.C, holds) {
					values[n] = v.cases[k]
					v.los, v.his, v.cases = []bound{{values[n], 1}}, []bound{{values[n], 1}}, nil
					f.facts.set(n, v)
					break
				}
			}
		}
	}
	if visit(size); len(values) > 0 {
		f.product(size.SubstAll(byName(values)))
	}
}

// implies reports whether it follows from facts that a condition holds, or that it does not: then the
// contrary is impossible.
func (f *function) implies(e ir.Exp, holds bool) bool {
	return f.implied(e, holds, map[condition]bool{})
}

// implied is implies. It keeps what it finds of the definitions of names, which may be used many times.
func (f *function) implied(e ir.Exp, holds bool, found map[condition]bool) bool {
	switch e := e.(type) {
	case *ir.Ref:
		if c, ok := f.scalars[e.Name]; ok {
			is := condition{c, holds}
			yes, old := found[is]
			if !old {
				yes = f.listed(e, holds) || f.implied(c, holds, found)
				found[is] = yes
			}
			return yes
		}
	case *ir.Unary:
		return f.implied(e.X, !holds, found)
	case *ir.Binary:
		switch {
		case e.Op == "&&" || e.Op == "||":
			if x, y := f.implied(e.X, holds, found), f.implied(e.Y, holds, found); x && y || (e.Op == "||") == holds && (x || y) {
				return true
			}
		case holds && e.X.Prim() == ir.I64 && f.facts.isSize(f.poly(e.X).String(), e):
			return true
		}
	}
	impossible := false
	f.knowing(f.facts.with(), func() {
		f.assume(e, !holds)
		impossible = f.facts.impossible
	})
	return impossible || f.listed(e, holds)
}

// listed reports whether the conditions that are known to hold, or not to, have one with the same text.
func (f *function) listed(e ir.Exp, holds bool) bool {
	text := ir.ExpString(e)
	return !rules.Off("memcheck.conditions") && slices.ContainsFunc(f.facts.conds, func(c condition) bool { return c.holds == holds && ir.ExpString(c.exp) == text })
}

// isSize reports whether a comparison says no more of a value than that it is a size, which
// it is known to be.
func (f *facts) isSize(key string, e *ir.Binary) bool {
	y, ok := e.Y.(*ir.Lit)
	return ok && !rules.Off("memcheck.isSize") && slices.ContainsFunc(f.sizes, func(s sizing) bool {
		return s.key == key && (e.Op == ">=" && y.Bits == 0 || e.Op == "<=" && s.most <= float64(int64(y.Bits)))
	})
}
