package host_test

import (
	"math"
	"testing"

	"github.com/memc-lang/memc/runtime/host"
)

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Every operation gives some value for all operands, also where a program's own
// checks were left out.
func TestTotal(t *testing.T) {
	check(t, "7 / 0", host.Div[int32](7, 0), 0)
	check(t, "min / -1", host.Div[int8](-128, -1), -128)
	check(t, "-7 / 2", host.Div[int64](-7, 2), -3)
	check(t, "7 % 0", host.Rem[uint8](7, 0), 0)
	check(t, "-7 % 2", host.Rem[int64](-7, 2), -1)
	check(t, "2 ** -1", host.Op[int32]("**", 2, -1), 0)
	check(t, "2 ** 65 in u64", host.Op[uint64]("**", 2, 65), 0)
	check(t, "fdiv(7, 0)", host.Fn[int16]("fdiv", int16(7), 0), 0)
	check(t, "fmod(-7, 2)", host.Fn[int16]("fmod", int16(-7), 2), 1)
	check(t, "i8(nan)", host.Convert[int8](math.NaN()), 0)
	check(t, "u8(1e9)", host.Convert[uint8](float32(1e9)), 255)
	check(t, "f32(true)", host.Convert[float32](true), 1)
	check(t, "min(nan, 2)", host.Fn[float64]("min", math.NaN(), 2), 2)
	check(t, "isnan", host.Fn[bool]("isnan", math.NaN()), true)
	check(t, "popc(-1)", host.Fn[int32]("popc", int8(-1)), 8)
	check(t, "if", host.If(false, 1.5, 2.5), 2.5)
}

func TestFloat16(t *testing.T) {
	x, y := host.ToFloat16(1.5), host.ToFloat16(-2)
	check(t, "1.5 * -2", host.Op("*", x, y).Float32(), -3)
	check(t, "-1.5", host.Neg(x).String(), "-1.5")
	check(t, "-2 < 1.5", host.Compare("<", y, x), true)
	nan := host.ToFloat16(float32(math.NaN()))
	check(t, "nan == nan", host.Compare("==", nan, nan), false)
	check(t, "0 == -0", host.Compare("==", host.Float16(0), host.Float16(0x8000)), true)
	check(t, "i32(-2)", host.Convert[int32](y), -2)
	check(t, "f16(3)", host.Convert[host.Float16](int64(3)).Float32(), 3)
}

// Sizes saturate: one beyond all memory must not wrap to a small one.
func TestSaturation(t *testing.T) {
	check(t, "2^62 * 4", host.MulBytes(1<<62, 4), math.MaxInt64)
	check(t, "2^31 * 2^31", host.MulBytes(1<<31, 1<<31), 1<<62)
	check(t, "0 * max", host.MulBytes(0, math.MaxInt64), 0)
	check(t, "-1 * 4", host.MulBytes(-1, 4), -4)
	check(t, "max + 1", host.AddBytes(math.MaxInt64, 1), math.MaxInt64)
	check(t, "max + -1", host.AddBytes(math.MaxInt64, -1), math.MaxInt64)
}
