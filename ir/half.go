package ir

import (
	"math"
	"strconv"
)

// Note [Halves]
//
// Elements of type f16 have the format binary16 of IEEE 754: a sign, five bits of exponent, ten of
// fraction. Arithmetic on them is that of f32, with each result rounded toward zero to an f16. This
// is what Futhark's C code does on machines without halves. f16 exists here for Futhark's programs,
// whose expected outputs come from that code.

// HalfBits rounds a number to f32 and then, toward zero, to f16.
func HalfBits(f float64) uint64 {
	b := math.Float32bits(float32(f))
	sign, exp, man := uint64(b>>16&0x8000), int(b>>23&0xff)-127, uint64(b&0x7fffff)
	switch {
	case exp == 128 && man != 0:
		return sign | 0x7e00
	case exp > 15:
		return sign | 0x7c00
	case exp >= -14:
		return sign | uint64(exp+15)<<10 | man>>13
	case exp >= -24: // subnormal
		return sign | (man|1<<23)>>(-1-exp)
	}
	return sign
}

// FloatText returns a finite number of a floating-point type with the fewest digits that read back
// to the same bits. An f16 is written as an f32, since other readers may round differently.
func FloatText(f float64, p Prim) string {
	return strconv.FormatFloat(f, 'g', -1, max(32, p.Bits()))
}

// HalfFloat returns the number that the bits of an f16 stand for.
func HalfFloat(bits uint64) float64 {
	exp, man := int(bits>>10&0x1f), float64(bits&0x3ff)
	var f float64
	switch {
	case exp == 31 && man != 0:
		return math.NaN()
	case exp == 31:
		f = math.Inf(1)
	case exp == 0:
		f = math.Ldexp(man, -24)
	default:
		f = math.Ldexp(1024+man, exp-25)
	}
	if bits&0x8000 != 0 {
		return -f
	}
	return f
}
