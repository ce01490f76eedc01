package value

import (
	"fmt"
	"math"
)

// Tolerance is how far floats may lie apart and still count as equal: relative
// to the larger magnitude, or absolute near zero. Device arithmetic reorders
// reductions and has its own exp and sin, so results differ in the last digits.
type Tolerance struct{ Rel, Abs float64 }

// DefaultTolerance is that of `memc test` (docs/testing.md).
var DefaultTolerance = Tolerance{Rel: 2e-3, Abs: 1e-5}

// Exact allows no difference but that of two NaNs' bits.
var Exact = Tolerance{}

// Diff tells in one line how got differs from want, or gives "".
func Diff(want, got Value, tol Tolerance) string {
	if want.Type() != got.Type() {
		return fmt.Sprintf("type %s, expected %s", got.Type(), want.Type())
	}
	n := want.Elems()
	for i := range n {
		if same(want, got, i, tol) {
			continue
		}
		return fmt.Sprintf("%s is %s, expected %s", at(want.Shape, i), scalarText(got, i), scalarText(want, i))
	}
	return ""
}

func same(a, b Value, i int64, tol Tolerance) bool {
	if !a.Prim.Float() {
		return a.Bits(i) == b.Bits(i)
	}
	x, y := a.Float(i), b.Float(i)
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	if x == y {
		return true
	}
	if math.IsInf(x, 0) || math.IsInf(y, 0) {
		return false
	}
	d := math.Abs(x - y)
	return d <= tol.Abs || d <= tol.Rel*max(math.Abs(x), math.Abs(y))
}

// at returns "element [2, 3]" for a flat index, "the value" for a scalar.
func at(shape []int64, flat int64) string {
	if len(shape) == 0 {
		return "the value"
	}
	ix := make([]int64, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		ix[k], flat = flat%shape[k], flat/shape[k]
	}
	s := "element ["
	for k, x := range ix {
		if k > 0 {
			s += ", "
		}
		s += fmt.Sprint(x)
	}
	return s + "]"
}
