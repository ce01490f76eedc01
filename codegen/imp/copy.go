package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// copy copies src to dst, of one shape, unless both provably lie in one place.
//
// On the host this is a Copy if both index functions are single LMADs. Otherwise it is a kernel,
// which goes through a temporary block if the two may overlap. In a kernel it is a nest of loops
// (copyLoops).
func (b *block) copy(dst, src *array) {
	if b.f.coincide(dst, src) {
		return
	}
	if b.team {
		b.spreadCopy(dst, src)
		return
	}
	if !b.host() {
		b.copyLoops(dst, src)
		return
	}
	d, dok := b.region(dst)
	s, sok := b.region(src)
	if dok && sok {
		b.add(&Copy{Dst: d, Src: s, Prim: dst.prim, Shape: exps(dst.shape())})
		return
	}
	if !dok {
		// Gather into a temporary, then scatter from it: exact in any case.
		tmp := b.rowMajor("copy", dst.prim, dst.shape())
		b.copy(tmp, src)
		b.elementwise(dst, tmp)
		b.add(&Free{Mem: tmp.mem})
		return
	}
	if b.distinct(dst.mem, src.mem) {
		b.elementwise(dst, src)
		return
	}
	tmp := b.rowMajor("copy", dst.prim, dst.shape())
	b.elementwise(tmp, src)
	b.copy(dst, tmp)
	b.add(&Free{Mem: tmp.mem})
}

// distinct reports whether two memory variables never hold one block: lowering made one of the
// blocks for itself, or the program allocated it after the other variable got its block, or they
// are of different classes.
func (b *block) distinct(x, y string) bool {
	f := b.f
	if x == y {
		return false
	}
	cx, cy := f.class[x], f.class[y]
	return f.own[x] || f.own[y] || f.never[[2]string{x, y}] || f.made[x] > f.bound[y] || f.made[y] > f.bound[x] || cx != cy && cx != "" && cy != ""
}

// region returns an array's place in the imperative form, if it is one LMAD.
func (b *block) region(a *array) (Region, bool) {
	l, ok := a.fun.Single()
	if !ok {
		return Region{}, false
	}
	r := Region{Mem: a.mem, Offset: b.shallow(l.Offset.Exp())}
	for _, d := range l.Dims {
		r.Strides = append(r.Strides, b.shallow(d.Stride.Exp()))
	}
	return r, true
}

func exps(ps []sym.Poly) []ir.Exp {
	out := make([]ir.Exp, len(ps))
	for i, p := range ps {
		out[i] = p.Exp()
	}
	return out
}

// rowMajor allocates a temporary row-major array on the host.
func (b *block) rowMajor(base string, t ir.Prim, shape []sym.Poly) *array {
	mem := b.tempBlock(base, product(shape).Mul(sym.Const(t.Size())).Exp())
	return &array{name: base, prim: t, mem: mem, fun: lmad.RowMajor(shape)}
}

// tempBlock allocates a temporary block on the host.
func (b *block) tempBlock(base string, bytes ir.Exp) string {
	mem := b.declareMem(b.f.temp(base + "_mem"))
	b.f.own[mem] = true
	b.add(&Alloc{Mem: mem, Bytes: bytes, Site: b.f.l.site(), Span: b.f.at})
	return mem
}

// elementwise copies by a kernel; the two places must not overlap.
func (b *block) elementwise(dst, src *array) {
	names := make([]string, len(dst.shape()))
	for i := range names {
		names[i] = b.f.temp("i")
	}
	b.grid("copy", "copies `"+src.name+"` by index functions of several parts", names, dst.shape(), func(in *block, ix []sym.Poly) {
		in.store(dst, ix, in.load(src, ix))
	})
}

// copyLoops copies in one work-item, as if all elements were read before any is written.
//
// The two places can overlap only in one block. If their strides are equal, an element and its copy
// lie a constant distance apart. Then the loops go upward through memory if the target lies below
// its source, and downward if it lies above. The order of the loops is that of the strides, and a
// negative stride reverses its loop. If the order is unknown, a test at run time decides whether
// the array's own order is one. If it is not, or if the strides differ, places that overlap at run
// time are copied through a workspace.
func (b *block) copyLoops(dst, src *array) {
	shape := dst.shape()
	plain := func(in *block, ix []sym.Poly) { in.store(dst, ix, in.load(src, ix)) }
	d, dok := dst.fun.Single()
	s, sok := src.fun.Single()
	if len(shape) == 0 || b.separate(dst, src) {
		b.nest(shape, plain)
		return
	}
	same := dok && sok
	for k := range shape {
		same = same && (d.Dims[k].Stride.Equal(s.Dims[k].Stride) || shape[k].Is(1))
	}
	whatever := func(b *block) {
		b.when(b.overlapping(dst, src),
			func(in *block) { in.copyWorkspace([]transfer{{dst, src}}) },
			func(in *block) { in.nest(shape, plain) })
	}
	if !same {
		whatever(b)
		return
	}
	moved := func(dst, src *array) func(b *block) {
		return func(b *block) {
			delta := d.Offset.Sub(s.Offset)
			if c, ok := delta.IsConst(); ok {
				b.copyOrdered(dst, src, c > 0)
				return
			}
			b.when(binary(">", delta.Exp(), i64(0)),
				func(in *block) { in.copyOrdered(dst, src, true) },
				func(in *block) { in.copyOrdered(dst, src, false) })
		}
	}
	if order := b.strideOrder(dst); order != nil {
		moved(permuted(dst, order), permuted(src, order))(b)
		return
	}
	b.when(b.inOrder(d), moved(dst, src), whatever)
}

// strideOrder returns the order of an array's dimensions in which each stride
// provably spans all inner dimensions, or nil if none is known.
func (b *block) strideOrder(a *array) []int {
	l, ok := a.fun.Single()
	if !ok {
		return nil
	}
	var order, left []int
	for k, d := range l.Dims {
		if d.Len.Is(1) {
			order = append(order, k)
		} else {
			left = append(left, k)
		}
	}
	facts := b.known(a.fun.Names()).NonEmpty(a.fun)
	inner, ordered := sym.Const(0), []int{} // innermost first
	for len(left) > 1 {
		next := -1
		for i, k := range slices.Backward(left) {
			span := inner.Add(l.Dims[k].Len.Sub(sym.Const(1)).Mul(positive(l.Dims[k].Stride)))
			spanned := !slices.ContainsFunc(left, func(o int) bool { return o != k && !facts.Less(span, positive(l.Dims[o].Stride)) })
			if spanned && facts.AtLeast(span, 0) {
				next, inner = i, span
				break
			}
		}
		if next < 0 {
			return nil
		}
		ordered = append(ordered, left[next])
		left = slices.Delete(left, next, next+1)
	}
	slices.Reverse(ordered)
	return slices.Concat(order, left, ordered)
}

// positive returns a stride's amount, where its sign is known.
func positive(stride sym.Poly) sym.Poly {
	if c, ok := stride.IsConst(); ok && c < 0 {
		return stride.Neg()
	}
	return stride
}

// inOrder is the condition that each stride of an LMAD spans all inner dimensions.
func (b *block) inOrder(l lmad.LMAD) ir.Exp {
	var conds []ir.Exp
	inner := sym.Const(0)
	for k, d := range slices.Backward(l.Dims) {
		amount := positive(d.Stride)
		if !b.nonnegative(amount) {
			amount = sym.Of(b.atom(builtin("abs", amount.Exp()), "stride"))
		}
		if k < len(l.Dims)-1 {
			conds = append(conds, less(inner.Exp(), amount.Exp()))
		}
		inner = inner.Add(d.Len.Sub(sym.Const(1)).Mul(amount))
	}
	return and(conds...)
}

// permuted returns an array's dimensions in another order.
func permuted(a *array, perm []int) *array {
	out := *a
	out.fun = a.fun.Permute(perm)
	return &out
}

// extent returns the lowest and highest element that an array's first part
// touches, if it has elements.
func (b *block) extent(a *array) (lo, hi ir.Exp) {
	l, plain := a.fun.Parts[0], b.plain
	if b.wraps(a, nil) {
		plain = func(e ir.Exp) ir.Exp { return e }
	}
	low, high := l.Offset, l.Offset
	for _, d := range l.Dims {
		span := d.Len.Sub(sym.Const(1)).Mul(d.Stride)
		if b.nonnegative(d.Stride) {
			high = high.Add(span)
			continue
		}
		s := b.atom(plain(span.Exp()), "span")
		low = low.Add(sym.Of(b.atom(minimum(s, i64(0)), "down")))
		high = high.Add(sym.Of(b.atom(maximum(s, i64(0)), "up")))
	}
	return b.atom(plain(low.Exp()), "lowest"), b.atom(plain(high.Exp()), "highest")
}

// nonnegative reports whether a stride is provably not negative.
func (b *block) nonnegative(p sym.Poly) bool {
	if c, ok := p.IsConst(); ok {
		return c >= 0
	}
	name, ok := p.IsVar()
	for o := b; ok && o != nil; o = o.outer {
		if o.nonneg[name] {
			return true
		}
	}
	return false
}

// copyOrdered copies from the highest address downward, or upward.
func (b *block) copyOrdered(dst, src *array, down bool) {
	l, _ := dst.fun.Single()
	b.nest(dst.shape(), func(in *block, ix []sym.Poly) {
		ix = append([]sym.Poly(nil), ix...)
		for k, n := range dst.shape() {
			mirrored := n.Sub(sym.Const(1)).Sub(ix[k])
			c, isConst := l.Dims[k].Stride.IsConst()
			switch {
			case n.Is(1):
			case isConst && (c < 0) != down:
				ix[k] = mirrored
			case !isConst && in.nonnegative(l.Dims[k].Stride):
				if down {
					ix[k] = mirrored
				}
			case !isConst:
				up := binary("<", l.Dims[k].Stride.Exp(), i64(0))
				if down {
					up = binary(">=", l.Dims[k].Stride.Exp(), i64(0))
				}
				i := in.temp("turned", ir.I64)
				in.set(i.Name, choose(up, index(mirrored.Exp()), ix[k].Exp()))
				ix[k] = sym.Var(i.Name)
			}
		}
		in.store(dst, ix, in.load(src, ix))
	})
}
