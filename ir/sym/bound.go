package sym

import "github.com/memc-lang/memc/ir"

// maxBoundDepth bounds how many definitions a bound is made of.
const maxBoundDepth = 40

// Bound returns an upper (or lower) bound of an integer expression, as an expression that is known;
// nil if it finds none. defined returns the definition of a name, or an upper (or lower) bound of
// the name, or nil. Nothing may wrap.
func Bound(e ir.Exp, most bool, known func(ir.Exp) bool, defined func(name string, most bool) ir.Exp) ir.Exp {
	b := bounder{known, defined}
	return b.bound(e, most, 0)
}

type bounder struct {
	known   func(ir.Exp) bool
	defined func(name string, most bool) ir.Exp
}

func (b *bounder) bound(e ir.Exp, most bool, depth int) ir.Exp {
	if depth++; depth > maxBoundDepth {
		return nil
	}
	if b.known(e) {
		return e
	}
	switch e := e.(type) {
	case *ir.Ref:
		if d := b.defined(e.Name, most); d != nil {
			return b.bound(d, most, depth)
		}
	case *ir.Binary:
		if e.Op != "+" && e.Op != "-" {
			return nil
		}
		x, y := b.bound(e.X, most, depth), b.bound(e.Y, most == (e.Op == "+"), depth)
		if x != nil && y != nil {
			return Of(&ir.Binary{Op: e.Op, X: x, Y: y, T: ir.I64}).Exp()
		}
	case *ir.Builtin:
		if e.Fn != "min" && e.Fn != "max" {
			return nil
		}
		x, y := b.bound(e.Args[0], most, depth), b.bound(e.Args[1], most, depth)
		switch {
		case (e.Fn == "min") == most && x == nil:
			return y
		case (e.Fn == "min") == most && y == nil:
			return x
		case x != nil && y != nil:
			return &ir.Builtin{Fn: e.Fn, Args: []ir.Exp{x, y}, T: ir.I64}
		}
	}
	return nil
}
