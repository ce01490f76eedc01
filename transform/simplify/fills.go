package simplify

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Note [Fills]
//
//	let zeros = replicate (k) 0i32
//	let padded = concat@0 (zeros, xs, zeros)
//
// `coalesce` can make `zeros` in one part of `padded`, and the other part is then a copy of it. But to
// make a fill anew takes a store, and to copy it a load and a store. So each statement that moves a
// fill to a place of its own has one that nobody else moves. If it stands in a loop, a branch or a
// kernel, the fill is made there: then no block holds it from outside. For the same reason two equal
// fills that are both moved stay two.

// isFill reports whether an operation makes elements that are a scalar, or numbers in a row.
func isFill(op ir.Op) bool {
	switch op := op.(type) {
	case *ir.Range:
		return !ir.Reads(op.Lo) && !ir.Reads(op.Hi)
	case *ir.Replicate:
		return op.X.Prim() != ir.Unknown && !ir.Reads(op.X) && !slices.ContainsFunc(op.Dims, ir.Reads)
	}
	return false
}

// eachMoved calls f for the arrays that a statement moves to places of their own.
func eachMoved(op ir.Op, f func(x *string)) {
	switch op := op.(type) {
	case *ir.Concat:
		for k := range op.Args {
			f(&op.Args[k])
		}
	case *ir.Update:
		array(&op.Value, f)
	case *ir.Loop:
		for k := range op.Params {
			array(&op.Params[k].Init, f)
		}
	}
}

// array calls f for the array that an expression is, if it is one. The expression gets the name that f leaves.
func array(e *ir.Exp, f func(x *string)) {
	if r, ok := (*e).(*ir.Ref); ok && r.T == ir.Unknown {
		own := *r
		if f(&own.Name); own.Name != r.Name {
			*e = &own
		}
	}
}

// A filler gives statements fills of their own.
type filler struct {
	*function
	names *transform.Names
	made  map[string]*fill
}

// A fill is a statement that makes an array of such elements.
type fill struct {
	stmt  *ir.Stmt
	body  *ir.Body // in which it stands
	moved bool     // a statement of that body has moved it
}

// fills gives each statement that moves a fill one of its own.
func fills(f *function) {
	w := &filler{function: f, made: map[string]*fill{}}
	before := f.context.Rewrites
	if w.body(f.f.Body); f.context.Rewrites > before {
		f.access = nil
	}
}

func (w *filler) body(b *ir.Body) {
	out := make([]*ir.Stmt, 0, len(b.Stmts))
	for _, s := range b.Stmts {
		eachMoved(s.Op, func(x *string) { out = w.own(x, b, out) })
		for _, inner := range ir.Bodies(s.Op) {
			w.body(inner)
		}
		if isFill(s.Op) {
			w.made[s.Pat[0].Name] = &fill{stmt: s, body: b}
		}
		out = append(out, s)
	}
	b.Stmts = out
}

// own lets x, which the next statement of a body moves, be a fill that only this one moves.
func (w *filler) own(x *string, b *ir.Body, out []*ir.Stmt) []*ir.Stmt {
	f := w.made[*x]
	if f == nil {
		return out
	}
	if f.body == b && !f.moved {
		f.moved = true
		return out
	}
	if f.body != b && w.table().CanFail(f.stmt) { // it would stay where it is, too
		return out
	}
	if !w.context.Rewrite(f.stmt.Span, "`%s` is made once more where it is moved: to copy it takes as long", *x) {
		return out
	}
	if w.names == nil {
		w.names = transform.NewNames(w.f)
	}
	again := ir.CloneBody(&ir.Body{Stmts: []*ir.Stmt{f.stmt}}).Stmts[0]
	*x = w.names.Fresh(*x)
	again.Pat[0].Name = *x
	return append(out, again)
}
