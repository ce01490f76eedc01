package sym

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// maxPower bounds the powers that are written as products.
const maxPower = 32

// Of returns the polynomial of a scalar expression of type i64. It interprets literals, + - *,
// negation, ~, and shifts and powers by a constant. Every other expression is an atom with
// normalised parts. Before elaboration, a part of unknown type counts as i64.
func Of(e ir.Exp) Poly { return asWritten.poly(e) }

// OfAll returns the polynomials of several expressions.
func OfAll(es []ir.Exp) []Poly {
	out := make([]Poly, len(es))
	for k, e := range es {
		out[k] = Of(e)
	}
	return out
}

// Subst replaces names by polynomials, all at once, also inside opaque expressions. A name that is
// not an i64 scalar (an array that is read, a float) can only be renamed: its replacement must be a
// single name.
func (p Poly) Subst(f func(name string) (Poly, bool)) Poly {
	if x, ok := p.IsVar(); ok { // as most sizes are
		if by, ok := f(x); ok {
			return by
		}
		return p
	}
	replaced := func(n string) bool { _, ok := f(n); return ok }
	by := func(key string) (Poly, bool) {
		switch a := p.opaque.of(key); {
		case a == nil:
			return f(key)
		case slices.ContainsFunc(a.names(), replaced):
			return (&normaliser{subst: f}).poly(a.exp), true
		}
		return Poly{}, false
	}
	var out gathering
	done := 0 // terms that are in out
	for k, t := range p.p.Terms {
		var product Poly
		hit := false
		for j, key := range t.Atoms {
			q, ok := by(key)
			if ok && !hit { // the atoms before it stay
				hit = true
				product = made(poly{Terms: []term{{Coef: t.Coef, Atoms: t.Atoms[:j:j]}}}, p.opaque)
			}
			switch {
			case ok:
				product = product.Mul(q)
			case hit:
				product = product.Mul(made(integer.Atom(key), p.opaque))
			}
		}
		if hit {
			out.add(Poly{poly{Terms: p.p.Terms[done:k]}, p.opaque})
			out.add(product)
			done = k + 1
		}
	}
	if done == 0 {
		return p
	}
	out.add(Poly{poly{Terms: p.p.Terms[done:]}, p.opaque})
	return out.normal()
}

// A normaliser turns expressions into polynomials and atoms, and replaces names on the way.
type normaliser struct {
	subst func(string) (Poly, bool)
}

// asWritten replaces nothing.
var asWritten = &normaliser{}

func (n *normaliser) poly(e ir.Exp) Poly {
	switch e := e.(type) { // most sizes are one of these, and need no gathering
	case *ir.Ref:
		if wide(e.T) {
			return n.name(e.Name)
		}
	case *ir.Lit:
		if v, ok := litValue(e); ok {
			return Const(v)
		}
	}
	var g gathering
	if p, ok := n.interpreted(e, 1, &g); !ok {
		return g.normal()
	} else if len(g.terms) == 0 {
		return p
	} else {
		g.add(p)
		return g.normal()
	}
}

// collect adds c*e, where c is 1 or -1.
func (n *normaliser) collect(e ir.Exp, c int64, out *gathering) {
	if p, ok := n.interpreted(e, c, out); ok {
		out.add(p.scale(c))
	}
}

// interpreted returns e as a polynomial; or it appends the terms of c*e itself and returns false.
func (n *normaliser) interpreted(e ir.Exp, c int64, out *gathering) (Poly, bool) {
	if !wide(e.Prim()) {
		return n.opaque(e), true
	}
	switch e := e.(type) {
	case *ir.Lit:
		if v, ok := litValue(e); ok {
			return Const(v), true
		}
	case *ir.Ref:
		return n.name(e.Name), true
	case *ir.Exist:
		return n.name(e.Name), true
	case *ir.Unary:
		switch e.Op {
		case "-":
			n.collect(e.X, -c, out)
			return Poly{}, false
		case "~": // ~x = -x - 1
			n.collect(e.X, -c, out)
			return Const(-1), true
		}
	case *ir.Binary:
		return n.binary(e, c, out)
	case *ir.Convert:
		if e.X.Prim() == ir.I64 {
			n.collect(e.X, c, out)
			return Poly{}, false
		}
	case *ir.Builtin:
		if (e.Fn == "min" || e.Fn == "max") && len(e.Args) == 2 {
			return n.extremum(e), true
		}
		if (e.Fn == "fdiv" || e.Fn == "fmod") && len(e.Args) == 2 {
			x, y := n.poly(e.Args[0]), n.poly(e.Args[1])
			if p, ok := fold(e.Fn, x, y); ok {
				return p, true
			}
			key := e.Fn + "(" + x.String() + ", " + y.String() + ")"
			exp := &ir.Builtin{Fn: e.Fn, Args: []ir.Exp{x.Exp(), y.Exp()}, T: ir.I64, At: e.At}
			return opaqueAtom(key, exp, 1+x.Size()+y.Size()), true
		}
	}
	return n.opaque(e), true
}

func (n *normaliser) binary(e *ir.Binary, c int64, out *gathering) (Poly, bool) {
	switch e.Op {
	case "+", "-":
		n.collect(e.X, c, out)
		if e.Op == "-" {
			c = -c
		}
		n.collect(e.Y, c, out)
		return Poly{}, false
	case "*":
		return n.poly(e.X).Mul(n.poly(e.Y)), true
	case "/", "%", "<<", "**":
		// Normalise each operand only once: twice would be exponential in the depth.
		x, y := n.poly(e.X), n.poly(e.Y)
		if p, ok := fold(e.Op, x, y); ok {
			return p, true
		}
		key := "(" + x.String() + " " + e.Op + " " + y.String() + ")"
		exp := &ir.Binary{Op: e.Op, X: x.Exp(), Y: y.Exp(), T: ir.I64, At: e.At}
		return opaqueAtom(key, exp, 1+x.Size()+y.Size()), true
	}
	return n.opaque(e), true
}

// fold interprets an operation whose right operand is a suitable constant.
func fold(op string, x, y Poly) (Poly, bool) {
	k, ok := y.IsConst()
	if !ok {
		return Poly{}, false
	}
	v, isConst := x.IsConst()
	switch {
	case (op == "/" || op == "fdiv") && k == 1:
		return x, true
	case (op == "%" || op == "fmod") && k == 1:
		return Poly{}, true
	case op == "<<":
		return x.scale(1 << uint64(k&63)), true
	case op != "**":
		r, ok := integer.Apply(op, v, k)
		return Const(r), ok && isConst
	case k >= 0 && k <= maxPower && int(k)*x.Size() <= maxProductSize:
		p := Const(1)
		for range k {
			p = p.Mul(x)
		}
		return p, true
	}
	return Poly{}, false
}

// extremum normalises nested min, or max, to one call over sorted, distinct operands.
func (n *normaliser) extremum(e *ir.Builtin) Poly {
	var args []Poly
	var flatten func(x ir.Exp)
	flatten = func(x ir.Exp) {
		if b, ok := x.(*ir.Builtin); ok && b.Fn == e.Fn && len(b.Args) == 2 && wide(b.T) {
			flatten(b.Args[0])
			flatten(b.Args[1])
			return
		}
		p := n.poly(x)
		args = append(args, p.operands(e.Fn)...)
	}
	flatten(e)
	slices.SortStableFunc(args, Poly.Compare)
	args = slices.CompactFunc(args, Poly.Equal)
	// Constants sort together: fold them into one.
	kept := args[:0]
	for _, a := range args {
		if k := len(kept) - 1; k >= 0 {
			u, oku := kept[k].IsConst()
			v, okv := a.IsConst()
			if r, ok := integer.Apply(e.Fn, u, v); ok && oku && okv {
				kept[k] = Const(r)
				continue
			}
		}
		kept = append(kept, a)
	}
	if len(kept) == 1 {
		return kept[0]
	}
	var b strings.Builder
	b.WriteString(e.Fn)
	b.WriteByte('(')
	size := 0
	for k, a := range kept {
		if k > 0 {
			b.WriteString(", ")
		}
		a.write(&b)
		size += 1 + a.Size()
	}
	b.WriteByte(')')
	p := opaqueAtom(b.String(), nested(e, kept), size)
	p.opaque[0].operands = kept
	return p
}

// operands returns the operands of p if it is a min or max (as fn says), and otherwise p itself.
func (p Poly) operands(fn string) []Poly {
	key, _ := p.p.IsAtom()
	if a := p.opaque.of(key); a != nil && a.operands != nil {
		if b, ok := a.exp.(*ir.Builtin); ok && b.Fn == fn {
			return a.operands
		}
	}
	return []Poly{p}
}

// nested writes min(a, b, c, ..) with two operands a call, and small depth.
func nested(e *ir.Builtin, args []Poly) ir.Exp {
	if len(args) == 1 {
		return args[0].Exp()
	}
	h := (len(args) + 1) / 2
	if len(args) <= maxChain {
		h = len(args) - 1
	}
	return &ir.Builtin{Fn: e.Fn, Args: []ir.Exp{nested(e, args[:h]), nested(e, args[h:])}, T: ir.I64, At: e.At}
}

// opaqueProduct is the product of two polynomials as an atom.
func opaqueProduct(p, q Poly) Poly {
	if p.Compare(q) > 0 {
		p, q = q, p
	}
	return opaqueAtom("(("+p.String()+")*("+q.String()+"))", binary("*", p.Exp(), q.Exp()), 1+p.Size()+q.Size())
}

func (n *normaliser) name(name string) Poly {
	if n.subst != nil {
		if p, ok := n.subst(name); ok {
			return p
		}
	}
	return Var(name)
}

// rename returns the replacement of a name that must stay a name.
func (n *normaliser) rename(name string) string {
	if n.subst != nil {
		if p, ok := n.subst(name); ok {
			if v, ok := p.IsVar(); ok {
				return v
			}
		}
	}
	return name
}

// wide reports whether arithmetic of that type is the polynomials' own.
func wide(p ir.Prim) bool { return p == ir.I64 || p == ir.Unknown }

// litValue returns the value of an i64 literal, before elaboration from its text.
func litValue(e *ir.Lit) (int64, bool) {
	if e.T == ir.I64 {
		return int64(e.Bits), true
	}
	if e.T != ir.Unknown || e.Suffix {
		return 0, false
	}
	if v, err := strconv.ParseInt(e.Text, 0, 64); err == nil {
		return v, true
	}
	v, err := strconv.ParseUint(e.Text, 0, 64)
	return int64(v), err == nil && bits.Len64(v) == 64
}
