package lmad

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Fitting]
//
// An array fits in a block where all its positions are in it. Of a part with offset o,
// lengths n_k >= 1 and strides s_k that is
//
//	0 <= o + sum of min(0, (n_k-1)*s_k)  and  o + sum of max(0, (n_k-1)*s_k) < room
//
// where the room of the part nearest to memory is the block's, in elements, and that of
// a further part is the number of positions of the part before it. An empty array fits
// anywhere.
//
// The numbers must not wrap on the way: what is computed here is the place that the
// text says over the integers, or the array does not fit. So every product, and every
// name, is at most maxTerm, which single precision tells well enough and any device has;
// then no sum of maxTerms wraps.

const (
	maxTerm  = 1 << 56
	maxTerms = 32
)

// Fits gives the condition that an array with that index function and elements of that
// size fits in a block of that many bytes. ok is false where the index function is too
// long to tell.
func (f Fun) Fits(size int64, bytes ir.Exp) (cond ir.Exp, ok bool) {
	room := ir.Exp(&ir.Binary{Op: "/", X: bytes, Y: ir.IntLit(size), T: ir.I64})
	if size == 1 {
		room = bytes
	}
	b := &fitter{}
	for k, part := range f.Parts {
		lo, hi := b.poly(part.Offset), ir.Exp(nil)
		hi = lo
		count := ir.Exp(ir.IntLit(1))
		for _, d := range part.Dims {
			n := b.poly(d.Len)
			if k == len(f.Parts)-1 && !positive(n) {
				b.empty = append(b.empty, compare("==", n, ir.IntLit(0)))
			}
			if !d.Stride.Is(0) && !d.Len.Is(1) {
				ext := b.times(b.poly(d.Len.Sub(sym.Const(1))), b.poly(d.Stride))
				if c, known := d.Stride.IsConst(); !known || c < 0 {
					lo = plus(lo, extreme("min", ext))
				}
				if c, known := d.Stride.IsConst(); !known || c > 0 {
					hi = plus(hi, extreme("max", ext))
				}
			}
			if k < len(f.Parts)-1 {
				count = b.times(count, n)
			}
		}
		if len(part.Dims) > maxTerms {
			b.long = true
		}
		b.fits = append(b.fits, compare(">=", lo, ir.IntLit(0)), compare("<", hi, room))
		room = count
	}
	if b.long {
		return nil, false
	}
	cond = join("&&", append(b.bounds, b.fits...))
	return join("||", append(b.empty, cond)), true
}

// A fitter collects conditions.
type fitter struct {
	empty, bounds, fits []ir.Exp
	bounded             map[string]bool
	long                bool
}

// poly gives the value of p, whose terms are at most maxTerm.
func (b *fitter) poly(p sym.Poly) ir.Exp {
	var sum ir.Exp = ir.IntLit(0)
	n := 0
	p.Terms(func(coef int64, factors []sym.Factor) {
		n++
		var t ir.Exp = ir.IntLit(coef)
		for _, x := range factors {
			var e ir.Exp = ir.Var(x.Key)
			if x.Opaque != nil {
				e = x.Opaque
			}
			if b.bounded == nil {
				b.bounded = map[string]bool{}
			}
			if !b.bounded[x.Key] {
				b.bounded[x.Key] = true
				b.within(e)
			}
			for range x.Pow {
				t = b.times(t, e)
			}
		}
		if coef > maxTerm || coef < -maxTerm {
			b.within(ir.IntLit(coef))
		}
		sum = plus(sum, t)
	})
	b.long = b.long || n > maxTerms
	return sum
}

// within demands that a value is at most maxTerm.
func (b *fitter) within(e ir.Exp) {
	b.bounds = append(b.bounds, compare("<=", e, ir.IntLit(maxTerm)), compare(">=", e, ir.IntLit(-maxTerm)))
}

// times gives x * y, which is at most maxTerm.
func (b *fitter) times(x, y ir.Exp) ir.Exp {
	if v, ok := constant(x); ok && v == 1 {
		return y
	}
	if v, ok := constant(y); ok && v == 1 {
		return x
	}
	if v, ok := constant(x); ok && v == -1 {
		return &ir.Unary{Op: "-", X: y, T: ir.I64}
	}
	f := &ir.Binary{Op: "*", X: single(x), Y: single(y), T: ir.F32}
	limit := &ir.Lit{Text: "72057594037927936.0", T: ir.F32, Bits: 0x5b800000}
	b.bounds = append(b.bounds, &ir.Binary{Op: "<=", X: &ir.Builtin{Fn: "abs", Args: []ir.Exp{f}, T: ir.F32}, Y: limit, T: ir.Bool})
	return &ir.Binary{Op: "*", X: x, Y: y, T: ir.I64}
}

func single(e ir.Exp) ir.Exp { return &ir.Convert{X: e, T: ir.F32} }

func constant(e ir.Exp) (int64, bool) {
	l, ok := e.(*ir.Lit)
	if !ok {
		return 0, false
	}
	return l.Int()
}

func positive(e ir.Exp) bool {
	v, ok := constant(e)
	return ok && v > 0
}

func plus(x, y ir.Exp) ir.Exp {
	if v, ok := constant(x); ok && v == 0 {
		return y
	}
	if v, ok := constant(y); ok && v == 0 {
		return x
	}
	return &ir.Binary{Op: "+", X: x, Y: y, T: ir.I64}
}

// extreme gives max(0, e) or min(0, e).
func extreme(fn string, e ir.Exp) ir.Exp {
	return &ir.Builtin{Fn: fn, Args: []ir.Exp{ir.IntLit(0), e}, T: ir.I64}
}

func compare(op string, x, y ir.Exp) ir.Exp { return &ir.Binary{Op: op, X: x, Y: y, T: ir.Bool} }

func join(op string, es []ir.Exp) ir.Exp {
	out := es[0]
	for _, e := range es[1:] {
		out = &ir.Binary{Op: op, X: out, Y: e, T: ir.Bool}
	}
	return out
}
