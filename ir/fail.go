package ir

// Fails reports whether an integer operation, given its right operand, can fail for some left
// operand: a division by zero, or a negative exponent. Analyses, passes and the lowering all ask
// here. CanFail of package accesses also uses facts.
func Fails(op string, y Exp) bool {
	lit, isLit := y.(*Lit)
	switch op {
	case "/", "%", "fdiv", "fmod":
		if n, ok := y.(*Unary); ok && n.Op == "-" {
			lit, isLit = n.X.(*Lit)
		}
		return y.Prim().Integer() && !(isLit && lit.Bits != 0)
	case "**":
		return y.Prim().Signed() && !(isLit && int64(lit.Bits) >= 0)
	}
	return false
}

// Total reports whether an expression reads no memory and cannot fail, whatever values its names
// have.
func Total(e Exp) bool {
	return !AnyExp(e, func(e Exp) bool {
		switch e := e.(type) {
		case *Index:
			return true
		case *Binary:
			return Fails(e.Op, e.Y)
		case *Builtin:
			return len(e.Args) == 2 && Fails(e.Fn, e.Args[1])
		}
		return false
	})
}

// Reads reports whether an expression reads an element.
func Reads(e Exp) bool {
	return AnyExp(e, func(e Exp) bool { _, read := e.(*Index); return read })
}

// Fresh reports whether an operation makes new arrays in the places of its pattern. It needs no
// earlier contents of these places.
func Fresh(op Op) bool {
	switch op.(type) {
	case *Copy, *Concat, *Scratch, *Range, *Replicate, *ArrayLit, *Map, *Reduce, *Scan:
		return true
	}
	return false
}
