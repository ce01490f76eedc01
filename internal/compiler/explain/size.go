package explain

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A Size is a number of bytes, or of elements, as an expression over names. The page
// evaluates it: in JSON it is a number, a name, or [operator, operands..]; what the page
// cannot compute is a name, too: that of its text.
type Size struct {
	poly  sym.Poly // as it is evaluated
	shown string   // as the program has it; "": the same
}

func sizeOf(e ir.Exp) Size { return size(sym.Of(e)) }

func size(p sym.Poly) Size { return Size{poly: p} }

func (s Size) String() string {
	if s.shown != "" {
		return s.shown
	}
	return ir.ExpString(s.poly.Exp())
}

// with returns the size by the sizes that others are computed from (peak.Derived).
func (s Size) with(derived map[string]sym.Poly) Size {
	return Size{s.poly.Subst(func(n string) (sym.Poly, bool) { p, ok := derived[n]; return p, ok }), s.String()}
}

// MarshalJSON returns the form that page.js evaluates.
func (s Size) MarshalJSON() ([]byte, error) { return json.Marshal(tree(s.poly.Exp())) }

func tree(e ir.Exp) any {
	switch e := e.(type) {
	case *ir.Lit:
		if v, ok := e.Int(); ok {
			return v
		}
	case *ir.Ref:
		return e.Name
	case *ir.Unary:
		if l, ok := tree(e.X).(int64); ok && e.Op == "-" {
			return -l
		}
		if e.Op == "-" {
			return []any{"-", 0, tree(e.X)}
		}
		if e.Op == "~" {
			return []any{"^", tree(e.X), -1}
		}
	case *ir.Binary:
		switch e.Op {
		case "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>":
			return []any{e.Op, tree(e.X), tree(e.Y)}
		}
	case *ir.Cond:
		if c, ok := e.C.(*ir.Binary); ok && ir.Compares(c.Op) && c.X.Prim() == ir.I64 {
			return []any{"if", []any{c.Op, tree(c.X), tree(c.Y)}, tree(e.X), tree(e.Y)}
		}
		return []any{"max", tree(e.X), tree(e.Y)}
	case *ir.Builtin:
		if len(e.Args) == 2 && (e.Fn == "min" || e.Fn == "max") {
			return []any{e.Fn, tree(e.Args[0]), tree(e.Args[1])}
		}
	}
	return ir.ExpString(e)
}

// An LMAD is a place that the page can draw: offset and strides in elements.
type LMAD struct {
	Elem   int64     `json:"elem"` // bytes
	Offset Size      `json:"offset"`
	Dims   [][2]Size `json:"dims"` // length, stride
}

// scalars returns the integers that a function computes without reading memory, also in kernels and
// loops, by sizes, parameters, and indices. What gets too long is left out.
func scalars(f *ir.Func) map[string]sym.Poly {
	out := map[string]sym.Poly{}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		c, ok := s.Op.(*ir.Compute)
		if !ok || s.Pat[0].Type.Prim != ir.I64 || ir.Reads(c.E) {
			return true
		}
		if p := sizeOf(c.E).with(out).poly; p.Size() <= maxScalar {
			out[s.Pat[0].Name] = p
		}
		return true
	})
	return out
}

// maxScalar bounds the length of what a scalar is computed from.
const maxScalar = 64

// place describes where an array lies in its block.
// scalars says how the page computes names that are no sizes.
func (a *Array) place(f lmad.Fun, elem ir.Prim, scalars map[string]sym.Poly) {
	l, single := f.Single()
	if !single {
		a.Place = "its elements are reached by way of another shape of the block, in " + fmt.Sprint(len(f.Parts)) + " steps"
		return
	}
	a.LMAD = &LMAD{Elem: elem.Size(), Offset: size(l.Offset).with(scalars), Dims: [][2]Size{}}
	for _, d := range l.Dims {
		a.LMAD.Dims = append(a.LMAD.Dims, [2]Size{size(d.Len).with(scalars), size(d.Stride).with(scalars)})
	}
	where := "from the block's first byte on"
	if !l.Offset.Is(0) {
		where = "from element " + size(l.Offset).String() + " on"
	}
	if l.Contiguous() {
		a.Place = where + ", one element behind the other, row by row"
		return
	}
	var dims []string
	for k, d := range l.Dims {
		dims = append(dims, fmt.Sprintf("dimension %d: %s, %s apart", k, size(d.Len), size(d.Stride)))
	}
	a.Place = where + "; " + strings.Join(dims, "; ")
}
