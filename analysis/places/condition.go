package places

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// FromCondition adds the facts that follow from a true condition of type bool, as in the
// then-branch of an if and after an assert. It reads &&, ! and comparisons of i64, and ignores
// everything else.
func (f Facts) FromCondition(e ir.Exp) Facts { return f.condition(e, true) }

// FromNegation adds the facts that follow from a false condition, as in an else-branch.
func (f Facts) FromNegation(e ir.Exp) Facts { return f.condition(e, false) }

func (f Facts) condition(e ir.Exp, holds bool) Facts {
	switch e := e.(type) {
	case *ir.Unary:
		if e.Op == "!" {
			return f.condition(e.X, !holds)
		}
	case *ir.Binary:
		// Of a || b known to be false, both are.
		if e.Op == "&&" && holds || e.Op == "||" && !holds {
			return f.condition(e.X, holds).condition(e.Y, holds)
		}
		op := e.Op
		if !holds {
			op = ir.Opposite(op)
		}
		if op != "" && e.X.Prim() == ir.I64 && e.Y.Prim() == ir.I64 {
			return f.comparison(op, sym.Of(e.X), sym.Of(e.Y))
		}
	}
	if _, lit := e.(*ir.Lit); lit || ir.Reads(e) { // such as of data, which decide about no size
		return f
	}
	c := f.converter()
	return f.push(&fact{kind: atLeastZero, p: c.truth(e, holds)}, c)
}

// truth returns a polynomial that is at least 0 if a condition has the value holds. It is for
// conditions that are not comparisons: such a bool counts as a number, 1 if it is true.
func (c *converter) truth(e ir.Exp, holds bool) poly {
	a := c.opaque(e, ir.ExpString(e))
	if holds {
		return a.AddConst(-1)
	}
	return a.Neg()
}

// Implies reports whether a condition is known to hold, or not to.
func (f Facts) Implies(e ir.Exp, holds bool) bool {
	switch e := e.(type) {
	case *ir.Lit:
		return (e.Bits != 0) == holds
	case *ir.Unary:
		return f.Implies(e.X, !holds)
	case *ir.Binary:
		if e.Op == "&&" && holds || e.Op == "||" && !holds {
			return f.Implies(e.X, holds) && f.Implies(e.Y, holds)
		}
		if e.X.Prim() != ir.I64 {
			break
		}
		x, y, op := sym.Of(e.X), sym.Of(e.Y), e.Op
		if !holds {
			op = ir.Opposite(op)
		}
		switch op {
		case "<":
			return f.Less(x, y)
		case "<=":
			return f.atMost(x, y, 0)
		case ">":
			return f.Less(y, x)
		case ">=":
			return f.atMost(y, x, 0)
		case "==":
			return f.SameValue(x, y)
		}
		return f.Different(x, y)
	}
	c := f.converter()
	return f.proves(c, c.truth(e, holds))
}

// Decided replaces a conditional such as (if c then n else 0) by one branch if facts decide the
// condition. The size of an array that no thread may make has this form.
func (f Facts) Decided(size sym.Poly) sym.Poly {
	chosen := false
	size.Terms(func(_ int64, factors []sym.Factor) {
		chosen = chosen || slices.ContainsFunc(factors, func(x sym.Factor) bool { return x.Opaque != nil && chooses(x.Opaque) })
	})
	if !chosen {
		return size
	}
	decided := false
	e := ir.MapExp(size.Exp(), func(e ir.Exp) ir.Exp {
		c, ok := e.(*ir.Cond)
		switch {
		case !ok:
			return e
		case f.Implies(c.C, true):
			e = c.X
		case f.Implies(c.C, false):
			e = c.Y
		}
		decided = decided || e != c
		return e
	})
	if !decided {
		return size
	}
	return sym.Of(e)
}

// chooses reports whether an expression has a condition in it.
func chooses(e ir.Exp) bool {
	return ir.AnyExp(e, func(e ir.Exp) bool { _, cond := e.(*ir.Cond); return cond })
}

// comparison adds the facts that a comparison implies together with known ones: x != y and x >= y
// give x > y; x <= y and x >= y give x = y.
func (f Facts) comparison(op string, x, y sym.Poly) Facts {
	switch op {
	case ">", ">=":
		x, y, op = y, x, map[string]string{">": "<", ">=": "<="}[op]
	}
	switch op {
	case "==":
		return f.Equal(x, y)
	case "!=":
		switch {
		case f.plainly(y, x, 0, true):
			return f.LessThan(y, x)
		case f.plainly(x, y, 0, true):
			return f.LessThan(x, y)
		}
		return f.NotEqual(x, y)
	case "<":
		if f.plainly(y, x, -1, true) { // x + 1 does not wrap, where x < y
			return f.Equal(x.Add(sym.Const(1)), y)
		}
		return f.LessThan(x, y)
	case "<=":
		if f.plainly(y, x, 0, false) {
			return f.Equal(x, y)
		}
		return f.AtMost(x, y)
	}
	return f
}

// plainly reports whether a + c <= b is provable in a few steps. Of the difference of a name and a number ranges
// tell. The prover is asked where the difference is a sum, such as a remainder that is compared with 0, and where
// search is set. It takes long, so x <= y does without: if x >= y is known, proofs find x = y by themselves.
func (f Facts) plainly(a, b sym.Poly, c int64, search bool) bool {
	if f.last == nil || f.counter(func(k int) bool { return f.exceeds(a, b, c, k) }) {
		return false
	}
	cv := f.converter()
	q := cv.value(b).Sub(cv.value(a)).AddConst(-c)
	names := 0
	for _, t := range q.Terms {
		names += min(len(t.Atoms), 1)
	}
	search = search && names > 1 || !slices.ContainsFunc(q.Terms, func(t term) bool { return t.Coef < 0 })
	if q.Bad || !search {
		return cv.ranges.bound(q).neg == 0
	}
	work := maxWork
	v := newProver(cv, f.relevant(cv, []poly{q}), given{}, &work, maxPlain)
	return v.plain(v.enter(q))
}
