package benchmarks

import (
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// The data of Accelerate's examples (Chakravarty et al., "Accelerating Haskell
// array codes with multicore GPUs", DAMP 2011), as Futhark's benchmarks have them.

// mandelbrotArgs returns a window of the plane with the whole set in it.
func mandelbrotArgs(w, h int64, limit int32) func() []value.Value {
	return func() []value.Value {
		return []value.Value{i64(w), i64(h), i32(limit), f32(-2.23), f32(-1.15), f32(0.83), f32(1.15)}
	}
}

func crystalArgs(size, degree int64) func() []value.Value {
	return func() []value.Value { return []value.Value{i64(size), i64(degree), f32(30), f32(1)} }
}

func tunnelArgs(h, w int64) func() []value.Value {
	return func() []value.Value { return []value.Value{i64(h), i64(w), f32(1.3)} }
}

// cannyArgs returns a picture of bright discs on a dark ground.
func cannyArgs(h, w int64) func() []value.Value {
	return func() []value.Value {
		r := random(31)
		var discs [12][3]int64
		for i := range discs {
			discs[i] = [3]int64{r.below(h), r.below(w), 2 + r.below(max(h, w)/4+1)}
		}
		rgba := build(ir.I32, []int64{h, w}, func(at int64) uint64 {
			y, x, noise := at/w, at%w, uint64(r.below(10))
			grey := 20 + noise
			for i, d := range discs {
				if (y-d[0])*(y-d[0])+(x-d[1])*(x-d[1]) < d[2]*d[2] {
					grey = 120 + 10*uint64(i) + noise
				}
			}
			return grey | grey<<8 | grey<<16
		})
		return []value.Value{f32(0.2), f32(0.6), rgba}
	}
}

// nbodyArgs returns n bodies that move in a cube.
func nbodyArgs(n, steps int64) func() []value.Value {
	return func() []value.Value {
		r := random(32)
		return []value.Value{
			i64(steps), f32(50), f32(0.1),
			r.f32s(1, 100, n), r.f32s(-100, 100, n, 3), r.f32s(-10, 10, n, 3), r.f32s(0, 0, n, 3),
		}
	}
}

// fluidArgs returns a box of g by g cells, its border included.
func fluidArgs(g, steps int64) func() []value.Value {
	return func() []value.Value {
		r := random(33)
		return []value.Value{
			i64(steps), i64(20), f32(0.1), f32(0.0001), f32(0.0002),
			r.f32s(-0.1, 0.1, g, g), r.f32s(-0.1, 0.1, g, g), r.f32s(0, 1, g, g),
		}
	}
}
