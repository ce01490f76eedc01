package ir

import "slices"

// MapExp rebuilds an expression from the leaves up: it calls f with every node, whose operands are
// already rebuilt, and puts f's result in place of the node. The original expression does not
// change; nil gives nil.
func MapExp(e Exp, f func(Exp) Exp) Exp {
	if e == nil {
		return nil
	}
	n := node(e)
	eachOperand(n, func(x *Exp) { *x = MapExp(*x, f) })
	return f(n)
}

// WithOperands returns an expression with f's results in place of its operands, in the order of the text,
// or the expression itself if f changes none.
func WithOperands(e Exp, f func(Exp) Exp) Exp {
	var all [4]Exp
	out, changed := all[:0], false
	eachOperand(e, func(x *Exp) {
		y := f(*x)
		out, changed = append(out, y), changed || y != *x
	})
	if !changed {
		return e
	}
	n := node(e)
	eachOperand(n, func(x *Exp) { *x, out = out[0], out[1:] })
	return n
}

// node returns a copy of a node with the same operands.
func node(e Exp) Exp {
	switch e := e.(type) { // exhaustive
	case *Lit:
		return copyOf(e)
	case *Ref:
		return copyOf(e)
	case *Exist:
		return copyOf(e)
	case *Index:
		n := copyOf(e)
		n.Indices = slices.Clone(e.Indices)
		return n
	case *Unary:
		return copyOf(e)
	case *Binary:
		return copyOf(e)
	case *Cond:
		return copyOf(e)
	case *Convert:
		return copyOf(e)
	case *Builtin:
		n := copyOf(e)
		n.Args = slices.Clone(e.Args)
		return n
	}
	return e
}

func copyOf[T any](x *T) *T {
	n := *x
	return &n
}

// Operands calls f for the operands of an expression, in the order of the text. It is asked so often that it does not
// call eachOperand: 10,000 parameters took 10 % longer then.
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

func eachOperand(e Exp, f func(*Exp)) {
	switch e := e.(type) { // exhaustive
	case *Lit, *Ref, *Exist:
	case *Index:
		for k := range e.Indices {
			f(&e.Indices[k])
		}
	case *Unary:
		f(&e.X)
	case *Binary:
		f(&e.X)
		f(&e.Y)
	case *Cond:
		f(&e.C)
		f(&e.X)
		f(&e.Y)
	case *Convert:
		f(&e.X)
	case *Builtin:
		for k := range e.Args {
			f(&e.Args[k])
		}
	}
}
