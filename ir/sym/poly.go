package sym

import (
	"cmp"
	"math"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// maxProductSize bounds an expanded product, in nodes of its expression. A larger product becomes
// an atom.
const maxProductSize = 4096

// A Poly is an immutable polynomial over names and opaque expressions. The zero
// Poly is the constant 0.
type Poly struct {
	p poly // never bad
	// opaque are its atoms that are not names, by key; it may contain a few others.
	opaque atoms
}

type (
	poly = integer.Poly[string]
	term = integer.Term[string]
)

// made returns a polynomial whose opaque atoms are among those known.
func made(p poly, known atoms) Poly {
	if len(known) == 0 {
		return Poly{p: p}
	}
	n := 0
	for _, t := range p.Terms {
		n += len(t.Atoms)
	}
	if len(known) <= n {
		return Poly{p, known}
	}
	opaque := make(atoms, 0, n)
	for _, t := range p.Terms {
		for _, key := range t.Atoms {
			if a := known.of(key); a != nil {
				opaque = append(opaque, a)
			}
		}
	}
	slices.SortFunc(opaque, byKey)
	return Poly{p, slices.Compact(opaque)}
}

// Const returns the constant polynomial v.
func Const(v int64) Poly {
	if 0 <= v && v < int64(len(constants)) {
		return Poly{p: constants[v]}
	}
	return Poly{p: integer.Const[string](v)}
}

// constants are the ones that most sizes and strides are made of.
var constants = func() (out [17]poly) {
	for v := range out {
		out[v] = integer.Const[string](int64(v))
	}
	return out
}()

// Var returns the polynomial that is the scalar of that name, of type i64.
func Var(name string) Poly { return Poly{p: integer.Atom(name)} }

// size gives the nodes of an atom's expression.
func (p Poly) sizeOf(key string) int {
	if a := p.opaque.of(key); a != nil {
		return a.size
	}
	return 1
}

// A gathering is a sum of terms that are not yet in order: a sum of k operands costs one
// sort instead of k merges.
type gathering struct {
	terms  []term
	opaque atoms
}

func (g *gathering) add(p Poly) {
	g.terms = append(g.terms, p.p.Terms...)
	g.opaque = g.opaque.and(p.opaque)
}

// normal returns the sum.
func (g *gathering) normal() Poly {
	const large = 1 << 40
	if slices.ContainsFunc(g.terms, func(t term) bool { return t.Coef > large || t.Coef < -large }) {
		var sum Poly
		for _, t := range g.terms {
			sum = sum.Add(made(poly{Terms: []term{t}}, g.opaque))
		}
		return sum
	}
	return made(integer.Sum(g.terms), g.opaque)
}

// Note [Coefficients]
//
// A coefficient never wraps: a sum or product that would need a larger one remains as written, as
// an atom. Its value is the same in either form, but a block's size must not be folded to a small
// one if the run computes a large one, as for n * 2^62 * 4 bytes. The least int64 may only be a
// constant, because its negative is not an int64.

// Add returns p + q.
func (p Poly) Add(q Poly) Poly {
	if r := p.p.Add(q.p); !r.Bad {
		return made(r, p.opaque.and(q.opaque))
	}
	for _, t := range q.p.Terms {
		u, rest := made(poly{Terms: []term{t}}, q.opaque), p
		if k := slices.IndexFunc(p.p.Terms, func(s term) bool { return slices.Equal(s.Atoms, t.Atoms) }); k >= 0 {
			same := made(poly{Terms: p.p.Terms[k : k+1]}, p.opaque)
			u, rest = same.plus(u), made(p.p.Without(k), p.opaque)
		}
		p = rest.Add(u)
	}
	return p
}

// plus adds two terms of one monomial.
func (p Poly) plus(q Poly) Poly {
	a, isConst := p.IsConst()
	b, _ := q.IsConst()
	if r := p.p.Add(q.p); !r.Bad {
		return made(r, p.opaque)
	} else if isConst && a < 0 && b < 0 && a+b == math.MinInt64 {
		return Const(a + b)
	}
	if p.p.Terms[0].Coef < q.p.Terms[0].Coef {
		p, q = q, p
	}
	return opaqueAtom("(("+p.String()+")+("+q.String()+"))", binary("+", p.Exp(), q.Exp()), 1+p.Size()+q.Size())
}

// Sub returns p - q.
func (p Poly) Sub(q Poly) Poly {
	if r := p.p.Sub(q.p); !r.Bad {
		return made(r, p.opaque.and(q.opaque))
	} else if p.Equal(q) { // also if -q is an atom
		return Poly{}
	}
	return p.Add(q.Neg())
}

// Neg returns -p.
func (p Poly) Neg() Poly { return p.scale(-1) }

// scale returns c*p.
func (p Poly) scale(c int64) Poly {
	r := p.p.Scale(c)
	if r.Bad {
		return opaqueProduct(p, Const(c))
	}
	return Poly{r, p.opaque}
}

// Mul returns p * q.
func (p Poly) Mul(q Poly) Poly {
	if c, ok := p.IsConst(); ok {
		return q.scale(c)
	}
	if c, ok := q.IsConst(); ok {
		return p.scale(c)
	}
	if len(p.p.Terms)*q.Size()+len(q.p.Terms)*p.Size() <= maxProductSize {
		if r := p.p.Mul(q.p); !r.Bad {
			return made(r, p.opaque.and(q.opaque))
		}
	}
	return opaqueProduct(p, q)
}

// Size returns the number of nodes of p as an expression, or a large number if there are more.
func (p Poly) Size() int {
	n := len(p.p.Terms)
	for _, t := range p.p.Terms {
		for _, x := range t.Atoms {
			n += p.sizeOf(x)
		}
	}
	return min(n, maxSize)
}

// Equal reports whether p and q are the same polynomial. Then they have the same value for all
// values of the names.
func (p Poly) Equal(q Poly) bool { return p.p.Equal(q.p) }

// Compare is some total order of polynomials, for deterministic output.
func (p Poly) Compare(q Poly) int {
	return slices.CompareFunc(p.p.Terms, q.p.Terms, func(a, b term) int {
		if c := integer.Compare(a.Atoms, b.Atoms); c != 0 {
			return c
		}
		return cmp.Compare(a.Coef, b.Coef)
	})
}

// IsConst returns the value of a constant polynomial.
func (p Poly) IsConst() (int64, bool) { return p.p.IsConst() }

// Constant returns the constant among the terms.
func (p Poly) Constant() int64 { return p.p.Constant() }

// Is reports whether p is the constant v.
func (p Poly) Is(v int64) bool { return p.p.Is(v) }

// IsVar returns the name if p is a single name.
func (p Poly) IsVar() (string, bool) {
	x, ok := p.p.IsAtom()
	return x, ok && p.opaque.of(x) == nil
}

// Names returns all names mentioned, also inside opaque expressions, sorted.
func (p Poly) Names() []string {
	out := p.p.Atoms()
	if len(p.opaque) == 0 {
		return out
	}
	var names []string
	for _, x := range out {
		names = append(names, p.names(x)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Has reports whether a name is mentioned, also inside opaque expressions.
func (p Poly) Has(name string) bool {
	return slices.ContainsFunc(p.p.Terms, func(t term) bool {
		return slices.ContainsFunc(t.Atoms, func(key string) bool {
			if a := p.opaque.of(key); a != nil {
				return slices.Contains(a.names(), name)
			}
			return key == name
		})
	})
}

// names returns the names that an atom mentions.
func (p Poly) names(key string) []string {
	if a := p.opaque.of(key); a != nil {
		return a.names()
	}
	return []string{key}
}

// exp returns an atom as an expression.
func (p Poly) exp(key string) ir.Exp {
	if a := p.opaque.of(key); a != nil {
		return a.exp
	}
	return ir.Var(key)
}

// Value returns the value of p, given those of its atoms (names and opaque expressions). It fails
// if a term is near the ends of an i64.
func (p Poly) Value(value func(name string, e ir.Exp) (int64, bool)) (int64, bool) {
	return p.p.Value(func(key string) (int64, bool) {
		if a := p.opaque.of(key); a != nil {
			return value(key, a.exp)
		}
		return value(key, nil)
	})
}

// Eval returns the value of p, given those of its atoms: a Ref for a name, else the opaque
// expression. Arithmetic wraps.
func (p Poly) Eval(value func(ir.Exp) int64) int64 {
	var sum int64
	for _, t := range p.p.Terms {
		v := t.Coef
		for _, x := range t.Atoms {
			v *= value(p.exp(x))
		}
		sum += v
	}
	return sum
}
