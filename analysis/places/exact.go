package places

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// Note [Exact sizes]
// ~~~~~~~~~~~~~~~~~~
// The size of a block is computed without wrapping: sums, products, and the operands of min, max and
// conditionals. So max(a * b, 5) may be 5 as a size and a * b as a value. If an operand may wrap, the
// min or max of a size is another atom than that of a value, and so is all that is computed of it.

// size returns the size of a block.
func (c *converter) size(p sym.Poly) poly {
	c.exact = true
	defer func() { c.exact = false }()
	return c.ring(p)
}

const exactly = "exactly " // begins the names of such atoms

// differs reports whether a size may be another number than the program computes.
func differs(p poly) bool {
	return p.Bad || slices.ContainsFunc(p.Terms, func(t term) bool {
		return slices.ContainsFunc(t.Atoms, func(x string) bool { return strings.HasPrefix(x, exactly) })
	})
}

// same reports whether a size is surely the number that the program computes.
func (c *converter) same(p poly) bool { return !differs(p) && c.ranges.bound(p).fits() }

// other makes an atom of what differs as a size.
func (c *converter) other(e ir.Exp, text string) poly {
	c.hide(e)
	return atomPoly(exactly + text)
}

// Covers reports whether b >= a is provable for polynomials computed without wrapping, such as
// sizes of blocks.
func (f Facts) Covers(b, a sym.Poly) bool {
	if f.counter(func(k int) bool { return f.exceeds(a, b, 0, k) }) {
		return false
	}
	cv := f.converter()
	return f.proves(cv, cv.size(b).Sub(cv.size(a)))
}

// Room reports whether size is provably at least a sum of products. A program computes the factors,
// modulo 2^64, but compares the positions that they give without wrapping, with the size of a
// dimension or a block.
func (f Facts) Room(size sym.Poly, sum ...[]sym.Poly) bool {
	if f.counter(func(k int) bool { return f.overfull(size, sum, k) }) {
		return false
	}
	cv := f.converter()
	left := cv.size(size)
	for _, factors := range sum {
		p := constant(1)
		for _, x := range factors {
			p = p.Mul(cv.value(x))
		}
		left = left.Sub(p)
	}
	return f.proves(cv, left)
}

// InBounds reports whether a slice provably lies within a dimension: n elements from start on, stride
// apart. It does if
//
//	0 <= start, 0 <= n, 0 < stride, start + (n - 1) * stride < size
//
// without wrapping, because then it is empty, or its first and its last element are within. That may
// be shown of the three values, which may have wrapped, or as if they did not: if it holds then,
// they did not, or the slice is empty.
func (f Facts) InBounds(start, n, stride, size sym.Poly) bool {
	sum := [][]sym.Poly{{start}, {n, stride}, {sym.Const(-1), stride}, {sym.Const(1)}}
	if f.counter(func(k int) bool { return f.overfull(size, sum, k) }) {
		return false
	}
	shown := func(of func(*converter, sym.Poly) poly) bool {
		least := func(p sym.Poly, c int64) bool {
			cv := f.converter()
			return f.proves(cv, of(cv, p).AddConst(-c))
		}
		cv := f.converter()
		step := of(cv, stride)
		room := cv.ring(size).Sub(of(cv, start)).Sub(of(cv, n).AddConst(-1).Mul(step)).AddConst(-1)
		return least(start, 0) && least(n, 0) && least(stride, 1) && f.proves(cv, room)
	}
	return shown((*converter).value) || !rules.Off("places.ringBounds") && shown((*converter).ring)
}

// Within reports whether an index is provably within a size. One case is
//
//	0 <= x, 0 < y, x < n * y  |-  0 <= x / y < n
//
// It also holds if n * y wraps, since a wrapped product is less than the true one. Of an if, each
// side is within the size where it is taken.
func (f Facts) Within(i ir.Exp, n sym.Poly) bool {
	if c, ok := i.(*ir.Cond); ok && !rules.Off("places.sides") {
		return f.FromCondition(c.C).Within(c.X, n) && f.FromNegation(c.C).Within(c.Y, n)
	}
	if f.clamped(i, n) {
		return true
	}
	p := sym.Of(i)
	if !f.AtLeast(p, 0) {
		return false
	}
	if f.Less(p, n) {
		return true
	}
	if q, ok := i.(*ir.Binary); ok && q.Op == "/" && !rules.Off("places.quotient") {
		x, y := sym.Of(q.X), sym.Of(q.Y)
		return f.AtLeast(x, 0) && f.NotZero(y) && f.AtLeast(y, 0) && f.AtLeast(n, 0) && f.Less(x, n.Mul(y))
	}
	return false
}

// clamped reports whether ranges alone show that an index is within a size, as min(x + 1, n - 1) is within n where
// x is not negative. Most indices at borders are written so, and need no prover.
func (f Facts) clamped(i ir.Exp, n sym.Poly) bool {
	cv := f.converter()
	notNegative := func(e ir.Exp) bool { return cv.ranges.bound(cv.value(sym.Of(e))).neg == 0 }
	below := func(e ir.Exp) bool {
		room, ok := n.Sub(sym.Of(e)).IsConst()
		return ok && room >= 1
	}
	return eitherOperand(i, "min", below) && eitherOperand(i, "max", notNegative)
}

// eitherOperand reports whether a claim holds for a value. Of the named function one operand is enough, of the other
// of min and max it must hold for both.
func eitherOperand(e ir.Exp, enough string, holds func(ir.Exp) bool) bool {
	b, ok := e.(*ir.Builtin)
	if !ok || b.Fn != "min" && b.Fn != "max" {
		return holds(e)
	}
	x, y := eitherOperand(b.Args[0], enough, holds), eitherOperand(b.Args[1], enough, holds)
	return x && y || b.Fn == enough && (x || y)
}

// NotZero reports whether a value is provably not 0.
func (f Facts) NotZero(p sym.Poly) bool {
	return f.AtLeast(p, 1) || f.AtLeast(p.Neg(), 1) || !rules.Off("places.notZero") && f.Equal(p, sym.Const(0)).Contradictory()
}

// Selects reports whether an item of a slice provably lies within a dimension of an array.
func (f Facts) Selects(it ir.Item, size sym.Poly) bool {
	if it.Fixed {
		return f.Within(it.Index, size)
	}
	start, n, stride := sym.Of(it.Start), sym.Of(it.Len), Stride(it)
	return start.Is(0) && stride.Is(1) && n.Equal(size) || f.InBounds(start, n, stride, size)
}

// Stride returns the stride of an item of a slice.
func Stride(it ir.Item) sym.Poly {
	if it.Stride == nil {
		return sym.Const(1)
	}
	return sym.Of(it.Stride)
}

// Unwrapped reports whether the terms of a polynomial, computed without wrapping, stay far from the
// ends of an i64. If so, the polynomial may replace a size.
func (f Facts) Unwrapped(p sym.Poly) bool {
	c := f.bounding()
	q := c.size(p)
	return !differs(q) && c.ranges.bound(q).most() <= maxTurns
}

// Exact reports whether the size of a block, computed without wrapping, is what a program computes of
// the same expression, modulo 2^64.
func (f Facts) Exact(size sym.Poly) bool { return !differs(f.bounding().size(size)) }

// overfull reports whether a sum of products is larger than size in an example.
func (f Facts) overfull(size sym.Poly, sum [][]sym.Poly, k int) bool {
	left, ok := f.number(size, k)
	for _, factors := range sum {
		p := int64(-1)
		for _, x := range factors {
			v, known := f.number(x, k)
			q, fine := integer.MulCoef(p, v)
			p, ok = q, ok && known && fine
		}
		s, fine := integer.AddCoef(left, p)
		left, ok = s, ok && fine
	}
	return ok && left < 0
}
