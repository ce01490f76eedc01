package futhark

import (
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// primOp translates a scalar operation. Futhark's integers have no sign;
// operations do, so that an unsigned one computes on converted operands.
func (t *translator) primOp(e *ePrim) ir.Exp {
	if conversions[e.op] {
		return t.conversion(e)
	}
	x := t.primOn(e.op, t.exps(e.args), e.span)
	if x == nil {
		t.refuse(e.span, "the operation `%s`", e.op)
	}
	return x
}

// primOn is an operation on expressions, or nil where there is none of that
// name.
func (t *translator) primOn(name string, args []ir.Exp, at diag.Span) ir.Exp {
	if u, ok := unaryOf(name); ok && len(args) == 1 {
		return t.unary(name, u, args[0], at)
	}
	if len(args) != 2 {
		return nil
	}
	x, y := args[0], args[1]
	if op, ok := logical[name]; ok {
		return op(x, y)
	}
	if rest, ok := strings.CutPrefix(name, "eq_"); ok && ir.PrimByName(rest) != ir.Unknown {
		return compare("==", x, y)
	}
	base, width := splitWidth(name)
	p := ir.PrimByName("i" + width)
	if x.Prim().Float() {
		p = x.Prim()
	}
	if f, ok := binaries[base]; ok && p != ir.Unknown {
		return f(x, y, p)
	}
	return nil
}

// splitWidth: sdiv_up64 is sdiv_up of 64 bits.
func splitWidth(op string) (name, width string) {
	k := len(op)
	for k > 0 && isDigit(op[k-1]) {
		k--
	}
	return op[:k], op[k:]
}

type binaryMaker func(x, y ir.Exp, p ir.Prim) ir.Exp

func compare(op string, x, y ir.Exp) ir.Exp { return &ir.Binary{Op: op, X: x, Y: y, T: ir.Bool} }

// logical operations; those on order take false to be less than true.
var logical = map[string]func(x, y ir.Exp) ir.Exp{
	"logand": func(x, y ir.Exp) ir.Exp { return &ir.Binary{Op: "&&", X: x, Y: y, T: ir.Bool} },
	"logor":  func(x, y ir.Exp) ir.Exp { return &ir.Binary{Op: "||", X: x, Y: y, T: ir.Bool} },
	"llt": func(x, y ir.Exp) ir.Exp {
		return &ir.Binary{Op: "&&", X: &ir.Unary{Op: "!", X: x, T: ir.Bool}, Y: y, T: ir.Bool}
	},
	"lle": func(x, y ir.Exp) ir.Exp {
		return &ir.Binary{Op: "||", X: &ir.Unary{Op: "!", X: x, T: ir.Bool}, Y: y, T: ir.Bool}
	},
}

func operator(op string) binaryMaker {
	return func(x, y ir.Exp, p ir.Prim) ir.Exp { return &ir.Binary{Op: op, X: x, Y: y, T: p} }
}

func call(fn string) binaryMaker {
	return func(x, y ir.Exp, p ir.Prim) ir.Exp { return &ir.Builtin{Fn: fn, Args: []ir.Exp{x, y}, T: p} }
}

func comparison(op string) binaryMaker {
	return func(x, y ir.Exp, _ ir.Prim) ir.Exp { return compare(op, x, y) }
}

// onUnsigned computes on the operands taken as unsigned.
func onUnsigned(f binaryMaker) binaryMaker {
	return func(x, y ir.Exp, p ir.Prim) ir.Exp {
		u := unsignedOf(p)
		e := f(&ir.Convert{X: x, T: u}, &ir.Convert{X: y, T: u}, u)
		if e.Prim() == ir.Bool {
			return e
		}
		return &ir.Convert{X: e, T: p}
	}
}

// safe returns zero for a division by zero.
func safe(f binaryMaker) binaryMaker {
	return func(x, y ir.Exp, p ir.Prim) ir.Exp {
		zero := compare("==", ir.CloneExp(y), zeroOf(p))
		return &ir.Cond{C: zero, X: zeroOf(p), Y: f(x, y, p), T: p}
	}
}

// up rounds a division up: (x + y - 1) / y.
func up(f binaryMaker) binaryMaker {
	return func(x, y ir.Exp, p ir.Prim) ir.Exp {
		one := &ir.Lit{Text: "1", Suffix: true, T: p}
		sum := &ir.Binary{Op: "-", X: &ir.Binary{Op: "+", X: x, Y: ir.CloneExp(y), T: p}, Y: one, T: p}
		return f(sum, y, p)
	}
}

func unsignedOf(p ir.Prim) ir.Prim { return ir.PrimByName("u" + strings.TrimPrefix(p.String(), "i")) }

func zeroOf(p ir.Prim) ir.Exp {
	if p == ir.Bool {
		return ir.BoolLit(false)
	}
	if p.Float() {
		return &ir.Lit{Text: "0.0", Suffix: true, T: p}
	}
	return &ir.Lit{Text: "0", Suffix: true, T: p}
}

// binaries by name without the width. "div" rounds toward minus infinity,
// "quot" toward zero; "nw" promises that nothing wraps.
var binaries = map[string]binaryMaker{
	"add": operator("+"), "sub": operator("-"), "mul": operator("*"),
	"add_nw": operator("+"), "sub_nw": operator("-"), "mul_nw": operator("*"),
	"sdiv": call("fdiv"), "smod": call("fmod"), "squot": operator("/"), "srem": operator("%"),
	"sdiv_safe": safe(call("fdiv")), "smod_safe": safe(call("fmod")),
	"squot_safe": safe(operator("/")), "srem_safe": safe(operator("%")),
	"sdiv_up": up(call("fdiv")), "sdiv_up_safe": safe(up(call("fdiv"))),
	"udiv": onUnsigned(operator("/")), "umod": onUnsigned(operator("%")),
	"udiv_safe": safe(onUnsigned(operator("/"))), "umod_safe": safe(onUnsigned(operator("%"))),
	"udiv_up": up(onUnsigned(operator("/"))), "udiv_up_safe": safe(up(onUnsigned(operator("/")))),
	"smin": call("min"), "smax": call("max"), "umin": onUnsigned(call("min")), "umax": onUnsigned(call("max")),
	"shl": operator("<<"), "ashr": operator(">>"), "lshr": onUnsigned(operator(">>")),
	"and": operator("&"), "or": operator("|"), "xor": operator("^"), "pow": operator("**"),
	"slt": comparison("<"), "sle": comparison("<="),
	"ult": onUnsigned(comparison("<")), "ule": onUnsigned(comparison("<=")),
	"fadd": operator("+"), "fsub": operator("-"), "fmul": operator("*"), "fdiv": operator("/"),
	"fmin": call("min"), "fmax": call("max"), "fpow": call("pow"), "fmod": operator("%"),
	"lt": comparison("<"), "le": comparison("<="),
}

func (t *translator) unary(name, op string, x ir.Exp, at diag.Span) ir.Exp {
	p := x.Prim()
	switch op {
	case "neg_":
		if p == ir.Bool {
			return &ir.Unary{Op: "!", X: x, T: p, At: at}
		}
		return &ir.Unary{Op: "-", X: x, T: p, At: at}
	case "", "not":
		return &ir.Unary{Op: "!", X: x, T: ir.Bool, At: at}
	case "complement":
		return &ir.Unary{Op: "~", X: x, T: p, At: at}
	case "abs", "fabs":
		return &ir.Builtin{Fn: "abs", Args: []ir.Exp{x}, T: p, At: at}
	case "ssignum", "fsignum":
		return &ir.Builtin{Fn: "sign", Args: []ir.Exp{x}, T: p, At: at}
	case "usignum":
		one := &ir.Lit{Text: "1", Suffix: true, T: p}
		return &ir.Cond{C: compare("==", x, zeroOf(p)), X: zeroOf(p), Y: one, T: p, At: at}
	}
	t.refuse(at, "the operation `%s`", name)
	return nil
}

// conversion: sext i32 x to i64 and its kin.
func (t *translator) conversion(e *ePrim) ir.Exp {
	return t.convertBy(e.op, t.exp(e.args[0]), t.prim(e.to, e.span), e.span)
}

// convertBy applies a conversion of the dump's.
func (t *translator) convertBy(op string, x ir.Exp, to ir.Prim, at diag.Span) ir.Exp {
	from := x.Prim()
	switch op {
	case "fptobits":
		if ir.Builtins["tobits"].ResultOn(from) == to {
			return &ir.Builtin{Fn: "tobits", Args: []ir.Exp{x}, T: to, At: at}
		}
	case "bitstofp":
		if ir.Builtins["frombits"].ResultOn(from) == to {
			return &ir.Builtin{Fn: "frombits", Args: []ir.Exp{x}, T: to, At: at}
		}
	case "sext", "fpconv", "fptosi", "sitofp":
		return t.convert(x, to)
	case "zext", "uitofp":
		return t.convert(t.convert(x, unsignedOf(from)), to)
	case "fptoui":
		return t.convert(t.convert(x, unsignedOf(to)), to)
	case "itob", "ftob":
		return compare("!=", x, zeroOf(from))
	case "btoi", "btof":
		one := &ir.Lit{Text: "1", Suffix: true, T: to}
		if to.Float() {
			one.Text = "1.0"
		}
		return &ir.Cond{C: x, X: one, Y: zeroOf(to), T: to, At: at}
	}
	t.refuse(at, "the conversion `%s` from %s to %s", op, from, to)
	return nil
}

func (t *translator) convert(x ir.Exp, to ir.Prim) ir.Exp {
	if x.Prim() == to {
		return x
	}
	return &ir.Convert{X: x, T: to, At: x.Span()}
}
