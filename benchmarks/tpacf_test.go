package benchmarks

import (
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func init() {
	oracles["tpacf"] = func(args []value.Value) []value.Value {
		data, randoms, limits := toF32(args[0]), toF32(args[1]), toF32(args[2])
		r, m := args[1].Shape[0], args[1].Shape[1]
		bins := int64(len(limits)) + 1
		count := func(h []int64, p, q []float32) {
			dot := p[0]*q[0] + p[1]*q[1] + p[2]*q[2]
			bin := 0
			for bin < len(limits) && dot < limits[bin] {
				bin++
			}
			h[bin]++
		}
		dd, rr, dr := make([]int64, bins), make([]int64, bins), make([]int64, bins)
		pairs := func(h []int64, ps []float32) {
			for i := 0; i < len(ps); i += 3 {
				for j := 0; j < i; j += 3 {
					count(h, ps[i:], ps[j:])
				}
			}
		}
		pairs(dd, data)
		for s := range r {
			set := randoms[s*m*3 : (s+1)*m*3]
			pairs(rr, set)
			for i := 0; i < len(data); i += 3 {
				for j := 0; j < len(set); j += 3 {
					count(dr, data[i:], set[j:])
				}
			}
		}
		return []value.Value{fromInts(ir.I64, dd, bins), fromInts(ir.I64, rr, bins), fromInts(ir.I64, dr, bins)}
	}
}
