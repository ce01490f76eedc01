package sym

import (
	"cmp"
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Bounds of an expanded product, the size in nodes of its expression; what
// would exceed them becomes an atom. They keep (a+b)*(c+d)*... and repeated
// squaring from exploding.
const (
	maxProductSize = 4096
	maxDegree      = 32
)

// A Poly is an immutable polynomial over names and opaque expressions. The zero
// Poly is the constant 0.
type Poly struct {
	terms []term // in descending monomial order, coefficients not zero
}

// A term is a coefficient and a monomial.
type term struct {
	coef    int64
	deg     int
	factors []factor // by key, powers positive
}

type factor struct {
	atom *atom
	pow  int
}

// Const gives the constant polynomial v.
func Const(v int64) Poly {
	if v == 0 {
		return Poly{}
	}
	return Poly{[]term{{coef: v}}}
}

// Var gives the polynomial that is the scalar of that name, of type i64.
func Var(name string) Poly {
	return ofAtom(&atom{key: name, size: 1})
}

func ofAtom(a *atom) Poly {
	return Poly{[]term{{coef: 1, deg: 1, factors: []factor{{a, 1}}}}}
}

// compareMono orders monomials: the higher degree first, then
// lexicographically, where the smaller key is the greater variable. The order
// is compatible with multiplication, which DivExact relies on.
func compareMono(a, b term) int {
	if a.deg != b.deg {
		return cmp.Compare(b.deg, a.deg)
	}
	for i := 0; i < len(a.factors) && i < len(b.factors); i++ {
		x, y := a.factors[i], b.factors[i]
		if x.atom != y.atom {
			if c := cmp.Compare(x.atom.key, y.atom.key); c != 0 {
				return c
			}
		}
		if x.pow != y.pow {
			return cmp.Compare(y.pow, x.pow)
		}
	}
	return cmp.Compare(len(a.factors), len(b.factors))
}

// normal sorts terms, adds up those of one monomial and drops zeros. It owns ts.
func normal(ts []term) Poly {
	if !slices.IsSortedFunc(ts, compareMono) {
		slices.SortStableFunc(ts, compareMono)
	}
	out := ts[:0]
	for _, t := range ts {
		if k := len(out) - 1; k >= 0 && compareMono(out[k], t) == 0 {
			out[k].coef += t.coef
			continue
		}
		if k := len(out) - 1; k >= 0 && out[k].coef == 0 {
			out = out[:k]
		}
		out = append(out, t)
	}
	if k := len(out) - 1; k >= 0 && out[k].coef == 0 {
		out = out[:k]
	}
	if len(out) == 0 {
		return Poly{}
	}
	return Poly{out}
}

// Add gives p + q.
func (p Poly) Add(q Poly) Poly {
	if len(p.terms) == 0 {
		return q
	}
	if len(q.terms) == 0 {
		return p
	}
	return Poly{merge(p.terms, q.terms, 1)}
}

// Sub gives p - q.
func (p Poly) Sub(q Poly) Poly {
	if len(q.terms) == 0 {
		return p
	}
	return Poly{merge(p.terms, q.terms, -1)}
}

// merge gives a + sign*b in one pass over two sorted lists.
func merge(a, b []term, sign int64) []term {
	out := make([]term, 0, len(a)+len(b))
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		c := 0
		switch {
		case j == len(b):
			c = -1
		case i == len(a):
			c = 1
		default:
			c = compareMono(a[i], b[j])
		}
		switch {
		case c < 0:
			out = append(out, a[i])
			i++
		case c > 0:
			t := b[j]
			t.coef *= sign
			out = append(out, t)
			j++
		default:
			t := a[i]
			if t.coef += sign * b[j].coef; t.coef != 0 {
				out = append(out, t)
			}
			i, j = i+1, j+1
		}
	}
	return out
}

// Neg gives -p.
func (p Poly) Neg() Poly { return p.scale(-1) }

// scale gives c*p. A coefficient may wrap to zero; its term then vanishes.
func (p Poly) scale(c int64) Poly {
	switch c {
	case 0:
		return Poly{}
	case 1:
		return p
	}
	out := make([]term, 0, len(p.terms))
	for _, t := range p.terms {
		if t.coef *= c; t.coef != 0 {
			out = append(out, t)
		}
	}
	return Poly{out}
}

// Mul gives p * q.
func (p Poly) Mul(q Poly) Poly {
	if c, ok := p.IsConst(); ok {
		return q.scale(c)
	}
	if c, ok := q.IsConst(); ok {
		return p.scale(c)
	}
	if p.degree()+q.degree() > maxDegree || len(p.terms)*q.size()+len(q.terms)*p.size() > maxProductSize {
		return opaqueProduct(p, q)
	}
	out := make([]term, 0, len(p.terms)*len(q.terms))
	for _, a := range p.terms {
		for _, b := range q.terms {
			out = append(out, mulTerm(a, b))
		}
	}
	return normal(out)
}

// mulTerm multiplies two terms; the coefficient may wrap to zero, which normal
// removes.
func mulTerm(a, b term) term {
	t := term{coef: a.coef * b.coef, deg: a.deg + b.deg}
	switch {
	case len(a.factors) == 0:
		t.factors = b.factors
		return t
	case len(b.factors) == 0:
		t.factors = a.factors
		return t
	}
	t.factors = make([]factor, 0, len(a.factors)+len(b.factors))
	i, j := 0, 0
	for i < len(a.factors) && j < len(b.factors) {
		x, y := a.factors[i], b.factors[j]
		switch c := cmp.Compare(x.atom.key, y.atom.key); {
		case c < 0:
			t.factors = append(t.factors, x)
			i++
		case c > 0:
			t.factors = append(t.factors, y)
			j++
		default:
			t.factors = append(t.factors, factor{x.atom, x.pow + y.pow})
			i, j = i+1, j+1
		}
	}
	t.factors = append(t.factors, a.factors[i:]...)
	t.factors = append(t.factors, b.factors[j:]...)
	return t
}

// degree is that of the first term, since the order is graded.
func (p Poly) degree() int {
	if len(p.terms) == 0 {
		return 0
	}
	return p.terms[0].deg
}

// size is the number of nodes of the expression.
func (p Poly) size() int {
	n := len(p.terms)
	for _, t := range p.terms {
		for _, f := range t.factors {
			n += f.pow * f.atom.size
		}
	}
	return min(n, maxSize)
}

// Equal tells whether p and q are the same polynomial: then they have the same
// value, whatever the names stand for.
func (p Poly) Equal(q Poly) bool {
	return slices.EqualFunc(p.terms, q.terms, func(a, b term) bool {
		return a.coef == b.coef && compareMono(a, b) == 0
	})
}

// Compare is some total order of polynomials, for deterministic output.
func (p Poly) Compare(q Poly) int {
	return slices.CompareFunc(p.terms, q.terms, func(a, b term) int {
		if c := compareMono(a, b); c != 0 {
			return c
		}
		return cmp.Compare(a.coef, b.coef)
	})
}

// IsConst gives the value of a constant polynomial.
func (p Poly) IsConst() (int64, bool) {
	switch {
	case len(p.terms) == 0:
		return 0, true
	case len(p.terms) == 1 && p.terms[0].deg == 0:
		return p.terms[0].coef, true
	}
	return 0, false
}

// Is tells whether p is the constant v.
func (p Poly) Is(v int64) bool {
	c, ok := p.IsConst()
	return ok && c == v
}

// IsVar gives the name where p is just one name.
func (p Poly) IsVar() (string, bool) {
	if len(p.terms) != 1 {
		return "", false
	}
	t := p.terms[0]
	if t.coef != 1 || t.deg != 1 || t.factors[0].atom.exp != nil {
		return "", false
	}
	return t.factors[0].atom.key, true
}

// Names gives all names mentioned, also inside opaque expressions, sorted.
func (p Poly) Names() []string {
	var out []string
	for _, t := range p.terms {
		for _, f := range t.factors {
			out = append(out, f.atom.names()...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Eval gives the value of p, given that of its atoms: a Ref for a name, else
// the opaque expression. Arithmetic wraps.
func (p Poly) Eval(value func(ir.Exp) int64) int64 {
	var sum int64
	for _, t := range p.terms {
		v := t.coef
		for _, f := range t.factors {
			x := value(f.atom.Exp())
			for range f.pow {
				v *= x
			}
		}
		sum += v
	}
	return sum
}
