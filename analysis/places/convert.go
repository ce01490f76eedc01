package places

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// An axiom holds of an opaque atom where its conditions can be proved:
// if all of these are at least 0, then all of those are.
type axiom struct {
	given, then []poly
	either      *bound // of a min or max, its operands
}

// A converter turns polynomials of package sym into the prover's own, and
// gathers what is known of the opaque atoms on the way.
type converter struct {
	axioms []axiom
	// hidden holds the names inside opaque atoms.
	hidden []string
}

func (c *converter) poly(p sym.Poly) poly {
	if v, ok := p.IsConst(); ok {
		return constant(v)
	}
	if v, ok := p.IsVar(); ok {
		return atomPoly(v)
	}
	return c.exp(p.Exp())
}

func (c *converter) exp(e ir.Exp) poly {
	switch e := e.(type) {
	case *ir.Lit:
		if e.T == ir.I64 {
			return constant(int64(e.Bits))
		}
	case *ir.Ref:
		if e.T == ir.I64 {
			return atomPoly(e.Name)
		}
	case *ir.Unary:
		if e.Op == "-" && e.T == ir.I64 {
			return c.exp(e.X).neg()
		}
	case *ir.Binary:
		if e.T != ir.I64 {
			break
		}
		switch e.Op {
		case "+":
			return c.exp(e.X).add(c.exp(e.Y))
		case "-":
			return c.exp(e.X).sub(c.exp(e.Y))
		case "*":
			return c.exp(e.X).mul(c.exp(e.Y))
		case "/":
			return c.quotient(e, c.exp(e.X), c.exp(e.Y), false)
		case "%": // x % y = x - y*(x / y)
			x, y := c.exp(e.X), c.exp(e.Y)
			div := &ir.Binary{Op: "/", X: e.X, Y: e.Y, T: ir.I64}
			return x.sub(y.mul(c.quotient(div, x, y, false)))
		}
	case *ir.Builtin:
		if e.T == ir.I64 && len(e.Args) == 2 {
			return c.builtin(e)
		}
	}
	return c.opaque(e)
}

func (c *converter) builtin(e *ir.Builtin) poly {
	switch e.Fn {
	case "min", "max":
		x, y := c.exp(e.Args[0]), c.exp(e.Args[1])
		a := c.opaque(e)
		if e.Fn == "min" {
			c.axiom(axiom{then: []poly{x.sub(a), y.sub(a)}, either: &bound{a.t[0].m[0], x, y, lesser}})
			c.axiom(axiom{given: []poly{x, y}, then: []poly{a}})
			c.axiom(axiom{given: []poly{x.sub(y)}, then: []poly{a.sub(y)}})
			c.axiom(axiom{given: []poly{y.sub(x)}, then: []poly{a.sub(x)}})
		} else {
			c.axiom(axiom{then: []poly{a.sub(x), a.sub(y)}, either: &bound{a.t[0].m[0], x, y, greater}})
			c.axiom(axiom{given: []poly{x.sub(y)}, then: []poly{x.sub(a)}})
			c.axiom(axiom{given: []poly{y.sub(x)}, then: []poly{y.sub(a)}})
		}
		return a
	case "fdiv":
		return c.quotient(e, c.exp(e.Args[0]), c.exp(e.Args[1]), true)
	case "fmod":
		x, y := c.exp(e.Args[0]), c.exp(e.Args[1])
		div := &ir.Builtin{Fn: "fdiv", Args: e.Args, T: ir.I64}
		return x.sub(y.mul(c.quotient(div, x, y, true)))
	}
	return c.opaque(e)
}

// quotient is d = x / y: y*d <= x <= y*d + y-1 for y > 0 and, since division
// truncates, x >= 0; the latter is not needed where it rounds down.
func (c *converter) quotient(e ir.Exp, x, y poly, floor bool) poly {
	d := c.opaque(e)
	c.divided(d, x, y, floor)
	return d
}

func (c *converter) divided(d, x, y poly, floor bool) {
	given := []poly{y.addc(-1)}
	if !floor {
		given = append(given, x)
	}
	yd := y.mul(d)
	c.axiom(axiom{given: given, then: []poly{x.sub(yd), yd.add(y).addc(-1).sub(x)}})
	c.axiom(axiom{given: []poly{y.addc(-1), x}, then: []poly{d, x.sub(d)}})
	// The remainder has the sign of y, where the quotient is rounded down; else,
	// whatever y is, that of x. Where y is 0 there is no value.
	if floor {
		c.axiom(axiom{given: []poly{y.neg().addc(-1)}, then: []poly{yd.sub(x), x.sub(yd).sub(y).addc(-1)}})
	} else {
		c.axiom(axiom{given: []poly{x}, then: []poly{x.sub(yd)}})
		c.axiom(axiom{given: []poly{x.neg()}, then: []poly{yd.sub(x)}})
		c.axiom(axiom{given: []poly{x.neg(), y.addc(-1)}, then: []poly{x.sub(yd).add(y).addc(-1), d.neg()}})
	}
}

// remainder is m = x % y: it is less than y > 0, and has the sign of x or, where
// the quotient is rounded down, that of y.
func (c *converter) remainder(m, x, y poly, floor bool) {
	positive := y.addc(-1)
	c.axiom(axiom{given: []poly{positive}, then: []poly{positive.sub(m)}})
	c.axiom(axiom{given: []poly{positive, x}, then: []poly{m, x.sub(m)}})
	if floor {
		c.axiom(axiom{given: []poly{positive}, then: []poly{m}})
	} else {
		c.axiom(axiom{given: []poly{positive}, then: []poly{m.add(positive)}})
		c.axiom(axiom{given: []poly{x.neg()}, then: []poly{m.neg(), m.sub(x)}})
	}
}

// opaque makes an atom. Within a function a text has one value wherever its
// names are in scope, element reads included: arrays are values.
func (c *converter) opaque(e ir.Exp) poly {
	a := atomPoly("`" + ir.ExpString(e))
	c.hidden = append(c.hidden, sym.Of(e).Names()...)
	if cv, ok := e.(*ir.Convert); ok {
		switch cv.X.Prim() {
		case ir.U8, ir.U16, ir.U32, ir.Bool:
			c.axiom(axiom{then: []poly{a}})
		}
	}
	return a
}

func (c *converter) axiom(a axiom) {
	for _, p := range a.then {
		if p.bad {
			return
		}
	}
	c.axioms = append(c.axioms, a)
}
