package futhark

import (
	"math"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// sameName lists Futhark's scalar functions that memc has, by name without the
// width: sqrt32, log2_64.
var sameName = map[string]string{
	"sqrt": "sqrt", "rsqrt": "rsqrt", "exp": "exp", "log": "log", "log2": "log2", "log10": "log10",
	"sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "atan2": "atan2",
	"sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "floor": "floor", "ceil": "ceil", "round": "round",
	"trunc": "trunc", "fma": "fma", "mad": "fma", "isnan": "isnan", "isinf": "isinf", "pow": "pow",
	"popc": "popc", "clz": "clz", "ctz": "ctz",
	"cbrt": "cbrt", "log1p": "log1p", "expm1": "expm1", "asinh": "asinh", "acosh": "acosh", "atanh": "atanh",
	"erf": "erf", "erfc": "erfc", "gamma": "gamma", "lgamma": "lgamma",
	"hypot": "hypot", "copysign": "copysign", "nextafter": "nextafter",
}

// builtin translates a call of a scalar function.
func (t *translator) builtin(e *eApply) ir.Exp {
	return t.builtinOn(e.fn, t.exps(e.args), e.span)
}

// builtinOn is builtin on arguments that are translated already.
func (t *translator) builtinOn(fn string, args []ir.Exp, at diag.Span) ir.Exp {
	name, _ := splitWidth(fn)
	name = strings.TrimSuffix(name, "_")
	if p, ok := strings.CutPrefix(fn, "cond_"); ok && len(args) == 3 && ir.PrimByName(p) != ir.Unknown {
		return &ir.Cond{C: args[0], X: args[1], Y: args[2], T: ir.PrimByName(p), At: at}
	}
	if fn := sameName[name]; fn != "" && ir.Builtins[fn].Args == len(args) {
		p := ir.Builtins[fn].Result
		if p == ir.Unknown {
			p = args[0].Prim()
		}
		return &ir.Builtin{Fn: fn, Args: args, T: p, At: at}
	}
	if f, ok := formulas[name]; ok && f.args == len(args) {
		return f.make(args)
	}
	t.refuse(at, "the function `%s`", fn)
	return nil
}

// A formula expresses a scalar function in terms of others.
type formula struct {
	args int
	make func(x []ir.Exp) ir.Exp
}

var formulas = map[string]formula{
	"lerp": {3, func(x []ir.Exp) ir.Exp { // x + (y - x) * t
		return add(x[0], mul(sub(x[1], x[0]), x[2]))
	}},
	"ldexp": {2, func(x []ir.Exp) ir.Exp { return ldexp(x[0], x[1]) }},
	"sinpi": {1, ofPi("sin")}, "cospi": {1, ofPi("cos")}, "tanpi": {1, ofPi("tan")},
	"asinpi": {1, overPi("asin")}, "acospi": {1, overPi("acos")}, "atanpi": {1, overPi("atan")},
	"atan2pi": {2, overPi("atan2")},
	"umul_hi": {2, func(x []ir.Exp) ir.Exp { return mulHi(x[0], x[1], false) }},
	"smul_hi": {2, func(x []ir.Exp) ir.Exp { return mulHi(x[0], x[1], true) }},
	"umad_hi": {3, func(x []ir.Exp) ir.Exp { return add(mulHi(x[0], x[1], false), x[2]) }},
	"smad_hi": {3, func(x []ir.Exp) ir.Exp { return add(mulHi(x[0], x[1], true), x[2]) }},
}

func add(x, y ir.Exp) ir.Exp { return operator("+")(ir.CloneExp(x), ir.CloneExp(y), x.Prim()) }
func sub(x, y ir.Exp) ir.Exp { return operator("-")(ir.CloneExp(x), ir.CloneExp(y), x.Prim()) }
func mul(x, y ir.Exp) ir.Exp { return operator("*")(ir.CloneExp(x), ir.CloneExp(y), x.Prim()) }

// number returns a floating-point literal.
func number(v float64, p ir.Prim) ir.Exp {
	text := strconv.FormatFloat(v, 'g', -1, max(32, p.Bits()))
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return &ir.Lit{Text: text, Suffix: true, T: p}
}

// ldexp: x * 2**n, in three steps: 2**n may be too large, or too small, where the product is not.
// Those of an f16 are of an f32.
func ldexp(x, n ir.Exp) ir.Exp {
	p := x.Prim()
	if p == ir.F16 {
		return &ir.Convert{X: ldexp(&ir.Convert{X: x, T: ir.F32}, n), T: p}
	}
	most := uint64(375) // with it every number becomes 0 or infinite
	if p == ir.F64 {
		most = 3000
	}
	limit, i := whole(most, n.Prim()), n.Prim()
	n = call("max")(&ir.Unary{Op: "-", X: limit, T: i}, call("min")(n, limit, i), i)
	third := operator("/")(n, whole(3, i), i)
	times := func(x, n ir.Exp) ir.Exp {
		return mul(x, call("pow")(number(2, p), &ir.Convert{X: n, T: p}, p))
	}
	return times(times(times(x, third), third), sub(n, add(third, third)))
}

// ofPi: f(pi x), of which the period is taken out first.
func ofPi(fn string) func(x []ir.Exp) ir.Exp {
	return func(x []ir.Exp) ir.Exp {
		p := x[0].Prim()
		turn := operator("%")(x[0], number(2, p), p)
		return &ir.Builtin{Fn: fn, Args: []ir.Exp{mul(number(math.Pi, p), turn)}, T: p}
	}
}

func overPi(fn string) func(x []ir.Exp) ir.Exp {
	return func(x []ir.Exp) ir.Exp {
		p := x[0].Prim()
		return operator("/")(&ir.Builtin{Fn: fn, Args: x, T: p}, number(math.Pi, p), p)
	}
}

// mulHi returns the upper half of a product: in the next wider type, or of four
// products of halves. A negative factor counts 2**64 too much as unsigned one.
func mulHi(x, y ir.Exp, signed bool) ir.Exp {
	p := x.Prim()
	if p.Bits() < 64 {
		wide := ir.I64
		if !signed {
			wide = ir.U64
			x, y = &ir.Convert{X: x, T: unsignedOf(p)}, &ir.Convert{X: y, T: unsignedOf(p)}
		}
		prod := mul(&ir.Convert{X: x, T: wide}, &ir.Convert{X: y, T: wide})
		return &ir.Convert{X: operator(">>")(prod, whole(uint64(p.Bits()), wide), wide), T: p}
	}
	u := ir.U64
	half := func(e ir.Exp, up bool) ir.Exp {
		if up {
			return operator(">>")(ir.CloneExp(e), whole(32, u), u)
		}
		return operator("&")(ir.CloneExp(e), whole(1<<32-1, u), u)
	}
	ux, uy := &ir.Convert{X: x, T: u}, &ir.Convert{X: y, T: u}
	ll, hl := mul(half(ux, false), half(uy, false)), mul(half(ux, true), half(uy, false))
	lh, hh := mul(half(ux, false), half(uy, true)), mul(half(ux, true), half(uy, true))
	carry := half(add(add(half(ll, true), half(hl, false)), half(lh, false)), true)
	hi := ir.Exp(&ir.Convert{X: add(add(add(hh, half(hl, true)), half(lh, true)), carry), T: p})
	if signed {
		for _, e := range [][2]ir.Exp{{x, y}, {y, x}} {
			negative := compare("<", ir.CloneExp(e[0]), zeroOf(p))
			hi = sub(hi, &ir.Cond{C: negative, X: ir.CloneExp(e[1]), Y: zeroOf(p), T: p})
		}
	}
	return hi
}

func whole(v uint64, p ir.Prim) ir.Exp {
	return &ir.Lit{Text: strconv.FormatUint(v, 10), Suffix: true, T: p, Bits: v}
}
