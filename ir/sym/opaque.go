package sym

import (
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// opaque makes an atom of an expression that is not interpreted.
func (n *normaliser) opaque(e ir.Exp) Poly {
	w := &writer{n: n}
	exp := w.top(e)
	return opaqueAtom(w.b.String(), exp, w.size)
}

// A writer rebuilds an expression from its normalised parts, and writes the
// canonical text along the way.
type writer struct {
	n    *normaliser
	b    strings.Builder
	size int
}

// part handles an operand: i64 ones are polynomials of their own.
func (w *writer) part(e ir.Exp) ir.Exp {
	if e.Prim() == ir.I64 {
		p := w.n.poly(e)
		p.write(&w.b)
		w.size += p.Size()
		return p.Exp()
	}
	return w.top(e)
}

// top rebuilds a node that is not interpreted itself.
func (w *writer) top(e ir.Exp) ir.Exp {
	w.size++
	switch e := e.(type) {
	case *ir.Lit:
		w.b.WriteString(e.Text)
		w.b.WriteString(e.T.String())
		return e
	case *ir.Ref:
		return &ir.Ref{Name: w.name(e.Name), T: e.T, At: e.At}
	case *ir.Exist:
		return &ir.Ref{Name: w.name(e.Name), T: ir.I64, At: e.At}
	case *ir.Index:
		x := &ir.Index{Array: w.name(e.Array), T: e.T, At: e.At}
		w.b.WriteByte('[')
		x.Indices = w.list(e.Indices)
		w.b.WriteByte(']')
		return x
	case *ir.Unary:
		w.b.WriteString("(" + e.Op)
		x := &ir.Unary{Op: e.Op, X: w.part(e.X), T: e.T, At: e.At}
		w.b.WriteByte(')')
		return x
	case *ir.Binary:
		w.b.WriteByte('(')
		x := w.part(e.X)
		w.b.WriteString(" " + e.Op + " ")
		y := w.part(e.Y)
		w.b.WriteByte(')')
		return &ir.Binary{Op: e.Op, X: x, Y: y, T: e.T, At: e.At}
	case *ir.Cond:
		w.b.WriteString("(if ")
		c := w.part(e.C)
		w.b.WriteString(" then ")
		x := w.part(e.X)
		w.b.WriteString(" else ")
		y := w.part(e.Y)
		w.b.WriteByte(')')
		return &ir.Cond{C: c, X: x, Y: y, T: e.T, At: e.At}
	case *ir.Convert:
		w.b.WriteString(e.T.String() + "(")
		x := &ir.Convert{X: w.part(e.X), T: e.T, At: e.At}
		w.b.WriteByte(')')
		return x
	case *ir.Builtin:
		w.b.WriteString(e.Fn + "(")
		x := &ir.Builtin{Fn: e.Fn, Args: w.list(e.Args), T: e.T, At: e.At}
		w.b.WriteByte(')')
		return x
	}
	panic("sym: unknown expression " + strconv.Quote(e.Prim().String()))
}

func (w *writer) list(es []ir.Exp) []ir.Exp {
	out := make([]ir.Exp, len(es))
	for k, e := range es {
		if k > 0 {
			w.b.WriteString(", ")
		}
		out[k] = w.part(e)
	}
	return out
}

func (w *writer) name(name string) string {
	name = w.n.rename(name)
	w.b.WriteString(name)
	return name
}
