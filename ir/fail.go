package ir

// Fails tells whether an integer operation can fail for some left operand, given the right
// one: a division by zero, or a negative exponent. It is the one answer of analyses, passes
// and the lowering; what facts tell beyond it, package accesses says (CanFail).
func Fails(op string, y Exp) bool {
	lit, isLit := y.(*Lit)
	switch op {
	case "/", "%", "fdiv", "fmod":
		return y.Prim().Integer() && !(isLit && lit.Bits != 0)
	case "**":
		return y.Prim().Signed() && !(isLit && int64(lit.Bits) >= 0)
	}
	return false
}

// Total tells whether an expression reads no memory and cannot fail, whatever its names
// stand for.
func Total(e Exp) bool {
	ok := true
	WalkExp(e, func(e Exp) bool {
		switch e := e.(type) {
		case *Index:
			ok = false
		case *Binary:
			ok = ok && !Fails(e.Op, e.Y)
		case *Builtin:
			ok = ok && (len(e.Args) != 2 || !Fails(e.Fn, e.Args[1]))
		}
		return ok
	})
	return ok
}

// Reads tells whether an expression reads an element.
func Reads(e Exp) bool {
	found := false
	WalkExp(e, func(e Exp) bool {
		_, index := e.(*Index)
		found = found || index
		return !found
	})
	return found
}

// Fresh tells whether an operation makes its arrays anew, in the places of its pattern: what
// was there before is not needed.
func Fresh(op Op) bool {
	switch op.(type) {
	case *Copy, *Concat, *Scratch, *Range, *Replicate, *ArrayLit, *Map, *Reduce, *Scan:
		return true
	}
	return false
}
