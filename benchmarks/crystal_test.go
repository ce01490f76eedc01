package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

func init() {
	oracles["crystal"] = func(args []value.Value) []value.Value {
		size, degree := toInt(args[0]), toInt(args[1])
		scale, time := args[2].Float(0), args[3].Float(0)
		out := make([]float64, size*size)
		for at := range out {
			x := (float64(int64(at)%size)/float64(size) - 0.5) * scale
			y := (float64(int64(at)/size)/float64(size) - 0.5) * scale
			var sum float64
			for d := range degree {
				sin, cos := math.Sincos(float64(d) * math.Pi / float64(degree))
				sum += (math.Cos(cos*x+sin*y+time) + 1) / 2
			}
			out[at] = math.Abs(math.Remainder(sum, 2))
		}
		return []value.Value{narrow(out, size, size)}
	}
}
