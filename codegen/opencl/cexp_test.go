package opencl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// scalarExp elaborates an expression of type t over x, y (of type t) and b.
func scalarExp(t *testing.T, prim, result, exp string) ir.Exp {
	t.Helper()
	text := fmt.Sprintf("entry main (x: %s, y: %s, b: bool) : %s = { let r: %s = %s in r }\n", prim, prim, result, result, exp)
	p, list := parser.Parse(diag.NewFile("exp", text))
	if err := list.Err(); err != nil {
		t.Fatalf("%s: %v", exp, err)
	}
	if list = check.Program(p); list.Err() != nil {
		t.Fatalf("%s: %v", exp, list.Err())
	}
	return p.Funcs[0].Body.Stmts[0].Op.(*ir.Compute).E
}

func TestCExp(t *testing.T) {
	for _, c := range []struct{ prim, result, exp, want string }{
		{"i32", "i32", "x + y * 3", "memc_add_i32(x, memc_mul_i32(y, 3))"},
		{"u32", "u32", "x + y * 3", "x + y * 3u"},
		{"u8", "u8", "x + y", "memc_add_u8(x, y)"},
		{"f32", "f32", "x + y * 3.0 - x / 0.1", "x + y * 3.0f - (x / 0.1f)"},
		{"f64", "f64", "-x + 1e300", "(-x) + 1e+300"},
		{"f64", "f64", "f64.inf - f64.nan", "(double)INFINITY - (double)NAN"},
		{"f32", "f32", "x % y", "memc_rem_f32(x, y)"},
		{"i64", "i64", "x + 9223372036854775807", "memc_add_i64(x, MEMC_I64C(9223372036854775807))"},
		{"u64", "u64", "x * 5", "x * MEMC_U64C(5)"},
		{"i16", "i16", "-x >> y", "memc_shr_i16(memc_neg_i16(x), y)"},
		{"i32", "i32", "x & y | 12", "(x & y) | 12"},
		{"i32", "i32", "~x", "memc_not_i32(x)"},
		{"i32", "bool", "x < y && !b || b", "((x < y) && !b) || b"},
		{"i32", "i32", "if b then x else y", "b ? x : y"},
		{"f32", "i32", "i32(x)", "memc_f32_to_i32(x)"},
		{"i64", "f32", "f32(x + y)", "(float)(memc_add_i64(x, y))"},
		{"i32", "bool", "bool(x)", "(x != 0)"},
		{"i32", "i32", "min(x, max(y, 3))", "memc_min_i32(x, memc_max_i32(y, 3))"},
		{"f64", "bool", "isnan(x * y)", "memc_isnan_f64(x * y)"},
		{"i8", "i32", "popc(x)", "memc_popc_i8(x)"},
		{"f16", "f16", "x + y * 1.5", "memc_add_f16(x, memc_mul_f16(y, 15872))"},
		{"f16", "bool", "x < -y || bool(x)", "memc_lt_f16(x, memc_neg_f16(y)) || (memc_single(x) != 0)"},
		{"f16", "i32", "i32(x)", "memc_f16_to_i32(x)"},
		{"f16", "f64", "f64(x)", "(double)memc_single(x)"},
		{"f32", "f16", "f16(x)", "memc_half(x)"},
		{"i64", "f16", "f16(x)", "memc_half((float)(x))"},
		{"f32", "i32", "tobits(x)", "memc_tobits_f32(x)"},
		{"u64", "f64", "frombits(x)", "memc_frombits_u64(x)"},
	} {
		if got := CExp(scalarExp(t, c.prim, c.result, c.exp)); got != c.want {
			t.Errorf("%s on %s: %s, want %s", c.exp, c.prim, got, c.want)
		}
	}
}

func TestIntegerLimitsAreLiterals(t *testing.T) {
	for _, c := range []struct {
		t    ir.Prim
		bits uint64
		want string
	}{
		{ir.I64, 1 << 63, "(-MEMC_I64C(9223372036854775807) - 1)"},
		{ir.I32, 0xffffffff80000000, "(-2147483647 - 1)"},
		{ir.I8, 0xffffffffffffff80, "(-128)"},
		{ir.U64, 1<<64 - 1, "MEMC_U64C(18446744073709551615)"},
		{ir.F32, 0x80000000, "(-0.0f)"},
	} {
		if got := CExp(&ir.Lit{T: c.t, Bits: c.bits}); got != c.want {
			t.Errorf("%v %#x: %s, want %s", c.t, c.bits, got, c.want)
		}
	}
}

// TestPreludeHoldsEveryFunction: what CExp calls is defined, for every built-in
// function and every type that it accepts.
func TestPreludeHoldsEveryFunction(t *testing.T) {
	_, half, _ := strings.Cut(scalarSource, "/* An f16 is its bits.")
	for fn, sig := range ir.Builtins {
		if sig.Bits {
			for _, p := range ir.Prims {
				name := "memc_" + fn + "_" + p.String()
				if p.Float() && sig.Float && !strings.Contains(scalarSource, name) && !strings.Contains(scalarSource, "MEMC_BITS("+CType(p)+", "+p.String()) {
					t.Errorf("%s is not defined", name)
				}
			}
			continue
		}
		if sig.Float && !strings.Contains(half, "memc_"+fn+"_f16(") &&
			!strings.Contains(half, "MEMC_HALF1("+fn+")") && !strings.Contains(half, "MEMC_HALF2("+fn+")") {
			t.Errorf("%s is not defined on f16", fn)
		}
		kinds := map[string]bool{"MEMC_INT_COMMON": sig.Integer, "MEMC_FLOAT": sig.Float}
		for kind, accepts := range kinds {
			_, body, ok := strings.Cut(scalarSource, "#define "+kind+"(")
			if kind == "MEMC_INT_COMMON" {
				body, _, _ = strings.Cut(body, "/* The number of ones")
			} else {
				body, _, _ = strings.Cut(body, "MEMC_FLOAT(float")
			}
			if accepts && (!ok || !strings.Contains(body, "memc_"+fn+"_##")) {
				t.Errorf("%s is not defined by %s", fn, kind)
			}
		}
	}
}
