package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
)

// stam is a grid of his program: cell (i, j) for i and j in 0 .. n + 1.
type stam struct {
	n int
	x []float64
}

func newStam(n int) *stam { return &stam{n, make([]float64, (n+2)*(n+2))} }

func (s *stam) at(i, j int) *float64 { return &s.x[i*(s.n+2)+j] }

// inside sets all cells inside, and then the border: b is 1 for velocities across
// the rows, 2 for those along them, 0 for others.
func (s *stam) inside(b int, f func(i, j int) float64) {
	n := s.n
	for i := 1; i <= n; i++ {
		for j := 1; j <= n; j++ {
			*s.at(i, j) = f(i, j)
		}
	}
	sign := func(wall int) float64 {
		if wall == b {
			return -1
		}
		return 1
	}
	for i := 1; i <= n; i++ {
		*s.at(0, i) = sign(1) * *s.at(1, i)
		*s.at(n+1, i) = sign(1) * *s.at(n, i)
		*s.at(i, 0) = sign(2) * *s.at(i, 1)
		*s.at(i, n+1) = sign(2) * *s.at(i, n)
	}
	for _, i := range []int{0, n + 1} {
		for _, j := range []int{0, n + 1} {
			*s.at(i, j) = (*s.at(min(max(i, 1), n), j) + *s.at(i, min(max(j, 1), n))) / 2
		}
	}
}

func (s *stam) solve(b, steps int, a, c float64, x0 *stam) *stam {
	x := s
	for range steps {
		next := newStam(s.n)
		next.inside(b, func(i, j int) float64 {
			return (*x0.at(i, j) + a*(*x.at(i-1, j)+*x.at(i+1, j)+*x.at(i, j-1)+*x.at(i, j+1))) / c
		})
		x = next
	}
	return x
}

func (s *stam) advect(b int, dt float64, u, v *stam) *stam {
	moved, n := newStam(s.n), float64(s.n)
	moved.inside(b, func(i, j int) float64 {
		y := min(max(float64(i)-dt*n**u.at(i, j), 0.5), n+0.5)
		x := min(max(float64(j)-dt*n**v.at(i, j), 0.5), n+0.5)
		y0, x0 := math.Floor(y), math.Floor(x)
		var sum float64
		for dy := range 2 {
			for dx := range 2 {
				weight := (1 - math.Abs(y-y0-float64(dy))) * (1 - math.Abs(x-x0-float64(dx)))
				sum += weight * *s.at(int(y0)+dy, int(x0)+dx)
			}
		}
		return sum
	})
	return moved
}

func stamProject(steps int, u, v *stam) (*stam, *stam) {
	n := u.n
	div := newStam(n)
	div.inside(0, func(i, j int) float64 {
		return -0.5 * (*u.at(i+1, j) - *u.at(i-1, j) + *v.at(i, j+1) - *v.at(i, j-1)) / float64(n)
	})
	p := newStam(n).solve(0, steps, 1, 4, div)
	u1, v1 := newStam(n), newStam(n)
	u1.inside(1, func(i, j int) float64 { return *u.at(i, j) - float64(n)*(*p.at(i+1, j)-*p.at(i-1, j))/2 })
	v1.inside(2, func(i, j int) float64 { return *v.at(i, j) - float64(n)*(*p.at(i, j+1)-*p.at(i, j-1))/2 })
	return u1, v1
}

func init() {
	oracles["fluid"] = func(args []value.Value) []value.Value {
		solver, dt := int(toInt(args[1])), args[2].Float(0)
		diffusion, viscosity := args[3].Float(0), args[4].Float(0)
		g := args[5].Shape[0]
		var f [3]*stam
		for k := range f {
			f[k] = newStam(int(g) - 2)
			for i, x := range toF32(args[5+k]) {
				f[k].x[i] = float64(x)
			}
		}
		u, v, d := f[0], f[1], f[2]
		area := float64((g - 2) * (g - 2))
		av, ad := dt*viscosity*area, dt*diffusion*area
		for range toInt(args[0]) {
			u, v = u.solve(1, solver, av, 1+4*av, u), v.solve(2, solver, av, 1+4*av, v)
			u, v = stamProject(solver, u, v)
			u, v = u.advect(1, dt, u, v), v.advect(2, dt, u, v)
			u, v = stamProject(solver, u, v)
			d = d.solve(0, solver, ad, 1+4*ad, d).advect(0, dt, u, v)
		}
		return []value.Value{narrow(u.x, g, g), narrow(v.x, g, g), narrow(d.x, g, g)}
	}
}
