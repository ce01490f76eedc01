package simplify

import (
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// Note [Remainders]
//
// A remainder by a size that only the run knows takes as long as dozens of other operations. In
// kernels most of them are indices that wrap around: (i + 1) % n, (i + n - 1) % n. With the facts
// about names,
//
//	0 <= x < w       |-  x % w = x
//	0 <= x < w + w   |-  x % w = if x < w then x else x - w
//
// The second rewrite is made only of an index itself: there the check of bounds looks into the if.

// remainders rewrites remainders in the kernels of a function.
type remainders struct {
	*function
	names *transform.Names
	pre   []*ir.Stmt // to put before the present statement
	any   bool
}

func remainder(f *function) {
	if !dividesInKernel(f.f.Body) {
		return
	}
	r := &remainders{function: f, names: transform.NewNames(f.f)}
	r.body(f.f.Body, false)
	if r.any {
		f.access = nil // there are new statements
	}
}

// dividesInKernel reports whether a kernel in a body computes a remainder.
func dividesInKernel(b *ir.Body) bool {
	found := false
	ir.WalkStmts(b, func(s *ir.Stmt) bool {
		kernel := ir.IsKernel(s.Op)
		if kernel {
			for _, in := range ir.Bodies(s.Op) {
				ir.EachExpIn(in, func(e *ir.Exp) { found = found || hasRemainder(*e) })
			}
		}
		return !kernel && !found
	})
	return found
}

// divided returns the operands of a remainder of integers of type i64, for which a proof is tried.
func divided(e ir.Exp) (x, w ir.Exp, ok bool) {
	switch e := e.(type) {
	case *ir.Binary:
		x, w, ok = e.X, e.Y, e.Op == "%"
	case *ir.Builtin:
		if ok = e.Fn == "fmod"; ok {
			x, w = e.Args[0], e.Args[1]
		}
	}
	return x, w, ok && e.Prim() == ir.I64
}

func hasRemainder(e ir.Exp) bool {
	return ir.AnyExp(e, func(e ir.Exp) bool { _, _, ok := divided(e); return ok })
}

func (r *remainders) body(b *ir.Body, kernel bool) {
	t := r.table()
	out := make([]*ir.Stmt, 0, len(b.Stmts))
	for _, s := range b.Stmts {
		isKernel := ir.IsKernel(s.Op)
		if _, check := s.Op.(*ir.Assert); kernel && !check {
			ir.EachExp(s.Op, func(e *ir.Exp) { *e = r.exp(*e, t.Facts(t.Stmt(s).From), s) })
		}
		out = append(append(out, r.pre...), s)
		r.pre = nil
		for _, inner := range ir.Bodies(s.Op) {
			r.body(inner, kernel || isKernel)
		}
	}
	for k, e := range b.Result {
		if kernel {
			b.Result[k] = r.exp(e, t.Facts(t.Body(b).To), &ir.Stmt{Span: b.In})
		}
	}
	b.Stmts = append(out, r.pre...)
	r.pre = nil
}

// exp rewrites the remainders of an expression that s evaluates.
func (r *remainders) exp(e ir.Exp, f places.Facts, s *ir.Stmt) ir.Exp {
	if !hasRemainder(e) {
		return e
	}
	each := func(e ir.Exp) ir.Exp { return r.exp(e, f, s) }
	if _, ok := e.(*ir.Index); ok {
		return ir.WithOperands(e, func(e ir.Exp) ir.Exp {
			if n := r.wraps(ir.WithOperands(e, each), f, s); n != nil {
				return n
			}
			return each(e)
		})
	}
	e = ir.WithOperands(e, each)
	x, w, ok := divided(e)
	if !ok || !f.AtLeast(sym.Of(x), 0) || !f.Less(sym.Of(x), sym.Of(w)) {
		return e
	}
	if !r.context.Rewrite(e.Span().Or(s.Span), "`%s` is `%s`, which is less already", text{e}, text{x}) {
		return e
	}
	r.any = true
	return x
}

// wraps returns an index that is computed without a division, or nil.
func (r *remainders) wraps(e ir.Exp, f places.Facts, s *ir.Stmt) ir.Exp {
	x, w, ok := divided(e)
	if !ok || !ir.Total(x) || !ir.Total(w) {
		return nil
	}
	p, q := sym.Of(x), sym.Of(w)
	if !f.AtLeast(p, 0) || !f.AtLeast(q, 1) || f.Less(p, q) || !f.Less(p, q.Add(q)) {
		return nil
	}
	at := e.Span()
	if !r.context.Rewrite(at.Or(s.Span), "`%s` needs no division: `%s` is less than twice `%s`", text{e}, text{x}, text{w}) {
		return nil
	}
	r.any = true
	if _, name := x.(*ir.Ref); !name {
		el := &ir.Elem{Name: r.names.Fresh("i"), Type: ir.Scalar(ir.I64), Span: s.Span}
		r.pre = append(r.pre, &ir.Stmt{Pat: []*ir.Elem{el}, Op: &ir.Compute{E: x}, Span: s.Span, Lead: ir.Places(s.Lead)})
		x = &ir.Ref{Name: el.Name, T: ir.I64, At: x.Span()}
	}
	return &ir.Cond{
		C: &ir.Binary{Op: "<", X: x, Y: w, T: ir.Bool, At: at},
		X: x, Y: &ir.Binary{Op: "-", X: x, Y: w, T: ir.I64, At: at}, T: ir.I64, At: at,
	}
}
