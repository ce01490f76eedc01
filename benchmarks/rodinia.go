package benchmarks

import (
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// The data of Rodinia's programs (Che et al., "Rodinia: a benchmark suite for
// heterogeneous computing", IISWC 2009).

// nwArgs returns the matches of sequences of n elements, as in BLOSUM62, for
// tiles of b by b.
func nwArgs(n, b int64) func() []value.Value {
	return func() []value.Value {
		r := random(1)
		return []value.Value{i32(10), i64(b), r.ints(ir.I32, -4, 12, n, n)}
	}
}

// nwDiagonalsArgs returns the same matches without tiles.
func nwDiagonalsArgs(n int64) func() []value.Value {
	return func() []value.Value {
		args := nwArgs(n, n)()
		return []value.Value{args[0], args[2]}
	}
}

// ludArgs returns a matrix that needs no pivoting.
func ludArgs(n, b int64) func() []value.Value {
	return func() []value.Value {
		r := random(2)
		m := r.f32s(0, 1, n, n)
		for i := range n {
			m.SetBits(i*n+i, f32(float32(n)+float32(r.float(0, 1))).Bits(0))
		}
		return []value.Value{i64(b), m}
	}
}

// hotspotArgs returns a chip of h by w cells: temperatures near 80 degrees, and
// power below one hundredth of a watt.
func hotspotArgs(h, w, steps int64) func() []value.Value {
	return func() []value.Value {
		r := random(3)
		return []value.Value{i64(steps), r.f32s(70, 90, h, w), r.f32s(0, 0.01, h, w)}
	}
}

// inTiles puts sizes of tiles before a program's arguments.
func inTiles(args func() []value.Value, sizes ...int64) func() []value.Value {
	return func() []value.Value {
		var out []value.Value
		for _, n := range sizes {
			out = append(out, i64(n))
		}
		return append(out, args()...)
	}
}

// nnArgs returns hurricane records: where they were seen, and how many of the
// nearest to (30, 90) are wanted.
func nnArgs(n, k int64) func() []value.Value {
	return func() []value.Value {
		r := random(4)
		return []value.Value{i64(k), f32(30), f32(90), r.f32s(7, 64, n), r.f32s(0, 359, n)}
	}
}

// pathfinderArgs returns a wall of rows by cols stones.
func pathfinderArgs(rows, cols int64) func() []value.Value {
	return func() []value.Value {
		r := random(5)
		return []value.Value{r.ints(ir.I32, 0, 10, rows, cols)}
	}
}

// kmeansArgs returns n points of d features around 2k places; every thousandth may
// still change sides in the end.
func kmeansArgs(n, d, k int64) func() []value.Value {
	return func() []value.Value {
		r := random(6)
		places := make([]float64, 2*k*d)
		for i := range places {
			places[i] = r.float(0, 10)
		}
		points := value.New(ir.F32, []int64{n, d})
		for i := range n {
			place := r.below(2 * k)
			for f := range d {
				points.SetBits(i*d+f, f32(float32(places[place*d+f]+r.float(-1, 1))).Bits(0))
			}
		}
		return []value.Value{i64(k), i64(n / 1000), i64(500), points}
	}
}

func sradArgs(h, w, steps int64) func() []value.Value {
	return func() []value.Value {
		r := random(7)
		return []value.Value{i64(steps), f32(0.5), r.ints(ir.U8, 20, 220, h, w)}
	}
}

// backpropArgs returns n inputs to h hidden units and one output.
func backpropArgs(n, h int64) func() []value.Value {
	return func() []value.Value {
		r := random(8)
		return []value.Value{r.f32s(0, 1, n), floats([]float32{0.1}, 1), r.f32s(-0.01, 0.01, n+1, h+1), r.f32s(-1, 1, h+1, 2)}
	}
}

// graphArgs returns a graph of n nodes with about as many edges each as Rodinia's,
// six, and a few nodes that nobody can reach.
func graphArgs(n int64) func() []value.Value {
	return func() []value.Value {
		r := random(9)
		start, degree := value.New(ir.I32, []int64{n}), value.New(ir.I32, []int64{n})
		var edges []uint64
		for i := range n {
			k := 2 + r.below(9)
			start.SetBits(i, uint64(len(edges)))
			degree.SetBits(i, uint64(k))
			for range k {
				edges = append(edges, uint64(r.below(n-n/50)))
			}
		}
		return []value.Value{start, degree, build(ir.I32, []int64{int64(len(edges))}, func(i int64) uint64 { return edges[i] })}
	}
}

// lavaArgs returns side to the third boxes of per particles.
func lavaArgs(side, per int64) func() []value.Value {
	return func() []value.Value {
		r := random(10)
		boxes := side * side * side
		return []value.Value{i64(side), f32(0.5), i64(boxes), r.f32s(0.1, 1, boxes*per, 4), r.f32s(0.1, 1, boxes*per)}
	}
}

// cfdArgs returns a sheet of h by w cells, one thick: its rim is the far field, and
// small plates stand across the flow.
func cfdArgs(h, w, steps int64) func() []value.Value {
	return func() []value.Value {
		r := random(11)
		n := h * w
		neighbours, normals := value.New(ir.I32, []int64{n, 4}), value.New(ir.F32, []int64{n, 4, 3})
		for y := range h {
			for x := range w {
				for k, d := range [][2]int64{{0, 1}, {0, -1}, {1, 0}, {-1, 0}} {
					at := 4*(y*w+x) + int64(k)
					to := int64(-2)
					if ny, nx := y+d[0], x+d[1]; ny >= 0 && ny < h && nx >= 0 && nx < w {
						to = ny*w + nx
						if min(x, nx)%16 == 1 && nx != x && y%8 == 2 {
							to = -1
						}
					}
					neighbours.SetBits(at, uint64(to))
					normals.SetBits(3*at, f32(float32(d[1])).Bits(0))
					normals.SetBits(3*at+1, f32(float32(d[0])).Bits(0))
				}
			}
		}
		return []value.Value{i64(steps), r.f32s(8, 12, n), neighbours, normals}
	}
}
