package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

func init() {
	oracles["mri-q"] = func(args []value.Value) []value.Value {
		var in [8][]float32
		for i := range in {
			in[i] = toF32(args[i])
		}
		n := args[5].Shape[0]
		re, im := make([]float64, n), make([]float64, n)
		for v := range n {
			for k := range in[0] {
				var dot float64
				for axis := range 3 {
					dot += float64(in[axis][k]) * float64(in[5+axis][v])
				}
				size := math.Pow(math.Hypot(float64(in[3][k]), float64(in[4][k])), 2)
				sin, cos := math.Sincos(2 * math.Pi * dot)
				re[v] += size * cos
				im[v] += size * sin
			}
		}
		return []value.Value{narrow(re, n), narrow(im, n)}
	}
}
