package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

type vec3 [3]float64

func (a vec3) dot(b vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func (a vec3) plus(f float64, b vec3) vec3 {
	return vec3{a[0] + f*b[0], a[1] + f*b[1], a[2] + f*b[2]}
}

// gas is the state of a cell, or a flux of it.
type gas struct {
	density float64
	moment  vec3
	energy  float64
}

func (g gas) plus(f float64, h gas) gas {
	return gas{g.density + f*h.density, g.moment.plus(f, h.moment), g.energy + f*h.energy}
}

func (g gas) velocity() vec3    { return vec3{}.plus(1/g.density, g.moment) }
func (g gas) pressure() float64 { return 0.4 * (g.energy - g.moment.dot(g.velocity())/2) }
func (g gas) fastest() float64 {
	v := g.velocity()
	return math.Sqrt(v.dot(v)) + math.Sqrt(1.4*g.pressure()/g.density)
}

// through is the flux through an area with that normal.
func (g gas) through(normal vec3) gas {
	rate := normal.dot(g.velocity())
	return gas{g.density * rate, vec3{}.plus(rate, g.moment).plus(g.pressure(), normal), (g.energy + g.pressure()) * rate}
}

func init() {
	oracles["cfd"] = func(args []value.Value) []value.Value {
		n := args[1].Shape[0]
		areas, neighbours, normals := toF32(args[1]), toInts(args[2]), toF32(args[3])
		far := gas{density: 1.4, moment: vec3{1.4 * 1.2}, energy: 1.4*1.2*1.2/2 + 1/0.4}
		cells := make([]gas, n)
		for i := range cells {
			cells[i] = far
		}
		for range toInt(args[0]) {
			old := cells
			for _, part := range []float64{3, 2, 1} {
				next := make([]gas, n)
				for i, c := range cells {
					var flux gas
					for k := 4 * i; k < 4*i+4; k++ {
						var normal vec3
						for a := range normal {
							normal[a] = float64(normals[3*k+a])
						}
						switch to := neighbours[k]; to {
						case -1:
							flux.moment = flux.moment.plus(c.pressure(), normal)
						case -2:
							flux = flux.plus(0.5, c.through(normal)).plus(0.5, far.through(normal))
						default:
							o := cells[to]
							flux = flux.plus(0.5, c.through(normal)).plus(0.5, o.through(normal))
							damp := 0.1 * math.Sqrt(normal.dot(normal)) * (c.fastest() + o.fastest())
							flux = flux.plus(damp, c).plus(-damp, o)
						}
					}
					step := 0.5 / (math.Sqrt(float64(areas[i])) * old[i].fastest())
					next[i] = old[i].plus(-step/part, flux)
				}
				cells = next
			}
		}
		out := make([][]float64, 5)
		for _, c := range cells {
			for k, x := range []float64{c.density, c.moment[0], c.moment[1], c.moment[2], c.energy} {
				out[k] = append(out[k], x)
			}
		}
		var vs []value.Value
		for _, xs := range out {
			vs = append(vs, narrow(xs, n))
		}
		return vs
	}
}
