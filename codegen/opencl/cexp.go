package opencl

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
)

// CType returns the C type of a scalar variable, in C99 and in OpenCL C. A bool is a byte that
// holds 0 or 1, since OpenCL kernels take no bool argument. An f16 is held as its bits, since
// OpenCL C computes with halves only as an extension.
func CType(p ir.Prim) string { return ctypes[p] }

var ctypes = [...]string{
	ir.I8: "int8_t", ir.I16: "int16_t", ir.I32: "int32_t", ir.I64: "int64_t",
	ir.U8: "uint8_t", ir.U16: "uint16_t", ir.U32: "uint32_t", ir.U64: "uint64_t",
	ir.F16: "uint16_t", ir.F32: "float", ir.F64: "double", ir.Bool: "uint8_t",
}

// CExp returns a scalar expression of package imp (elaborated, without Index) as C, valid in C99
// and, with the prelude's functions, in OpenCL C. It does not change names. The result has the
// value of e but, as usual in C, perhaps a wider integer type: cast it before it goes through
// "...".
func CExp(e ir.Exp) string {
	if r, ok := e.(*ir.Ref); ok {
		return r.Name
	}
	var p cprinter
	p.Grow(usualExp)
	p.exp(e, false)
	return p.String()
}

// cindex is CExp for an offset into a block. It prints plain signed sums and products, which are
// easier to read: the offset of an element that exists does not overflow. If the terms of its sum
// may overflow, the offset says so (imp.WrapFn). Values that the program computes within it (a
// condition, a quotient, an argument) may overflow, too: a place like (if i * i * c < 0 then 0 else
// i) * n wraps in the condition.
func cindex(e ir.Exp) string {
	p := cprinter{plain: true}
	p.Grow(usualExp)
	p.exp(e, false)
	return p.String()
}

// usualExp is more bytes than most expressions have.
const usualExp = 48

// cprinter prints expressions. Infix operators inside others are put in
// parentheses, arguments of calls are not.
type cprinter struct {
	strings.Builder
	plain  bool // the sums and products of i64 from here down are known not to overflow
	marked bool // the next expression is the lowering's own (imp.IndexFn): it never divides by 0
}

// exp prints e; inner tells that it is an operand of an infix operator.
func (p *cprinter) exp(e ir.Exp, inner bool) {
	plain, marked := p.plain, p.marked
	defer func() { p.plain, p.marked = plain, marked }()
	p.plain, p.marked = plain && (marked || ring(e)), false
	switch e := e.(type) {
	case *ir.Lit:
		p.WriteString(p.literal(e))
	case *ir.Ref:
		p.WriteString(e.Name)
	case *ir.Unary:
		p.unary(e)
	case *ir.Binary:
		p.binary(e, inner)
	case *ir.Cond:
		p.open(inner)
		p.plain = false
		p.exp(e.C, true)
		p.plain = plain
		p.WriteString(" ? ")
		p.exp(e.X, true)
		p.WriteString(" : ")
		p.exp(e.Y, true)
		p.close(inner)
	case *ir.Convert:
		p.convert(e)
	case *ir.Builtin:
		switch e.Fn {
		case imp.IndexFn:
			p.plain, p.marked = true, true
			p.exp(e.Args[0], inner)
		case imp.WrapFn:
			p.plain = false
			p.exp(e.Args[0], inner)
		case imp.SeveralFn:
			p.WriteString("MEMC_BATCHES")
		case imp.QuotientFn:
			p.plain = true
			p.call(e.Fn, ir.I64, e.Args...)
		default:
			p.call(e.Fn, e.Args[0].Prim(), e.Args...)
		}
	default:
		panic(fmt.Sprintf("opencl: expression %T in imperative code", e))
	}
}

// ring reports whether e only adds, subtracts, multiplies, and chooses between such expressions.
func ring(e ir.Exp) bool {
	switch e := e.(type) {
	case *ir.Lit, *ir.Ref, *ir.Cond:
		return true
	case *ir.Unary:
		return e.Op == "-"
	case *ir.Binary:
		return e.Op == "+" || e.Op == "-" || e.Op == "*"
	}
	return false
}

func (p *cprinter) open(inner bool) {
	if inner {
		p.WriteByte('(')
	}
}

func (p *cprinter) close(inner bool) {
	if inner {
		p.WriteByte(')')
	}
}

// call prints a call of a prelude function, which is named after the type of
// its operands.
func (p *cprinter) call(fn string, t ir.Prim, args ...ir.Exp) {
	fmt.Fprintf(p, "memc_%s_%s(", fn, t)
	for i, a := range args {
		if i > 0 {
			p.WriteString(", ")
		}
		p.exp(a, false)
	}
	p.WriteByte(')')
}

func (p *cprinter) unary(e *ir.Unary) {
	t := e.X.Prim()
	switch {
	case e.Op == "!":
		p.WriteByte('!')
		p.exp(e.X, true)
	case e.Op == "~":
		p.call("not", t, e.X)
	case t == ir.F32 || t == ir.F64 || p.plain && t == ir.I64:
		p.WriteString("(-")
		p.exp(e.X, true)
		p.WriteByte(')')
	default:
		p.call("neg", t, e.X)
	}
}

// binaryFns names the prelude functions of the arithmetic operators.
var binaryFns = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "**": "pow", "<<": "shl", ">>": "shr",
	"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", // of f16
}

// infix reports whether C's own operator means the same on operands of type t: no
// signed overflow, no promotion of a narrow type, no division by zero.
func (p *cprinter) infix(op string, t ir.Prim) bool {
	if t == ir.F16 {
		return false
	}
	switch op {
	case "+", "-", "*":
		return t.Float() || t == ir.U32 || t == ir.U64 || p.plain && t == ir.I64
	case "/":
		return t.Float() || p.plain && t == ir.I64
	case "%":
		return p.plain && t == ir.I64
	case "**", "<<", ">>":
		return false
	}
	return true
}

func (p *cprinter) binary(e *ir.Binary, inner bool) {
	t := e.X.Prim()
	if !p.infix(e.Op, t) {
		p.call(binaryFns[e.Op], t, e.X, e.Y)
		return
	}
	p.open(inner)
	not := denied(e.X) && e.X.Prim() == ir.Bool && e.Op != "&&" && e.Op != "||" // compilers take it for a slip
	p.open(not)
	p.exp(e.X, !chains(e, e.X))
	p.close(not)
	p.WriteString(" " + e.Op + " ")
	p.exp(e.Y, !tighter(e, e.Y))
	p.close(inner)
}

// chains reports whether x, as the left operand of e, needs no parentheses for a
// human reader or a compiler's warnings: a sum of sums, a product in a sum.
func chains(e *ir.Binary, x ir.Exp) bool {
	x = unmarked(x)
	if _, cond := x.(*ir.Cond); cond {
		return false // ?: binds weaker than any operator
	}
	b, ok := x.(*ir.Binary)
	if !ok {
		return true
	}
	additive := e.Op == "+" || e.Op == "-"
	switch b.Op {
	case "+", "-":
		return additive
	case "*":
		return additive || e.Op == "*"
	case "&&", "||":
		return b.Op == e.Op
	}
	return false
}

// denied reports whether an expression begins with `!`.
func denied(e ir.Exp) bool {
	u, ok := unmarked(e).(*ir.Unary)
	return ok && u.Op == "!"
}

// tighter reports whether y, as the right operand of e, needs no parentheses.
func tighter(e *ir.Binary, y ir.Exp) bool {
	b, ok := unmarked(y).(*ir.Binary)
	return ok && b.Op == "*" && (e.Op == "+" || e.Op == "-")
}

// unmarked returns an expression without the mark of plain index arithmetic, which prints
// nothing.
func unmarked(e ir.Exp) ir.Exp {
	if f, ok := e.(*ir.Builtin); ok && f.Fn == imp.IndexFn {
		return f.Args[0]
	}
	return e
}

func (p *cprinter) convert(e *ir.Convert) {
	from, to := e.X.Prim(), e.T
	switch {
	case from == to:
		p.exp(e.X, true)
	case to == ir.Bool && from == ir.F16:
		p.WriteString("(memc_single(")
		p.exp(e.X, false)
		p.WriteString(") != 0)")
	case to == ir.Bool:
		p.WriteByte('(')
		p.exp(e.X, true)
		p.WriteString(" != 0)")
	case from.Float() && to.Integer():
		p.call(from.String()+"_to", to, e.X)
	case from == ir.F16 || to == ir.F16:
		p.half(e.X, from, to)
	default:
		p.WriteString("(" + CType(to) + ")")
		if _, ref := e.X.(*ir.Ref); ref {
			p.exp(e.X, true)
			return
		}
		p.WriteByte('(')
		p.exp(e.X, false)
		p.WriteByte(')')
	}
}

// half prints the conversion of an f16 to a wider float, or of any number to an
// f16; integers that f32 can't hold exactly are infinite as f16.
func (p *cprinter) half(x ir.Exp, from, to ir.Prim) {
	switch {
	case to == ir.F32:
		p.WriteString("memc_single(")
	case to == ir.F64:
		p.WriteString("(double)memc_single(")
	case from == ir.F32:
		p.WriteString("memc_half(")
	default:
		p.WriteString("memc_half((float)(")
		p.exp(x, false)
		p.WriteString("))")
		return
	}
	p.exp(x, false)
	p.WriteByte(')')
}

// literal prints a literal so that C gives it the right value and, if that matters, the right type.
// A small i64 may be an int, since every operation on i64 that could overflow is a function with
// 64-bit parameters.
func (p *cprinter) literal(e *ir.Lit) string {
	switch e.T {
	case ir.Bool:
		return strconv.FormatUint(e.Bits&1, 10)
	case ir.F32, ir.F64:
		return floatLiteral(e)
	case ir.U32:
		return strconv.FormatUint(uint64(uint32(e.Bits)), 10) + "u"
	case ir.U64:
		return "MEMC_U64C(" + strconv.FormatUint(e.Bits, 10) + ")"
	case ir.U8:
		return strconv.FormatUint(uint64(uint8(e.Bits)), 10)
	case ir.U16, ir.F16:
		return strconv.FormatUint(uint64(uint16(e.Bits)), 10)
	}
	v := int64(e.Bits)
	switch {
	case v == math.MinInt64:
		return "(-MEMC_I64C(9223372036854775807) - 1)"
	case v == math.MinInt32 && e.T == ir.I32:
		return "(-2147483647 - 1)"
	case e.T == ir.I64 && (v > math.MaxInt32 || v < -math.MaxInt32):
		return sign(v, fmt.Sprintf("MEMC_I64C(%d)", magnitude(v)))
	case p.plain && e.T == ir.I64:
		return sign(v, fmt.Sprintf("%dL", magnitude(v)))
	}
	return sign(v, strconv.FormatUint(magnitude(v), 10))
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

func sign(v int64, text string) string {
	if v < 0 {
		return "(-" + text + ")"
	}
	return text
}

// floatLiteral prints the shortest decimal that reads back as the same value.
func floatLiteral(e *ir.Lit) string {
	v, bits, suffix, cast := e.Float(), 64, "", "(double)"
	if e.T == ir.F32 {
		bits, suffix, cast = 32, "f", ""
	}
	switch {
	case math.IsNaN(v):
		return cast + "NAN"
	case math.IsInf(v, 1):
		return cast + "INFINITY"
	case math.IsInf(v, -1):
		return "(-" + cast + "INFINITY)"
	}
	s := strconv.FormatFloat(math.Abs(v), 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if math.Signbit(v) {
		return "(-" + s + suffix + ")"
	}
	return s + suffix
}
