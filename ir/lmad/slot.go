package lmad

import (
	"strconv"

	"github.com/memc-lang/memc/ir/sym"
)

// maxSlot bounds the numbers of slots: the distance of two slots in bytes, at most 2 * maxSlot * ir.MaxBytes, does
// not wrap.
const maxSlot = 1 << 14

// Slot says in which of many equal parts of memory the function lies. Two functions with one key and
// different numbers share no element. ok is false if it lies in none.
//
// Row 7 of a matrix of rows of n lies from 7 * n to 8 * n: memory is cut into parts of the function's own size, and
// this is number 7. Column 7 of a matrix of rows of 100 has elements 7, 107, 207 and so on: of each hundred, number 7.
func (f Fun) Slot() (key string, number int64, ok bool) {
	l, single := f.Single()
	if !single {
		return "", 0, false
	}
	if !l.Contiguous() {
		return l.column()
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

// column is Slot for positions that are equal modulo a number, the greatest that divides all strides.
func (l LMAD) column() (key string, number int64, ok bool) {
	offset, ok := l.Offset.IsConst()
	every := int64(0)
	for _, d := range l.Dims {
		stride, constant := d.Stride.IsConst()
		ok = ok && constant
		for stride != 0 { // Euclid
			every, stride = stride, every%stride
		}
	}
	every = max(every, -every)
	if !ok || offset < 0 || every < 2 {
		return "", 0, false
	}
	return "every " + strconv.FormatInt(every, 10), offset % every, true
}
