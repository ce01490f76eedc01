package benchmarks

import (
	"github.com/memc-lang/memc/internal/base/value"
)

func init() {
	oracles["sgemm"] = func(args []value.Value) []value.Value {
		a, b, c := toF32(args[0]), toF32(args[1]), toF32(args[4])
		n, m, p := args[0].Shape[0], args[0].Shape[1], args[1].Shape[1]
		alpha, beta := args[2].Float(0), args[3].Float(0)
		sum := make([]float64, n*p)
		for i, x := range c {
			sum[i] = beta * float64(x)
		}
		for k := range m {
			for i := range n {
				for j := range p {
					sum[i*p+j] += alpha * float64(a[i*m+k]) * float64(b[k*p+j])
				}
			}
		}
		return []value.Value{narrow(sum, n, p)}
	}
	oracles["sgemm-groups"] = oracles["sgemm"]
}
