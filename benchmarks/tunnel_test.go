package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

func init() {
	oracles["tunnel"] = func(args []value.Value) []value.Value {
		h, w, time := toInt(args[0]), toInt(args[1]), args[2].Float(0)
		var out []float64
		for y := range h {
			for x := range w {
				u := (2*(float64(x)+0.5) - float64(w)) / float64(h)
				v := (2*(float64(y)+0.5) - float64(h)) / float64(h)
				depth := 0.5/(math.Hypot(u, v)+0.01) + 0.5*time
				spokes := (1 + math.Cos(6*math.Atan2(v, u))) / 2
				texture := (1 + math.Sin(4*math.Pi*depth)) / 2 * spokes
				fade := 1 / (1 + 0.1*depth*depth)
				out = append(out, texture*fade, 0.75*texture*fade, 0.5*(1-texture)*fade)
			}
		}
		return []value.Value{narrow(out, h, w, 3)}
	}
}
