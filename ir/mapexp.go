package ir

import "slices"

// MapExp rebuilds an expression from the leaves up: it calls f with every node, whose operands are
// already rebuilt, and puts f's result in place of the node. The original expression does not
// change; nil gives nil.
func MapExp(e Exp, f func(Exp) Exp) Exp {
	if e == nil {
		return nil
	}
	var few [4]Exp
	operands := few[:0]
	Operands(e, func(x Exp) { operands = append(operands, MapExp(x, f)) })
	return f(withOperands(e, operands))
}

// WithOperands returns an expression with f's results in place of its operands, in the order of the text,
// or the expression itself if f changes none.
func WithOperands(e Exp, f func(Exp) Exp) Exp {
	var few [4]Exp
	operands, changed := few[:0], false
	Operands(e, func(x Exp) {
		y := f(x)
		operands, changed = append(operands, y), changed || y != x
	})
	if !changed {
		return e
	}
	return withOperands(e, operands)
}

// withOperands returns a copy of an expression's node with other operands.
func withOperands(e Exp, operands []Exp) Exp {
	switch e := e.(type) { // exhaustive
	case *Lit:
		return copyOf(e)
	case *Ref:
		return copyOf(e)
	case *Exist:
		return copyOf(e)
	case *Index:
		n := copyOf(e)
		n.Indices = slices.Clone(operands)
		return n
	case *Unary:
		n := copyOf(e)
		n.X = operands[0]
		return n
	case *Binary:
		n := copyOf(e)
		n.X, n.Y = operands[0], operands[1]
		return n
	case *Cond:
		n := copyOf(e)
		n.C, n.X, n.Y = operands[0], operands[1], operands[2]
		return n
	case *Convert:
		n := copyOf(e)
		n.X = operands[0]
		return n
	case *Builtin:
		n := copyOf(e)
		n.Args = slices.Clone(operands)
		return n
	}
	return e
}

func copyOf[T any](x *T) *T {
	n := *x
	return &n
}

// Operands calls f for the operands of an expression, in the order of the text.
func Operands(e Exp, f func(Exp)) {
	switch e := e.(type) { // exhaustive
	case *Lit, *Ref, *Exist:
	case *Index:
		for _, x := range e.Indices {
			f(x)
		}
	case *Unary:
		f(e.X)
	case *Binary:
		f(e.X)
		f(e.Y)
	case *Cond:
		f(e.C)
		f(e.X)
		f(e.Y)
	case *Convert:
		f(e.X)
	case *Builtin:
		for _, x := range e.Args {
			f(x)
		}
	}
}
