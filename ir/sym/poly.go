package sym

import (
	"cmp"
	"math"
	"math/bits"
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
	var beyond []term // sums that are left as they are
	for _, t := range ts {
		if k := len(out) - 1; k >= 0 && compareMono(out[k], t) == 0 {
			sum, ok := addCoef(out[k], t)
			if !ok {
				beyond = append(beyond, opaqueSum(out[k], t))
			}
			out[k].coef = sum
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
	if beyond != nil {
		return normal(append(beyond, out...))
	}
	if len(out) == 0 {
		return Poly{}
	}
	return Poly{out}
}

// Note [Coefficients]
//
// A coefficient never wraps: a sum or product that would need a larger one stays as it
// is written, as an atom. Its value is the same either way, but the size of a block
// must not be folded to a small one where the run would find a large one, as in
// n * 2^62 * 4 bytes.

// addCoef gives the sum of two coefficients of one monomial, or 0 and false where none
// can be that large. The least int64 is a constant only: its negative is none.
func addCoef(a, b term) (int64, bool) {
	if s := a.coef + b.coef; (s > a.coef) == (b.coef > 0) && (s != math.MinInt64 || a.deg == 0) {
		return s, true
	}
	return 0, false
}

// mulCoef gives a * b, or false where a coefficient cannot be that large.
func mulCoef(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	p := a * b
	return p, p != math.MinInt64 && a != math.MinInt64 && p/b == a
}

// Add gives p + q.
func (p Poly) Add(q Poly) Poly {
	if len(p.terms) == 0 {
		return q
	}
	if len(q.terms) == 0 {
		return p
	}
	return merge(p.terms, q.terms)
}

// Sub gives p - q.
func (p Poly) Sub(q Poly) Poly {
	if len(q.terms) == 0 {
		return p
	}
	if p.Equal(q) { // also where -q is an atom
		return Poly{}
	}
	return merge(p.terms, q.Neg().terms)
}

// merge gives a + b in one pass over two sorted lists.
func merge(a, b []term) Poly {
	out := make([]term, 0, len(a)+len(b))
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch c := compareMono(a[i], b[j]); {
		case c < 0:
			out = append(out, a[i])
			i++
		case c > 0:
			out = append(out, b[j])
			j++
		default:
			t, ok := a[i], false
			if t.coef, ok = addCoef(t, b[j]); !ok {
				return normal(append(slices.Clone(a), b...))
			}
			if t.coef != 0 {
				out = append(out, t)
			}
			i, j = i+1, j+1
		}
	}
	return Poly{append(append(out, a[i:]...), b[j:]...)}
}

// Neg gives -p.
func (p Poly) Neg() Poly { return p.scale(-1) }

// scale gives c*p.
func (p Poly) scale(c int64) Poly {
	switch c {
	case 0:
		return Poly{}
	case 1:
		return p
	}
	out := make([]term, 0, len(p.terms))
	for _, t := range p.terms {
		ok := false
		if t.coef, ok = mulCoef(t.coef, c); !ok {
			return opaqueProduct(p, Const(c))
		}
		out = append(out, t)
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
			t, ok := mulTerm(a, b)
			if !ok {
				return opaqueProduct(p, q)
			}
			out = append(out, t)
		}
	}
	return normal(out)
}

// mulTerm multiplies two terms, if the coefficient is an int64.
func mulTerm(a, b term) (t term, ok bool) {
	t.deg = a.deg + b.deg
	if t.coef, ok = mulCoef(a.coef, b.coef); !ok {
		return t, false
	}
	switch {
	case len(a.factors) == 0:
		t.factors = b.factors
		return t, true
	case len(b.factors) == 0:
		t.factors = a.factors
		return t, true
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
	return t, true
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

// Value gives the value of p where none of its terms is near the ends of an i64, given
// that of its atoms: of a name, or of an opaque expression.
func (p Poly) Value(value func(name string, e ir.Exp) (int64, bool)) (int64, bool) {
	const far = 1 << 60
	var sum int64
	for _, t := range p.terms {
		v := t.coef
		for _, f := range t.factors {
			x, ok := value(f.atom.key, f.atom.exp)
			if !ok {
				return 0, false
			}
			for range f.pow {
				if hi, lo := bits.Mul64(uint64(max(v, -v)), uint64(max(x, -x))); hi != 0 || lo > far {
					return 0, false
				}
				v *= x
			}
		}
		if sum += v; sum > far || sum < -far {
			return 0, false
		}
	}
	return sum, true
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
