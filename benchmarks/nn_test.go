package benchmarks

import (
	"math"
	"sort"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func init() {
	oracles["nn"] = func(args []value.Value) []value.Value {
		k := toInt(args[0])
		lat, lng := args[1].Float(0), args[2].Float(0)
		lats, lngs := toF32(args[3]), toF32(args[4])
		order := make([]int64, len(lats))
		dist := make([]float32, len(lats))
		for i := range order {
			order[i] = int64(i)
			dist[i] = float32(math.Hypot(lat-float64(lats[i]), lng-float64(lngs[i])))
		}
		sort.SliceStable(order, func(a, b int) bool { return dist[order[a]] < dist[order[b]] })
		near := make([]float32, k)
		for i := range near {
			near[i] = dist[order[i]]
		}
		return []value.Value{fromInts(ir.I64, order[:k], k), floats(near, k)}
	}
}
