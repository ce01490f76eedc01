package lmad

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Fitting]
//
// An array fits in a block if all its positions are in the block. For a part with offset o, lengths
// n_k >= 1 and strides s_k this means
//
//	0 <= o + sum of min(0, (n_k-1)*s_k)  and  o + sum of max(0, (n_k-1)*s_k) < room
//
// The room of the part nearest to memory is that of the block, in elements. The room of a further
// part is the number of positions of the part before it. An empty array fits anywhere.
//
// The steps of a chain with several parts must be right as well: a Reshape keeps the number of
// elements, and a Slice stays within the lengths. Otherwise the elements would lie elsewhere once
// some sizes turn out equal, because then parts join (Fun.Map).
//
// Offsets, lengths and strides are ordinary i64 values: the computations before may have wrapped.
// The computations in this condition must not wrap: o is within the room, and every (n_k-1)*s_k is
// at most maxExtent, so no sum of maxDims terms wraps. Single precision suffices to test maxExtent,
// and every device has that.

const (
	maxExtent = 1 << 56
	maxDims   = 32
)

// Fits returns the condition under which an array with that index function and elements of that
// size fits in a block of that many bytes. ok is false if the index function is too long.
func (f Fun) Fits(size int64, bytes ir.Exp) (cond ir.Exp, ok bool) {
	room := ir.Exp(&ir.Binary{Op: "/", X: bytes, Y: ir.IntLit(size), T: ir.I64})
	if size == 1 {
		room = bytes
	}
	var empty, fits []ir.Exp
	f.Steps(func(before, after []sym.Poly) {
		x, within := count(before)
		y, within2 := count(after)
		fits = append(append(append(fits, within...), within2...), compare("==", x, y))
	}, func(start, length, stride, size sym.Poly) {
		ends := []sym.Poly{start}
		if !length.Is(1) {
			extent, within := times(length.Sub(sym.Const(1)).Exp(), stride.Exp())
			fits = append(fits, within)
			ends = append(ends, start.Add(sym.Of(extent)))
		}
		for _, i := range ends {
			fits = append(fits, compare(">=", i.Exp(), ir.IntLit(0)), compare("<", i.Exp(), size.Exp()))
		}
	})
	for k, part := range f.Parts {
		offset := part.Offset.Exp()
		lo, hi := offset, offset
		fits = append(fits, compare(">=", offset, ir.IntLit(0)), compare("<", offset, room))
		for _, d := range part.Dims {
			n := d.Len.Exp()
			if k == len(f.Parts)-1 && !positive(n) {
				empty = append(empty, compare("==", n, ir.IntLit(0)))
			}
			if !d.Stride.Is(0) && !d.Len.Is(1) {
				extent, within := times(d.Len.Sub(sym.Const(1)).Exp(), d.Stride.Exp())
				fits = append(fits, within)
				if c, known := d.Stride.IsConst(); !known || c < 0 {
					lo = plus(lo, extreme("min", extent))
				}
				if c, known := d.Stride.IsConst(); !known || c > 0 {
					hi = plus(hi, extreme("max", extent))
				}
			}
		}
		if len(part.Dims) > maxDims {
			return nil, false
		}
		if lo != offset {
			fits = append(fits, compare(">=", lo, ir.IntLit(0)))
		}
		if hi != offset {
			fits = append(fits, compare("<", hi, room))
		}
		if k < len(f.Parts)-1 {
			var within []ir.Exp
			room, within = count(part.Shape())
			fits = append(fits, within...)
		}
	}
	return join("||", append(empty, join("&&", fits))), true
}

// Steps gives what must hold of the steps of a nonempty array with several parts: the lengths before
// and after each reshape have one product, and start + i*stride is an index of a dimension of that
// size for all i < length.
func (f Fun) Steps(reshaped func(before, after []sym.Poly), sliced func(start, length, stride, size sym.Poly)) {
	for _, s := range f.steps {
		if s.reshape != nil {
			reshaped(s.before.Shape(), s.reshape)
			continue
		}
		for k, it := range s.items {
			switch size := s.before.Dims[k].Len; {
			case it.fixed:
				sliced(it.start, sym.Const(1), sym.Poly{}, size)
			case !it.isWhole(size):
				sliced(it.start, it.len, it.stride, size)
			}
		}
	}
}

// count returns the product of lengths, and the conditions under which it is exact and no length is
// negative.
func count(shape []sym.Poly) (product ir.Exp, within []ir.Exp) {
	product = ir.IntLit(1)
	for _, n := range shape {
		var small ir.Exp
		product, small = times(product, n.Exp())
		within = append(within, compare(">=", n.Exp(), ir.IntLit(0)), small)
	}
	return product, within
}

// times returns x * y, and the condition that it is at most maxExtent.
func times(x, y ir.Exp) (product, within ir.Exp) {
	f := &ir.Binary{Op: "*", X: single(x), Y: single(y), T: ir.F32}
	limit := &ir.Lit{Text: "72057594037927936.0", T: ir.F32, Bits: 0x5b800000}
	within = &ir.Binary{Op: "<=", X: &ir.Builtin{Fn: "abs", Args: []ir.Exp{f}, T: ir.F32}, Y: limit, T: ir.Bool}
	if v, ok := constant(x); ok && v == 1 {
		return y, within
	}
	if v, ok := constant(y); ok && v == 1 {
		return x, within
	}
	return &ir.Binary{Op: "*", X: x, Y: y, T: ir.I64}, within
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

// extreme returns max(0, e) or min(0, e).
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
