package benchmarks

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

func init() {
	oracles["nbody"] = func(args []value.Value) []value.Value {
		steps, epsilon, dt := toInt(args[0]), args[1].Float(0), args[2].Float(0)
		n := args[3].Shape[0]
		b := make([]float64, 10*n)
		for i, x := range toF32(joined(args[3:])) {
			b[i] = float64(x)
		}
		for range steps {
			acc := make([]float64, 3*n)
			for i := range n {
				for j := range i {
					var r [3]float64
					square := epsilon * epsilon
					for k := range int64(3) {
						r[k] = b[10*j+k] - b[10*i+k]
						square += r[k] * r[k]
					}
					f := b[10*i+3] * b[10*j+3] / math.Pow(square, 1.5)
					for k := range int64(3) {
						acc[3*i+k] += f * r[k]
						acc[3*j+k] -= f * r[k]
					}
				}
			}
			for i := range n {
				for k := range int64(3) {
					b[10*i+k] += dt * b[10*i+4+k]
					b[10*i+4+k] += dt * acc[3*i+k]
					b[10*i+7+k] = acc[3*i+k]
				}
			}
		}
		return parted(narrow(b, n, 10))[1:]
	}
}

// bodyColumns are mass, position, velocity and acceleration in a body's ten numbers.
var bodyColumns = [][2]int64{{3, 1}, {0, 3}, {4, 3}, {7, 3}}

// parted takes bodies apart.
func parted(bodies value.Value) []value.Value {
	n := bodies.Shape[0]
	var parts []value.Value
	for _, c := range bodyColumns {
		shape := []int64{n, c[1]}
		if c[1] == 1 {
			shape = shape[:1]
		}
		parts = append(parts, build(ir.F32, shape, func(i int64) uint64 { return bodies.Bits(i/c[1]*10 + c[0] + i%c[1]) }))
	}
	return parts
}

// joined puts bodies together again.
func joined(parts []value.Value) value.Value {
	bodies := value.New(ir.F32, []int64{parts[0].Shape[0], 10})
	for k, c := range bodyColumns {
		for i := range parts[k].Elems() {
			bodies.SetBits(i/c[1]*10+c[0]+i%c[1], parts[k].Bits(i))
		}
	}
	return bodies
}

// Accelerate's example gives its bodies after ten steps.
func TestBodiesOfAccelerate(t *testing.T) {
	var vs [2]value.Value
	for i, name := range []string{"input", "output-t10"} {
		text, err := os.ReadFile(filepath.Join(dataRoot(), "nbody-accelerate-"+name+".txt"))
		if os.IsNotExist(err) {
			t.Logf("data of Accelerate is missing; MEMC_DATA names the folder with data of futhark-benchmarks")
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		r := value.NewReader(name, []byte(strings.NewReplacer("{", "[", "}", "]").Replace(string(text))))
		vs[i] = must.Get(r.Next(f32(0).Prim))(t)
	}
	args := append([]value.Value{i64(10), f32(50), f32(0.1)}, parted(vs[0])...)
	for i, got := range oracles["nbody"](args) {
		if d := value.Diff(parted(vs[1])[i+1], got, value.Tolerance{Rel: 1e-5}); d != "" {
			t.Errorf("result %d: %s", i, d)
		}
	}
}
