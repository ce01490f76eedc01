package check

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Knowledge of sizes]
//
// defs maps a scalar of type i64 to its definition as a polynomial. The names in that polynomial
// have no entry themselves, so one substitution normalises. Names are unique in a function and
// scalars do not change, so an entry stays true after its scope ends. Substitution may make
// polynomials large, so weight bounds them: a definition heavier than maxWeight gets no entry, and
// its name stands for it.
//
// eqs maps a name to a polynomial that is equal to it at the present point: by an assert in scope,
// by the condition of a branch, or because the run has compared the two. Earlier entries normalise
// the right-hand side of each entry, so following entries ends. An equality in which no name stands
// alone, as in n * m = 6 or (n * 2) / 2 = m, is one of zeros: the difference of its sides. Normal
// forms are remainders by the zeros.

const (
	maxWeight = 48
	maxZeros  = 64 // further ones are forgotten
)

// known describes a definition.
type known struct {
	poly   sym.Poly
	weight int
}

// learn records the definition name = e of an i64 scalar.
func (c *fn) learn(name string, e ir.Exp) {
	c.written[name] = e
	w := c.weigh(e, 0)
	if w > maxWeight {
		return
	}
	p := sym.Of(e).Subst(c.definition)
	// What cancels weighs nothing: i+1-1 is as light as i.
	if c.plain(e) {
		w = min(w, 1+2*len(p.Names()))
	}
	c.defs[name] = known{p, w}
}

// weigh counts the nodes of e after substitution, and stops above maxWeight.
func (c *fn) weigh(e ir.Exp, w int) int {
	if w++; w > maxWeight {
		return w
	}
	if r, ok := e.(*ir.Ref); ok {
		return w + c.defs[r.Name].weight
	}
	ir.Operands(e, func(x ir.Exp) { w = c.weigh(x, w) })
	return w
}

// plain reports whether e is a sum of names and constants, and the definition of each name is, too.
func (c *fn) plain(e ir.Exp) bool {
	switch e := e.(type) {
	case *ir.Lit:
		return true
	case *ir.Ref:
		d, ok := c.defs[e.Name]
		return !ok || d.weight == 1+2*len(d.poly.Names())
	case *ir.Unary:
		return e.Op == "-" && c.plain(e.X)
	case *ir.Binary:
		return (e.Op == "+" || e.Op == "-") && c.plain(e.X) && c.plain(e.Y)
	}
	return false
}

func (c *fn) definition(name string) (sym.Poly, bool) {
	d, ok := c.defs[name]
	return d.poly, ok
}

// value returns the normal form of a name.
func (c *fn) value(name string) (sym.Poly, bool) {
	d, ok := c.defs[name]
	p := d.poly
	if len(c.eqs) == 0 {
		return p, ok
	}
	if q, equal := c.eqs[name]; equal { // also of a name whose definition no algebra sees through
		return c.rewrite(q), true
	}
	if !ok {
		return p, false
	}
	return c.rewrite(p), true
}

// rewrite applies the solved equalities until none applies.
func (c *fn) rewrite(p sym.Poly) sym.Poly {
	for range 64 { // longer chains stay unproved
		hit := false
		q := p.Subst(func(n string) (sym.Poly, bool) {
			r, ok := c.eqs[n]
			hit = hit || ok
			return r, ok
		})
		if !hit {
			break
		}
		p = q
	}
	return p
}

// normal returns the normal form of a polynomial.
func (c *fn) normal(p sym.Poly) sym.Poly {
	p = p.Subst(c.value)
	if len(c.zeros) == 0 {
		return p
	}
	if c.divisors == nil {
		for _, z := range c.zeros {
			c.divisors = append(c.divisors, z.Subst(c.value)) // names may have been solved since
		}
	}
	return p.Modulo(c.divisors)
}

func (c *fn) norm(e ir.Exp) sym.Poly { return c.normal(sym.Of(e)) }

// same reports whether two sizes are provably equal.
func (c *fn) same(a, b ir.Exp) bool {
	switch x := a.(type) {
	case *ir.Ref:
		if y, ok := b.(*ir.Ref); ok && x.Name == y.Name {
			return true
		}
	case *ir.Lit:
		if y, ok := b.(*ir.Lit); ok && x.T != ir.Unknown && y.T != ir.Unknown {
			return x.Bits == y.Bits
		}
	}
	return c.never || c.norm(a).Equal(c.norm(b))
}

// assume treats a condition as true until the scope closes: it adds the condition's equalities
// under "&&".
func (c *fn) assume(cond ir.Exp) {
	for {
		b, ok := cond.(*ir.Binary)
		if !ok {
			return
		}
		switch {
		case b.Op == "&&":
			c.assume(b.Y)
			cond = b.X
			continue
		case b.Op == "==" && b.X.Prim() == ir.I64 && !ir.Reads(b): // an element may change, a size may not
			c.equate(b.X, b.Y)
		}
		return
	}
}

// equate records that x = y. It solves their difference for the last bound name that stands alone
// in it with coefficient 1 or -1. If there is none, it records the difference as a zero.
func (c *fn) equate(x, y ir.Exp) {
	d := c.norm(x).Sub(c.norm(y))
	names := d.Names()
	if _, known := d.IsConst(); known || len(names) > 16 {
		return
	}
	c.divisors = nil
	best, solution := -1, sym.Poly{}
	var name string
	for _, n := range names {
		s := c.names[n]
		if s == nil || s.t.Kind != ir.ScalarKind || s.order <= best {
			continue
		}
		v := sym.Var(n)
		for _, r := range []sym.Poly{v.Sub(d), v.Add(d)} { // d = v + r or d = r - v
			if !slices.Contains(r.Names(), n) {
				best, solution, name = s.order, r, n
				break
			}
		}
	}
	switch {
	case best >= 0:
		c.eqs[name] = solution
		c.eqLog = append(c.eqLog, name)
	case len(c.zeros) < maxZeros:
		c.zeros = append(c.zeros, d)
	}
}

// agree requires that two sizes are equal. If that cannot be proved, it becomes an obligation at
// the site. If it is provably false, it is an error, except in a branch: perhaps no run reaches the
// branch. Between passes it is an obligation, too. Format and args name the size, for a message.
func (c *fn) agree(a, b ir.Exp, span diag.Span, at site, format string, args ...any) {
	if a == nil || b == nil || c.same(a, b) {
		return
	}
	what := fmt.Sprintf(format, args...)
	d, known := c.norm(a).Sub(c.norm(b)).IsConst()
	if known && d != 0 && c.branches == 0 && c.foresees {
		c.errorf(diag.SizesDiffer, span, "sizes differ: %s: %s and %s", what, c.text(a), c.text(b))
		return
	}
	c.oblige(at, Equality{A: a, B: b, What: what})
	c.never = c.never || known && d != 0
	// The run checks it before anything relies on it, so from here on it holds.
	c.equate(a, b)
}

// outward returns e over names that are visible now, if it has such a form.
func (c *fn) outward(e ir.Exp) (ir.Exp, bool) {
	if e == nil {
		return nil, false
	}
	visible := func(p sym.Poly) bool {
		for _, n := range p.Names() {
			if b := c.names[n]; b == nil || !b.visible {
				return false
			}
		}
		return true
	}
	if r, ok := e.(*ir.Ref); ok {
		if b := c.names[r.Name]; b != nil && b.visible {
			return e, true
		}
	}
	p := sym.Of(e)
	if visible(p) {
		return e, true
	}
	// A visible name stays: its definition may be large, or read an array that is consumed by now.
	if c.weighUnseen(e, 0) <= maxWeight {
		if p = p.Subst(c.unseen); visible(p) {
			return p.Exp(), true
		}
	}
	if p = c.norm(e); visible(p) {
		return p.Exp(), true
	}
	return nil, false
}

// hidden returns the definition of a name that is not visible now.
func (c *fn) hidden(name string) (ir.Exp, bool) {
	e, ok := c.written[name]
	b := c.names[name]
	return e, ok && (b == nil || !b.visible)
}

// unseen returns it as a polynomial over names that are visible.
func (c *fn) unseen(name string) (sym.Poly, bool) {
	e, ok := c.hidden(name)
	if !ok {
		return sym.Poly{}, false
	}
	return sym.Of(e).Subst(c.unseen), true
}

// weighUnseen counts the nodes of e after that substitution, as weigh does.
func (c *fn) weighUnseen(e ir.Exp, w int) int {
	if w++; w > maxWeight {
		return w
	}
	if r, ok := e.(*ir.Ref); ok {
		if d, ok := c.hidden(r.Name); ok {
			return c.weighUnseen(d, w)
		}
	}
	ir.Operands(e, func(x ir.Exp) { w = c.weighUnseen(x, w) })
	return w
}

// dim returns e as the dim of a type. If e is neither a name nor a constant, a let before the
// current statement names it; an existing let is used again.
func (c *fn) dim(e ir.Exp) ir.Dim {
	switch e := e.(type) {
	case *ir.Ref:
		return ir.Dim{Name: e.Name}
	case *ir.Lit:
		if v, ok := e.Int(); ok {
			return ir.Dim{Const: v}
		}
	}
	p := c.norm(e)
	if v, ok := p.IsConst(); ok && v >= 0 {
		return ir.Dim{Const: v}
	}
	if v, ok := p.IsVar(); ok {
		if b := c.names[v]; b != nil && b.visible {
			return ir.Dim{Name: v}
		}
	}
	if name, ok := c.lets[p.String()]; ok {
		return ir.Dim{Name: name}
	}
	return ir.Dim{Name: c.insert("n", e, ir.I64)}
}

// insert binds e to a fresh name before the current statement.
func (c *fn) insert(base string, e ir.Exp, t ir.Prim) string {
	el := &ir.Elem{Name: c.fresh(base), Type: ir.Scalar(t)}
	c.pre = append(c.pre, &ir.Stmt{Pat: []*ir.Elem{el}, Op: &ir.Compute{E: e}, Span: c.stmt.Span})
	c.bindElem(el)
	if t == ir.I64 {
		c.define(el.Name, e)
	}
	c.made[el.Name] = e
	return el.Name
}

// define records the definition of an i64 scalar, for equality and for reuse by dim.
func (c *fn) define(name string, e ir.Exp) {
	c.learn(name, e)
	if !c.elab {
		return
	}
	key := ""
	if d, ok := c.defs[name]; ok {
		key = c.normal(d.poly).String()
	} else { // too large to stand for its name
		key = c.norm(e).String()
	}
	if _, ok := c.lets[key]; !ok {
		c.lets[key] = name
		c.letLog = append(c.letLog, key)
	}
}
