package ir

import "slices"

// MapExp rebuilds an expression from the leaves up: it calls f with every node, whose operands are
// already rebuilt, and puts f's result in place of the node. The original expression does not
// change; nil gives nil.
func MapExp(e Exp, f func(Exp) Exp) Exp {
	if e == nil {
		return nil
	}
	switch e := e.(type) { // exhaustive
	case *Lit:
		n := *e
		return f(&n)
	case *Ref:
		n := *e
		return f(&n)
	case *Exist:
		n := *e
		return f(&n)
	case *Index:
		n := *e
		n.Indices = mapExps(e.Indices, f)
		return f(&n)
	case *Unary:
		n := *e
		n.X = MapExp(e.X, f)
		return f(&n)
	case *Binary:
		n := *e
		n.X, n.Y = MapExp(e.X, f), MapExp(e.Y, f)
		return f(&n)
	case *Cond:
		n := *e
		n.C, n.X, n.Y = MapExp(e.C, f), MapExp(e.X, f), MapExp(e.Y, f)
		return f(&n)
	case *Convert:
		n := *e
		n.X = MapExp(e.X, f)
		return f(&n)
	case *Builtin:
		n := *e
		n.Args = mapExps(e.Args, f)
		return f(&n)
	}
	return f(e)
}

func mapExps(es []Exp, f func(Exp) Exp) []Exp {
	n := slices.Clone(es)
	for i, e := range es {
		n[i] = MapExp(e, f)
	}
	return n
}
