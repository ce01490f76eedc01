package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

func init() {
	for _, in := range []string{"small"} {
		references = append(references, reference{
			benchmark: "LocVolCalib", in: "LocVolCalib-" + in + ".in", out: "LocVolCalib-" + in + ".out", oracle: true,
			args: func(vs []value.Value) []value.Value {
				for i := range 4 {
					vs[i] = i64(toInt(vs[i]))
				}
				return vs
			},
		})
	}
	oracles["LocVolCalib"] = func(args []value.Value) []value.Value {
		outer := toInt(args[0])
		g := newLocVol(toInt(args[1]), toInt(args[2]), toInt(args[3]), args[4:])
		out := make([]float32, outer)
		for o := range out {
			out[o] = float32(g.price(0.001 * float64(o)))
		}
		return []value.Value{floats(out, outer)}
	}
	oracles["LocVolCalib-chunks"] = oracles["LocVolCalib"]
}

// locVol is the grid of a calibration.
type locVol struct {
	x, y, t            []float64
	dxx, dyy           [][3]float64
	varx               [][][]float64 // per time step, the same for every strike
	ix, iy             int
	s0, alpha, nu, bta float64
}

func newLocVol(nx, ny, nt int64, rest []value.Value) *locVol {
	g := &locVol{s0: rest[0].Float(0), alpha: rest[2].Float(0), nu: rest[3].Float(0), bta: rest[4].Float(0)}
	t := rest[1].Float(0)
	for i := range nt {
		g.t = append(g.t, t*float64(i)/float64(nt-1))
	}
	dx := 20 * g.alpha * g.s0 * math.Sqrt(t) / float64(nx)
	// The grid's origin is found in f32, as everywhere.
	dx32 := 20 * float32(g.alpha) * float32(g.s0) * float32(math.Sqrt(t)) / float32(nx)
	g.ix = int(float32(g.s0)/dx32) % int(nx)
	for i := range nx {
		g.x = append(g.x, float64(i)*dx-float64(g.ix)*dx+g.s0)
	}
	dy := 10 * g.nu * math.Sqrt(t) / float64(ny)
	g.iy = int(ny / 2)
	for j := range ny {
		g.y = append(g.y, float64(j)*dy-float64(g.iy)*dy+math.Log(g.alpha))
	}
	g.dxx, g.dyy = secondDifferences(g.x), secondDifferences(g.y)
	for _, now := range g.t {
		rows := make([][]float64, nx)
		for i := range rows {
			for j := range ny {
				rows[i] = append(rows[i], math.Exp(2*(g.bta*math.Log(g.x[i])+g.y[j]-0.5*g.nu*g.nu*now)))
			}
		}
		g.varx = append(g.varx, rows)
	}
	return g
}

// secondDifferences returns rows that are zero at both ends.
func secondDifferences(x []float64) [][3]float64 {
	d := make([][3]float64, len(x))
	for i := 1; i+1 < len(x); i++ {
		l, u := x[i]-x[i-1], x[i+1]-x[i]
		d[i] = [3]float64{2 / l / (l + u), -2 * (1/l + 1/u) / (l + u), 2 / u / (l + u)}
	}
	return d
}

// price solves the equation for one strike.
func (g *locVol) price(strike float64) float64 {
	nx, ny := len(g.x), len(g.y)
	res := make([][]float64, nx)
	v, u := make([][]float64, nx), make([][]float64, nx)
	for i := range res {
		res[i], v[i], u[i] = make([]float64, ny), make([]float64, ny), make([]float64, ny)
		for j := range res[i] {
			res[i][j] = max(g.x[i]-strike, 0)
		}
	}
	for step := len(g.t) - 2; step >= 0; step-- {
		dt := 1 / (g.t[step+1] - g.t[step])
		vary := g.nu * g.nu
		for i := range nx {
			for j := range ny {
				v[i][j] = 0
				for k := -1; k <= 1; k++ {
					if j+k >= 0 && j+k < ny {
						v[i][j] += 0.5 * vary * g.dyy[j][k+1] * res[i][j+k]
					}
				}
			}
		}
		for j := range ny {
			a := make([][3]float64, nx)
			r := make([]float64, nx)
			for i := range nx {
				s := g.varx[step][i][j]
				r[i] = dt*res[i][j] + v[i][j]
				for k := -1; k <= 1; k++ {
					a[i][k+1] = -0.25 * s * g.dxx[i][k+1]
					if i+k >= 0 && i+k < nx {
						r[i] += 0.25 * s * g.dxx[i][k+1] * res[i+k][j]
					}
				}
				a[i][1] += dt
			}
			for i, x := range thomas(a, r) {
				u[i][j] = x
			}
		}
		for i := range nx {
			a := make([][3]float64, ny)
			r := make([]float64, ny)
			for j := range ny {
				for k := range 3 {
					a[j][k] = -0.25 * vary * g.dyy[j][k]
				}
				a[j][1] += dt
				r[j] = dt*u[i][j] - 0.5*v[i][j]
			}
			copy(res[i], thomas(a, r))
		}
	}
	return res[g.ix][g.iy]
}

// thomas solves a tridiagonal system.
func thomas(a [][3]float64, r []float64) []float64 {
	n := len(r)
	for i := 1; i < n; i++ {
		m := a[i][0] / a[i-1][1]
		a[i][1] -= m * a[i-1][2]
		r[i] -= m * r[i-1]
	}
	for i := n - 1; i >= 0; i-- {
		if i+1 < n {
			r[i] -= a[i][2] * r[i+1]
		}
		r[i] /= a[i][1]
	}
	return r
}
