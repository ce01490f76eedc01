package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

func init() {
	oracles["lavaMD"] = func(args []value.Value) []value.Value {
		side, alpha, boxes := toInt(args[0]), args[1].Float(0), toInt(args[2])
		rv, charge := toF32(args[3]), toF32(args[4])
		p := int64(len(charge))
		box := func(i int64) [3]int64 {
			b := i / (p / boxes)
			return [3]int64{b / side / side, b / side % side, b % side}
		}
		out := make([]float64, 4*p)
		for i := range p {
			for j := range p {
				near := true
				for k, b := range box(i) {
					d := b - box(j)[k]
					near = near && d >= -1 && d <= 1
				}
				if !near {
					continue
				}
				r2 := float64(rv[4*i]) + float64(rv[4*j])
				for k := int64(1); k < 4; k++ {
					r2 -= float64(rv[4*i+k]) * float64(rv[4*j+k])
				}
				v := float64(charge[j]) * math.Exp(-2*alpha*alpha*r2)
				out[4*i] += v
				for k := int64(1); k < 4; k++ {
					out[4*i+k] += 2 * v * (float64(rv[4*i+k]) - float64(rv[4*j+k]))
				}
			}
		}
		return []value.Value{narrow(out, p, 4)}
	}
}
