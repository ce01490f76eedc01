package memcheck

import (
	"cmp"
	"strings"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// A variable holds the facts about a scalar name, or about an opaque expression.
type variable struct {
	name  string
	shown string // "": by its name or expression
	// order is that of its binding, of an opaque expression that of the last name
	// in it; rank is how deep it is an expression of others. Bounds mention only
	// what comes before.
	order, rank int
	inLoop      bool // bound in a loop: it has several values in one run
	turns       bool // it counts the iterations of a loop
	chosen      bool // the result of an if or a loop
	// free: a run may give it any value within its bounds.
	free bool
	exp  ir.Exp    // of an opaque expression
	div  *division // of a quotient or a remainder
	ring *wrapping // of a value that may have wrapped around

	los, his []bound
	// cases: it is one of these, as min(x, y) is x or y.
	cases []poly
}

// A bound of x says p <= den*x, or den*x <= p.
type bound struct {
	p   poly
	den int64
}

// compare orders variables by where they are bound.
func (v *variable) compare(w *variable) int {
	return cmp.Or(cmp.Compare(v.order, w.order), cmp.Compare(v.rank, w.rank))
}

func (v *variable) before(w *variable) bool { return v.compare(w) < 0 }

// bounded reports whether both bounds are known.
func (v *variable) bounded() bool { return len(v.los) > 0 && len(v.his) > 0 }

// simple returns the first pair of bounds that are bounds of the variable itself.
func (v *variable) simple() (lo, hi poly, ok bool) {
	find := func(bs []bound) (poly, bool) {
		for _, b := range bs {
			if b.den == 1 {
				return b.p, true
			}
		}
		return poly{}, false
	}
	lo, ok1 := find(v.los)
	hi, ok2 := find(v.his)
	return lo, hi, ok1 && ok2
}

// lowest returns the greatest constant lower bound.
func (v *variable) lowest() (int64, bool) {
	best, found := int64(0), false
	for _, b := range v.los {
		if c, ok := number(b.p); ok {
			if c = -integer.FloorDiv(-c, b.den); !found || c > best {
				best, found = c, true
			}
		}
	}
	return best, found
}

// highest returns the least constant upper bound.
func (v *variable) highest() (int64, bool) {
	best, found := int64(0), false
	for _, b := range v.his {
		if c, ok := number(b.p); ok {
			if c = integer.FloorDiv(c, b.den); !found || c < best {
				best, found = c, true
			}
		}
	}
	return best, found
}

// names numbers the scalar names of a function, and its opaque expressions.
type names struct {
	ids  map[string]int32
	vars []variable
	next func() int // the order of a name that is not bound yet
	of   *function
	// wraps has, by name, the values that may have wrapped around and are computed from it.
	wraps map[int32][]int32
	// over has, by such a value, the opaque expressions that have it as an operand.
	over map[int32][]int32
	// everywhere is not 0 while something is noted that holds wherever its names do.
	everywhere int
	// folds has the divisions asked for: nil where there is no simpler value.
	folds map[string]*poly
}

// id returns the number of a name.
func (t *names) id(name string) int32 {
	id, ok := t.ids[name]
	if !ok {
		id = t.add(name, variable{order: t.next()})
	}
	return id
}

func (t *names) add(name string, v variable) int32 {
	id := int32(len(t.vars))
	v.name = name
	t.ids[name] = id
	t.vars = append(t.vars, v)
	return id
}

// after tells of a name that it is bound after some point.
func (t *names) after(start int) func(int32) bool {
	return func(n int32) bool { return t.vars[n].order > start }
}

// named returns the number of a name that no program has; if it is new, v is known of it.
func (t *names) named(name string, v variable) int32 {
	if id, ok := t.ids[name]; ok {
		return id
	}
	return t.add(name, v)
}

// terms returns a polynomial in numbers.
func (t *names) terms(p sym.Poly) poly {
	out := poly{}
	p.Terms(func(c int64, factors []sym.Factor) {
		u := constant(c)
		u.Bad = c > integer.MaxCoef || c < -integer.MaxCoef
		for _, x := range factors {
			if v, ok := t.folded(x); ok {
				for range x.Pow {
					u = u.Mul(v)
				}
				continue
			}
			id := t.atom(x)
			for range x.Pow {
				u = u.Mul(asPoly(id))
			}
		}
		out = out.Add(u)
	})
	return t.joined(out)
}

func (t *names) atom(x sym.Factor) int32 {
	if x.Opaque == nil {
		return t.id(x.Key)
	}
	key := "<" + x.Key + ">"
	if id, ok := t.ids[key]; ok {
		return id
	}
	v := variable{exp: x.Opaque}
	ir.ExpNames(x.Opaque, func(n string) {
		w := &t.vars[t.id(n)]
		v.order, v.inLoop = max(v.order, w.order), v.inLoop || w.inLoop
	})
	t.everywhere++
	v.rank, v.div = rank(x.Opaque), t.division(x.Opaque)
	t.describe(&v, x.Opaque)
	id := t.add(key, v)
	_, args, _ := operands(x.Opaque)
	for _, e := range args {
		if w, ok := t.poly(sym.Of(e)).IsAtom(); ok && t.vars[w].ring != nil {
			t.over[w] = append(t.over[w], id)
		}
	}
	t.everywhere--
	return id
}

// rank is how deep an expression is.
func rank(e ir.Exp) int {
	depth := 0
	ir.Operands(e, func(x ir.Exp) { depth = max(depth, rank(x)+1) })
	return depth
}

// describe adds the facts about the value of an expression, given that it has
// one: of a quotient, that the divisor is not 0.
func (t *names) describe(v *variable, e ir.Exp) {
	switch e := e.(type) {
	case *ir.Convert:
		if p := e.X.Prim(); p.Integer() && p.Bits() < 64 {
			most := int64(1) << p.Bits()
			if p.Unsigned() {
				v.between(0, most-1)
			} else {
				v.between(-most/2, most/2-1)
			}
		} else if p == ir.Bool {
			v.between(0, 1)
		}
	case *ir.Builtin:
		if e.T == ir.I64 {
			t.describeCall(v, e)
		}
	case *ir.Binary:
		if e.T != ir.I64 {
			return
		}
		f, x, y := t.known(), t.poly(sym.Of(e.X)), t.poly(sym.Of(e.Y))
		switch e.Op {
		case "%": // has the sign of the dividend
			if !f.nonneg(y) {
				return
			}
			v.atMost(y.AddConst(-1))
			if f.nonneg(x) {
				v.atLeast(poly{})
				v.atMost(x)
			} else {
				v.atLeast(y.Neg().AddConst(1))
			}
		case "/":
			t.quotient(f, v, x, y, false)
		case "&":
			if m, ok := ir.AsRemainder(e); ok {
				t.describeCall(v, m)
			}
		}
	case *ir.Cond:
		if e.T == ir.I64 {
			v.cases = []poly{t.poly(sym.Of(e.X)), t.poly(sym.Of(e.Y))}
		}
	}
}

// describeCall adds those of a call of a built-in function.
func (t *names) describeCall(v *variable, e *ir.Builtin) {
	f := t.known()
	args := make([]poly, len(e.Args))
	for k, a := range e.Args {
		args[k] = t.poly(sym.Of(a))
	}
	switch e.Fn {
	case "sign":
		v.between(-1, 1)
	case "min":
		v.atMost(args...)
		v.cases = args
	case "max":
		v.atLeast(args...)
		v.cases = args
	case "abs":
		if f.magnitude(args[0]) < unknown { // the least i64 has no absolute value
			v.atLeast(poly{}, args[0], args[0].Neg())
			v.cases = []poly{args[0], args[0].Neg()}
		}
	case "fmod": // has the sign of the divisor
		if f.nonneg(args[1]) {
			v.atLeast(poly{})
			v.atMost(args[1].AddConst(-1))
		}
	case "fdiv":
		t.quotient(f, v, args[0], args[1], true)
	}
}

// atLeast and atMost add bounds of the variable itself.
func (v *variable) atLeast(ps ...poly) {
	for _, p := range ps {
		v.los = append(v.los, bound{p, 1})
	}
}

func (v *variable) atMost(ps ...poly) {
	for _, p := range ps {
		v.his = append(v.his, bound{p, 1})
	}
}

func (v *variable) between(lo, hi int64) {
	v.atLeast(constant(lo))
	v.atMost(constant(hi))
}

// quotient adds the bounds of x / y. With y >= 0, and so at least 1, it is
// between 0 and x where x is not negative; by a constant y it is known but for
// the remainder.
func (t *names) quotient(f *facts, v *variable, x, y poly, floor bool) {
	natural := f.nonneg(x)
	if c, ok := number(y); ok && c > 0 && (natural || floor) {
		v.his = append(v.his, bound{x, c})
		v.los = append(v.los, bound{x.AddConst(1 - c), c})
	}
	if natural && f.nonneg(y) {
		v.atLeast(poly{})
		if n, ok := x.IsAtom(); ok && !rules.Off("memcheck.quotient") { // of a counter below y*z it is below z
			for _, b := range t.vars[n].his {
				if z, ok := b.p.AddConst(1).Exact(y); ok && b.den == 1 {
					v.atMost(z.AddConst(-1))
				}
			}
		}
	}
	if natural { // of whatever sign y is
		v.atLeast(x.Neg())
		v.atMost(x)
	}
}

// text returns a polynomial for a message.
func (t *names) text(p poly) string {
	if p.Bad {
		return "?"
	}
	s := sym.Poly{}
	for _, u := range p.Terms {
		m := sym.Const(u.Coef)
		for _, x := range u.Atoms {
			m = m.Mul(sym.Var(t.shown(x)))
		}
		s = s.Add(m)
	}
	return s.String()
}

// shown returns the text of a name, or of the expression that it stands for.
func (t *names) shown(x int32) string {
	v := &t.vars[x]
	text := v.name
	switch {
	case v.shown != "":
		return v.shown
	case v.ring != nil:
		text = v.ring.of.String()
	case v.exp != nil:
		text = ir.ExpString(v.exp)
		if _, call := v.exp.(*ir.Builtin); call {
			return text
		}
	default: // a second name is one of another thread or iteration
		text, _, _ = strings.Cut(text, "#")
		return strings.TrimSuffix(text, "'<")
	}
	return "(" + text + ")"
}
