package benchmarks

import (
	"math"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// A tap is a neighbour of a pixel, and its weight.
type tap struct {
	dy, dx int64
	weight float64
}

func init() {
	oracles["canny"] = func(args []value.Value) []value.Value {
		low, high := args[0].Float(0), args[1].Float(0)
		h, w := args[2].Shape[0], args[2].Shape[1]
		grey := make([]float64, h*w)
		for i, p := range toInts(args[2]) {
			for k, weight := range []float64{0.3, 0.59, 0.11} {
				grey[i] += weight * float64(p>>(8*k)&255) / 255
			}
		}
		// filter weighs the neighbours of each pixel, clamped to the picture.
		filter := func(in []float64, taps []tap) []float64 {
			out := make([]float64, h*w)
			for y := range h {
				for x := range w {
					for _, t := range taps {
						out[y*w+x] += t.weight * in[min(max(y+t.dy, 0), h-1)*w+min(max(x+t.dx, 0), w-1)]
					}
				}
			}
			return out
		}
		var binomial, sobelX, sobelY []tap
		for i, a := range []float64{1, 4, 6, 4, 1} {
			for j, b := range []float64{1, 4, 6, 4, 1} {
				binomial = append(binomial, tap{int64(i) - 2, int64(j) - 2, a * b / 256})
			}
		}
		for i, a := range []float64{1, 2, 1} {
			for j, b := range []float64{-1, 0, 1} {
				sobelX = append(sobelX, tap{int64(i) - 1, int64(j) - 1, a * b})
				sobelY = append(sobelY, tap{int64(j) - 1, int64(i) - 1, a * b})
			}
		}
		blur := filter(grey, binomial)
		dx, dy := filter(blur, sobelX), filter(blur, sobelY)
		ridges, strong := make([]float64, h*w), []int64{}
		steps := [][2]int64{{0, 1}, {1, 1}, {1, 0}, {-1, 1}} // by the angle, in eighths of a turn
		for y := range h {
			for x := range w {
				at := y*w + x
				size := math.Hypot(dx[at], dy[at])
				if size <= low {
					continue
				}
				eighth := int(math.Round(math.Atan2(dy[at], dx[at])/(math.Pi/4))) & 3
				d := steps[eighth]
				var near [2]float64
				for k, sign := range []int64{1, -1} {
					n := min(max(y+sign*d[0], 0), h-1)*w + min(max(x+sign*d[1], 0), w-1)
					near[k] = math.Hypot(dx[n], dy[n])
				}
				switch {
				case size < near[0] || size < near[1]:
				case size >= high:
					ridges[at] = 1
					strong = append(strong, at)
				default:
					ridges[at] = 0.5
				}
			}
		}
		return []value.Value{narrow(ridges, h, w), fromInts(ir.I32, strong, int64(len(strong)))}
	}
	oracles["canny-edges"] = func(args []value.Value) []value.Value {
		ridges := oracles["canny"](args)
		h, w := ridges[0].Shape[0], ridges[0].Shape[1]
		// A search from the strong pixels, to all ridges that they touch.
		edges, todo := make([]int64, h*w), toInts(ridges[1])
		for _, at := range todo {
			edges[at] = 1
		}
		for len(todo) > 0 {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for y := max(at/w-1, 0); y <= min(at/w+1, h-1); y++ {
				for x := max(at%w-1, 0); x <= min(at%w+1, w-1); x++ {
					if next := y*w + x; edges[next] == 0 && ridges[0].Float(next) > 0 {
						edges[next] = 1
						todo = append(todo, next)
					}
				}
			}
		}
		return []value.Value{fromInts(ir.U8, edges, h, w)}
	}
	oracles["canny-groups"] = withoutTiles(2, oracles["canny-edges"])
}
