package benchmarks

import (
	"math"
	"math/cmplx"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// hestonPrice is the price of a call under Heston's model, with the forward at 1.
func hestonPrice(p []float64, strike, time float64, nodes int64, width float64) float64 {
	v0, theta, kappa, sigma, rho := p[0], p[1], p[2], p[3], p[4]
	var sum float64
	for node := range nodes {
		u := complex((float64(node)+0.5)*width, -0.5)
		beta := complex(kappa, 0) - complex(0, rho*sigma)*u
		d := cmplx.Sqrt(beta*beta + complex(sigma*sigma, 0)*(complex(0, 1)*u+u*u))
		g := (beta - d) / (beta + d)
		w := cmplx.Exp(-d * complex(time, 0))
		s2 := complex(sigma*sigma, 0)
		c := complex(kappa*theta, 0) / s2 * ((beta-d)*complex(time, 0) - 2*cmplx.Log((1-g*w)/(1-g)))
		e := (beta - d) / s2 * (1 - w) / (1 - g*w)
		phi := cmplx.Exp(c + e*complex(v0, 0))
		sum += real(cmplx.Exp(complex(0, -real(u)*math.Log(strike)))*phi) / (real(u)*real(u) + 0.25) * width
	}
	return 1 - math.Sqrt(strike)/math.Pi*sum
}

func init() {
	oracles["heston"] = func(args []value.Value) []value.Value {
		steps, nodes, width := toInt(args[0]), toInt(args[1]), args[2].Float(0)
		c := args[6].Shape[0]
		old, least := make([][]float64, c), make([]float64, c)
		for i := range old {
			least[i] = math.Inf(1)
			for k := range int64(5) {
				old[i] = append(old[i], args[6].Float(5*int64(i)+k))
			}
		}
		for s := int64(0); s <= steps; s++ {
			next, errors := make([][]float64, c), make([]float64, c)
			for i := range c {
				next[i] = hestonTrial(old, s, i)
				for j := range args[3].Shape[0] {
					price := hestonPrice(next[i], args[3].Float(j), args[4].Float(j), nodes, width)
					errors[i] += math.Pow(price-args[5].Float(j), 2)
				}
				if errors[i] >= least[i] {
					next[i], errors[i] = old[i], least[i]
				}
			}
			old, least = next, errors
		}
		out := value.New(ir.F64, []int64{c, 5})
		for i, p := range old {
			for k, x := range p {
				out.SetBits(int64(5*i+k), math.Float64bits(x))
			}
		}
		return []value.Value{out, build(ir.F64, []int64{c}, func(i int64) uint64 { return math.Float64bits(least[i]) })}
	}
}

// hestonTrial mixes three candidates as the program's hash says.
func hestonTrial(old [][]float64, s, i int64) []float64 {
	c := int64(len(old))
	if s == 0 {
		return old[i]
	}
	h := uint32(s)*2654435761 + uint32(i)*2246822519
	pick := func(from int64) int64 { return (from + 1 + int64(h)%(c-1)) % c }
	h = (h ^ h>>15) * 739982445
	a := pick(i)
	h = (h ^ h>>12) * 695872825
	b := pick(a)
	h = (h ^ h>>15) * 2654435761
	d := pick(b)
	trial := append([]float64(nil), old[i]...)
	for k, limits := range [][2]float64{{0.01, 1}, {0.01, 1}, {0.01, 5}, {0.01, 1}, {-0.95, 0}} {
		if (h+uint32(k)*2246822519)*739982445>>8%10 < 8 {
			trial[k] = min(max(old[a][k]+0.6*(old[b][k]-old[d][k]), limits[0]), limits[1])
		}
	}
	return trial
}
