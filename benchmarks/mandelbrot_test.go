package benchmarks

import (
	"math/cmplx"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func init() {
	oracles["mandelbrot"] = func(args []value.Value) []value.Value {
		w, h, limit := toInt(args[0]), toInt(args[1]), toInt(args[2])
		lo := complex(args[3].Float(0), args[4].Float(0))
		size := complex(args[5].Float(0), args[6].Float(0)) - lo
		out := make([]int64, w*h)
		for at := range out {
			c := lo + complex(float64(int64(at)%w)/float64(w)*real(size), float64(int64(at)/w)/float64(h)*imag(size))
			z, n := c, int64(0)
			for cmplx.Abs(z) < 2 && n < limit {
				z = z*z + c
				n++
			}
			if n < limit {
				out[at] = n*3%256<<16 + n*5%256<<8 + n*7%256
			}
		}
		return []value.Value{fromInts(ir.I32, out, h, w)}
	}
}
