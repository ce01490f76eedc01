package ir

import "testing"

// Only masks of the lowest bits are remainders.
func TestAsRemainder(t *testing.T) {
	for mask, want := range map[int64]int64{1: 2, 3: 4, 255: 256, 0: 0, 2: 0, 6: 0, -1: 0, 1<<62 - 1: 0} {
		for _, e := range []Exp{
			&Binary{Op: "&", X: Var("x"), Y: IntLit(mask), T: I64},
			&Binary{Op: "&", X: IntLit(mask), Y: Var("x"), T: I64},
		} {
			m, ok := AsRemainder(e)
			switch {
			case ok != (want > 0):
				t.Errorf("%s: a remainder: %v", ExpString(e), ok)
			case ok && (ExpString(m.Args[0]) != "x" || int64(m.Args[1].(*Lit).Bits) != want):
				t.Errorf("%s is %s, want fmod(x, %d)", ExpString(e), ExpString(m), want)
			}
		}
	}
	if _, ok := AsRemainder(&Binary{Op: "|", X: Var("x"), Y: IntLit(1), T: I64}); ok {
		t.Error("x | 1 is a remainder")
	}
}
