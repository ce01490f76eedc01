package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func init() {
	oracles["series"] = func(args []value.Value) []value.Value {
		n := toInt(args[0])
		const steps = 1000
		trapezoid := func(f func(x float64) float64) float64 {
			var sum float64
			for i := range steps {
				sum += (f(2*float64(i)/steps) + f(2*float64(i+1)/steps)) / steps
			}
			return sum
		}
		out := make([]float64, 2*n)
		for k := range n {
			omega := math.Pi * float64(k)
			out[k] = trapezoid(func(x float64) float64 { return math.Pow(x+1, x) * math.Cos(omega*x) })
			out[n+k] = trapezoid(func(x float64) float64 { return math.Pow(x+1, x) * math.Sin(omega*x) })
		}
		if n > 0 {
			out[0] /= 2
		}
		half := func(from int64) value.Value {
			return build(ir.F64, []int64{n}, func(i int64) uint64 { return math.Float64bits(out[from+i]) })
		}
		return []value.Value{half(0), half(n)}
	}
}
