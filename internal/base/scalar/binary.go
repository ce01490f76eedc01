package scalar

import (
	"math"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

type signed interface {
	int8 | int16 | int32 | int64
}

type unsigned interface {
	uint8 | uint16 | uint32 | uint64
}

type integer interface{ signed | unsigned }

type float interface{ float32 | float64 }

// Bits returns 1 for true, 0 for false.
func Bits(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Binary returns the function of a binary operator on operands of type p, or nil
// where the operator does not take that type. "&&" and "||" given here do not
// short-circuit; compiled expressions do.
func Binary(op string, p ir.Prim) func(x, y uint64) uint64 {
	switch p {
	case ir.I8:
		return intBinary[int8](op, 8)
	case ir.I16:
		return intBinary[int16](op, 16)
	case ir.I32:
		return intBinary[int32](op, 32)
	case ir.I64:
		return intBinary[int64](op, 64)
	case ir.U8:
		return intBinary[uint8](op, 8)
	case ir.U16:
		return intBinary[uint16](op, 16)
	case ir.U32:
		return intBinary[uint32](op, 32)
	case ir.U64:
		return intBinary[uint64](op, 64)
	case ir.F16:
		return floatBinary(op, getF16, putF16)
	case ir.F32:
		return floatBinary(op, getF32, putF32)
	case ir.F64:
		return floatBinary(op, getF64, putF64)
	case ir.Bool:
		return boolBinary(op)
	}
	return nil
}

func intBinary[T integer](op string, width uint64) func(x, y uint64) uint64 {
	switch op {
	case "+":
		return func(x, y uint64) uint64 { return uint64(T(x) + T(y)) }
	case "-":
		return func(x, y uint64) uint64 { return uint64(T(x) - T(y)) }
	case "*":
		return func(x, y uint64) uint64 { return uint64(T(x) * T(y)) }
	case "/":
		return func(x, y uint64) uint64 { return uint64(T(x) / divisor(T(y))) }
	case "%":
		return func(x, y uint64) uint64 { return uint64(T(x) % divisor(T(y))) }
	case "**":
		return func(x, y uint64) uint64 { return uint64(power(T(x), T(y))) }
	case "&":
		return func(x, y uint64) uint64 { return x & y }
	case "|":
		return func(x, y uint64) uint64 { return x | y }
	case "^":
		return func(x, y uint64) uint64 { return x ^ y }
	case "<<":
		return func(x, y uint64) uint64 { return uint64(T(x) << (y & (width - 1))) }
	case ">>":
		return func(x, y uint64) uint64 { return uint64(T(x) >> (y & (width - 1))) }
	case "==":
		return func(x, y uint64) uint64 { return Bits(x == y) }
	case "!=":
		return func(x, y uint64) uint64 { return Bits(x != y) }
	case "<":
		return func(x, y uint64) uint64 { return Bits(T(x) < T(y)) }
	case "<=":
		return func(x, y uint64) uint64 { return Bits(T(x) <= T(y)) }
	case ">":
		return func(x, y uint64) uint64 { return Bits(T(x) > T(y)) }
	case ">=":
		return func(x, y uint64) uint64 { return Bits(T(x) >= T(y)) }
	}
	return nil
}

// divisor returns y; zero is a fault. (A minimum divided by -1 wraps in Go.)
func divisor[T integer](y T) T {
	if y == 0 {
		panic(&Fault{Code: diag.DividedByZero, Msg: "division by zero"})
	}
	return y
}

// power is repeated multiplication, wrapping.
func power[T integer](x, n T) T {
	if n < 0 {
		panic(&Fault{Code: diag.NegativePower, Msg: "negative exponent"})
	}
	r := T(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

// floorDiv rounds the quotient toward minus infinity.
func floorDiv[T integer](x, y T) T {
	q := x / divisor(y)
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}

// An f16 is computed with as an f32, and rounded whenever it is put.
func getF16(x uint64) float32 { return float32(ir.HalfFloat(x)) }
func putF16(f float32) uint64 { return ir.HalfBits(float64(f)) }
func getF32(x uint64) float32 { return math.Float32frombits(uint32(x)) }
func putF32(f float32) uint64 { return uint64(math.Float32bits(f)) }
func getF64(x uint64) float64 { return math.Float64frombits(x) }
func putF64(f float64) uint64 { return math.Float64bits(f) }

// floatBinary is over the functions that unpack and pack its type, which are
// resolved once; the two hot types have closures of their own in fast.go.
func floatBinary[T float](op string, get func(uint64) T, put func(T) uint64) func(x, y uint64) uint64 {
	switch op {
	case "+":
		return func(x, y uint64) uint64 { return put(get(x) + get(y)) }
	case "-":
		return func(x, y uint64) uint64 { return put(get(x) - get(y)) }
	case "*":
		return func(x, y uint64) uint64 { return put(get(x) * get(y)) }
	case "/":
		return func(x, y uint64) uint64 { return put(get(x) / get(y)) }
	case "%":
		// C's fmod is exact, so computing it in f64 and narrowing is too.
		return func(x, y uint64) uint64 { return put(T(math.Mod(float64(get(x)), float64(get(y))))) }
	case "**":
		return func(x, y uint64) uint64 { return put(T(math.Pow(float64(get(x)), float64(get(y))))) }
	case "==":
		return func(x, y uint64) uint64 { return Bits(get(x) == get(y)) }
	case "!=":
		return func(x, y uint64) uint64 { return Bits(get(x) != get(y)) }
	case "<":
		return func(x, y uint64) uint64 { return Bits(get(x) < get(y)) }
	case "<=":
		return func(x, y uint64) uint64 { return Bits(get(x) <= get(y)) }
	case ">":
		return func(x, y uint64) uint64 { return Bits(get(x) > get(y)) }
	case ">=":
		return func(x, y uint64) uint64 { return Bits(get(x) >= get(y)) }
	}
	return nil
}

func boolBinary(op string) func(x, y uint64) uint64 {
	switch op {
	case "&&":
		return func(x, y uint64) uint64 { return x & y }
	case "||":
		return func(x, y uint64) uint64 { return x | y }
	case "!=":
		return func(x, y uint64) uint64 { return x ^ y }
	case "==":
		return func(x, y uint64) uint64 { return x ^ y ^ 1 }
	}
	return nil
}
