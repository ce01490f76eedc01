package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// The data of programs that are in no suite of the others.

// lifeArgs returns a board a third of which is alive.
func lifeArgs(h, w, steps int64) func() []value.Value {
	return func() []value.Value {
		r := random(40)
		return []value.Value{i64(steps), build(ir.I8, []int64{h, w}, func(int64) uint64 { return uint64(max(0, r.below(3)-1)) })}
	}
}

// keys returns n keys of 32 bits.
func keys(n int64) value.Value {
	r := random(41)
	return build(ir.U32, []int64{n}, func(int64) uint64 { return r.next() >> 32 })
}

func radixArgs(n int64) func() []value.Value {
	return func() []value.Value { return []value.Value{keys(n)} }
}

func radixDigitsArgs(n, chunk int64) func() []value.Value {
	return func() []value.Value { return []value.Value{i64(chunk), keys(n)} }
}

// hestonArgs returns c candidates, and n quotes made of other volatilities than any
// of theirs: nobody fits exactly.
func hestonArgs(steps, n, c, nodes int64) func() []value.Value {
	return func() []value.Value {
		r := random(42)
		strikes, times, quotes := r.f64s(0.8, 1.2, n), r.f64s(0.25, 2, n), value.New(ir.F64, []int64{n})
		for i := range n {
			// Brenner and Subrahmanyam's approximation at the money, moved by the strike.
			sd := 0.2 * math.Sqrt(times.Float(i))
			quotes.SetBits(i, math.Float64bits(0.4*sd+(1-strikes.Float(i))/2+math.Pow(1-strikes.Float(i), 2)/(5*sd)))
		}
		lo, hi := []float64{0.01, 0.01, 0.5, 0.1, -0.9}, []float64{0.2, 0.2, 4, 0.9, -0.1}
		start := build(ir.F64, []int64{c, 5}, func(i int64) uint64 { return math.Float64bits(r.float(lo[i%5], hi[i%5])) })
		return []value.Value{i64(steps), i64(nodes), value.Scalar(ir.F64, math.Float64bits(0.25)), strikes, times, quotes, start}
	}
}
