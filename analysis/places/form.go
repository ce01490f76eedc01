package places

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// bound bounds the value of an integer expression: by its polynomial, and by its form.
func (c *converter) bound(e ir.Exp) mag {
	p := c.ranges.bound(c.operand(e))
	if q, ok := c.form(e); ok {
		return mag{min(p.neg, q.neg), min(p.pos, q.pos)}
	}
	return p
}

// term bounds a term of a sum: by its form, or where that says nothing by its polynomial.
func (c *converter) term(e ir.Exp) mag {
	if m, ok := c.form(e); ok {
		return m
	}
	return c.ranges.bound(c.operand(e))
}

// form bounds an expression by its form, where that may say more than its polynomial: each branch of
// an if has the facts of its condition, and a remainder is less than its divisor.
//
//	if s < 3 then s else (s - 3) % 9 + 1     is from 0 to 9 if s >= 0
func (c *converter) form(e ir.Exp) (m mag, ok bool) {
	if rules.Off("places.form") {
		return mag{}, false
	}
	switch e := e.(type) {
	case *ir.Cond:
		m, known := c.conds[e]
		if !known {
			x, y := c.branch(e.C, true, e.X), c.branch(e.C, false, e.Y)
			m = mag{max(x.neg, y.neg), max(x.pos, y.pos)}
			if c.conds == nil {
				c.conds = map[*ir.Cond]mag{}
			}
			c.conds[e] = m
		}
		return m, true
	case *ir.Binary:
		if e.T != ir.I64 {
			break
		}
		switch e.Op {
		case "%": // it has the sign of the left side; no run goes on after a division by 0
			x, n := c.bound(e.X), max(c.bound(e.Y).most(), 1)-1
			return mag{min(x.neg, n), min(x.pos, n)}, true
		case "+", "-":
			x, y := c.term(e.X), c.term(e.Y)
			if e.Op == "-" {
				y.neg, y.pos = y.pos, y.neg
			}
			sum := x.plus(y)
			return sum, sum.fits()
		}
	}
	return mag{}, false
}

// branch bounds an expression that is only computed if a condition has the value holds. A condition
// with conditionals in it says nothing here: facts convert a condition several times, which would take
// time exponential in the depth.
func (c *converter) branch(cond ir.Exp, holds bool, e ir.Exp) mag {
	f := c.facts
	f.ranges = c.ranges
	if !chooses(cond) {
		f = f.condition(cond, holds)
	}
	return f.bounding().bound(e)
}

// chosen reports whether form says more of an expression than its polynomial.
func chosen(e ir.Exp) bool {
	return ir.AnyExp(e, func(e ir.Exp) bool {
		b, binary := e.(*ir.Binary)
		_, cond := e.(*ir.Cond)
		return cond || binary && b.Op == "%"
	})
}
