package memcheck

import "github.com/memc-lang/memc/ir/sym/integer"

// A poly is a polynomial with integer coefficients over names and opaque expressions. Both are
// numbers here (names.go), since proofs compare and combine polynomials too often for texts. The
// zero poly is 0.
//
// If coefficients or terms become too many or too large, the poly is bad, and nothing can be proved
// about it. Arithmetic here is that of the integers, not of i64: an expression that may wrap around
// is a number of its own (Note [Wrapping]).
type (
	poly = integer.Poly[int32]
	term = integer.Term[int32]
)

func constant(c int64) poly { return integer.Const[int32](c) }

func asPoly(id int32) poly { return integer.Atom(id) }

// number returns the value of a constant, if it is not too large to compute with.
func number(p poly) (int64, bool) {
	c, ok := p.IsConst()
	return c, ok && integer.Abs(c) <= integer.MaxCoef
}
