package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// The data of FinPar's programs (Andreetta et al., "FinPar: a parallel financial
// benchmark", ACM TACO 13 (2016)).

// optionArgs returns market data for a contract on und underlyings, and how many
// paths to follow at a time. Any directions
// whose bit k has no lower bits set make each dimension equidistributed.
func optionArgs(contract int32, iterations, chunk, models, dates, und int64) func() []value.Value {
	return func() []value.Value {
		const bits = 30
		r := random(30)
		directions := build(ir.I32, []int64{dates * und, bits}, func(i int64) uint64 {
			k := i % bits
			return uint64((2*r.below(1<<k) + 1) << (bits - 1 - k))
		})
		starts := []float32{3758.05, 11840, 1200}
		index, weights := bridgeOf(dates, 1)
		return []value.Value{
			i32(contract), i64(iterations), i64(chunk), directions,
			r.f32s(0.1, 0.5, models, und, und), r.f32s(0.1, 0.2, models, dates, und), r.f32s(-1e-4, 1e-4, models, dates, und),
			build(ir.F32, []int64{models, und}, func(i int64) uint64 { return uint64(math.Float32bits(starts[i%und])) }),
			r.f32s(0, 1, models, 1), r.f32s(0.9, 1, models, dates), index, weights,
		}
	}
}

// bridgeOf returns the steps of a Brownian bridge over dates that are dt apart: the
// last date first, and then the middle of the largest gap.
func bridgeOf(dates int64, dt float64) (index, weights value.Value) {
	index, weights = value.New(ir.I32, []int64{3, dates}), value.New(ir.F32, []int64{3, dates})
	set := func(l, to, lo, hi int64, sd, lw, rw float64) {
		for k, x := range []int64{to, lo, hi} {
			index.SetBits(int64(k)*dates+l, uint64(x))
		}
		for k, x := range []float64{sd, lw, rw} {
			weights.SetBits(int64(k)*dates+l, uint64(math.Float32bits(float32(x))))
		}
	}
	set(0, dates, 0, 0, math.Sqrt(float64(dates)*dt), 0, 0)
	gaps := [][2]int64{{0, dates}}
	for l := int64(1); len(gaps) > 0; gaps = gaps[1:] {
		lo, hi := gaps[0][0], gaps[0][1]
		if hi-lo < 2 {
			continue
		}
		mid := (lo + hi) / 2
		left, right, all := float64(mid-lo), float64(hi-mid), float64(hi-lo)
		set(l, mid, lo, hi, math.Sqrt(left*right/all*dt), right/all, left/all)
		l++
		gaps = append(gaps, [2]int64{lo, mid}, [2]int64{mid, hi})
	}
	return index, weights
}

// locVolArgs returns a calibration of outer strikes on a grid of x by y, in t steps.
func locVolArgs(outer, x, y, t int64) func() []value.Value {
	return func() []value.Value {
		return []value.Value{i64(outer), i64(x), i64(y), i64(t), f32(0.03), f32(5), f32(0.2), f32(0.6), f32(0.5)}
	}
}
