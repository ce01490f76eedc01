package host

import (
	"math"
	"unsafe"

	"github.com/memc-lang/memc/ir"
)

// Element is the Go types of scalars and of elements of arrays: i8 to i64, u8 to
// u64, f16, f32, f64 and bool.
type Element interface {
	Number | bool
}

// Number is the types of Element that are numbers.
type Number interface {
	Integer | Float16 | float32 | float64
}

// Integer is the types of Element that are integers.
type Integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// Float16 is an f16, by its IEEE bits. Go has no such type.
type Float16 uint16

// ToFloat16 rounds a number as the language does.
func ToFloat16(x float32) Float16 { return Float16(ir.HalfBits(float64(x))) }

// Float32 returns the number.
func (x Float16) Float32() float32 { return float32(ir.HalfFloat(uint64(x))) }

// String returns the number as text.
func (x Float16) String() string { return ir.FloatText(ir.HalfFloat(uint64(x)), ir.F16) }

// bits returns a scalar in 64 bits, as internal/base/scalar holds it: signed integers
// sign-extended, floats as their IEEE bits, a bool as 0 or 1. known is false if its type is none of
// Element.
func bits(x any) (b uint64, p ir.Prim) {
	switch x := x.(type) {
	case int8:
		return uint64(x), ir.I8
	case int16:
		return uint64(x), ir.I16
	case int32:
		return uint64(x), ir.I32
	case int64:
		return uint64(x), ir.I64
	case uint8:
		return uint64(x), ir.U8
	case uint16:
		return uint64(x), ir.U16
	case uint32:
		return uint64(x), ir.U32
	case uint64:
		return x, ir.U64
	case Float16:
		return uint64(x), ir.F16
	case float32:
		return uint64(math.Float32bits(x)), ir.F32
	case float64:
		return math.Float64bits(x), ir.F64
	case bool:
		if x {
			return 1, ir.Bool
		}
		return 0, ir.Bool
	}
	return 0, ir.Unknown
}

// value is the inverse of bits; bits above the type's width do not count.
func value[T Element](b uint64) (x T) {
	switch p := any(&x).(type) {
	case *int8:
		*p = int8(b)
	case *int16:
		*p = int16(b)
	case *int32:
		*p = int32(b)
	case *int64:
		*p = int64(b)
	case *uint8:
		*p = uint8(b)
	case *uint16:
		*p = uint16(b)
	case *uint32:
		*p = uint32(b)
	case *uint64:
		*p = b
	case *Float16:
		*p = Float16(b)
	case *float32:
		*p = math.Float32frombits(uint32(b))
	case *float64:
		*p = math.Float64frombits(b)
	case *bool:
		*p = b&1 != 0
	}
	return x
}

// primOf returns the language's name of a Go type.
func primOf[T Element]() ir.Prim {
	var zero T
	_, p := bits(zero)
	return p
}

// memory returns the bytes of a slice. Devices are little-endian, as are the
// machines that memc's runtime knows.
func memory[T Element](data []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(data))), len(data)*int(primOf[T]().Size()))
}
