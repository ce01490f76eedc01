package lmad

import "github.com/memc-lang/memc/ir/sym"

// maxSlot bounds the numbers of slots: the distance of two slots in bytes, at most 2 * maxSlot * ir.MaxBytes, does
// not wrap.
const maxSlot = 1 << 14

// Slot cuts memory into slots of the function's own size, and says in which of them it lies: row 7 of a
// matrix of rows of n lies from 7 * n to 8 * n, in slot 7. Two functions with one key and different numbers
// share no element. ok is false if the function is not contiguous.
func (f Fun) Slot() (key string, number int64, ok bool) {
	l, single := f.Single()
	if !single || !l.Contiguous() {
		return "", 0, false
	}
	size := sym.Const(1)
	for _, d := range l.Dims {
		size = size.Mul(d.Len)
	}
	slot, rest := l.Offset.Divide(size)
	number = slot.Constant()
	if number <= -maxSlot || number >= maxSlot {
		return "", 0, false
	}
	return size.String() + "|" + slot.Sub(sym.Const(number)).String() + "|" + rest.String(), number, true
}
