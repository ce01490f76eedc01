package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

func init() {
	references = append(references, reference{
		benchmark: "backprop", in: "backprop-small.in", out: "backprop-small.out", oracle: true,
		args: func(vs []value.Value) []value.Value {
			// All numbers are Sobol's, one after the other.
			n, dirs, count := toInt(vs[0]), toInts(vs[1]), int64(0)
			numbers := func(shape ...int64) value.Value {
				size := int64(1)
				for _, d := range shape {
					size *= d
				}
				xs := make([]float32, size)
				for i := range xs {
					count++
					var word int64
					for bit, dir := range dirs {
						if (count>>1^count)>>bit&1 == 1 {
							word ^= dir
						}
					}
					xs[i] = float32(word) / (1 << 30)
				}
				return floats(xs, shape...)
			}
			w1, w2 := numbers(n+1, 17), numbers(17, 2)
			return []value.Value{numbers(n), floats([]float32{0.1}, 1), w1, w2}
		},
	})
	oracles["backprop"] = func(args []value.Value) []value.Value {
		input := append([]float32{1}, toF32(args[0])...)
		target := append([]float32{0}, toF32(args[1])...) // unit 0 is no output
		w1, w2 := toF32(args[2]), toF32(args[3])
		nh, no := int(args[3].Shape[0]), len(target)
		forward := func(in []float64, w []float32, n int) []float64 {
			out := make([]float64, n)
			for j := range out {
				var sum float64
				for i, x := range in {
					sum += x * float64(w[i*n+j])
				}
				out[j] = 1 / (1 + math.Exp(-sum))
			}
			out[0] = 1
			return out
		}
		in := make([]float64, len(input))
		for i, x := range input {
			in[i] = float64(x)
		}
		hidden := forward(in, w1, nh)
		output := forward(hidden, w2, no)
		var err2, err1 float64
		delta2, delta1 := make([]float64, no), make([]float64, nh)
		for j := 1; j < no; j++ {
			delta2[j] = output[j] * (1 - output[j]) * (float64(target[j]) - output[j])
			err2 += math.Abs(delta2[j])
		}
		for i, h := range hidden {
			for j := 1; j < no; j++ {
				delta1[i] += h * (1 - h) * delta2[j] * float64(w2[i*no+j])
			}
			err1 += math.Abs(delta1[i])
		}
		adjust := func(w []float32, in, delta []float64) []float64 {
			out := make([]float64, len(w))
			for i := range out {
				out[i] = float64(w[i])
				if j := i % len(delta); j > 0 {
					out[i] += 0.3 * delta[j] * in[i/len(delta)]
				}
			}
			return out
		}
		return []value.Value{
			f32(float32(err2)), f32(float32(err1)),
			narrow(adjust(w1, in, delta1), args[2].Shape...), narrow(adjust(w2, hidden, delta2), args[3].Shape...),
		}
	}
}
