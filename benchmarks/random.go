package benchmarks

import (
	"encoding/binary"
	"math"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// random is splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014): the same numbers everywhere.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number in 0 .. n-1.
func (r *random) below(n int64) int64 { return int64((r.next() >> 1) % uint64(n)) }

// float returns a number in lo .. hi, a multiple of 2^-24 of the range.
func (r *random) float(lo, hi float64) float64 {
	return lo + (hi-lo)*float64(r.next()>>40)/(1<<24)
}

// f32s returns an array of numbers in lo .. hi.
func (r *random) f32s(lo, hi float64, shape ...int64) value.Value {
	return build(ir.F32, shape, func(int64) uint64 { return uint64(math.Float32bits(float32(r.float(lo, hi)))) })
}

// f64s returns an array of numbers in lo .. hi.
func (r *random) f64s(lo, hi float64, shape ...int64) value.Value {
	return build(ir.F64, shape, func(int64) uint64 { return math.Float64bits(r.float(lo, hi)) })
}

// ints returns an array of integers in lo .. hi-1.
func (r *random) ints(p ir.Prim, lo, hi int64, shape ...int64) value.Value {
	return build(p, shape, func(int64) uint64 { return uint64(lo + r.below(hi-lo)) })
}

// build makes an array whose element i has the bits at(i).
func build(p ir.Prim, shape []int64, at func(i int64) uint64) value.Value {
	v := value.New(p, shape)
	for i := range v.Elems() {
		v.SetBits(i, at(i))
	}
	return v
}

func i64(x int64) value.Value   { return value.Scalar(ir.I64, uint64(x)) }
func i32(x int32) value.Value   { return value.Scalar(ir.I32, uint64(int64(x))) }
func f32(x float32) value.Value { return value.Scalar(ir.F32, uint64(math.Float32bits(x))) }

// floats makes an array of f32 from a slice.
func floats(xs []float32, shape ...int64) value.Value {
	v := value.New(ir.F32, shape)
	for i, x := range xs {
		binary.LittleEndian.PutUint32(v.Data[4*i:], math.Float32bits(x))
	}
	return v
}
