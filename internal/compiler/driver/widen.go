package driver

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// exact is the number of bits of an integer that a float holds exactly.
var exact = map[ir.Prim]int{ir.F16: 11, ir.F32: 24, ir.F64: 53}

// Widen returns the same numbers in another type. It fails where that type does not hold
// every value of v's type exactly.
func Widen(v value.Value, to ir.Prim) (value.Value, bool) {
	from := v.Prim
	switch {
	case from == to:
		return v, true
	case from == ir.Bool || to == ir.Bool,
		from.Float() && (!to.Float() || from.Bits() > to.Bits()),
		from.Integer() && to.Float() && from.Bits() > exact[to],
		from.Integer() && to.Integer() && (from.Bits() >= to.Bits() || from.Signed() && to.Unsigned()):
		return v, false
	}
	out, convert := value.New(to, v.Shape), scalar.Convert(from, to)
	for i := range v.Elems() {
		out.SetBits(i, convert(v.Bits(i)))
	}
	return out, true
}
