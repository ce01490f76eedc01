package scalar

// The hot operations of floats. A constant operand is unpacked once; what is
// no variable is called.

func fastF32(op string, x, y operand) Code {
	i, j, a, b, c := x.slot, y.slot, x.code(), y.code(), getF32(y.bits)
	vv := x.form == isVar && y.form == isVar
	switch {
	case op == "+" && vv:
		return func(fr []uint64) uint64 { return putF32(getF32(fr[i]) + getF32(fr[j])) }
	case op == "+" && y.form == isConst:
		return func(fr []uint64) uint64 { return putF32(getF32(a(fr)) + c) }
	case op == "+":
		return func(fr []uint64) uint64 { return putF32(getF32(a(fr)) + getF32(b(fr))) }
	case op == "-" && vv:
		return func(fr []uint64) uint64 { return putF32(getF32(fr[i]) - getF32(fr[j])) }
	case op == "-" && y.form == isConst:
		return func(fr []uint64) uint64 { return putF32(getF32(a(fr)) - c) }
	case op == "-":
		return func(fr []uint64) uint64 { return putF32(getF32(a(fr)) - getF32(b(fr))) }
	case op == "*" && vv:
		return func(fr []uint64) uint64 { return putF32(getF32(fr[i]) * getF32(fr[j])) }
	case op == "*" && y.form == isConst:
		return func(fr []uint64) uint64 { return putF32(getF32(a(fr)) * c) }
	case op == "*":
		return func(fr []uint64) uint64 { return putF32(getF32(a(fr)) * getF32(b(fr))) }
	case op == "/" && y.form == isConst:
		return func(fr []uint64) uint64 { return putF32(getF32(a(fr)) / c) }
	case op == "/":
		return func(fr []uint64) uint64 { return putF32(getF32(a(fr)) / getF32(b(fr))) }
	case op == "<":
		return func(fr []uint64) uint64 { return Bits(getF32(a(fr)) < getF32(b(fr))) }
	case op == "<=":
		return func(fr []uint64) uint64 { return Bits(getF32(a(fr)) <= getF32(b(fr))) }
	}
	return nil
}

func fastF64(op string, x, y operand) Code {
	i, j, a, b, c := x.slot, y.slot, x.code(), y.code(), getF64(y.bits)
	vv := x.form == isVar && y.form == isVar
	switch {
	case op == "+" && vv:
		return func(fr []uint64) uint64 { return putF64(getF64(fr[i]) + getF64(fr[j])) }
	case op == "+" && y.form == isConst:
		return func(fr []uint64) uint64 { return putF64(getF64(a(fr)) + c) }
	case op == "+":
		return func(fr []uint64) uint64 { return putF64(getF64(a(fr)) + getF64(b(fr))) }
	case op == "-" && vv:
		return func(fr []uint64) uint64 { return putF64(getF64(fr[i]) - getF64(fr[j])) }
	case op == "-" && y.form == isConst:
		return func(fr []uint64) uint64 { return putF64(getF64(a(fr)) - c) }
	case op == "-":
		return func(fr []uint64) uint64 { return putF64(getF64(a(fr)) - getF64(b(fr))) }
	case op == "*" && vv:
		return func(fr []uint64) uint64 { return putF64(getF64(fr[i]) * getF64(fr[j])) }
	case op == "*" && y.form == isConst:
		return func(fr []uint64) uint64 { return putF64(getF64(a(fr)) * c) }
	case op == "*":
		return func(fr []uint64) uint64 { return putF64(getF64(a(fr)) * getF64(b(fr))) }
	case op == "/" && y.form == isConst:
		return func(fr []uint64) uint64 { return putF64(getF64(a(fr)) / c) }
	case op == "/":
		return func(fr []uint64) uint64 { return putF64(getF64(a(fr)) / getF64(b(fr))) }
	case op == "<":
		return func(fr []uint64) uint64 { return Bits(getF64(a(fr)) < getF64(b(fr))) }
	case op == "<=":
		return func(fr []uint64) uint64 { return Bits(getF64(a(fr)) <= getF64(b(fr))) }
	}
	return nil
}
