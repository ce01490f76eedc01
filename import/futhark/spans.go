package futhark

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// locate gives every expression of a function that has no position that of its
// statement, so that every message and every fault at run time points into the
// dump.
func locate(f *ir.Func) {
	for _, e := range f.Params {
		placeAt(e.Type.Place, f.Span)
	}
	for _, r := range f.Results {
		placeAt(r.Type.Place, f.Span)
	}
	locateBody(f.Body)
}

func locateBody(b *ir.Body) {
	for _, s := range b.Stmts {
		ir.Exps(s.Op, func(e ir.Exp) { expAt(e, s.Span) })
		for _, e := range s.Pat {
			placeAt(e.Type.Place, s.Span)
		}
		ir.Elems(s.Op, func(e *ir.Elem) {
			if e.Span == (diag.Span{}) {
				e.Span = s.Span
			}
			placeAt(e.Type.Place, s.Span)
		})
		for _, in := range ir.Bodies(s.Op) {
			locateBody(in)
		}
	}
	for _, e := range b.Result {
		expAt(e, b.Span)
	}
}

func placeAt(p *ir.Place, at diag.Span) {
	ir.PlaceExps(p, func(e ir.Exp) { expAt(e, at) })
}

func expAt(e ir.Exp, at diag.Span) {
	ir.WalkExp(e, func(e ir.Exp) bool {
		if e.Span() != (diag.Span{}) {
			return true
		}
		switch e := e.(type) {
		case *ir.Lit:
			e.At = at
		case *ir.Ref:
			e.At = at
		case *ir.Exist:
			e.At = at
		case *ir.Index:
			e.At = at
		case *ir.Unary:
			e.At = at
		case *ir.Binary:
			e.At = at
		case *ir.Cond:
			e.At = at
		case *ir.Convert:
			e.At = at
		case *ir.Builtin:
			e.At = at
		}
		return true
	})
}
