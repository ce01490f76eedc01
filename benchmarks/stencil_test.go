package benchmarks

import "github.com/memc-lang/memc/internal/base/value"

func init() {
	oracles["stencil"] = func(args []value.Value) []value.Value {
		shape := args[1].Shape
		nz, ny, nx := shape[0], shape[1], shape[2]
		a := toF32(args[1])
		for range toInt(args[0]) {
			next := append([]float32(nil), a...)
			for z := int64(1); z < nz-1; z++ {
				for y := int64(1); y < ny-1; y++ {
					for x := int64(1); x < nx-1; x++ {
						at := (z*ny+y)*nx + x
						var sum float64
						for _, d := range []int64{1, nx, ny * nx} {
							sum += float64(a[at-d]) + float64(a[at+d])
						}
						next[at] = float32(sum/36 - float64(a[at])/6)
					}
				}
			}
			a = next
		}
		return []value.Value{floats(a, shape...)}
	}
}
