package driver

import (
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// TestWiden tries all pairs of types. Where a type is wide enough the least, the greatest and
// some other number survive the way there; where it is not it is refused.
func TestWiden(t *testing.T) {
	wider := map[ir.Prim][]ir.Prim{
		ir.I8:  {ir.I16, ir.I32, ir.I64, ir.F16, ir.F32, ir.F64},
		ir.I16: {ir.I32, ir.I64, ir.F32, ir.F64},
		ir.I32: {ir.I64, ir.F64},
		ir.U8:  {ir.I16, ir.I32, ir.I64, ir.U16, ir.U32, ir.U64, ir.F16, ir.F32, ir.F64},
		ir.U16: {ir.I32, ir.I64, ir.U32, ir.U64, ir.F32, ir.F64},
		ir.U32: {ir.I64, ir.U64, ir.F64},
		ir.F16: {ir.F32, ir.F64},
		ir.F32: {ir.F64},
	}
	for _, from := range ir.Prims {
		may := map[ir.Prim]bool{from: true}
		for _, to := range wider[from] {
			may[to] = true
		}
		for _, to := range ir.Prims {
			v := value.New(from, []int64{3})
			v.SetBits(0, 1<<(from.Bits()-1)) // the least integer, or -0.0
			v.SetBits(1, 1<<(from.Bits()-1)-1)
			v.SetBits(2, 5)
			if from == ir.Bool {
				v.SetBits(0, 1)
				v.SetBits(1, 0)
				v.SetBits(2, 1)
			}
			got, ok := Widen(v, to)
			if ok != may[to] {
				t.Errorf("%s to %s: %v", from, to, ok)
				continue
			}
			for i := range int64(3) {
				if ok && number(got, i) != number(v, i) && number(v, i) == number(v, i) {
					t.Errorf("%s to %s: element %d is %v, and was %v", from, to, i, number(got, i), number(v, i))
				}
			}
		}
	}
}

// number returns an element as a float; of an i64 or u64 only the low bits count here.
func number(v value.Value, i int64) float64 {
	switch {
	case v.Prim.Float():
		return v.Float(i)
	case v.Prim.Unsigned() || v.Prim == ir.Bool:
		return float64(v.Bits(i))
	}
	return float64(int64(v.Bits(i)))
}
