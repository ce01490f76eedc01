package benchmarks

import "github.com/memc-lang/memc/internal/base/value"

// lbmDirections returns the directions of D3Q19, each followed by its opposite, in
// the order of the program's densities.
func lbmDirections() (c [][3]int64, weight []float64) {
	c, weight = [][3]int64{{0, 0, 0}}, []float64{1.0 / 3}
	pair := func(w float64, z, y, x int64) {
		c = append(c, [3]int64{z, y, x}, [3]int64{-z, -y, -x})
		weight = append(weight, w, w)
	}
	for k := range 3 {
		var d [3]int64
		d[k] = 1
		pair(1.0/18, d[0], d[1], d[2])
	}
	for _, d := range [][3]int64{{1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}} {
		pair(1.0/36, d[0], d[1], d[2])
	}
	return c, weight
}

func init() {
	oracles["lbm"] = func(args []value.Value) []value.Value {
		omega, speed := args[1].Float(0), args[2].Float(0)
		shape := args[4].Shape
		nz, ny, nx := shape[0], shape[1], shape[2]
		solid := args[3]
		f := make([]float64, args[4].Elems())
		for i, x := range toF32(args[4]) {
			f[i] = float64(x)
		}
		c, weight := lbmDirections()
		at := func(z, y, x int64) int64 { return (z*ny+(y+ny)%ny)*nx + (x+nx)%nx }
		equilibrium := func(q int, rho float64, u [3]float64) float64 {
			cu := u[0]*float64(c[q][0]) + u[1]*float64(c[q][1]) + u[2]*float64(c[q][2])
			return weight[q] * rho * (1 + 3*cu + 4.5*cu*cu - 1.5*(u[0]*u[0]+u[1]*u[1]+u[2]*u[2]))
		}
		for range toInt(args[0]) {
			moved := append([]float64(nil), f...)
			for z := range nz {
				for y := range ny {
					for x := range nx {
						from := at(z, y, x)
						for q := range c {
							z1 := z + c[q][0]
							if solid.Bits(from) != 0 || z1 < 0 || z1 >= nz {
								continue
							}
							to := at(z1, y+c[q][1], x+c[q][2])
							if solid.Bits(to) == 0 {
								moved[to*19+int64(q)] = f[from*19+int64(q)]
								continue
							}
							back := q
							if q > 0 {
								back = (q - 1) ^ 1 + 1
							}
							moved[from*19+int64(back)] = f[from*19+int64(q)]
						}
					}
				}
			}
			next := make([]float64, len(f))
			for cell := range nz * ny * nx {
				g := moved[cell*19 : cell*19+19]
				var rho float64
				var u [3]float64
				for q, v := range g {
					rho += v
					for k := range u {
						u[k] += v * float64(c[q][k])
					}
				}
				for k := range u {
					u[k] /= rho
				}
				for q, v := range g {
					out := &next[cell*19+int64(q)]
					switch z := cell / (ny * nx); {
					case z == 0:
						*out = equilibrium(q, 1, [3]float64{speed, 0, 0})
					case z == nz-1:
						*out = f[(cell-ny*nx)*19+int64(q)]
					case solid.Bits(cell) != 0:
						*out = f[cell*19+int64(q)]
					default:
						*out = v + omega*(equilibrium(q, rho, u)-v)
					}
				}
			}
			f = next
		}
		out := make([]float32, len(f))
		for i, x := range f {
			out[i] = float32(x)
		}
		return []value.Value{floats(out, shape...)}
	}
}
