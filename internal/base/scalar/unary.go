package scalar

import (
	"math"

	"github.com/memc-lang/memc/ir"
)

// Unary returns the function of "-", "!" or "~" on an operand of type p, or nil
// where the operator does not take that type.
func Unary(op string, p ir.Prim) func(x uint64) uint64 {
	switch {
	case op == "!" && p == ir.Bool:
		return func(x uint64) uint64 { return x ^ 1 }
	case op == "-" && p == ir.F16:
		return func(x uint64) uint64 { return x ^ 1<<15 }
	case op == "-" && p == ir.F32:
		return func(x uint64) uint64 { return x ^ 1<<31 }
	case op == "-" && p == ir.F64:
		return func(x uint64) uint64 { return x ^ 1<<63 }
	case op == "-" && p.Integer():
		wrap := Wrap(p)
		return func(x uint64) uint64 { return wrap(-x) }
	case op == "~" && p.Integer():
		wrap := Wrap(p)
		return func(x uint64) uint64 { return wrap(^x) }
	}
	return nil
}

// Wrap returns the function that cuts 64 bits down to integer type p, in p's
// representation.
func Wrap(p ir.Prim) func(uint64) uint64 {
	switch p {
	case ir.I8:
		return func(x uint64) uint64 { return uint64(int8(x)) }
	case ir.I16:
		return func(x uint64) uint64 { return uint64(int16(x)) }
	case ir.I32:
		return func(x uint64) uint64 { return uint64(int32(x)) }
	case ir.U8:
		return func(x uint64) uint64 { return uint64(uint8(x)) }
	case ir.U16:
		return func(x uint64) uint64 { return uint64(uint16(x)) }
	case ir.U32:
		return func(x uint64) uint64 { return uint64(uint32(x)) }
	}
	return func(x uint64) uint64 { return x }
}

// Convert returns the conversion between two types. Integers wrap; a float
// becomes an integer by truncation, saturating, with NaN giving 0; a number is
// true where it is not 0.
func Convert(from, to ir.Prim) func(uint64) uint64 {
	same := func(x uint64) uint64 { return x }
	switch {
	case from == to:
		return same
	case from == ir.F16:
		f := Convert(ir.F64, to)
		return func(x uint64) uint64 { return f(putF64(ir.HalfFloat(x))) }
	case to == ir.F16:
		f := Convert(from, ir.F64)
		return func(x uint64) uint64 { return ir.HalfBits(getF64(f(x))) }
	case from == ir.F32 && to == ir.F64:
		return func(x uint64) uint64 { return putF64(float64(getF32(x))) }
	case from == ir.F64 && to == ir.F32:
		return func(x uint64) uint64 { return putF32(float32(getF64(x))) }
	case from == ir.F32:
		f := Convert(ir.F64, to)
		return func(x uint64) uint64 { return f(putF64(float64(getF32(x)))) }
	case from == ir.F64:
		return fromFloat(to)
	case to == ir.F32 && from == ir.U64:
		return func(x uint64) uint64 { return putF32(float32(x)) }
	case to == ir.F64 && from == ir.U64:
		return func(x uint64) uint64 { return putF64(float64(x)) }
	case to == ir.F32:
		// Every other integer, and a bool, is held as the int64 of its value.
		return func(x uint64) uint64 { return putF32(float32(int64(x))) }
	case to == ir.F64:
		return func(x uint64) uint64 { return putF64(float64(int64(x))) }
	case to == ir.Bool:
		return func(x uint64) uint64 { return Bits(x != 0) }
	}
	return Wrap(to)
}

func fromFloat(to ir.Prim) func(uint64) uint64 {
	switch {
	case to == ir.Bool:
		return func(x uint64) uint64 { return Bits(getF64(x) != 0) }
	case to == ir.U64:
		return func(x uint64) uint64 {
			switch f := getF64(x); {
			case !(f > 0):
				return 0
			case f >= 1<<64:
				return math.MaxUint64
			default:
				return uint64(f)
			}
		}
	case to.Unsigned():
		top := uint64(1)<<to.Bits() - 1
		return func(x uint64) uint64 {
			switch f := getF64(x); {
			case !(f > 0):
				return 0
			case f >= float64(top):
				return top
			default:
				return uint64(f)
			}
		}
	}
	low := int64(-1) << (to.Bits() - 1)
	high := ^low
	return func(x uint64) uint64 {
		switch f := getF64(x); {
		case f != f:
			return 0
		case f <= float64(low):
			return uint64(low)
		case f >= -float64(low):
			return uint64(high)
		default:
			return uint64(int64(f)) // truncation cannot pass high: f < high+1
		}
	}
}
