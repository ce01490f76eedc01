package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// The data of Parboil's programs (Stratton et al., "Parboil: a revised benchmark
// suite for scientific and commercial throughput computing", IMPACT-12-01, 2012).

// stencilArgs returns a box of nz by ny by nx cells.
func stencilArgs(nz, ny, nx, steps int64) func() []value.Value {
	return func() []value.Value {
		r := random(20)
		return []value.Value{i64(steps), r.f32s(0, 1, nz, ny, nx)}
	}
}

// lbmArgs returns a channel in which every tenth cell is solid, and densities near
// the equilibrium at rest.
func lbmArgs(nz, ny, nx, steps int64) func() []value.Value {
	return func() []value.Value {
		r := random(21)
		solid := build(ir.Bool, []int64{nz, ny, nx}, func(i int64) uint64 {
			if z := i / (ny * nx); z == 0 || z == nz-1 || r.below(10) > 0 {
				return 0
			}
			return 1
		})
		return []value.Value{i64(steps), f32(1.2), f32(0.02), solid, r.f32s(0.03, 0.06, nz, ny, nx, 19)}
	}
}

// sgemmArgs returns matrices of n by m, m by p, and n by p.
func sgemmArgs(n, m, p int64) func() []value.Value {
	return func() []value.Value {
		r := random(22)
		return []value.Value{r.f32s(-1, 1, n, m), r.f32s(-1, 1, m, p), f32(1.5), f32(0.5), r.f32s(-1, 1, n, p)}
	}
}

// mriArgs returns k samples and n voxels.
func mriArgs(k, n int64) func() []value.Value {
	return func() []value.Value {
		r := random(23)
		vs := make([]value.Value, 8)
		for i := range vs {
			size := k
			if i >= 5 {
				size = n
			}
			vs[i] = r.f32s(-0.5, 0.5, size)
		}
		return vs
	}
}

// tpacfArgs returns n observed points, r sets of m random ones, and b limits of bins
// that get narrower toward angle zero.
func tpacfArgs(n, r, m, b int64) func() []value.Value {
	return func() []value.Value {
		rnd := random(24)
		points := func(shape ...int64) value.Value {
			v := value.New(ir.F32, append(shape, 3))
			for i := int64(0); i < v.Elems(); i += 3 {
				z, angle := rnd.float(-1, 1), rnd.float(0, 2*math.Pi)
				sin, cos := math.Sincos(angle)
				for k, x := range []float64{math.Sqrt(1-z*z) * cos, math.Sqrt(1-z*z) * sin, z} {
					v.SetBits(i+int64(k), uint64(math.Float32bits(float32(x))))
				}
			}
			return v
		}
		data, randoms := points(n), points(r, m)
		return []value.Value{data, randoms, build(ir.F32, []int64{b}, func(i int64) uint64 {
			angle := math.Pi / 2 * math.Pow(1.5, float64(i-b))
			return uint64(math.Float32bits(float32(math.Cos(angle))))
		})}
	}
}
