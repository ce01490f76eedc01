package simplify

import (
	"math"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
)

// fold returns an expression with the same value that is computed more simply, or the expression
// itself. It may not fail where e does not, and fails where e does.
func fold(e ir.Exp) ir.Exp {
	e = ir.WithOperands(e, fold)
	if n := constant(e); n != nil {
		return n
	}
	switch e := e.(type) {
	case *ir.Unary:
		return unary(e)
	case *ir.Binary:
		return binary(e)
	case *ir.Cond:
		return cond(e)
	case *ir.Convert:
		if e.X.Prim() == e.T {
			return e.X
		}
	case *ir.Builtin:
		if (e.Fn == "min" || e.Fn == "max") && e.T.Integer() && equal(e.Args[0], e.Args[1]) {
			return e.Args[0]
		}
	}
	return e
}

// literal returns the value of a literal, which may have a minus in front of it, or nil.
func literal(e ir.Exp) *ir.Lit {
	switch e := e.(type) {
	case *ir.Lit:
		return e
	case *ir.Unary:
		if _, ok := e.X.(*ir.Lit); ok && e.Op == "-" {
			if bits, ok := scalar.Constant(e); ok {
				return lit(bits, e)
			}
		}
	}
	return nil
}

// constant returns the value of an operation on literals, or nil. It computes integers and bools.
// Of floats it computes only what every device rounds in the same way.
func constant(e ir.Exp) ir.Exp {
	if n, ok := e.(*ir.Unary); ok && n.Op == "-" {
		if x, ok := n.X.(*ir.Lit); ok && !strings.HasPrefix(x.Text, "-") {
			return nil // the user's -1 stays
		}
	}
	_, leaf := e.(*ir.Lit)
	all, float := !leaf, e.Prim().Float()
	ir.Operands(e, func(x ir.Exp) {
		all = all && literal(x) != nil
		float = float || x.Prim().Float()
	})
	if !all || float && !exact(e) {
		return nil
	}
	switch e.(type) {
	case *ir.Unary, *ir.Binary, *ir.Convert, *ir.Builtin:
		if bits, ok := scalar.Constant(e); ok {
			if n := lit(bits, e); n != nil {
				return n
			}
		}
	}
	return nil
}

// exact reports whether an operation on floats has the same bits on every device.
func exact(e ir.Exp) bool {
	half := e.Prim() == ir.F16
	ir.Operands(e, func(x ir.Exp) { half = half || x.Prim() == ir.F16 })
	switch e := e.(type) {
	case *ir.Convert:
		return !half && e.T != ir.Bool
	case *ir.Binary:
		return !half && (strings.Contains("+-*/", e.Op) || ir.Compares(e.Op))
	}
	return false
}

// lit returns the literal of these bits in place of e, or nil if it has no text: infinities, and
// what is no number.
func lit(bits uint64, e ir.Exp) *ir.Lit {
	n := &ir.Lit{T: e.Prim(), Bits: bits, At: e.Span()}
	switch {
	case n.T == ir.Bool:
		n.Text = strconv.FormatBool(bits != 0)
	case n.T.Unsigned():
		n.Text, n.Suffix = strconv.FormatUint(bits, 10), true
	case n.T.Integer():
		n.Text, n.Suffix = strconv.FormatInt(int64(bits), 10), n.T != ir.I64
	case n.T == ir.F32 || n.T == ir.F64:
		v := n.Float()
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		t := strings.Replace(strconv.FormatFloat(v, 'g', -1, n.T.Bits()), "e+", "e", 1)
		if !strings.ContainsAny(t, ".e") {
			t += ".0"
		}
		n.Text, n.Suffix = t, true
	default:
		return nil
	}
	return n
}

// least reports whether a literal is the least integer of its type, whose text must not stand behind
// another minus.
func least(n *ir.Lit) bool {
	return n.T.Signed() && n.Bits != 0 && scalar.Wrap(n.T)(-n.Bits) == n.Bits
}

// is reports whether an expression is this integer.
func is(e ir.Exp, v int64) bool {
	l := literal(e)
	return l != nil && l.T.Integer() && int64(l.Bits) == v
}

// ones reports whether an expression is the integer all of whose bits are set.
func ones(e ir.Exp) bool {
	l := literal(e)
	return l != nil && l.T.Integer() && l.Bits == ^uint64(0)>>(64-l.T.Bits()) || l != nil && l.T.Signed() && int64(l.Bits) == -1
}

// equal reports whether two expressions are one name.
func equal(x, y ir.Exp) bool {
	a, ok := x.(*ir.Ref)
	b, ok2 := y.(*ir.Ref)
	return ok && ok2 && a.Name == b.Name
}

func zero(e ir.Exp) ir.Exp { return lit(0, e) }

func unary(e *ir.Unary) ir.Exp {
	switch x := e.X.(type) {
	case *ir.Unary:
		if x.Op == e.Op && !e.T.Float() {
			return x.X
		}
	case *ir.Binary:
		if op := ir.Opposite(x.Op); e.Op == "!" && op != "" && (!x.X.Prim().Float() || x.Op == "==" || x.Op == "!=") {
			return &ir.Binary{Op: op, X: x.X, Y: x.Y, T: ir.Bool, At: x.At}
		}
	}
	return e
}

func cond(e *ir.Cond) ir.Exp {
	if c := literal(e.C); c != nil {
		if c.Bits != 0 {
			return e.X
		}
		return e.Y
	}
	if equal(e.X, e.Y) && ir.Total(e.C) {
		return e.X
	}
	return e
}

func binary(e *ir.Binary) ir.Exp {
	switch {
	case e.Op == "&&" || e.Op == "||":
		return logic(e)
	case e.X.Prim().Float():
		return e
	case ir.Compares(e.Op):
		if equal(e.X, e.Y) {
			b := ir.BoolLit(e.Op == "==" || e.Op == "<=" || e.Op == ">=")
			b.At = e.At
			return b
		}
		return e
	case !e.T.Integer():
		return e
	}
	if x := neutral(e); x != nil {
		return x
	}
	return sums(e)
}

// logic simplifies && and ||. The right operand is evaluated only if the left one does not decide.
func logic(e *ir.Binary) ir.Exp {
	decides := e.Op == "||"
	if l := literal(e.X); l != nil {
		if (l.Bits != 0) == decides {
			return e.X
		}
		return e.Y
	}
	if l := literal(e.Y); l != nil {
		if (l.Bits != 0) != decides {
			return e.X
		}
		if ir.Total(e.X) {
			return e.Y
		}
	}
	if equal(e.X, e.Y) {
		return e.X
	}
	return e
}

// neutral returns the value of an operation on integers one of whose operands decides, or nil.
func neutral(e *ir.Binary) ir.Exp {
	x, y := e.X, e.Y
	switch e.Op {
	case "+", "|", "^", "*", "&":
		if literal(x) != nil {
			x, y = y, x
		}
	}
	switch e.Op {
	case "+", "-", "|", "^", "<<", ">>":
		if is(y, 0) {
			return x
		}
	case "*", "/", "**":
		if is(y, 1) {
			return x
		}
	case "&":
		if ones(y) {
			return x
		}
	}
	if (e.Op == "*" || e.Op == "&") && is(y, 0) && ir.Total(x) || e.Op == "%" && is(y, 1) && ir.Total(x) {
		return zero(e)
	}
	if equal(x, y) {
		switch e.Op {
		case "-", "^":
			return zero(e)
		case "&", "|":
			return x
		}
	}
	return nil
}

// sums adds up the literals of (x + a) + b.
func sums(e *ir.Binary) ir.Exp {
	in, ok := e.X.(*ir.Binary)
	b := literal(e.Y)
	if !ok || b == nil || e.Op != "+" && e.Op != "-" || in.Op != "+" && in.Op != "-" {
		return e
	}
	a := literal(in.Y)
	if a == nil {
		return e
	}
	op := "+"
	if in.Op != e.Op {
		op = "-"
	}
	bits, _ := scalar.Constant(&ir.Binary{Op: op, X: a, Y: b, T: e.T, At: e.At})
	at := &ir.Binary{T: e.T, At: e.Y.Span()}
	sum := &ir.Binary{Op: in.Op, X: in.X, Y: lit(bits, at), T: e.T, At: e.At}
	if less := -bits; int64(bits) < 0 && int64(less) > 0 && e.T.Signed() && scalar.Wrap(e.T)(less) == less {
		sum.Op = map[string]string{"+": "-", "-": "+"}[in.Op] // x - 1, not x + -1
		sum.Y = lit(less, at)
	}
	if x := neutral(sum); x != nil {
		return x
	}
	return sum
}
