package places

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Sizes of nested operations]
//
// The sizes of an image pyramid are max(max(n / 2, 1) / 2, 1) and so on, level by level. A prover
// that describes each operation by facts about its operands takes longer with every level. So memc
// compares such sizes from the outside in: max(x / 2, 1) <= y if x <= y and 1 <= y. A product is at
// most another one if each of its factors is at most a factor of the other, and the other's
// remaining factors are at least 1. Names stand for their definitions.

// Written compares sizes, which are i64 values, by how they are written.
type Written struct {
	dims  []string // names of sizes of arrays, which are not negative
	def   func(name string) ir.Exp
	text  map[ir.Exp]string
	known map[[2]string]bool
	sums  map[string]bool
	left  int // how many more definitions may be looked up
}

// maxWritten bounds the definitions of one comparison: there are as many pairs of names as two chains of definitions
// are long.
const maxWritten = 256

// NewWritten returns a comparison of sizes. The values of dims are not negative. def returns a name's definition, or nil;
// those that could wrap are not used.
func NewWritten(dims []string, def func(name string) ir.Exp) *Written {
	return &Written{dims, def, map[ir.Exp]string{}, map[[2]string]bool{}, map[string]bool{}, 0}
}

// NotNegative reports whether a sum, computed without wrapping, is at least 0 by how its terms are written.
func (w *Written) NotNegative(sum sym.Poly) bool {
	if rules.Off("places.written") {
		return false
	}
	key := sum.String()
	holds, known := w.sums[key]
	if !known {
		var more, less []writtenTerm
		sum.Terms(func(coef int64, factors []sym.Factor) {
			if p := (writtenTerm{max(coef, -coef), w.factors(factors)}); coef > 0 {
				more = append(more, p)
			} else {
				less = append(less, p)
			}
		})
		w.left = maxWritten
		holds = w.eachAtMost(less, more)
		w.sums[key] = holds
	}
	return holds
}

func (w *Written) factors(list []sym.Factor) (out []ir.Exp) {
	for _, x := range list {
		e := x.Opaque
		if e == nil {
			e = ir.Var(x.Key)
		}
		for range x.Pow {
			out = append(out, e)
		}
	}
	return out
}

// A writtenTerm is a term of a size, with a positive coefficient.
type writtenTerm struct {
	coef    int64
	factors []ir.Exp
}

// eachAtMost reports whether each product of one list is at most a product of another list, whose
// coefficient it uses up. No product of the other list is negative.
func (w *Written) eachAtMost(less, more []writtenTerm) bool {
	more = slices.Clone(more)
	if slices.ContainsFunc(more, func(p writtenTerm) bool { return !w.allAtLeast(p.factors, 0) }) {
		return false
	}
	for _, x := range less {
		k := slices.IndexFunc(more, func(y writtenTerm) bool { return x.coef <= y.coef && w.productAtMost(x.factors, y.factors) })
		if k < 0 {
			return false
		}
		more[k].coef -= x.coef
	}
	return true
}

func (w *Written) productAtMost(x, y []ir.Exp) bool {
	y = slices.Clone(y)
	for _, a := range x {
		k := slices.IndexFunc(y, func(b ir.Exp) bool { return w.atLeast(a, 0) && w.expAtMost(a, b) })
		if k < 0 {
			return false
		}
		y = slices.Delete(y, k, k+1)
	}
	return w.allAtLeast(y, 1)
}

func (w *Written) allAtLeast(list []ir.Exp, n int64) bool {
	return !slices.ContainsFunc(list, func(e ir.Exp) bool { return !w.atLeast(e, n) })
}

// atLeast reports whether an expression is at least 0 or 1 by how it is written.
func (w *Written) atLeast(e ir.Exp, n int64) bool { return w.expAtMost(ir.IntLit(n), e) }

func (w *Written) string(e ir.Exp) string {
	s, ok := w.text[e]
	if !ok {
		s = ir.ExpString(e)
		w.text[e] = s
	}
	return s
}

// expAtMost reports whether x <= y.
func (w *Written) expAtMost(x, y ir.Exp) bool {
	key := [2]string{w.string(x), w.string(y)}
	holds, known := w.known[key]
	if !known {
		holds = key[0] == key[1] || w.byOperands(x, y) || w.byDefinition(x, y)
		if holds || w.left > 0 {
			w.known[key] = holds
		}
	}
	return holds
}

// byDefinition replaces one name, or both, by definitions.
func (w *Written) byDefinition(x, y ir.Exp) bool {
	a, b := w.definition(x), w.definition(y)
	return a != nil && w.expAtMost(a, y) || b != nil && w.expAtMost(x, b)
}

func (w *Written) definition(e ir.Exp) ir.Exp {
	n, ok := e.(*ir.Ref)
	if !ok || w.def == nil || w.left <= 0 {
		return nil
	}
	w.left--
	if e := w.def(n.Name); e != nil && neverWraps(e) {
		return e
	}
	return nil
}

// neverWraps reports whether an expression has the same value if it is computed without wrapping, as the size of a block
// is.
func neverWraps(e ir.Exp) bool {
	return !ir.AnyExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Binary:
			_, _, whole := quotient(e)
			return !whole
		case *ir.Unary:
			return true
		case *ir.Builtin:
			return e.Fn != "max" && e.Fn != "min"
		}
		return false
	})
}

func (w *Written) byOperands(x, y ir.Exp) bool {
	c, constant := literal(x)
	if d, ok := literal(y); ok && constant {
		return c <= d
	}
	if n, ok := y.(*ir.Ref); ok && constant && c <= 0 && slices.Contains(w.dims, n.Name) {
		return true
	}
	if a, b, ok := operands(x, "max"); ok {
		return w.expAtMost(a, y) && w.expAtMost(b, y)
	}
	if a, b, ok := operands(y, "min"); ok {
		return w.expAtMost(x, a) && w.expAtMost(x, b)
	}
	if a, b, ok := operands(y, "max"); ok && (w.expAtMost(x, a) || w.expAtMost(x, b)) {
		return true
	}
	if a, b, ok := operands(x, "min"); ok && (w.expAtMost(a, y) || w.expAtMost(b, y)) {
		return true
	}
	p, n, quotientY := quotient(y)
	if quotientY && constant && c <= 0 {
		return w.atLeast(p, 0)
	}
	q, d, ok := quotient(x)
	return ok && w.atLeast(q, 0) && (w.expAtMost(q, y) || quotientY && n <= d && w.expAtMost(q, p))
}

// quotient takes a quotient by a positive constant apart.
func quotient(e ir.Exp) (x ir.Exp, by int64, ok bool) {
	q, ok := e.(*ir.Binary)
	if !ok || q.Op != "/" || q.T != ir.I64 {
		return nil, 0, false
	}
	by, ok = literal(q.Y)
	return q.X, by, ok && by > 0
}

func literal(e ir.Exp) (int64, bool) {
	l, ok := e.(*ir.Lit)
	if !ok {
		return 0, false
	}
	return l.Int()
}

func operands(e ir.Exp, fn string) (a, b ir.Exp, ok bool) {
	f, ok := e.(*ir.Builtin)
	if !ok || f.Fn != fn || len(f.Args) != 2 || f.T != ir.I64 {
		return nil, nil, false
	}
	return f.Args[0], f.Args[1], true
}
