package benchmarks

import "github.com/memc-lang/memc/internal/base/value"

func init() {
	oracles["hotspot"] = func(args []value.Value) []value.Value {
		steps := toInt(args[0])
		h, w := args[1].Shape[0], args[1].Shape[1]
		t, power := toF32(args[1]), toF32(args[2])
		const thickness, size, heat, conductivity = 0.0005, 0.016, 1.75e6, 100.0
		dy, dx := size/float64(h), size/float64(w)
		capacity := 0.5 * heat * thickness * dx * dy
		rx := dx / (2 * conductivity * thickness * dy)
		ry := dy / (2 * conductivity * thickness * dx)
		rz := thickness / (conductivity * dy * dx)
		step := 0.001 / (3.0e6 / (thickness * heat))
		for range steps {
			next := make([]float32, h*w)
			for y := range h {
				for x := range w {
					here := float64(t[y*w+x])
					flow := float64(power[y*w+x]) + (80-here)/rz
					for _, n := range [][3]int64{{y - 1, x, 0}, {y + 1, x, 0}, {y, x - 1, 1}, {y, x + 1, 1}} {
						if n[0] < 0 || n[0] >= h || n[1] < 0 || n[1] >= w {
							continue
						}
						r := ry
						if n[2] == 1 {
							r = rx
						}
						flow += (float64(t[n[0]*w+n[1]]) - here) / r
					}
					next[y*w+x] = float32(here + step/capacity*flow)
				}
			}
			t = next
		}
		return []value.Value{floats(t, h, w)}
	}
	oracles["hotspot-groups"] = withoutTiles(3, oracles["hotspot"])
}

// withoutTiles has an oracle leave out the sizes of tiles before its arguments.
func withoutTiles(n int, oracle func([]value.Value) []value.Value) func([]value.Value) []value.Value {
	return func(args []value.Value) []value.Value { return oracle(args[n:]) }
}
