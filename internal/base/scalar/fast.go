package scalar

import "github.com/memc-lang/memc/ir"

// fast returns a closure made for one operation, type and form of operands, or
// nil where the operation is not hot. Not both operands are constants.
func fast(op string, p ir.Prim, x, y operand) Code {
	switch op {
	case ">": // x > y is y < x, for NaN too
		return fast("<", p, y, x)
	case ">=":
		return fast("<=", p, y, x)
	}
	switch p {
	case ir.I8:
		return fastInt[int8](op, x, y)
	case ir.I16:
		return fastInt[int16](op, x, y)
	case ir.I32:
		return fastInt[int32](op, x, y)
	case ir.I64:
		return fastInt[int64](op, x, y)
	case ir.U8:
		return fastInt[uint8](op, x, y)
	case ir.U16:
		return fastInt[uint16](op, x, y)
	case ir.U32:
		return fastInt[uint32](op, x, y)
	case ir.U64:
		return fastInt[uint64](op, x, y)
	case ir.F32:
		return fastFloat[float32](op, x, y)
	case ir.F64:
		return fastFloat[float64](op, x, y)
	}
	return nil
}

// fastInt instantiates per type, so that each closure holds the machine
// operation itself. Commutative operations take a constant on the right.
func fastInt[T integer](op string, x, y operand) Code {
	switch op {
	case "+", "*", "==", "!=", "min", "max":
		if x.form == isConst {
			x, y = y, x
		}
	}
	switch op {
	case "+":
		return addInt[T](x, y)
	case "-":
		return subInt[T](x, y)
	case "*":
		return mulInt[T](x, y)
	case "<":
		return ltInt[T](x, y)
	case "<=":
		return leInt[T](x, y)
	case "==":
		return eqInt(x, y)
	case "!=":
		return neInt(x, y)
	case "min":
		a, b := x.code(), y.code()
		return func(fr []uint64) uint64 { return uint64(min(T(a(fr)), T(b(fr)))) }
	case "max":
		a, b := x.code(), y.code()
		return func(fr []uint64) uint64 { return uint64(max(T(a(fr)), T(b(fr)))) }
	case "/", "%":
		// The divisor is a positive constant here; else the operation can fail.
		if y.form == isConst && T(y.bits) != 0 {
			a, c := x.code(), T(y.bits)
			if op == "/" {
				return func(fr []uint64) uint64 { return uint64(T(a(fr)) / c) }
			}
			return func(fr []uint64) uint64 { return uint64(T(a(fr)) % c) }
		}
	}
	return nil
}

func addInt[T integer](x, y operand) Code {
	i, j, a, b, c := x.slot, y.slot, x.run, y.run, T(y.bits)
	switch {
	case x.form == isVar && y.form == isVar:
		return func(fr []uint64) uint64 { return uint64(T(fr[i]) + T(fr[j])) }
	case x.form == isVar && y.form == isConst:
		return func(fr []uint64) uint64 { return uint64(T(fr[i]) + c) }
	case x.form == isVar:
		return func(fr []uint64) uint64 { return uint64(T(fr[i]) + T(b(fr))) }
	case y.form == isVar:
		return func(fr []uint64) uint64 { return uint64(T(a(fr)) + T(fr[j])) }
	case y.form == isConst:
		return func(fr []uint64) uint64 { return uint64(T(a(fr)) + c) }
	}
	return func(fr []uint64) uint64 { return uint64(T(a(fr)) + T(b(fr))) }
}

func subInt[T integer](x, y operand) Code {
	i, j, a, b, c := x.slot, y.slot, x.run, y.run, T(y.bits)
	switch {
	case x.form == isConst:
		k, f := T(x.bits), y.code()
		return func(fr []uint64) uint64 { return uint64(k - T(f(fr))) }
	case x.form == isVar && y.form == isVar:
		return func(fr []uint64) uint64 { return uint64(T(fr[i]) - T(fr[j])) }
	case x.form == isVar && y.form == isConst:
		return func(fr []uint64) uint64 { return uint64(T(fr[i]) - c) }
	case x.form == isVar:
		return func(fr []uint64) uint64 { return uint64(T(fr[i]) - T(b(fr))) }
	case y.form == isVar:
		return func(fr []uint64) uint64 { return uint64(T(a(fr)) - T(fr[j])) }
	case y.form == isConst:
		return func(fr []uint64) uint64 { return uint64(T(a(fr)) - c) }
	}
	return func(fr []uint64) uint64 { return uint64(T(a(fr)) - T(b(fr))) }
}

func mulInt[T integer](x, y operand) Code {
	i, j, a, b, c := x.slot, y.slot, x.run, y.run, T(y.bits)
	switch {
	case x.form == isVar && y.form == isVar:
		return func(fr []uint64) uint64 { return uint64(T(fr[i]) * T(fr[j])) }
	case x.form == isVar && y.form == isConst:
		return func(fr []uint64) uint64 { return uint64(T(fr[i]) * c) }
	case x.form == isVar:
		return func(fr []uint64) uint64 { return uint64(T(fr[i]) * T(b(fr))) }
	case y.form == isVar:
		return func(fr []uint64) uint64 { return uint64(T(a(fr)) * T(fr[j])) }
	case y.form == isConst:
		return func(fr []uint64) uint64 { return uint64(T(a(fr)) * c) }
	}
	return func(fr []uint64) uint64 { return uint64(T(a(fr)) * T(b(fr))) }
}

func ltInt[T integer](x, y operand) Code {
	i, j, a, b, c := x.slot, y.slot, x.code(), y.code(), T(y.bits)
	switch {
	case x.form == isVar && y.form == isVar:
		return func(fr []uint64) uint64 { return Bits(T(fr[i]) < T(fr[j])) }
	case x.form == isVar && y.form == isConst:
		return func(fr []uint64) uint64 { return Bits(T(fr[i]) < c) }
	case y.form == isConst:
		return func(fr []uint64) uint64 { return Bits(T(a(fr)) < c) }
	}
	return func(fr []uint64) uint64 { return Bits(T(a(fr)) < T(b(fr))) }
}

func leInt[T integer](x, y operand) Code {
	i, j, a, b, c := x.slot, y.slot, x.code(), y.code(), T(y.bits)
	switch {
	case x.form == isVar && y.form == isVar:
		return func(fr []uint64) uint64 { return Bits(T(fr[i]) <= T(fr[j])) }
	case x.form == isVar && y.form == isConst:
		return func(fr []uint64) uint64 { return Bits(T(fr[i]) <= c) }
	case y.form == isConst:
		return func(fr []uint64) uint64 { return Bits(T(a(fr)) <= c) }
	}
	return func(fr []uint64) uint64 { return Bits(T(a(fr)) <= T(b(fr))) }
}

// eqInt needs no type: a value has one representation.
func eqInt(x, y operand) Code {
	i, j, a, b, c := x.slot, y.slot, x.code(), y.code(), y.bits
	switch {
	case x.form == isVar && y.form == isVar:
		return func(fr []uint64) uint64 { return Bits(fr[i] == fr[j]) }
	case x.form == isVar && y.form == isConst:
		return func(fr []uint64) uint64 { return Bits(fr[i] == c) }
	case y.form == isConst:
		return func(fr []uint64) uint64 { return Bits(a(fr) == c) }
	}
	return func(fr []uint64) uint64 { return Bits(a(fr) == b(fr)) }
}

func neInt(x, y operand) Code {
	a, b, c := x.code(), y.code(), y.bits
	if y.form == isConst {
		return func(fr []uint64) uint64 { return Bits(a(fr) != c) }
	}
	return func(fr []uint64) uint64 { return Bits(a(fr) != b(fr)) }
}
