package places

import (
	"math"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// An axiom about an opaque atom holds if its conditions can be proved: if all of these are at least
// 0, then all of those are.
type axiom struct {
	given, then []poly
	either      *bound // of a min or max, its operands
}

// A converter turns polynomials of package sym into the prover's own. On the way it collects facts
// about the opaque atoms (Note [No wrapping]).
type converter struct {
	facts  Facts // of the examples
	ranges *ranges
	axioms []axiom
	// wrapped are the definitions of values that may wrap, and of remainders.
	wrapped []*fact
	// hidden holds the names inside opaque atoms.
	hidden []string
	// bounds tells that only ranges are asked for: axioms, wrapped and hidden stay empty.
	bounds bool
	// exact tells that the operands of min and max do not wrap (Note [Exact sizes]).
	exact bool
	// found are the conversions so far, but for sums and products. Parts of an expression are equal, and
	// a size converts an operand both exactly and as a value. Most facts have one or none.
	found []conversion
	// conds are the bounds of the conditionals met so far.
	conds map[*ir.Cond]mag
}

// A conversion is that of an expression, by its text, as a size or as a value.
type conversion struct {
	text  string
	exact bool
	to    poly
}

// converter returns one that knows the ranges of atoms.
func (f Facts) converter() *converter { return &converter{facts: f, ranges: f.ranges} }

// bounding returns one that finds ranges only.
func (f Facts) bounding() *converter { return &converter{facts: f, ranges: f.ranges, bounds: true} }

// value returns the value that a polynomial has when a program computes it.
func (c *converter) value(p sym.Poly) poly { return c.wrap(c.ring(p)) }

// wrap returns the value of a polynomial that is computed modulo 2^64: the polynomial if it stays
// in the range of an i64, else an atom that is equal to it modulo 2^64.
func (c *converter) wrap(p poly) poly {
	if planted == WrappedAreIntegers || p.Bad || plain(p) || c.ranges.bound(p).fits() {
		return p
	}
	w := "=" + key(p)
	def := &fact{kind: isZero, p: atomPoly(w).Sub(p), x: w}
	if c.ranges.exact(def.p, "") { // more is known of it than of its parts
		return p
	}
	c.facts.bind(w, func() column { return each(func(k int) (int64, bool) { return c.facts.polyValue(p, k) }) })
	if !c.bounds && !slices.ContainsFunc(c.wrapped, func(k *fact) bool { return k.x == w }) {
		c.wrapped = append(c.wrapped, def)
		for _, t := range p.Terms {
			c.hidden = append(c.hidden, t.Atoms...)
		}
	}
	return atomPoly(w)
}

// ring returns a polynomial that a value is equal to modulo 2^64.
func (c *converter) ring(p sym.Poly) poly {
	if q, ok := p.OverNames(); ok {
		return q
	}
	return p.Replace(integer.MaxCoef, c.exp)
}

// operand returns the value of an operand of an operation that is not + - *.
func (c *converter) operand(e ir.Exp) poly {
	defer func(exact bool) { c.exact = exact }(c.exact)
	c.exact = false
	return c.wrap(c.exp(e))
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
			return c.exp(e.X).Neg()
		}
	case *ir.Binary:
		if e.T != ir.I64 {
			break
		}
		switch e.Op {
		case "+":
			return c.exp(e.X).Add(c.exp(e.Y))
		case "-":
			return c.exp(e.X).Sub(c.exp(e.Y))
		case "*":
			return c.exp(e.X).Mul(c.exp(e.Y))
		}
	}
	if m, ok := ir.AsRemainder(e); ok {
		e = m
	}
	text, exact := ir.ExpString(e), c.exact
	for _, old := range c.found {
		if old.text == text && old.exact == exact {
			return old.to
		}
	}
	p := c.operation(e, text)
	c.found = append(c.found, conversion{text, exact, p})
	return p
}

// operation converts what is neither a sum nor a product, given its text.
func (c *converter) operation(e ir.Exp, text string) poly {
	switch e := e.(type) {
	case *ir.Binary:
		if e.T != ir.I64 {
			break
		}
		switch e.Op {
		case "/":
			return c.quotient(e, text, c.operand(e.X), c.operand(e.Y), false)
		case "%":
			return c.rest(e, text, c.operand(e.X), c.operand(e.Y), &ir.Binary{Op: "/", X: e.X, Y: e.Y, T: ir.I64})
		}
	case *ir.Builtin:
		if e.T == ir.I64 && len(e.Args) == 2 {
			return c.builtin(e, text)
		}
	}
	if cond, ok := e.(*ir.Cond); ok && c.exact && !(c.same(c.exp(cond.X)) && c.same(c.exp(cond.Y))) {
		return c.other(e, text)
	}
	return c.opaque(e, text)
}

func (c *converter) builtin(e *ir.Builtin, text string) poly {
	switch e.Fn {
	case "min", "max":
		x, y, name := poly{}, poly{}, c.opaque
		if c.exact {
			x, y = c.exp(e.Args[0]), c.exp(e.Args[1])
		}
		if !c.exact || c.same(x) && c.same(y) {
			x, y = c.operand(e.Args[0]), c.operand(e.Args[1])
		} else {
			name = c.other
		}
		a := name(e, text)
		c.choose(a, e.Fn == "min", x, y)
		switch {
		case c.bounds:
		case e.Fn == "min":
			c.axiom(axiom{then: []poly{x.Sub(a), y.Sub(a)}, either: &bound{a.Terms[0].Atoms[0], x, y, lesser}})
			c.axiom(axiom{given: []poly{x, y}, then: []poly{a}})
			c.axiom(axiom{given: []poly{x.Sub(y)}, then: []poly{a.Sub(y)}})
			c.axiom(axiom{given: []poly{y.Sub(x)}, then: []poly{a.Sub(x)}})
		default:
			c.axiom(axiom{then: []poly{a.Sub(x), a.Sub(y)}, either: &bound{a.Terms[0].Atoms[0], x, y, greater}})
			c.axiom(axiom{given: []poly{x.Sub(y)}, then: []poly{x.Sub(a)}})
			c.axiom(axiom{given: []poly{y.Sub(x)}, then: []poly{y.Sub(a)}})
		}
		return a
	case "fdiv":
		return c.quotient(e, text, c.operand(e.Args[0]), c.operand(e.Args[1]), true)
	case "fmod":
		return c.rest(e, text, c.operand(e.Args[0]), c.operand(e.Args[1]), &ir.Builtin{Fn: "fdiv", Args: e.Args, T: ir.I64})
	}
	return c.opaque(e, text)
}

// quotient defines d = x / y: y*d <= x <= y*d + y-1 for y > 0. Truncating division also needs x >=
// 0; division that rounds down does not.
func (c *converter) quotient(e ir.Exp, text string, x, y poly, floor bool) poly {
	d := c.opaque(e, text)
	c.divided(d, x, y, floor)
	return d
}

// rest makes an atom m of a remainder x % y, where div is the quotient. So ranges bound m and its products
// by y; x - y*(x / y) has no bound in the product with a size. The prover replaces m by that difference:
//
//	t % 3 - (t + 2) % 3 = 3*((t + 2) / 3) - 3*(t / 3) - 2       is not 0, whatever t is
//
// The equation holds over the integers, except for the least number and -1, whose quotient wraps.
func (c *converter) rest(e ir.Exp, text string, x, y poly, div ir.Exp) poly {
	if !c.bounds {
		c.axioms = slices.Grow(c.axioms, 8) // of m and of the quotient
	}
	m := c.opaque(e, text)
	_, floor := div.(*ir.Builtin)
	c.remainder(m, x, y, floor)
	d := c.quotient(div, ir.ExpString(div), x, y, floor)
	name, _ := m.IsAtom()
	if c.bounds || slices.ContainsFunc(c.wrapped, func(k *fact) bool { return k.x == name }) {
		return m
	}
	exact := c.ranges.leastOf(y) >= 1 || c.ranges.bound(x).neg < 1<<63
	c.wrapped = append(c.wrapped, &fact{kind: isZero, exact: exact, p: m.Sub(x).Add(y.Mul(d)), x: name})
	return m
}

func (c *converter) divided(d, x, y poly, floor bool) {
	// For y > 0 the quotient is no farther from 0 than x, except -1/y, which is -1.
	if q := c.ranges.bound(x); q.fits() && single(d) {
		if k := c.ranges.leastOf(y); k >= 1 {
			u := uint64(k)
			c.within(d, mag{addSat(q.neg/u, min(q.neg, 1)), q.pos / u})
			if floor && c.ranges.leastOf(x) >= 0 {
				c.ranges = c.ranges.refine(x.Sub(y.Mul(d)))
			}
		} else {
			c.within(d, mag{max(q.neg, q.pos), max(q.neg, q.pos)})
		}
		if c.ranges.leastOf(x) >= 0 {
			c.ranges = c.ranges.under(d.Terms[0].Atoms[0], x)
		}
		if len(y.Terms) == 1 && !floor { // |y*d| <= |x|
			c.ranges = c.ranges.limit(product{m: integer.Product(y.Terms[0].Atoms, d.Terms[0].Atoms), limit: q.most()})
		}
	}
	if c.bounds {
		return
	}
	positive := y.AddConst(-1)
	both := []poly{positive, x}
	given := both
	if floor {
		given = both[:1:1]
	}
	yd := y.Mul(d)
	rest := x.Sub(yd)
	c.axiom(axiom{given: given, then: []poly{rest, positive.Sub(rest)}})
	c.axiom(axiom{given: both, then: []poly{d, x.Sub(d)}})
	// If the quotient is rounded down, the remainder has the sign of y. Else it has the sign of x,
	// whatever y is. If y is 0 there is no value. The least number divided by -1 is itself: hence
	// the condition x > -integer.MaxCoef.
	if floor {
		c.axiom(axiom{given: []poly{y.Neg().AddConst(-1), x.AddConst(integer.MaxCoef)}, then: []poly{rest.Neg(), rest.Sub(y).AddConst(-1)}})
	} else {
		c.axiom(axiom{given: both[1:], then: []poly{rest}})
		c.axiom(axiom{given: []poly{x.Neg()}, then: []poly{rest.Neg()}})
		c.axiom(axiom{given: []poly{x.Neg(), positive}, then: []poly{rest.Add(positive), d.Neg()}})
	}
}

// remainder defines m = x % y. It is less than y > 0. It has the sign of x or, if the quotient is
// rounded down, that of y.
func (c *converter) remainder(m, x, y poly, floor bool) {
	if q, u := c.ranges.bound(x), c.ranges.bound(y); single(m) {
		if floor {
			c.within(m, u)
		} else {
			c.within(m, mag{min(q.neg, u.most()), min(q.pos, u.most())})
		}
		name := m.Terms[0].Atoms[0]
		if c.ranges.leastOf(y) >= 0 { // a divisor is not 0
			c.ranges = c.ranges.under(name, y.AddConst(-1))
		}
		if c.ranges.leastOf(x) >= 0 {
			c.ranges = c.ranges.under(name, x)
		}
	}
	if c.bounds {
		return
	}
	positive := y.AddConst(-1)
	both := []poly{positive, x}
	c.axiom(axiom{given: both[:1:1], then: []poly{positive.Sub(m)}})
	c.axiom(axiom{given: both, then: []poly{m, x.Sub(m)}})
	if floor {
		c.axiom(axiom{given: both[:1:1], then: []poly{m}})
	} else {
		c.axiom(axiom{given: both[:1:1], then: []poly{m.Add(positive)}})
		c.axiom(axiom{given: []poly{x.Neg()}, then: []poly{m.Neg(), m.Sub(x)}})
	}
}

// opaque makes an atom of an expression and its text. Within a function, one text has one value wherever its names are in scope.
// This includes element reads, because arrays are values.
func (c *converter) opaque(e ir.Exp, text string) poly {
	key := "`" + text
	a := atomPoly(key)
	c.facts.bind(key, func() column { return c.facts.values(e) })
	c.hide(e)
	if m := c.scalar(e); e.Prim() == ir.I64 && (m.neg < 1<<63 || m.pos < 1<<63-1) {
		c.within(a, m)
		if m.neg == 0 {
			c.axiom(axiom{then: []poly{a}})
		}
	}
	return a
}

// hide notes the names in an opaque expression, some of them twice.
func (c *converter) hide(e ir.Exp) {
	if !c.bounds {
		ir.ExpNames(e, func(x string) { c.hidden = append(c.hidden, x) })
	}
}

func (c *converter) axiom(a axiom) {
	if c.bounds {
		return
	}
	for _, p := range a.then {
		if p.Bad {
			return
		}
	}
	c.axioms = append(c.axioms, a)
}

// within bounds an atom.
func (c *converter) within(a poly, m mag) {
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	if m.neg < 1<<63 {
		lo = -int64(m.neg)
	}
	if m.pos < 1<<63 {
		hi = int64(m.pos)
	}
	c.ranges = c.ranges.within(a.Terms[0].Atoms[0], lo, hi)
}

// choose bounds a min or max by its operands.
func (c *converter) choose(a poly, least bool, x, y poly) {
	p, q := c.ranges.bound(x), c.ranges.bound(y)
	m := mag{max(p.neg, q.neg), max(p.pos, q.pos)}
	if least {
		m.pos = min(p.pos, q.pos)
	} else {
		m.neg = min(p.neg, q.neg)
	}
	c.within(a, m)
	if least {
		c.ranges = c.ranges.under(a.Terms[0].Atoms[0], x).under(a.Terms[0].Atoms[0], y)
	} else if p, q := c.ranges.raise(x), c.ranges.raise(y); c.ranges.sum(p) && c.ranges.sum(q) {
		c.ranges = c.ranges.under(a.Terms[0].Atoms[0], p.Add(q))
	}
	if !least {
		for _, z := range []poly{x, y} {
			if lo := c.ranges.leastOf(z); lo > 0 { // max(n, 1) is at least 1
				c.ranges = c.ranges.within(a.Terms[0].Atoms[0], lo, math.MaxInt64)
			}
			if single(z) {
				c.ranges = c.ranges.under(z.Terms[0].Atoms[0], a)
			}
		}
	}
}

// sum reports whether no term of p is negative.
func (r *ranges) sum(p poly) bool {
	return !p.Bad && !slices.ContainsFunc(p.Terms, func(t term) bool { return t.Coef < 0 || !r.nonNegative(t.Atoms) })
}

// narrow are the types whose values are bounded more narrowly than those of an i64.
var narrow = map[ir.Prim]mag{
	ir.Bool: {0, 1}, ir.U8: {0, 1<<8 - 1}, ir.U16: {0, 1<<16 - 1}, ir.U32: {0, 1<<32 - 1},
	ir.I8: {1 << 7, 1<<7 - 1}, ir.I16: {1 << 15, 1<<15 - 1}, ir.I32: {1 << 31, 1<<31 - 1},
}

// masked bounds x & y if one of the two is a number that is not negative: the result has only bits
// of that number.
func masked(e *ir.Binary) mag {
	for _, x := range []ir.Exp{e.X, e.Y} {
		if l, ok := x.(*ir.Lit); ok {
			return mag{0, l.Bits}
		}
	}
	return mag{0, beyond}
}

// scalar bounds the value of an expression of any integer type by its form.
func (c *converter) scalar(e ir.Exp) mag {
	whole := mag{1 << 63, 1<<63 - 1}
	switch e := e.(type) {
	case *ir.Convert:
		of, narrow := narrow[e.X.Prim()]
		if b, ok := e.X.(*ir.Binary); ok && narrow && b.Op == "&" {
			if m := masked(b); m.pos <= of.pos {
				return m
			}
		}
		if narrow {
			return of
		}
	case *ir.Cond:
		if m, ok := c.form(e); ok {
			return m
		}
	case *ir.Binary:
		switch e.Op {
		case "&":
			if m := masked(e); m.pos < 1<<63 {
				return m
			}
		case ">>":
			return c.ranges.bound(c.operand(e.X))
		}
	case *ir.Builtin:
		if e.Fn == "abs" {
			if m := c.ranges.bound(c.operand(e.Args[0])).most(); m < 1<<63 {
				return mag{0, m}
			}
		}
	}
	return whole
}
