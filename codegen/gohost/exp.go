package gohost

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
)

// Precedences of Go's operators, and above them unary ones and what needs no
// parentheses anywhere.
const (
	precOr = iota + 1
	precAnd
	precCompare
	precAdd
	precMul
	precUnary
	precAtom
)

// A term is an expression in Go.
type term struct {
	text string
	prec int
	// untyped tells that it is a constant, which takes the type that the context
	// needs; p is the type that it must have.
	untyped bool
	p       ir.Prim
}

// inside returns a term as an operand of an operator.
func (t term) inside(prec int) string {
	if t.prec < prec {
		return "(" + t.text + ")"
	}
	return t.text
}

// typed returns a term whose type does not depend on the context.
func (t term) typed() term {
	if !t.untyped || t.p == ir.Bool {
		return t
	}
	return term{text: goType(t.p) + "(" + t.text + ")", prec: precAtom, p: t.p}
}

// expr returns an expression for a context that decides the type of constants.
func (fw *funcWriter) expr(e ir.Exp) string { return fw.term(e).text }

// typed returns an expression that has its type everywhere.
func (fw *funcWriter) typed(e ir.Exp) string { return fw.term(e).typed().text }

// exprs returns expressions with commas between.
func (fw *funcWriter) exprs(list []ir.Exp) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = fw.expr(e)
	}
	return strings.Join(parts, ", ")
}

func (fw *funcWriter) term(e ir.Exp) term {
	if constant(e) {
		if b, ok := scalar.Constant(e); ok {
			return fw.literal(e.Prim(), b)
		}
	}
	switch e := e.(type) {
	case *ir.Ref:
		return term{text: e.Name, prec: precAtom, p: e.T}
	case *ir.Unary:
		op := e.Op
		switch {
		case op == "-" && e.T == ir.F16:
			return fw.call("host.Neg", e.T, fw.term(e.X))
		case op == "~":
			op = "^"
		}
		return term{text: op + fw.term(e.X).typed().inside(precAtom), prec: precUnary, p: e.T}
	case *ir.Binary:
		return fw.binary(e)
	case *ir.Cond:
		return fw.call("host.If", e.T, fw.term(e.C), fw.term(e.X), fw.term(e.Y))
	case *ir.Convert:
		return fw.convert(e)
	case *ir.Builtin:
		return fw.builtin(e)
	}
	panic(fmt.Sprintf("gohost: expression %T in imperative code", e))
}

// constant reports whether an expression names no variable.
func constant(e ir.Exp) bool {
	switch e := e.(type) {
	case *ir.Lit:
		return true
	case *ir.Unary:
		return constant(e.X)
	case *ir.Convert:
		return constant(e.X)
	case *ir.Binary:
		return constant(e.X) && constant(e.Y)
	case *ir.Cond:
		return constant(e.C) && constant(e.X) && constant(e.Y)
	case *ir.Builtin:
		return e.Fn != imp.IndexFn && !slices.ContainsFunc(e.Args, func(a ir.Exp) bool { return !constant(a) })
	}
	return false
}

// call returns a call of a function whose operands of type t have one type; if all
// are constants the last says which.
func (fw *funcWriter) call(fn string, t ir.Prim, args ...term) term {
	var parts []string
	free := true // nothing has said the type yet
	for i, a := range args {
		if a.p == t && a.untyped && free && i == len(args)-1 {
			a = a.typed()
		}
		free = free && (a.untyped || a.p != t)
		parts = append(parts, a.text)
	}
	return term{text: fn + "(" + strings.Join(parts, ", ") + ")", prec: precAtom, p: t}
}

func (fw *funcWriter) binary(e *ir.Binary) term {
	t := e.X.Prim()
	switch e.Op {
	case "&&", "||":
		return fw.logical(e)
	case "==", "!=", "<", "<=", ">", ">=":
		x, y := fw.term(e.X), fw.term(e.Y)
		if t == ir.F16 {
			out := fw.call("host.Compare", t, operator(e.Op), x, y)
			out.p = ir.Bool
			return out
		}
		return term{text: x.inside(precAdd) + " " + e.Op + " " + y.inside(precAdd), prec: precCompare, p: ir.Bool}
	}
	x, y := fw.term(e.X), fw.term(e.Y)
	switch e.Op {
	case "<<", ">>":
		mask := fw.shift(e.Y, t)
		return term{text: x.typed().inside(precMul) + " " + e.Op + " " + mask, prec: precMul, p: t}
	case "/", "%":
		if t.Integer() && (x.untyped || !y.untyped || y.text == "0") {
			return fw.call(map[string]string{"/": "host.Div", "%": "host.Rem"}[e.Op], t, x, y)
		}
	}
	if e.Op == "**" || t.Float() && e.Op == "%" || t == ir.F16 {
		return fw.call("host.Op", t, operator(e.Op), x, y)
	}
	prec := precMul
	if strings.Contains("+-|^", e.Op) {
		prec = precAdd
	}
	text := x.inside(prec) + " " + e.Op + " " + y.inside(prec+1)
	if t.Float() && e.Op == "*" {
		return term{text: goType(t) + "(" + text + ")", prec: precAtom, p: t}
	}
	return term{text: text, prec: prec, p: t}
}

// operator returns an operator as an argument.
func operator(op string) term { return term{text: strconv.Quote(op), prec: precAtom} }

// shift returns the number of bits to shift by, which counts modulo the width.
func (fw *funcWriter) shift(e ir.Exp, t ir.Prim) string {
	mask := uint64(t.Bits() - 1)
	if constant(e) {
		if b, ok := scalar.Constant(e); ok {
			return strconv.FormatUint(b&mask, 10)
		}
	}
	return fmt.Sprintf("(%s & %d)", fw.term(e).inside(precMul), mask)
}

// logical writes a chain of one operator. go vet refuses a repeated operand, and two comparisons
// with constants of which one decides. A program may contain these. So repeated operands are
// omitted, and such comparisons are hidden.
func (fw *funcWriter) logical(e *ir.Binary) term {
	prec, odd := precAnd, "=="
	if e.Op == "||" {
		prec, odd = precOr, "!="
	}
	var parts []string
	compared := false
	for _, x := range chain(e, e.Op, nil) {
		t := fw.term(x)
		text := t.inside(prec + 1)
		if slices.Contains(parts, text) {
			continue
		}
		if b, ok := x.(*ir.Binary); ok && b.Op == odd && (constant(b.X) || constant(b.Y)) {
			if compared {
				text = "bool(" + t.text + ")"
			}
			compared = true
		}
		parts = append(parts, text)
	}
	if len(parts) == 1 {
		return term{text: parts[0], prec: precAnd, p: ir.Bool} // in parentheses if it needed them
	}
	return term{text: strings.Join(parts, " "+e.Op+" "), prec: prec, p: ir.Bool}
}

// chain returns the operands of nested applications of one operator.
func chain(e ir.Exp, op string, list []ir.Exp) []ir.Exp {
	if b, ok := e.(*ir.Binary); ok && b.Op == op {
		return chain(b.Y, op, chain(b.X, op, list))
	}
	return append(list, e)
}

func (fw *funcWriter) convert(e *ir.Convert) term {
	from, to := e.X.Prim(), e.T
	x := fw.term(e.X)
	switch {
	case from == to:
		return x
	case from == ir.F16 || to == ir.F16:
		return term{text: "host.Convert[" + goType(to) + "](" + x.typed().text + ")", prec: precAtom, p: to}
	case to == ir.Bool:
		return term{text: x.typed().inside(precAdd) + " != 0", prec: precCompare, p: to}
	case from == ir.Bool || from.Float() && to.Integer():
		return term{text: "host.Convert[" + goType(to) + "](" + x.typed().text + ")", prec: precAtom, p: to}
	}
	return term{text: goType(to) + "(" + x.typed().text + ")", prec: precAtom, p: to}
}

func (fw *funcWriter) builtin(e *ir.Builtin) term {
	if e.Fn == imp.IndexFn {
		return fw.term(e.Args[0])
	}
	t := e.Args[0].Prim()
	args := make([]term, len(e.Args))
	for i, a := range e.Args {
		args[i] = fw.term(a)
	}
	if t.Integer() && (e.Fn == "min" || e.Fn == "max") {
		return fw.call(e.Fn, t, args...)
	}
	out := fw.call(fmt.Sprintf("host.Fn[%s]", goType(e.T)), t, append([]term{operator(e.Fn)}, args...)...)
	out.p = e.T
	return out
}

// literal returns a constant, or, for the floats that are none in Go, a call.
func (fw *funcWriter) literal(p ir.Prim, b uint64) term {
	atom := func(s string) term {
		prec := precAtom
		if s[0] == '-' {
			prec = precUnary
		}
		return term{text: s, prec: prec, untyped: true, p: p}
	}
	switch {
	case p == ir.Bool:
		return atom(strconv.FormatBool(b&1 != 0))
	case p.Unsigned():
		return atom(strconv.FormatUint(b, 10))
	case p.Integer():
		return atom(strconv.FormatInt(int64(b), 10))
	case p == ir.F16:
		return term{text: fmt.Sprintf("host.Float16(%#04x)", b), prec: precAtom, p: p}
	}
	lit := ir.Lit{T: p, Bits: b}
	v := lit.Float()
	special := ""
	switch {
	case math.IsNaN(v):
		special = "math.NaN()"
	case math.IsInf(v, 1):
		special = "math.Inf(1)"
	case math.IsInf(v, -1):
		special = "math.Inf(-1)"
	case v == 0 && math.Signbit(v):
		special = "math.Copysign(0, -1)" // Go's constant -0.0 is 0
	}
	if special != "" {
		fw.needsMath = true
		if p == ir.F32 {
			special = "float32(" + special + ")"
		}
		return term{text: special, prec: precAtom, p: p}
	}
	bits := p.Bits()
	s := strconv.FormatFloat(v, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return atom(s)
}

// bytes returns the size of a block, see host.MulBytes.
func (fw *funcWriter) bytes(e ir.Exp) string {
	if c, ok := e.(*ir.Cond); ok {
		return fmt.Sprintf("host.If[int64](%s, %s, %s)", fw.expr(c.C), fw.bytes(c.X), fw.bytes(c.Y))
	}
	fn, args := scalar.Size(e)
	if fn == "" {
		return fw.expr(e)
	}
	parts := make([]string, len(args))
	for k, a := range args {
		parts[k] = fw.bytes(a)
	}
	return "host." + strings.ToUpper(fn[:1]) + fn[1:] + "Bytes(" + strings.Join(parts, ", ") + ")"
}
