package ir

// maxMask bounds the numbers for which a mask counts as a remainder.
const maxMask = 1 << 46

// AsRemainder writes x & (n - 1), of i64 numbers and with a power n of 2, as fmod(x, n): two's complement
// makes it that for negative x, too.
func AsRemainder(e Exp) (*Builtin, bool) {
	b, ok := e.(*Binary)
	if !ok || b.Op != "&" || b.T != I64 {
		return nil, false
	}
	x, y := b.X, b.Y
	if _, left := x.(*Lit); left {
		x, y = y, x
	}
	mask, ok := y.(*Lit)
	if !ok || mask.Bits == 0 || mask.Bits&(mask.Bits+1) != 0 || mask.Bits >= maxMask {
		return nil, false
	}
	return &Builtin{Fn: "fmod", Args: []Exp{x, IntLit(int64(mask.Bits + 1))}, T: I64, At: b.At}, true
}
