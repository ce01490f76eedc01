package imp

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
)

// check adds a Check unless its condition is known to hold.
func (b *block) check(cond ir.Exp, code int, args ...ir.Exp) {
	if l, ok := cond.(*ir.Lit); ok && l.Bits != 0 {
		return
	}
	if b.k != nil {
		b.f.l.out.KernelChecks = true
	}
	b.add(&Check{Cond: cond, Code: code, Args: args})
}

// below returns 0 <= i < n as one comparison: a negative i is a large u64.
func below(i, n sym.Poly) ir.Exp {
	if c, ok := i.IsConst(); ok && c >= 0 {
		if m, ok := n.IsConst(); ok && m > c {
			return ir.BoolLit(true)
		}
	}
	return less(unsigned(i.Exp()), unsigned(n.Exp()))
}

// asBelow returns i and n of a condition that below may have made. A program can write one alike,
// of an n that is negative: then it does not say that i is at least 0.
func asBelow(cond ir.Exp) (i, n ir.Exp, ok bool) {
	c, ok := cond.(*ir.Binary)
	if !ok || c.Op != "<" {
		return nil, nil, false
	}
	signed := func(e ir.Exp) ir.Exp {
		switch e := e.(type) {
		case *ir.Convert:
			if e.T == ir.U64 && e.X.Prim() == ir.I64 {
				return e.X
			}
		case *ir.Lit:
			if e.T == ir.U64 {
				return i64(int64(e.Bits))
			}
		}
		return nil
	}
	i, n = signed(c.X), signed(c.Y)
	return i, n, i != nil && n != nil
}

// nonNegative returns e >= 0, as a literal where it is known.
func nonNegative(e ir.Exp) ir.Exp {
	if l, ok := e.(*ir.Lit); ok {
		return ir.BoolLit(int64(l.Bits) >= 0)
	}
	return binary(">=", e, i64(0))
}

func unsigned(e ir.Exp) ir.Exp {
	if l, ok := e.(*ir.Lit); ok {
		return &ir.Lit{Text: l.Text, T: ir.U64, Bits: l.Bits}
	}
	return &ir.Convert{X: e, T: ir.U64}
}

// inRange reports whether an index is provably within a size: it is an index
// variable that runs below just that size.
func (f *fn) inRange(i, n sym.Poly) bool {
	name, ok := i.IsVar()
	if !ok {
		return false
	}
	r, ok := f.bounds[name]
	return ok && f.equal(r.size, n)
}

// checkIndex checks an index of dimension d of a.
func (b *block) checkIndex(a *array, d int, i sym.Poly, at diag.Span) {
	n := a.shape()[d]
	if b.f.l.opt.Unsafe || b.f.inRange(i, n) {
		return
	}
	code := b.f.l.fault(diag.IndexOutside, at, 2, fmt.Sprintf("index %%d is out of bounds for dimension %d of `%s`, whose size is %%d", d, a.name))
	b.check(below(i, n), code, i.Exp(), n.Exp())
}

// spanOf returns an expression's position in the text, or that of the expression around.
func spanOf(e ir.Exp, whole diag.Span) diag.Span {
	if s := e.Span(); s.Known() {
		return s
	}
	return whole
}

// checkItems lowers the items of a slice or an update of a, checks them once all are
// computed, and gives them over imperative scalars.
func (b *block) checkItems(a *array, items []ir.Item, at diag.Span) []ir.Item {
	out := make([]ir.Item, len(items))
	for d, it := range items {
		if it.Fixed {
			out[d] = ir.Item{Fixed: true, Index: b.index(it.Index).Exp()}
			continue
		}
		out[d] = ir.Item{Start: b.index(it.Start).Exp(), Len: b.index(it.Len).Exp()}
		if it.Stride != nil {
			out[d].Stride = b.index(it.Stride).Exp()
		}
	}
	for d, it := range out {
		if b.f.l.never.Item(&items[d]) {
			continue
		}
		span := items[d].Span
		if !span.Known() {
			span = at
		}
		if it.Fixed {
			b.checkIndex(a, d, sym.Of(it.Index), spanOf(items[d].Index, span))
			continue
		}
		stride := sym.Const(1)
		if it.Stride != nil {
			stride = sym.Of(it.Stride)
		}
		b.checkSlice(a, d, sym.Of(it.Start), sym.Of(it.Len), stride, span)
	}
	return out
}

// checkSlice checks that n elements from start on, stride apart, lie within dimension d, and that
// no element occurs twice. An empty slice may start anywhere. It divides, since the product of n-1
// and stride might wrap.
//
//	n = 0 or 0 <= start < size and
//	  (n = 1 or stride = 0 or n-1 <= (stride < 0 ? start : size-1-start) / |stride|)
func (b *block) checkSlice(a *array, d int, start, n, stride sym.Poly, at diag.Span) {
	size := a.shape()[d]
	if b.f.l.opt.Unsafe {
		return
	}
	if start.Is(0) && stride.Is(1) && b.f.equal(n, size) {
		return
	}
	b.checkSize(n, at)
	fits := binary("<=", n.Exp(), size.Sub(start).Exp())
	if !stride.Is(1) {
		room := &ir.Cond{C: less(stride.Exp(), i64(0)), T: ir.I64,
			X: quotient(start.Exp(), stride.Neg().Exp()),
			Y: quotient(size.Sub(sym.Const(1)).Sub(start).Exp(), maximum(stride.Exp(), i64(1)))}
		fits = or(or(is(n, 1), is(stride, 0)), binary("<=", n.Sub(sym.Const(1)).Exp(), room))
	}
	cond := or(is(n, 0), and(below(start, size), fits))
	code := b.f.l.fault(diag.SliceOutside, at, 4, fmt.Sprintf("slice start %%d length %%d stride %%d is out of bounds for dimension %d of `%s`, whose size is %%d", d, a.name))
	b.check(cond, code, start.Exp(), n.Exp(), stride.Exp(), size.Exp())
	if once := or(notAbove(n, sym.Const(1)), not(is(stride, 0))); known(once) != 1 {
		b.check(once, b.f.l.fault(diag.SliceRepeats, at, 1, fmt.Sprintf("slice length %%d stride 0 repeats an element of dimension %d of `%s`", d, a.name)), n.Exp())
	}
}

// is returns p == c, as a literal if it is known.
func is(p sym.Poly, c int64) ir.Exp { return same(p, sym.Const(c)) }

// notAbove returns p <= q, as a literal if it is known.
func notAbove(p, q sym.Poly) ir.Exp {
	if c, ok := p.Sub(q).IsConst(); ok {
		return ir.BoolLit(c <= 0)
	}
	return binary("<=", p.Exp(), q.Exp())
}

// checkSize checks that a size is not negative, and remembers it.
func (b *block) checkSize(n sym.Poly, at diag.Span) {
	if c, ok := n.IsConst(); ok && c >= 0 {
		return
	}
	name, isVar := n.IsVar()
	if isVar {
		for o := b; o != nil; o = o.outer {
			if o.nonneg[name] {
				return
			}
		}
		if _, ok := b.f.bounds[name]; ok {
			return
		}
	}
	if b.f.l.opt.Unsafe {
		return
	}
	b.check(binary(">=", n.Exp(), i64(0)), b.f.l.fault(diag.NegativeSize, at, 1, "negative size %d"), n.Exp())
	if isVar {
		b.nonneg[name] = true
	}
}

// sizes lowers the dims of an array that a statement makes or reshapes.
func (b *block) sizes(s *ir.Stmt, es []ir.Exp) []sym.Poly {
	out := make([]sym.Poly, len(es))
	for i, e := range es {
		out[i] = sym.Of(b.atom(b.exp(e), "n"))
		if !b.proven(s) {
			b.checkSize(out[i], spanOf(e, s.Span))
		}
	}
	return out
}

// equalities checks sizes that must agree and could not be proved to.
func (b *block) equalities(qs []check.Equality, at diag.Span) {
	for _, q := range qs {
		x, y := b.atom(b.exp(q.A), "size"), b.atom(b.exp(q.B), "size")
		b.check(equalTo(x, y), b.f.l.fault(diag.SizesDisagree, at, 2, "sizes differ: "+quote(q.What)+": %d and %d"), x, y)
	}
}

// assert checks the program's own condition.
func (b *block) assert(s *ir.Stmt, op *ir.Assert) {
	at := s.Span
	if sizes, ok := op.Sized(); ok {
		if b.proven(s) {
			return
		}
		shape := make([]sym.Poly, len(sizes))
		for k, n := range sizes {
			shape[k] = sym.Of(b.atom(b.exp(n), "n"))
			here := at
			if op.Threads {
				here = spanOf(n, at)
			}
			b.checkSize(shape[k], here)
		}
		what := tooLarge
		if op.Threads {
			what = tooMany
		}
		b.checkLimit(shape, 1, what, at)
		return
	}
	msg := op.Msg
	if msg == "" {
		msg = ir.ExpString(op.Cond)
	}
	cond := b.exp(op.Cond)
	values := make([]ir.Exp, len(op.Values))
	text := quote(diag.Printable(msg))
	for k, v := range op.Values {
		if values[k] = b.exp(v); values[k].Prim() != ir.I64 {
			values[k] = &ir.Convert{X: values[k], T: ir.I64}
		}
		text = strings.Replace(text, "{}", "%d", 1)
	}
	b.check(cond, b.f.l.fault(diag.FailedAssert, at, len(values), "assertion failed: "+text), values...)
}
