package memcheck

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A variable is what is known of a scalar name.
type variable struct {
	order  int
	lo, hi sym.Poly
	hasLo  bool
	hasHi  bool
	inLoop bool // bound in a loop: it has several values in one run
}

// bounded tells whether both bounds are known.
func (v variable) bounded() bool { return v.hasLo && v.hasHi }

// facts are inequalities to prove others by. Those of over hold besides, and
// before, those of vars.
type facts struct {
	vars    map[string]variable
	over    map[string]variable
	general []sym.Poly // each is at least 0
}

// fuel bounds the work of one proof.
const fuel = 200

func (f *facts) lookup(name string) variable {
	if v, ok := f.over[name]; ok {
		return v
	}
	return f.vars[name]
}

// with gives the facts and more.
func (f *facts) with() *facts {
	g := &facts{vars: f.vars, over: make(map[string]variable, len(f.over)+2), general: f.general[:len(f.general):len(f.general)]}
	for n, v := range f.over {
		g.over[n] = v
	}
	return g
}

// positive adds the fact that n is at least 1.
func (f *facts) positive(n sym.Poly) {
	names := n.Names()
	if len(names) == 1 { // x + c >= 1 is a bound of x
		c, ok := n.Sub(sym.Var(names[0])).IsConst()
		if ok {
			v := f.lookup(names[0])
			if old, isConst := v.lo.IsConst(); !v.hasLo || isConst && old < 1-c {
				v.lo, v.hasLo = sym.Const(1-c), true
				f.over[names[0]] = v
			}
			return
		}
	}
	if len(names) > 0 {
		f.general = append(f.general, n.Sub(sym.Const(1)))
	}
}

// nonneg proves p >= 0.
func (f *facts) nonneg(p sym.Poly) bool {
	if c, ok := p.IsConst(); ok {
		return c >= 0
	}
	left := fuel
	pr := &proof{facts: f, left: &left, opaque: map[string]ir.Exp{}}
	return pr.nonneg(pr.abstract(p), 2)
}

// less proves p < q.
func (f *facts) less(p, q sym.Poly) bool { return f.nonneg(q.Sub(p).Sub(sym.Const(1))) }

type proof struct {
	*facts
	left   *int
	opaque map[string]ir.Exp // what a made-up name stands for
}

// abstract replaces what is no name, number, sum or product by a made-up name.
func (pr *proof) abstract(p sym.Poly) sym.Poly {
	changed := false
	var walk func(e ir.Exp) ir.Exp
	walk = func(e ir.Exp) ir.Exp {
		switch e := e.(type) {
		case *ir.Lit, *ir.Ref:
			return e
		case *ir.Unary:
			if e.Op == "-" {
				return &ir.Unary{Op: "-", X: walk(e.X), T: ir.I64}
			}
		case *ir.Binary:
			if e.Op == "+" || e.Op == "-" || e.Op == "*" {
				return &ir.Binary{Op: e.Op, X: walk(e.X), Y: walk(e.Y), T: ir.I64}
			}
		}
		changed = true
		name := "<" + ir.ExpString(e) + ">"
		pr.opaque[name] = e
		return ir.Var(name)
	}
	e := walk(p.Exp())
	if !changed {
		return p
	}
	return sym.Of(e)
}

func (pr *proof) nonneg(p sym.Poly, depth int) bool {
	if c, ok := p.IsConst(); ok {
		return c >= 0
	}
	if *pr.left--; *pr.left < 0 {
		return false
	}
	if pr.obvious(p) {
		return true
	}
	// Eliminate the name that was bound last: its bounds mention earlier ones.
	names := p.Names()
	for len(names) > 0 {
		best, order := -1, -1
		for k, n := range names {
			if o, ok := pr.eliminable(n); ok && o > order {
				best, order = k, o
			}
		}
		if best < 0 {
			break
		}
		done, holds := pr.eliminate(p, names[best], depth)
		if holds {
			return true
		}
		if done {
			break
		}
		names = append(append([]string{}, names[:best]...), names[best+1:]...)
	}
	for _, g := range pr.general {
		if q, ok := p.DivExact(g); ok && pr.nonneg(q, 0) {
			return true
		}
		if depth > 0 && shareName(p, g) && pr.nonneg(p.Sub(g), depth-1) {
			return true
		}
	}
	return false
}

func shareName(p, q sym.Poly) bool {
	names := q.Names()
	for _, n := range p.Names() {
		for _, m := range names {
			if n == m {
				return true
			}
		}
	}
	return false
}

// eliminable tells whether a name can be replaced by bounds, and its order.
func (pr *proof) eliminable(name string) (int, bool) {
	if e, ok := pr.opaque[name]; ok {
		switch e := e.(type) {
		case *ir.Builtin:
			return 1 << 30, e.Fn == "min" || e.Fn == "max"
		case *ir.Binary:
			return 1 << 30, e.Op == "%"
		}
		return 0, false
	}
	v := pr.lookup(name)
	return v.order, v.bounded()
}

// eliminate proves p >= 0 by replacing a name. done tells that the attempt was
// complete, so that no other name need be tried.
func (pr *proof) eliminate(p sym.Poly, name string, depth int) (done, holds bool) {
	c, ok := coefficient(p, name)
	if !ok {
		return false, false
	}
	at := func(v sym.Poly) bool { return pr.nonneg(pr.abstract(substitute(p, name, v)), depth) }
	k, isConst := c.IsConst()
	up := isConst && k >= 0 || !isConst && pr.nonneg(c, 0)
	down := isConst && k < 0 || !isConst && !up && pr.nonneg(c.Neg(), 0)
	if e, ok := pr.opaque[name]; ok {
		return true, pr.extremum(e, up, down, at)
	}
	v := pr.lookup(name)
	switch {
	case up:
		return true, at(v.lo)
	case down:
		return true, at(v.hi)
	}
	// Linear in the name: the least value is at one of the ends.
	return true, at(v.lo) && at(v.hi)
}

// extremum replaces min(x, y), max(x, y) and x % y.
func (pr *proof) extremum(e ir.Exp, up, down bool, at func(sym.Poly) bool) bool {
	switch e := e.(type) {
	case *ir.Builtin:
		x, y := pr.abstract(sym.Of(e.Args[0])), pr.abstract(sym.Of(e.Args[1]))
		either := up && e.Fn == "max" || down && e.Fn == "min"
		if either { // max is at least each of the two
			return at(x) || at(y)
		}
		return at(x) && at(y)
	case *ir.Binary:
		x, y := pr.abstract(sym.Of(e.X)), pr.abstract(sym.Of(e.Y))
		most := y.Sub(sym.Const(1))
		if !pr.nonneg(most, 1) {
			return false
		}
		least := most.Neg()
		if pr.nonneg(x, 1) {
			least = sym.Poly{}
		}
		switch {
		case up:
			return at(least)
		case down:
			return at(most)
		}
		return at(least) && at(most)
	}
	return false
}

// obvious holds where p has no negative coefficient once every name is counted
// from its lower bound.
func (pr *proof) obvious(p sym.Poly) bool {
	ok := true
	q := p.Subst(func(n string) (sym.Poly, bool) {
		v := pr.lookup(n)
		if !v.hasLo {
			ok = false
			return sym.Poly{}, false
		}
		c, isConst := v.lo.IsConst()
		if !isConst { // its own bound is a matter of eliminate
			ok = false
			return sym.Poly{}, false
		}
		return sym.Var(n).Add(sym.Const(c)), c != 0
	})
	if !ok {
		return false
	}
	for _, m := range monomials(q) {
		if m.coef < 0 {
			return false
		}
	}
	return true
}

// coefficient gives c where p = c*name + rest, neither of them with the name.
func coefficient(p sym.Poly, name string) (sym.Poly, bool) {
	c, ok := p.Sub(substitute(p, name, sym.Poly{})).DivExact(sym.Var(name))
	if !ok {
		return sym.Poly{}, false
	}
	for _, n := range c.Names() {
		if n == name {
			return sym.Poly{}, false
		}
	}
	return c, true
}

func substitute(p sym.Poly, name string, v sym.Poly) sym.Poly {
	return p.Subst(func(n string) (sym.Poly, bool) { return v, n == name })
}

// A monomial is one term of a polynomial: coef times poly.
type monomial struct {
	coef   int64
	poly   sym.Poly // with the coefficient
	opaque bool     // a factor is no name
}

// monomials takes a polynomial apart by its expression, which is a sum of
// products with the coefficient last.
func monomials(p sym.Poly) []monomial {
	if c, ok := p.IsConst(); ok {
		if c == 0 {
			return nil
		}
		return []monomial{{coef: c, poly: p}}
	}
	var out []monomial
	var walk func(e ir.Exp, sign int64)
	walk = func(e ir.Exp, sign int64) {
		switch x := e.(type) {
		case *ir.Unary:
			if x.Op == "-" {
				walk(x.X, -sign)
				return
			}
		case *ir.Binary:
			switch x.Op {
			case "+":
				walk(x.X, sign)
				walk(x.Y, sign)
				return
			case "-":
				walk(x.X, sign)
				walk(x.Y, -sign)
				return
			case "*":
				if c, ok := sym.Of(x.Y).IsConst(); ok {
					out = append(out, monomial{sign * c, scaled(e, sign), opaque(x.X)})
					return
				}
			}
		}
		coef := sign
		if c, ok := sym.Of(e).IsConst(); ok {
			coef = sign * c
		}
		out = append(out, monomial{coef, scaled(e, sign), opaque(e)})
	}
	walk(p.Exp(), 1)
	return out
}

func scaled(e ir.Exp, sign int64) sym.Poly {
	p := sym.Of(e)
	if sign < 0 {
		return p.Neg()
	}
	return p
}

// opaque tells whether a product has a factor that is neither name nor number.
func opaque(e ir.Exp) bool {
	switch e := e.(type) {
	case *ir.Lit, *ir.Ref:
		return false
	case *ir.Binary:
		return e.Op != "*" || opaque(e.X) || opaque(e.Y)
	}
	return true
}
