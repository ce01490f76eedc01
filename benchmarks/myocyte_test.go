package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

// beelerReuter returns the derivative of a cell's state.
func beelerReuter(y [8]float64, rates []float32, stimulus float64) (d [8]float64) {
	v := y[0]
	rate := func(row int) float64 {
		var c [7]float64
		for k := range c {
			c[k] = float64(rates[7*row+k])
		}
		return (c[0]*math.Exp(c[1]*(v+c[2])) + c[3]*(v+c[4])) / (math.Exp(c[5]*(v+c[2])) + c[6])
	}
	k1 := 0.35 * (4*(math.Exp(0.04*(v+85))-1)/(math.Exp(0.08*(v+53))+math.Exp(0.04*(v+53))) + 0.2*(v+23)/(1-math.Exp(-0.04*(v+23))))
	x1 := y[2] * 0.8 * (math.Exp(0.04*(v+77)) - 1) / math.Exp(0.04*(v+35))
	na := (4*math.Pow(y[3], 3)*y[4]*y[5] + 0.003) * (v - 50)
	ca := 0.09 * y[6] * y[7] * (v - (-82.3 - 13.0287*math.Log(y[1])))
	d[0] = stimulus - (k1 + x1 + na + ca)
	d[1] = -1e-7*ca + 0.07*(1e-7-y[1])
	for g := range 6 {
		d[2+g] = rate(2*g)*(1-y[2+g]) - rate(2*g+1)*y[2+g]
	}
	return d
}

func init() {
	oracles["myocyte"] = func(args []value.Value) []value.Value {
		span, rates := args[0].Float(0), toF32(args[2])
		n := args[3].Shape[0]
		var out []float64
		for i := range n {
			var y [8]float64
			for k := range y {
				y[k] = args[4].Float(8*i + int64(k))
			}
			const steps = 5000
			h := span / steps
			for range steps {
				var sum, d [8]float64
				for stage, weight := range []float64{1, 2, 2, 1} {
					z := y
					for k := range z {
						z[k] += h * []float64{0, 0.5, 0.5, 1}[stage] * d[k]
					}
					d = beelerReuter(z, rates, args[3].Float(i))
					for k := range sum {
						sum[k] += weight * d[k] / 6
					}
				}
				for k := range y {
					y[k] += h * sum[k]
				}
			}
			out = append(out, y[:]...)
		}
		return []value.Value{narrow(out, n, 8)}
	}
}
