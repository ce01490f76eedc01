package sym

import (
	"math"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// maxChain is the number of terms that are written as one chain a + b + c. More terms are grouped,
// so that the expression is not deep.
const maxChain = 16

// Exp returns a scalar expression of type i64 with p's value, in normal form: "n * 4 + 1". Equal
// polynomials have equal expressions.
func (p Poly) Exp() ir.Exp {
	if len(p.p.Terms) == 0 {
		return ir.IntLit(0)
	}
	return p.sum(leadPositive(p.p.Terms))
}

// leadPositive moves the first term with a positive coefficient to the front:
// n - i reads better than -i + n.
func leadPositive(ts []term) []term {
	for k, t := range ts {
		if t.Coef > 0 {
			if k == 0 {
				return ts
			}
			out := append(make([]term, 0, len(ts)), t)
			out = append(out, ts[:k]...)
			return append(out, ts[k+1:]...)
		}
	}
	return ts
}

func (p Poly) sum(ts []term) ir.Exp {
	if len(ts) > maxChain {
		h := len(ts) / 2
		return binary("+", p.sum(ts[:h]), p.sum(ts[h:]))
	}
	var e ir.Exp
	for _, t := range ts {
		neg := t.Coef < 0 && t.Coef != math.MinInt64
		if neg {
			t.Coef = -t.Coef
		}
		switch x := p.product(t); {
		case e == nil && neg:
			e = &ir.Unary{Op: "-", X: x, T: ir.I64}
		case e == nil:
			e = x
		case neg:
			e = binary("-", e, x)
		default:
			e = binary("+", e, x)
		}
	}
	return e
}

// product writes one term, the coefficient last: n * m * 4.
func (p Poly) product(t term) ir.Exp {
	var e ir.Exp
	for _, key := range t.Atoms {
		if x := p.exp(key); e == nil {
			e = x
		} else {
			e = binary("*", e, x)
		}
	}
	switch {
	case e == nil:
		return literal(t.Coef)
	case t.Coef == 1:
		return e
	}
	return binary("*", e, literal(t.Coef))
}

// literal writes a number in a form that can be parsed: the smallest number has no literal of its
// own.
func literal(v int64) ir.Exp {
	if v == math.MinInt64 {
		return binary("-", &ir.Unary{Op: "-", X: ir.IntLit(math.MaxInt64), T: ir.I64}, ir.IntLit(1))
	}
	if v < 0 {
		return &ir.Unary{Op: "-", X: ir.IntLit(-v), T: ir.I64}
	}
	return ir.IntLit(v)
}

func binary(op string, x, y ir.Exp) *ir.Binary {
	return &ir.Binary{Op: op, X: x, Y: y, T: ir.I64}
}

// String returns the canonical text: two polynomials have equal texts if and only if they are
// equal.
func (p Poly) String() string {
	var b strings.Builder
	p.write(&b)
	return b.String()
}

func (p Poly) write(b *strings.Builder) {
	if len(p.p.Terms) == 0 {
		b.WriteByte('0')
		return
	}
	for k, t := range leadPositive(p.p.Terms) {
		neg := t.Coef < 0
		mag := uint64(t.Coef)
		if neg {
			mag = -mag
		}
		switch {
		case k > 0 && neg:
			b.WriteString(" - ")
		case k > 0:
			b.WriteString(" + ")
		case neg:
			b.WriteByte('-')
		}
		for j, key := range t.Atoms {
			if j > 0 {
				b.WriteByte('*')
			}
			b.WriteString(key)
		}
		if mag != 1 || len(t.Atoms) == 0 {
			if len(t.Atoms) > 0 {
				b.WriteByte('*')
			}
			b.WriteString(strconv.FormatUint(mag, 10))
		}
	}
}
