package peak

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/places"
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
// remaining factors are at least 1. Only sizes with few operations go to the prover.

// maxOperations bounds the operations in a comparison that goes to the prover. A longer comparison
// that fails from the outside in counts as unproven, and the blocks do not share.
const maxOperations = 32

// Covers reports whether b >= a is provable for two sizes, given some facts.
func (t *Table) Covers(f places.Facts, b, a sym.Poly) bool {
	d := b.Sub(a)
	operations := 0
	var more, less []product
	d.Terms(func(coef int64, factors []sym.Factor) {
		p := product{coef: coef}
		for _, x := range factors {
			e := x.Opaque
			if e == nil {
				e = ir.Var(x.Key)
			} else {
				ir.WalkExp(e, func(ir.Exp) bool { operations++; return true })
			}
			for range x.Pow {
				p.factors = append(p.factors, e)
			}
		}
		if coef > 0 {
			more = append(more, p)
		} else {
			p.coef = -coef
			less = append(less, p)
		}
	})
	if operations > 0 && !rules.Off("peak.written") {
		key := d.String()
		holds, known := t.apparent[key]
		if !known {
			w := &written{dims: t.Func.Sizes, text: map[ir.Exp]string{}, known: map[[2]ir.Exp]bool{}}
			holds = w.eachAtMost(less, more)
			t.apparent[key] = holds
		}
		if holds {
			return true
		}
	}
	if operations > maxOperations {
		return false
	}
	if f.Covers(b, a) {
		return true
	}
	if rules.Off("peak.where") {
		return false
	}
	there := where(f, d)
	return there != f && there.Covers(b, a)
}

// where extends facts to the runs in which a sum is not 0: a name that is a factor of all of its
// terms is then at least 1, if it is not negative.
func where(f places.Facts, sum sym.Poly) places.Facts {
	common := map[string]int{}
	terms := 0
	sum.Terms(func(_ int64, factors []sym.Factor) {
		terms++
		for _, x := range factors {
			if x.Opaque == nil {
				common[x.Key]++
			}
		}
	})
	for _, n := range slices.Sorted(maps.Keys(common)) {
		if common[n] == terms && f.AtLeast(sym.Var(n), 0) {
			f = f.Positive(sym.Var(n))
		}
	}
	return f
}

// maxMultiple times the size of a block is far from where an i64 wraps.
const maxMultiple = 1 << 12

// Multiple returns b / a for two sizes, or 0 if b is not a multiple of a.
func Multiple(a, b sym.Poly) int64 {
	leading := func(p sym.Poly) (c int64) {
		p.Terms(func(coef int64, _ []sym.Factor) {
			if c == 0 {
				c = coef
			}
		})
		return c
	}
	c, d := leading(a), leading(b)
	if c == 0 || d%c != 0 || d/c < 1 || d/c > maxMultiple || !b.Equal(a.Mul(sym.Const(d/c))) {
		return 0
	}
	return d / c
}

// A product is a term of a size, with a positive coefficient.
type product struct {
	coef    int64
	factors []ir.Exp
}

// eachAtMost reports whether each product of one list is at most a product of another list, whose
// coefficient it uses up. No product of the other list is negative.
func (w *written) eachAtMost(less, more []product) bool {
	more = slices.Clone(more)
	if slices.ContainsFunc(more, func(p product) bool { return !w.allAtLeast(p.factors, 0) }) {
		return false
	}
	for _, x := range less {
		k := slices.IndexFunc(more, func(y product) bool { return x.coef <= y.coef && w.productAtMost(x.factors, y.factors) })
		if k < 0 {
			return false
		}
		more[k].coef -= x.coef
	}
	return true
}

func (w *written) productAtMost(x, y []ir.Exp) bool {
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

func (w *written) allAtLeast(list []ir.Exp, n int64) bool {
	return !slices.ContainsFunc(list, func(e ir.Exp) bool { return !w.atLeast(e, n) })
}

// atLeast reports whether an expression is at least 0 or 1 by how it is written.
func (w *written) atLeast(e ir.Exp, n int64) bool { return w.expAtMost(bounds[n], e) }

var bounds = [2]ir.Exp{ir.IntLit(0), ir.IntLit(1)}

// written compares expressions of type i64 by how they are written.
type written struct {
	dims  []string // names of sizes of arrays, which are not negative
	text  map[ir.Exp]string
	known map[[2]ir.Exp]bool
}

func (w *written) string(e ir.Exp) string {
	s, ok := w.text[e]
	if !ok {
		s = ir.ExpString(e)
		w.text[e] = s
	}
	return s
}

// expAtMost reports whether x <= y.
func (w *written) expAtMost(x, y ir.Exp) bool {
	key := [2]ir.Exp{x, y}
	holds, known := w.known[key]
	if !known {
		holds = w.string(x) == w.string(y) || w.byOperands(x, y)
		w.known[key] = holds
	}
	return holds
}

func (w *written) byOperands(x, y ir.Exp) bool {
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
