package benchmarks

import (
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func init() {
	references = append(references, reference{
		benchmark: "kmeans", in: "kmeans-trivial.in", out: "kmeans-trivial.out", oracle: true,
		args: func(vs []value.Value) []value.Value { return []value.Value{i64(5), i64(5), i64(500), vs[1]} },
	})
	oracles["kmeans"] = func(args []value.Value) []value.Value {
		k, threshold, limit := toInt(args[0]), toInt(args[1]), toInt(args[2])
		n, d := args[3].Shape[0], args[3].Shape[1]
		points := make([][]float64, n)
		for i, x := range toF32(args[3]) {
			points[int64(i)/d] = append(points[int64(i)/d], float64(x))
		}
		centres := append([][]float64(nil), points[:k]...)
		member := map[int64]int{}
		steps := int64(0)
		for steps < limit {
			sums, sizes, changes := make([][]float64, k), make([]float64, k), int64(0)
			for i, p := range points {
				best, least := 0, 0.0
				for j, c := range centres {
					var dist float64
					for f := range p {
						dist += (p[f] - c[f]) * (p[f] - c[f])
					}
					if j == 0 || dist < least {
						best, least = j, dist
					}
				}
				if old, ok := member[int64(i)]; !ok || old != best {
					changes++
				}
				member[int64(i)] = best
				sizes[best]++
				if sums[best] == nil {
					sums[best] = make([]float64, d)
				}
				for f := range p {
					sums[best][f] += p[f]
				}
			}
			for j := range sums {
				for f := range sums[j] {
					sums[j][f] /= sizes[j]
				}
				if sums[j] == nil {
					sums[j] = centres[j]
				}
			}
			centres = sums
			steps++
			if changes <= threshold {
				break
			}
		}
		var flat []float64
		for _, c := range centres {
			flat = append(flat, c...)
		}
		return []value.Value{narrow(flat, k, d), fromInts(ir.I32, []int64{steps})}
	}
}
