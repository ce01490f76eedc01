package scalar

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Code is a compiled expression: it reads variables from the frame.
type Code func(fr []uint64) uint64

// Env resolves names at compile time.
type Env struct {
	// Slot gives the place of a scalar variable in the frame.
	Slot func(name string) (int, bool)
	// Index compiles an element read; nil where there are none.
	Index func(e *ir.Index) (Code, error)
	// Wraps, where it is set, counts the operations + - * on i64 that wrap around.
	Wraps *int64
}

// form tells how an operand is had.
type form uint8

const (
	isConst form = iota
	isVar
	isCode
)

// An operand is a compiled subexpression whose form is known, so that its user
// can choose a closure that needs no call for it.
type operand struct {
	form form
	bits uint64 // of a constant
	slot int    // of a variable
	run  Code
}

func constant(bits uint64) operand { return operand{form: isConst, bits: bits} }

func computed(run Code) operand { return operand{form: isCode, run: run} }

// code returns the operand as a closure, whatever its form.
func (o operand) code() Code {
	switch o.form {
	case isConst:
		c := o.bits
		return func([]uint64) uint64 { return c }
	case isVar:
		i := o.slot
		return func(fr []uint64) uint64 { return fr[i] }
	}
	return o.run
}

// Compile compiles an elaborated scalar expression. It fails where a name has
// no slot, a type is missing, or an operation does not take its operands' type,
// all of which checking excludes.
func Compile(e ir.Exp, env Env) (Code, error) {
	o, err := env.operand(e)
	if err != nil {
		return nil, err
	}
	return o.code(), nil
}

// Constant returns the value of an expression that names no variable and does
// not fail.
func Constant(e ir.Exp) (bits uint64, ok bool) {
	o, err := Env{Slot: func(string) (int, bool) { return 0, false }}.operand(e)
	return o.bits, err == nil && o.form == isConst
}

func (env Env) operand(e ir.Exp) (operand, error) {
	switch e := e.(type) {
	case *ir.Lit:
		if e.T == ir.Unknown {
			return operand{}, fmt.Errorf("literal `%s` has no type", e.Text)
		}
		return constant(e.Bits), nil
	case *ir.Ref:
		slot, ok := env.Slot(e.Name)
		if !ok {
			return operand{}, fmt.Errorf("`%s` is not a scalar in scope", e.Name)
		}
		return operand{form: isVar, slot: slot}, nil
	case *ir.Index:
		if env.Index == nil {
			return operand{}, fmt.Errorf("an element of `%s` is read in a place where no array may be read", e.Array)
		}
		run, err := env.Index(e)
		return computed(run), err
	case *ir.Unary:
		return env.apply1(e, Unary(e.Op, e.X.Prim()), e.X)
	case *ir.Convert:
		if e.X.Prim() == ir.Unknown || e.T == ir.Unknown {
			return operand{}, unsupported(e)
		}
		if e.X.Prim() == e.T {
			return env.operand(e.X)
		}
		return env.apply1(e, Convert(e.X.Prim(), e.T), e.X)
	case *ir.Binary:
		return env.binary(e)
	case *ir.Cond:
		return env.cond(e)
	case *ir.Builtin:
		return env.builtin(e)
	}
	return operand{}, fmt.Errorf("%T is not a scalar expression", e)
}

func unsupported(e ir.Exp) error {
	return fmt.Errorf("`%s` is not defined on its operands' type", ir.ExpString(e))
}

func (env Env) apply1(e ir.Exp, f func(uint64) uint64, x ir.Exp) (operand, error) {
	if f == nil {
		return operand{}, unsupported(e)
	}
	o, err := env.operand(x)
	if err != nil {
		return o, err
	}
	switch o.form {
	case isConst:
		return constant(f(o.bits)), nil
	case isVar:
		i := o.slot
		return computed(func(fr []uint64) uint64 { return f(fr[i]) }), nil
	}
	run := o.run
	return computed(func(fr []uint64) uint64 { return f(run(fr)) }), nil
}

func (env Env) binary(e *ir.Binary) (operand, error) {
	x, err := env.operand(e.X)
	if err != nil {
		return x, err
	}
	y, err := env.operand(e.Y)
	if err != nil {
		return y, err
	}
	switch e.Op {
	case "&&":
		a, b := x.code(), y.code()
		return computed(func(fr []uint64) uint64 {
			if a(fr) == 0 {
				return 0
			}
			return b(fr)
		}), nil
	case "||":
		a, b := x.code(), y.code()
		return computed(func(fr []uint64) uint64 {
			if a(fr) != 0 {
				return 1
			}
			return b(fr)
		}), nil
	}
	p := e.X.Prim()
	f := Binary(e.Op, p)
	if f == nil {
		return operand{}, unsupported(e)
	}
	if env.Wraps != nil && p == ir.I64 && strings.Contains("+-*", e.Op) {
		a, b := x.code(), y.code()
		return computed(func(fr []uint64) uint64 {
			v, w := a(fr), b(fr)
			if wraps(e.Op, int64(v), int64(w)) {
				*env.Wraps++
			}
			return f(v, w)
		}), nil
	}
	return apply2(e, e.Op, p, f, x, y), nil
}

func wraps(op string, x, y int64) bool {
	switch op {
	case "+":
		return (x+y < x) != (y < 0)
	case "-":
		return (x-y > x) != (y < 0)
	}
	hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
	limit := uint64(math.MaxInt64)
	if (x < 0) != (y < 0) {
		limit++
	}
	return hi > 0 || lo > limit
}

// canFail reports whether an operator or built-in can panic on operands of p.
func canFail(op string, p ir.Prim) bool {
	switch op {
	case "/", "%", "**", "fdiv", "fmod":
		return p.Integer()
	}
	return false
}

// apply2 builds the closure of a function of two operands of type p. The hot
// operations have closures of their own, chosen by the operands' form.
func apply2(e ir.Exp, op string, p ir.Prim, f func(x, y uint64) uint64, x, y operand) operand {
	if canFail(op, p) && (y.form != isConst || y.bits == 0 || int64(y.bits) < 0) {
		return computed(faulting(e, op, f, x.code(), y.code()))
	}
	if x.form == isConst && y.form == isConst {
		return constant(f(x.bits, y.bits))
	}
	if run := fast(op, p, x, y); run != nil {
		return computed(run)
	}
	switch {
	case x.form == isVar && y.form == isVar:
		i, j := x.slot, y.slot
		return computed(func(fr []uint64) uint64 { return f(fr[i], fr[j]) })
	case x.form == isVar && y.form == isConst:
		i, c := x.slot, y.bits
		return computed(func(fr []uint64) uint64 { return f(fr[i], c) })
	case y.form == isConst:
		a, c := x.code(), y.bits
		return computed(func(fr []uint64) uint64 { return f(a(fr), c) })
	case y.form == isVar:
		a, j := x.code(), y.slot
		return computed(func(fr []uint64) uint64 { return f(a(fr), fr[j]) })
	}
	a, b := x.code(), y.code()
	return computed(func(fr []uint64) uint64 { return f(a(fr), b(fr)) })
}

// faulting adds the expression's text and place to the fault that f may raise,
// by looking at the second operand first: zero for a division, negative for a
// power. The text is made only when it is needed.
func faulting(e ir.Exp, op string, f func(x, y uint64) uint64, a, b Code) Code {
	if op == "**" {
		return func(fr []uint64) uint64 {
			x, y := a(fr), b(fr)
			if int64(y) < 0 && e.Prim().Signed() {
				panic(&Fault{Code: diag.NegativePower, Span: e.Span(), Msg: "negative exponent"})
			}
			return f(x, y)
		}
	}
	return func(fr []uint64) uint64 {
		x, y := a(fr), b(fr)
		if y == 0 {
			panic(&Fault{Code: diag.DividedByZero, Span: e.Span(), Msg: "division by zero in `" + ir.ExpString(e) + "`"})
		}
		return f(x, y)
	}
}

func (env Env) cond(e *ir.Cond) (operand, error) {
	c, err := env.operand(e.C)
	if err != nil {
		return c, err
	}
	x, err := env.operand(e.X)
	if err != nil {
		return x, err
	}
	y, err := env.operand(e.Y)
	if err != nil {
		return y, err
	}
	if c.form == isConst {
		if c.bits != 0 {
			return x, nil
		}
		return y, nil
	}
	test, a, b := c.code(), x.code(), y.code()
	return computed(func(fr []uint64) uint64 {
		if test(fr) != 0 {
			return a(fr)
		}
		return b(fr)
	}), nil
}

func (env Env) builtin(e *ir.Builtin) (operand, error) {
	sig, ok := ir.Builtins[e.Fn]
	if !ok || len(e.Args) != sig.Args {
		return operand{}, unsupported(e)
	}
	p := e.Args[0].Prim()
	if Builtin(e.Fn, p) == nil {
		return operand{}, unsupported(e)
	}
	args := make([]operand, len(e.Args))
	for i, x := range e.Args {
		o, err := env.operand(x)
		if err != nil {
			return o, err
		}
		args[i] = o
	}
	switch len(args) {
	case 1:
		return env.apply1(e, builtin1(e.Fn, p), e.Args[0])
	case 2:
		return apply2(e, e.Fn, p, builtin2(e.Fn, p), args[0], args[1]), nil
	}
	f := Builtin(e.Fn, p)
	a, b, c := args[0].code(), args[1].code(), args[2].code()
	return computed(func(fr []uint64) uint64 {
		v := [3]uint64{a(fr), b(fr), c(fr)}
		return f(v[:])
	}), nil
}
