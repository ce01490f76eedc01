package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// An array describes an array to the lowering: a memory variable, an index
// function and a shape over the scalars of the imperative form.
type array struct {
	name string // as the user wrote it
	prim ir.Prim
	mem  string
	fun  lmad.Fun
}

func (a *array) shape() []sym.Poly { return a.fun.Shape() }

// bind notes an array that is bound in b, and that its sizes are not negative.
func (b *block) bind(e *ir.Elem) *array {
	a := b.arrayOf(e)
	b.f.arrays[e.Name] = a
	for _, d := range a.shape() {
		if name, ok := d.IsVar(); ok {
			b.nonneg[name] = true
		}
	}
	b.within(a.shape(), a.prim.Size())
	return a
}

// arrayOf returns the array that an element describes. What its place needs to
// evaluate and cannot be part of a total expression is evaluated now.
func (b *block) arrayOf(e *ir.Elem) *array {
	return &array{name: e.Name, prim: e.Type.Prim, mem: b.f.placeMem(e.Type.Place), fun: b.ofWorker(e.Type, b.fun(e.Type))}
}

func (f *fn) placeMem(p *ir.Place) string {
	if p == nil {
		return ""
	}
	return f.mem(p.Mem)
}

// fun returns the index function of a type, over imperative scalars. The shape
// of the array is the type's, even if the place writes it differently.
func (b *block) fun(t ir.Type) lmad.Fun {
	place := b.totalPlace(t.Place)
	f := lmad.OfType(ir.Type{Kind: t.Kind, Prim: t.Prim, Shape: t.Shape, Place: place})
	if len(b.f.names) > 0 {
		f = f.Subst(b.f.substNames)
	}
	return f
}

func (f *fn) substNames(name string) (sym.Poly, bool) {
	n, ok := f.names[name]
	if !ok {
		return sym.Poly{}, false
	}
	return sym.Var(n), true
}

// total reports whether nothing in a place reads memory or can fail.
func (f *fn) total(p *ir.Place) bool {
	total := true
	if p != nil {
		ir.PlaceExps(p, func(e ir.Exp) { total = total && !f.fallible(e) })
	}
	return total
}

// totalPlace replaces expressions that may fail in a place (an element read, a division) by
// variables.
func (b *block) totalPlace(p *ir.Place) *ir.Place {
	if b.f.total(p) {
		return p
	}
	hoist := func(e ir.Exp) ir.Exp {
		if e == nil || !b.f.fallible(e) {
			return e
		}
		return b.atom(b.exp(e), "at")
	}
	all := func(es []ir.Exp) []ir.Exp {
		out := make([]ir.Exp, len(es))
		for i, e := range es {
			out[i] = hoist(e)
		}
		return out
	}
	q := &ir.Place{Exist: p.Exist, Mem: p.Mem, Span: p.Span}
	for _, op := range p.Ix {
		switch o := op.(type) {
		case *ir.Direct:
			op = &ir.Direct{Sizes: all(o.Sizes)}
		case *ir.LMAD:
			l := &ir.LMAD{Offset: hoist(o.Offset)}
			for _, d := range o.Dims {
				l.Dims = append(l.Dims, ir.LMADDim{Len: hoist(d.Len), Stride: hoist(d.Stride)})
			}
			op = l
		case *ir.IxReshape:
			op = &ir.IxReshape{Sizes: all(o.Sizes)}
		case *ir.IxSlice:
			s := &ir.IxSlice{}
			for _, it := range o.Items {
				s.Items = append(s.Items, ir.Item{Fixed: it.Fixed, Index: hoist(it.Index),
					Start: hoist(it.Start), Len: hoist(it.Len), Stride: hoist(it.Stride), Span: it.Span})
			}
			op = s
		}
		q.Ix = append(q.Ix, op)
	}
	return q
}

// A bound says that an index variable runs from 0 below a size.
type bound struct{ size sym.Poly }

// A def is the known definition of an i64 scalar; weight bounds the growth when
// definitions are followed.
type def struct {
	poly   sym.Poly
	weight int
}

const maxWeight = 32

// learn records that a scalar is defined as e, if e is small.
func (f *fn) learn(name string, e ir.Exp) {
	if e.Prim() != ir.I64 {
		return
	}
	if w := f.weigh(e, 0); w <= maxWeight {
		f.defs[name] = def{sym.Of(e).Subst(f.definition), w}
	}
}

func (f *fn) definition(name string) (sym.Poly, bool) {
	d, ok := f.defs[name]
	return d.poly, ok
}

func (f *fn) weigh(e ir.Exp, w int) int {
	if w++; w > maxWeight {
		return w
	}
	if r, ok := e.(*ir.Ref); ok {
		return w + f.defs[r.Name].weight
	}
	ir.Operands(e, func(x ir.Exp) { w = f.weigh(x, w) })
	return w
}

// equal reports whether two sizes are provably equal.
func (f *fn) equal(p, q sym.Poly) bool {
	return p.Equal(q) || p.Subst(f.definition).Equal(q.Subst(f.definition))
}

// coincide reports whether two arrays of one shape provably lie in the same place. The sizes of one
// may have other names than those of the other.
func (f *fn) coincide(x, y *array) bool {
	if x.mem != y.mem {
		return false
	}
	xs, ys := x.shape(), y.shape()
	size := func(name string) (sym.Poly, bool) {
		if i := slices.IndexFunc(ys, func(n sym.Poly) bool { v, ok := n.IsVar(); return ok && v == name }); i >= 0 {
			return xs[i], true
		}
		return f.definition(name)
	}
	return x.fun.Equal(y.fun) || x.fun.Subst(f.definition).Equal(y.fun.Subst(f.definition)) ||
		x.fun.Subst(size).Equal(y.fun.Subst(size))
}

// slice returns the part of a that items select; its place follows.
func (b *block) slice(a *array, items []ir.Item) *array {
	return &array{name: a.name, prim: a.prim, mem: a.mem, fun: a.fun.Slice(items)}
}

// offset returns the position of an element of a: one polynomial if the index
// function is a single LMAD, otherwise by unravelling part after part.
func (b *block) offset(a *array, ix []sym.Poly) ir.Exp {
	if b.wraps(a, ix) {
		return &ir.Builtin{Fn: WrapFn, Args: []ir.Exp{b.position(a, ix, func(e ir.Exp) ir.Exp { return e })}, T: ir.I64}
	}
	return b.position(a, ix, b.plain)
}

// summed returns an offset that depends on a sum of terms.
func (b *block) summed(e ir.Exp, terms sym.Poly) ir.Exp {
	if b.cancels(terms) {
		return &ir.Builtin{Fn: WrapFn, Args: []ir.Exp{e}, T: ir.I64}
	}
	return index(e)
}

// WrapFn is the pseudo function of an offset whose terms may overflow in plain arithmetic, although
// their sum is small: h * 16 - k * 16 + j in xs[h - k, j]. The operations in its single argument
// wrap.
const WrapFn = "wrap"

// wraps reports whether a term of an offset may overflow. An index, an offset and a stride are
// small sums, since the element exists. If all terms of such a sum but one are products of sizes
// and indices of loops, and so small, then the last term is small, too.
func (b *block) wraps(a *array, ix []sym.Poly) bool {
	if b.host() {
		return false
	}
	any := slices.ContainsFunc(ix, b.cancels)
	for _, part := range a.fun.Parts {
		any = any || b.cancels(part.Offset)
		for _, d := range part.Dims {
			any = any || b.cancels(d.Stride)
		}
	}
	return any
}

// cancels reports whether several terms of a sum may be large.
func (b *block) cancels(p sym.Poly) bool {
	large := 0
	p.Terms(func(_ int64, factors []sym.Factor) {
		if slices.ContainsFunc(factors, func(x sym.Factor) bool { return !b.small(x.Key) }) {
			large++
		}
	})
	return large > 1
}

// small reports whether a name stands for a size or an index, of no more than 2^47.
func (b *block) small(name string) bool {
	switch name {
	case GroupID, NumGroups, LocalID, LocalSize:
		return true
	}
	_, index := b.f.bounds[name]
	return index || b.nonnegative(sym.Var(name))
}

// position returns an offset; plain simplifies its operands.
func (b *block) position(a *array, ix []sym.Poly, plain func(ir.Exp) ir.Exp) ir.Exp {
	if p, ok := a.fun.FlatOffset(ix); ok {
		return b.shallow(p.Exp())
	}
	parts := a.fun.Parts
	last := parts[len(parts)-1]
	pos := last.At(ix)
	for k := len(parts) - 2; k >= 0; k-- {
		part := parts[k]
		rest := b.atom(plain(pos.Exp()), "flat")
		pos = part.Offset
		for d := len(part.Dims) - 1; d >= 0; d-- {
			i := rest
			if d > 0 {
				n := divisor(part.Dims[d].Len)
				i = b.atom(plain(binary("%", rest, n)), "ix")
				rest = b.atom(plain(binary("/", rest, n)), "flat")
			}
			pos = pos.Add(sym.Of(i).Mul(part.Dims[d].Stride))
		}
	}
	return b.shallow(pos.Exp())
}

// IndexFn is the pseudo function of plain index arithmetic: its single argument is an i64
// expression whose operations do not overflow and whose divisors are positive. It exists only in
// kernels.
const IndexFn = "index"

// plain is index in a kernel, and e itself on the host.
func (b *block) plain(e ir.Exp) ir.Exp {
	if b.host() {
		return e
	}
	return index(e)
}

// index marks an expression as plain index arithmetic; references and literals
// need no mark.
func index(e ir.Exp) ir.Exp {
	switch e.(type) {
	case *ir.Ref, *ir.Lit:
		return e
	}
	return &ir.Builtin{Fn: IndexFn, Args: []ir.Exp{e}, T: ir.I64}
}
