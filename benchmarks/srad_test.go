package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

func init() {
	oracles["srad"] = func(args []value.Value) []value.Value {
		lambda, h, w := args[1].Float(0), args[2].Shape[0], args[2].Shape[1]
		img := make([]float64, h*w)
		for i, x := range toInts(args[2]) {
			img[i] = math.Exp(float64(x) / 255)
		}
		at := func(y, x int64) int64 { return min(max(y, 0), h-1)*w + min(max(x, 0), w-1) }
		for range toInt(args[0]) {
			var mean, variance float64
			for _, x := range img {
				mean += x / float64(h*w)
			}
			for _, x := range img {
				variance += (x - mean) * (x - mean) / float64(h*w)
			}
			q0 := variance / (mean * mean)
			c := make([]float64, h*w)
			for i, x := range img {
				y, z := int64(i)/w, int64(i)%w
				var gradient, laplace float64
				for _, n := range []int64{at(y-1, z), at(y+1, z), at(y, z-1), at(y, z+1)} {
					gradient += math.Pow((img[n]-x)/x, 2)
					laplace += (img[n] - x) / x
				}
				q := (gradient/2 - laplace*laplace/16) / math.Pow(1+laplace/4, 2)
				c[i] = min(max(1/(1+(q-q0)/(q0*(1+q0))), 0), 1)
			}
			next := make([]float64, h*w)
			for i, x := range img {
				y, z := int64(i)/w, int64(i)%w
				south, east := c[at(y+1, z)], c[at(y, z+1)]
				flow := c[i]*(img[at(y-1, z)]-x) + south*(img[at(y+1, z)]-x) + c[i]*(img[at(y, z-1)]-x) + east*(img[at(y, z+1)]-x)
				next[i] = x + lambda/4*flow
			}
			img = next
		}
		for i := range img {
			img[i] = 255 * math.Log(img[i])
		}
		return []value.Value{narrow(img, h, w)}
	}
	oracles["srad-groups"] = withoutTiles(2, oracles["srad"])
}
