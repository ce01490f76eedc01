package scalar

import (
	"math"
	"math/big"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

func i(v int64) uint64      { return uint64(v) }
func f32b(v float32) uint64 { return putF32(v) }
func f64b(v float64) uint64 { return putF64(v) }

var nan32, nan64 = f32b(float32(math.NaN())), f64b(math.NaN())

func TestBinary(t *testing.T) {
	for _, c := range []struct {
		op         string
		p          ir.Prim
		x, y, want uint64
	}{
		{"+", ir.I8, 127, 1, i(-128)},
		{"+", ir.U8, 255, 1, 0},
		{"-", ir.U16, 0, 1, 65535},
		{"*", ir.I32, i(math.MaxInt32), 2, i(-2)},
		{"*", ir.U32, math.MaxUint32, math.MaxUint32, 1},
		{"/", ir.I32, i(-7), 2, i(-3)},
		{"%", ir.I32, i(-7), 2, i(-1)},
		{"/", ir.I64, i(math.MinInt64), i(-1), i(math.MinInt64)},
		{"%", ir.I8, i(-128), i(-1), 0},
		{"/", ir.I8, i(-128), i(-1), i(-128)},
		{"/", ir.U64, math.MaxUint64, 2, math.MaxUint64 / 2},
		{"**", ir.I32, i(-3), 3, i(-27)},
		{"**", ir.U8, 2, 8, 0},
		{"**", ir.I64, 0, 0, 1},
		{"**", ir.F64, f64b(2), f64b(0.5), f64b(math.Sqrt2)},
		{"<<", ir.I32, 1, 33, 2},
		{"<<", ir.I8, 1, 7, i(-128)},
		{"<<", ir.I8, 1, i(-1), i(-128)},
		{">>", ir.I8, i(-128), 7, i(-1)},
		{">>", ir.U8, 128, 7, 1},
		{">>", ir.U8, 128, 8, 128},
		{"&", ir.I8, i(-1), 15, 15},
		{"^", ir.I8, i(-1), 15, i(-16)},
		{"|", ir.U32, 8, 1, 9},
		{"<", ir.U64, math.MaxUint64, 0, 0},
		{"<", ir.I64, i(-1), 0, 1},
		{">=", ir.I16, i(-1), i(-1), 1},
		{"==", ir.F64, nan64, nan64, 0},
		{"!=", ir.F32, nan32, nan32, 1},
		{"<", ir.F32, nan32, f32b(1), 0},
		{">=", ir.F64, nan64, f64b(1), 0},
		{"==", ir.F64, f64b(math.Copysign(0, -1)), f64b(0), 1},
		{"+", ir.F32, f32b(16777216), f32b(1), f32b(16777216)},
		{"/", ir.F64, f64b(1), f64b(0), f64b(math.Inf(1))},
		{"%", ir.F32, f32b(-5.5), f32b(2), f32b(-1.5)},
		{"&&", ir.Bool, 1, 0, 0},
		{"||", ir.Bool, 1, 0, 1},
		{"!=", ir.Bool, 1, 0, 1},
		{"==", ir.Bool, 0, 0, 1},
	} {
		if got := Binary(c.op, c.p)(c.x, c.y); got != c.want {
			t.Errorf("%v: %#x %s %#x = %#x, want %#x", c.p, c.x, c.op, c.y, got, c.want)
		}
	}
	if Binary("<<", ir.F32) != nil || Binary("+", ir.Bool) != nil || Binary("&", ir.F64) != nil {
		t.Error("an operator is defined on a type that it does not take")
	}
}

func TestUnaryAndConvert(t *testing.T) {
	for _, c := range []struct {
		op      string
		p       ir.Prim
		x, want uint64
	}{
		{"-", ir.I8, i(-128), i(-128)}, {"-", ir.U8, 1, 255}, {"-", ir.F32, 0, f32b(float32(math.Copysign(0, -1)))},
		{"-", ir.F64, f64b(1.5), f64b(-1.5)}, {"~", ir.U16, 0, 65535}, {"~", ir.I32, 0, i(-1)}, {"!", ir.Bool, 1, 0},
	} {
		if got := Unary(c.op, c.p)(c.x); got != c.want {
			t.Errorf("%s%v %#x = %#x, want %#x", c.op, c.p, c.x, got, c.want)
		}
	}
	for _, c := range []struct {
		from, to ir.Prim
		x, want  uint64
	}{
		{ir.I32, ir.I8, 300, 44}, {ir.I32, ir.U8, i(-1), 255}, {ir.U8, ir.I8, 255, i(-1)},
		{ir.I8, ir.U64, i(-1), math.MaxUint64}, {ir.U32, ir.I64, math.MaxUint32, math.MaxUint32},
		{ir.F64, ir.I32, f64b(-1.9), i(-1)}, {ir.F64, ir.I32, f64b(1e10), math.MaxInt32}, {ir.F64, ir.I32, nan64, 0},
		{ir.F32, ir.I64, f32b(-1e30), i(math.MinInt64)}, {ir.F64, ir.I64, f64b(9.3e18), math.MaxInt64},
		{ir.F64, ir.I8, f64b(127.9), 127}, {ir.F64, ir.I8, f64b(-128.9), i(-128)},
		{ir.F64, ir.U8, f64b(-3), 0}, {ir.F64, ir.U8, f64b(255.9), 255}, {ir.F64, ir.U64, f64b(1e30), math.MaxUint64},
		{ir.F64, ir.U64, f64b(1 << 63), 1 << 63}, {ir.F32, ir.U64, nan32, 0},
		{ir.I64, ir.F32, 16777217, f32b(16777216)}, {ir.U64, ir.F64, math.MaxUint64, f64b(1 << 64)},
		{ir.U64, ir.F32, math.MaxUint64, f32b(1 << 64)}, {ir.I8, ir.F64, i(-3), f64b(-3)},
		{ir.F32, ir.F64, f32b(0.5), f64b(0.5)}, {ir.F64, ir.F32, f64b(1e300), f32b(float32(math.Inf(1)))},
		{ir.F64, ir.Bool, nan64, 1}, {ir.F64, ir.Bool, f64b(math.Copysign(0, -1)), 0}, {ir.F32, ir.Bool, f32b(0.1), 1},
		{ir.I32, ir.Bool, 256, 1}, {ir.Bool, ir.F32, 1, f32b(1)}, {ir.Bool, ir.I8, 1, 1},
	} {
		if got := Convert(c.from, c.to)(c.x); got != c.want {
			t.Errorf("%v(%v %#x) = %#x, want %#x", c.to, c.from, c.x, got, c.want)
		}
	}
}

func TestBuiltin(t *testing.T) {
	for _, c := range []struct {
		fn   string
		p    ir.Prim
		args []uint64
		want uint64
	}{
		{"min", ir.I32, []uint64{i(-1), 1}, i(-1)}, {"max", ir.U8, []uint64{255, 1}, 255},
		{"min", ir.F32, []uint64{nan32, f32b(1)}, f32b(1)}, {"max", ir.F64, []uint64{f64b(1), nan64}, f64b(1)},
		{"max", ir.F64, []uint64{f64b(1), f64b(2)}, f64b(2)}, {"min", ir.F64, []uint64{f64b(1), f64b(2)}, f64b(1)},
		{"abs", ir.I8, []uint64{i(-128)}, i(-128)}, {"abs", ir.I16, []uint64{i(-5)}, 5}, {"abs", ir.F32, []uint64{f32b(-2)}, f32b(2)},
		{"sign", ir.I32, []uint64{i(-9)}, i(-1)}, {"sign", ir.U8, []uint64{9}, 1},
		{"sign", ir.F64, []uint64{f64b(math.Copysign(0, -1))}, f64b(math.Copysign(0, -1))},
		{"sign", ir.F32, []uint64{f32b(-3)}, f32b(-1)},
		{"fdiv", ir.I32, []uint64{i(-7), 2}, i(-4)}, {"fmod", ir.I32, []uint64{i(-7), 2}, 1},
		{"fdiv", ir.I32, []uint64{7, i(-2)}, i(-4)}, {"fmod", ir.I32, []uint64{7, i(-2)}, i(-1)},
		{"fdiv", ir.I8, []uint64{i(-128), i(-1)}, i(-128)}, {"fmod", ir.F64, []uint64{f64b(-7), f64b(2)}, f64b(1)},
		{"fdiv", ir.F32, []uint64{f32b(-7), f32b(2)}, f32b(-4)},
		{"round", ir.F64, []uint64{f64b(2.5)}, f64b(2)}, {"round", ir.F32, []uint64{f32b(-0.5)}, f32b(float32(math.Copysign(0, -1)))},
		{"trunc", ir.F64, []uint64{f64b(-2.7)}, f64b(-2)}, {"floor", ir.F64, []uint64{f64b(-2.2)}, f64b(-3)},
		{"sqrt", ir.F32, []uint64{f32b(2)}, f32b(float32(math.Sqrt(2)))}, {"rsqrt", ir.F64, []uint64{f64b(4)}, f64b(0.5)},
		{"fma", ir.F64, []uint64{f64b(2), f64b(3), f64b(4)}, f64b(10)},
		// 1 + 2^-24 is a tie in f32 that the tiny product breaks upwards only when rounded once.
		{"fma", ir.F32, []uint64{f32b(0x1p-70), f32b(1), f32b(1 + 0x1p-23)}, f32b(1 + 0x1p-23)},
		{"fma", ir.F32, []uint64{f32b(1 + 0x1p-23), f32b(1 + 0x1p-23), f32b(-1)}, f32b(0x1p-22)},
		{"isnan", ir.F32, []uint64{nan32}, 1}, {"isinf", ir.F64, []uint64{f64b(math.Inf(-1))}, 1}, {"isinf", ir.F32, []uint64{nan32}, 0},
		{"tobits", ir.F32, []uint64{f32b(-1)}, i(-0x40800000)}, {"frombits", ir.I32, []uint64{i(-0x40800000)}, f32b(-1)},
		{"tobits", ir.F16, []uint64{0xbc00}, i(-0x4400)}, {"frombits", ir.I16, []uint64{i(-0x4400)}, 0xbc00}, {"frombits", ir.U64, []uint64{f64b(2)}, f64b(2)},
		{"sqrt", ir.F16, []uint64{0x4400}, 0x4000}, {"fma", ir.F16, []uint64{0x4000, 0x4200, 0x4400}, 0x4900}, {"max", ir.F16, []uint64{0x7e00, 0x3c00}, 0x3c00},
		{"isnan", ir.F16, []uint64{0x7e00}, 1}, {"isinf", ir.F16, []uint64{0xfc00}, 1}, {"abs", ir.F16, []uint64{0xbc00}, 0x3c00},
		{"nextafter", ir.F16, []uint64{0x3c00, 0x4000}, 0x3c01}, {"nextafter", ir.F16, []uint64{0, 0xbc00}, 0x8001}, {"nextafter", ir.F16, []uint64{0xbc00, 0}, 0xbbff},
		{"nextafter", ir.F32, []uint64{0, 1 << 31}, 1 << 31}, {"nextafter", ir.F64, []uint64{1 << 63, 0}, 0},
		{"popc", ir.I8, []uint64{i(-1)}, 8}, {"clz", ir.I16, []uint64{1}, 15}, {"ctz", ir.U32, []uint64{0}, 32},
		{"clz", ir.I8, []uint64{0}, 8}, {"ctz", ir.I64, []uint64{8}, 3}, {"clz", ir.I32, []uint64{i(-1)}, 0},
		{"atan2", ir.F64, []uint64{f64b(1), f64b(1)}, f64b(math.Pi / 4)}, {"pow", ir.F32, []uint64{f32b(2), f32b(10)}, f32b(1024)},
	} {
		if got := Builtin(c.fn, c.p)(c.args); got != c.want {
			t.Errorf("%s %v %#x = %#x, want %#x", c.fn, c.p, c.args, got, c.want)
		}
	}
	for fn, sig := range ir.Builtins {
		for _, p := range ir.Prims {
			want := (sig.Integer && p.Integer() || sig.Float && p.Float()) && (!sig.Bits || sig.ResultOn(p) != ir.Unknown)
			if got := Builtin(fn, p) != nil; got != want {
				t.Errorf("%s on %v defined: %v, want %v", fn, p, got, want)
			}
		}
	}
}

// TestFast holds every closure that is specialised by the operands' form
// against the plain function.
func TestFast(t *testing.T) {
	values := map[bool][]uint64{
		true:  {0, 1, 3, 5, 126},
		false: {f64b(0), f64b(1.5), f64b(-2), nan64},
	}
	ops := []string{"+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&", "min", "max", "fdiv"}
	for _, p := range ir.Prims {
		for _, op := range ops {
			f := Binary(op, p)
			if f == nil {
				f = builtin2(op, p)
			}
			if f == nil {
				continue
			}
			for _, xv := range values[!p.Float()] {
				for _, yv := range values[!p.Float()] {
					x, y := Convert(like(p), p)(xv), Convert(like(p), p)(yv)
					if canFail(op, p) && y == 0 {
						continue
					}
					want := f(x, y)
					for form := range 9 {
						xo, yo := operandOf(form%3, 0, x), operandOf(form/3, 1, y)
						o := apply2(&ir.Lit{T: p}, op, p, f, xo, yo)
						if got := o.code()([]uint64{x, y}); got != want {
							t.Fatalf("%v %s form %d: %#x, %#x gives %#x, want %#x", p, op, form, x, y, got, want)
						}
					}
				}
			}
		}
	}
}

func like(p ir.Prim) ir.Prim {
	switch {
	case p.Float():
		return ir.F64
	case p == ir.Bool:
		return ir.Bool
	}
	return ir.I64
}

func operandOf(form, slot int, bits uint64) operand {
	switch form {
	case 0:
		return constant(bits)
	case 1:
		return operand{form: isVar, slot: slot}
	}
	return computed(func(fr []uint64) uint64 { return fr[slot] })
}

func env() Env {
	return Env{Slot: func(n string) (int, bool) { return int(n[0] - 'a'), len(n) == 1 }}
}

func TestCompile(t *testing.T) {
	a, b := ir.Var("a"), ir.Var("b")
	bin := func(op string, x, y ir.Exp, p ir.Prim) ir.Exp { return &ir.Binary{Op: op, X: x, Y: y, T: p} }
	fault := bin("/", a, ir.IntLit(0), ir.I64)
	for _, c := range []struct {
		e    ir.Exp
		want uint64
		msg  string
	}{
		{bin("+", bin("*", a, ir.IntLit(4), ir.I64), b, ir.I64), 43, ""},
		{&ir.Cond{C: bin("<", a, b, ir.Bool), X: fault, Y: a, T: ir.I64}, 10, ""},
		{bin("&&", bin("<", a, b, ir.Bool), bin("==", fault, a, ir.Bool), ir.Bool), 0, ""},
		{bin("||", bin(">", a, b, ir.Bool), bin("==", fault, a, ir.Bool), ir.Bool), 1, ""},
		{&ir.Convert{X: a, T: ir.F64}, f64b(10), ""},
		{&ir.Builtin{Fn: "max", Args: []ir.Exp{a, b}, T: ir.I64}, 10, ""},
		{&ir.Builtin{Fn: "popc", Args: []ir.Exp{a}, T: ir.I32}, 2, ""},
		{&ir.Unary{Op: "-", X: a, T: ir.I64}, i(-10), ""},
		{fault, 0, "division by zero in `a / 0`"},
		{bin("%", a, bin("-", b, b, ir.I64), ir.I64), 0, "division by zero in `a % (b - b)`"},
		{bin("**", a, ir.IntLit(-1), ir.I64), 0, "negative exponent"},
		{bin("**", b, ir.IntLit(2), ir.I64), 9, ""},
	} {
		code := must.Get(Compile(c.e, env()))(t)
		got, msg := run(code, []uint64{10, 3})
		if got != c.want || msg != c.msg {
			t.Errorf("%s = %d %q, want %d %q", ir.ExpString(c.e), int64(got), msg, int64(c.want), c.msg)
		}
	}
	if _, err := Compile(ir.Var("long"), env()); err == nil {
		t.Error("an unknown name compiles")
	}
	if _, err := Compile(&ir.Builtin{Fn: "sqrt", Args: []ir.Exp{a}, T: ir.I64}, env()); err == nil {
		t.Error("sqrt of an integer compiles")
	}
	if v, ok := Constant(bin("+", ir.IntLit(2), ir.IntLit(3), ir.I64)); !ok || v != 5 {
		t.Errorf("Constant(2 + 3) = %d, %v", v, ok)
	}
	if _, ok := Constant(bin("/", ir.IntLit(2), ir.IntLit(0), ir.I64)); ok {
		t.Error("2 / 0 is a constant")
	}
}

func run(code Code, fr []uint64) (got uint64, msg string) {
	defer func() {
		if f, ok := recover().(*Fault); ok {
			msg = f.Msg
		}
	}()
	return code(fr), ""
}

// BenchmarkExpression evaluates a*4+b < 100: three operations.
func BenchmarkExpression(b *testing.B) {
	e := &ir.Binary{Op: "<", T: ir.Bool, Y: ir.IntLit(100), X: &ir.Binary{Op: "+", T: ir.I64, Y: ir.Var("b"),
		X: &ir.Binary{Op: "*", T: ir.I64, X: ir.Var("a"), Y: ir.IntLit(4)}}}
	code := must.Get(Compile(e, env()))(b)
	fr := []uint64{3, 4}
	for b.Loop() {
		code(fr)
	}
}

// wraps tells where the result of an i64 operation is not that over the integers.
func TestWraps(t *testing.T) {
	values := []int64{0, 1, -1, 2, 3, 1 << 31, 1 << 32, 1<<62 - 1, 1 << 62, -1 << 62, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, 3037000500, -3037000500}
	for op, f := range map[string]func(z, x, y *big.Int) *big.Int{"+": (*big.Int).Add, "-": (*big.Int).Sub, "*": (*big.Int).Mul} {
		for _, x := range values {
			for _, y := range values {
				if want := !f(new(big.Int), big.NewInt(x), big.NewInt(y)).IsInt64(); wraps(op, x, y) != want {
					t.Errorf("%d %s %d wraps: %v", x, op, y, !want)
				}
			}
		}
	}
}
