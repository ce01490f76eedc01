package benchmarks

import (
	"math"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

func magnitude(x float32) float32 { return max(x, -x) }

// myocyteRates returns the derivative of a cell's whole state: that of the cell and of calmodulin in
// three compartments, and what couples them.
func myocyteRates(t float32, y []float32, params []float32) []float32 {
	d := make([]float32, 91)
	ecc(t, params[0], y, d)
	for c := range 3 {
		j := cam(1e3*y[35+c], params[1+5*c:], y[46+15*c:], d[46+15*c:])
		d[35+c] += 1e-3 * j
	}
	const volDyad, volSub, volCyt = 1.779e-14, 6.6013e-13, 2.1454e-11
	dyad, sub, cyt := y[46:61], y[61:76], y[76:91]
	taken := float32(0)
	for form, x := range dyad {
		switch form {
		case 6, 7, 8, 9:
			taken += params[3] * x
		case 10, 11:
		default:
			taken += x
		}
	}
	for form, off := range []float32{0.0014, 0.0014 / 100, 0.0014 / 100} {
		fromDyad := 1e-3 * (off*dyad[form] - 0.0014/0.2*(params[2]-taken)*sub[form])
		fromSub := 8.587e-15 * (sub[form] - cyt[form])
		d[46+form] -= fromDyad
		d[61+form] += fromDyad*volDyad/volSub - fromSub/volSub
		d[76+form] += fromSub / volCyt
	}
	for k, x := range d {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			d[k] = 1e-4
		}
	}
	return d
}

// fehlberg78 makes one step of Fehlberg's method of orders 7 and 8. It returns the state after it,
// and the estimated error of each element.
func fehlberg78(t, h float32, y, params []float32) (next, err []float32) {
	type part struct {
		stage  int
		factor float32
	}
	times := []float32{0, 2. / 27, 1. / 9, 1. / 6, 5. / 12, 1. / 2, 5. / 6, 1. / 6, 2. / 3, 1. / 3, 1, 0, 1}
	tableau := [][]part{
		{},
		{{0, 2. / 27}},
		{{0, 1. / 36}, {1, 1. / 12}},
		{{0, 1. / 24}, {2, 1. / 8}},
		{{0, 5. / 12}, {2, -25. / 16}, {3, 25. / 16}},
		{{0, 1. / 20}, {3, 1. / 4}, {4, 1. / 5}},
		{{0, -25. / 108}, {3, 125. / 108}, {4, -65. / 27}, {5, 125. / 54}},
		{{0, 31. / 300}, {4, 61. / 225}, {5, -2. / 9}, {6, 13. / 900}},
		{{0, 2}, {3, -53. / 6}, {4, 704. / 45}, {5, -107. / 9}, {6, 67. / 90}, {7, 3}},
		{{0, -91. / 108}, {3, 23. / 108}, {4, -976. / 135}, {5, 311. / 54}, {6, -19. / 60}, {7, 17. / 6}, {8, -1. / 12}},
		{{0, 2383. / 4100}, {3, -341. / 164}, {4, 4496. / 1025}, {5, -301. / 82}, {6, 2133. / 4100}, {7, 45. / 82}, {8, 45. / 164}, {9, 18. / 41}},
		{{0, 3. / 205}, {5, -6. / 41}, {6, -3. / 205}, {7, -3. / 41}, {8, 3. / 41}, {9, 6. / 41}},
		{{0, -1777. / 4100}, {3, -341. / 164}, {4, 4496. / 1025}, {5, -289. / 82}, {6, 2193. / 4100}, {7, 51. / 82}, {8, 33. / 164}, {9, 12. / 41}, {11, 1}},
	}
	var k [13][]float32
	for s, parts := range tableau {
		z := append([]float32(nil), y...)
		for _, p := range parts {
			for e := range z {
				z[e] += h * p.factor * k[p.stage][e]
			}
		}
		k[s] = myocyteRates(t+times[s]*h, z, params)
	}
	next, err = make([]float32, 91), make([]float32, 91)
	for e := range y {
		next[e] = y[e] + h*(41./840*(k[0][e]+k[10][e])+34./105*k[5][e]+9./35*(k[6][e]+k[7][e])+9./280*(k[8][e]+k[9][e]))
		err[e] = magnitude(41. / 840 * (k[0][e] + k[10][e] - k[11][e] - k[12][e]))
	}
	return next, err
}

// beat follows a cell from y for xmax milliseconds, and reports whether its last attempts succeeded.
func beat(xmax int, y, params []float32) ([]float32, bool) {
	tolerance := 10 / float32(xmax)
	for ms := range xmax {
		t, h, ok := float32(ms), float32(1), false
		next := y
		for try := 0; try < 12 && !ok; try++ {
			var err []float32
			next, err = fehlberg78(t, h, y, params)
			scale := float32(4)
			ok = true
			for e, err := range err {
				size := magnitude(y[e])
				if size == 0 {
					size = tolerance
				}
				ok = ok && err <= tolerance*size
				scale = min(scale, 0.8*pow32(tolerance*size/err, 1./7))
			}
			h = min(h*max(scale, 0.125), 0.9)
			if end := float32(xmax); t+h > end {
				h = end - t
			} else if t+1.5*h > end {
				h /= 2
			}
		}
		if y = next; !ok {
			return y, false
		}
	}
	return y, xmax >= 0
}

func init() {
	oracles["myocyte"] = func(args []value.Value) []value.Value {
		repeat, eps, cells, xmax := toInt(args[0]), float32(args[1].Float(0)), toInt(args[2]), toInt(args[3])
		all, out := true, []float32{}
		for i := range cells {
			y := toF32(args[4])
			for e := range y {
				y[e] += float32(i%repeat) * eps
			}
			end, ok := beat(int(xmax), y, toF32(args[5]))
			all, out = all && ok, append(out, end...)
		}
		return []value.Value{value.Scalar(ir.Bool, map[bool]uint64{true: 1}[all]), floats(out, cells, 91)}
	}
	references = append(references, reference{benchmark: "myocyte", in: "myocyte-small.in", out: "myocyte-small.out", oracle: true})
}

// Every number is right, also the small ones, for which the tests of all programs would take 0: of
// cells far from rest, after no time, and where time runs backwards, which fails.
func TestMyocyte(t *testing.T) {
	b, _ := Lookup("myocyte")
	p, list := driver.Check(diag.NewFile(b.Path(), b.Source()))
	must.Do(t, list.Err())
	for _, args := range [][]value.Value{
		myocyteArgs(5, 0.01, 6, 2)(), myocyteArgs(3, 0.1, 3, 3)(), myocyteArgs(2, 0.01, 2, 0)(), myocyteArgs(2, 0.01, 2, -1)(),
	} {
		want := oracles["myocyte"](args)
		got := must.Get(interp.ByValue(p, "main", args, interp.Options{}))(t)
		for i := range want {
			if d := value.Diff(want[i], got[i], value.Tolerance{Rel: 1e-4}); d != "" {
				t.Errorf("%d ms, result %d: %s", toInt(args[3]), i, d)
			}
		}
	}
}
