package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

func init() {
	oracles["OptionPricing"] = func(args []value.Value) []value.Value {
		contract, iterations := toInt(args[0]), toInt(args[1])
		args = args[1:] // the chunks do not matter
		dirs, bits := toInts(args[2]), args[2].Shape[1]
		models, und, dates := args[3].Shape[0], args[3].Shape[1], args[4].Shape[1]
		factor, vols, drifts := args[3], args[4], args[5]
		starts, discounts := args[6], args[8]
		bridge, weights := toInts(args[9]), toF32(args[10])
		price := make([]float32, models)
		for mi := range models {
			var sum float64
			for i := int64(1); i <= iterations; i++ {
				z := make([]float64, dates*und) // normal numbers
				for k := range z {
					var word int64
					for bit := range bits {
						if (i>>1^i)>>bit&1 == 1 {
							word ^= dirs[int64(k)*bits+bit]
						}
					}
					z[k] = math.Sqrt2 * math.Erfinv(2*float64(word)/float64(int64(1)<<bits)-1)
				}
				path := brownianBridge(z, dates, und, bridge, weights)
				xs := make([][]float64, dates) // prices
				for l := range dates {
					xs[l] = make([]float64, und)
					for x := range und {
						before, from := starts.Float(mi*und+x), make([]float64, und)
						if l > 0 {
							before, from = xs[l-1][x], path[l-1]
						}
						var mixed float64
						for y := range x + 1 {
							mixed += factor.Float((mi*und+x)*und+y) * (path[l][y] - from[y])
						}
						at := (mi*dates+l)*und + x
						xs[l][x] = before * math.Exp(mixed*vols.Float(at)+drifts.Float(at))
					}
				}
				sum += payoff(contract, xs, func(date int) float64 { return discounts.Float(mi*dates + int64(date)) })
			}
			price[mi] = float32(sum / float64(iterations))
		}
		return []value.Value{floats(price, models)}
	}
	oracles["OptionPricing-fused"] = oracles["OptionPricing"]
}

// brownianBridge returns the path through the normal numbers z.
func brownianBridge(z []float64, dates, und int64, bridge []int64, weights []float32) [][]float64 {
	path := make([][]float64, dates+1) // path[0] is the start
	path[0] = make([]float64, und)
	for l := range dates {
		to, lo, hi := bridge[l], bridge[dates+l], bridge[2*dates+l]
		path[to] = make([]float64, und)
		for x := range und {
			path[to][x] = float64(weights[l]) * z[l*und+x]
			if l > 0 {
				path[to][x] += float64(weights[dates+l])*path[lo][x] + float64(weights[2*dates+l])*path[hi][x]
			}
		}
	}
	return path[1:]
}

// payoff is what a contract pays for prices xs, discounted.
func payoff(contract int64, xs [][]float64, discount func(date int) float64) float64 {
	worst := func(x []float64) float64 { return min(x[0]/3758.05, x[1]/11840, x[2]/1200) }
	switch contract {
	case 1:
		return max(xs[0][0]-4000, 0) * discount(0)
	case 2:
		for date, amount := range []float64{1150, 1300, 1450, 1600, 1750} {
			if worst(xs[date]) >= 1 {
				return amount * discount(date)
			}
		}
		if w := worst(xs[4]); w <= 0.75 {
			return 1000 * w * discount(4)
		}
		return 1000 * discount(4)
	}
	back := 1000.0
	for _, x := range xs {
		if x[0] <= 2630.635 || x[1] <= 8288 || x[2] <= 840 {
			back = 1000 * min(worst(xs[len(xs)-1]), 1)
			break
		}
	}
	return 100*discount(0) + back*discount(1)
}
