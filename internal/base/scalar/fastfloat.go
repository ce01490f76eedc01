package scalar

import (
	"math"
	"unsafe"
)

// The hot operations of floats. A constant operand is unpacked once; what is
// no variable is called.

func fastFloat[T float](op string, x, y operand) Code {
	i, j, a, b, c := x.slot, y.slot, x.code(), y.code(), get[T](y.bits)
	vv := x.form == isVar && y.form == isVar
	switch {
	case op == "+" && vv:
		return func(fr []uint64) uint64 { return put(get[T](fr[i]) + get[T](fr[j])) }
	case op == "+" && y.form == isConst:
		return func(fr []uint64) uint64 { return put(get[T](a(fr)) + c) }
	case op == "+":
		return func(fr []uint64) uint64 { return put(get[T](a(fr)) + get[T](b(fr))) }
	case op == "-" && vv:
		return func(fr []uint64) uint64 { return put(get[T](fr[i]) - get[T](fr[j])) }
	case op == "-" && y.form == isConst:
		return func(fr []uint64) uint64 { return put(get[T](a(fr)) - c) }
	case op == "-":
		return func(fr []uint64) uint64 { return put(get[T](a(fr)) - get[T](b(fr))) }
	case op == "*" && vv:
		return func(fr []uint64) uint64 { return put(get[T](fr[i]) * get[T](fr[j])) }
	case op == "*" && y.form == isConst:
		return func(fr []uint64) uint64 { return put(get[T](a(fr)) * c) }
	case op == "*":
		return func(fr []uint64) uint64 { return put(get[T](a(fr)) * get[T](b(fr))) }
	case op == "/" && y.form == isConst:
		return func(fr []uint64) uint64 { return put(get[T](a(fr)) / c) }
	case op == "/":
		return func(fr []uint64) uint64 { return put(get[T](a(fr)) / get[T](b(fr))) }
	case op == "<":
		return func(fr []uint64) uint64 { return Bits(get[T](a(fr)) < get[T](b(fr))) }
	case op == "<=":
		return func(fr []uint64) uint64 { return Bits(get[T](a(fr)) <= get[T](b(fr))) }
	}
	return nil
}

// get and put convert between a float and its bits. Which of the two types T is, is known when
// they are compiled.
func get[T float](x uint64) T {
	if unsafe.Sizeof(T(0)) == 4 {
		return T(math.Float32frombits(uint32(x)))
	}
	return T(math.Float64frombits(x))
}

func put[T float](f T) uint64 {
	if unsafe.Sizeof(f) == 4 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(float64(f))
}
