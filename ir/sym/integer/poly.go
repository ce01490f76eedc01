// Package integer is the library of polynomials over the integers. All reasoning about sizes and
// places uses it: package ir/sym, the prover of analysis/places and the independent one of
// internal/oracle/memcheck.
//
// Purpose. It does arithmetic and no reasoning: it knows neither the meaning of a polynomial's
// atoms nor facts about them. So a checker may share it with the code that it checks.
//
// Algorithm. A Poly is a sorted list of terms, each a coefficient and the list of its atoms, in
// graded lexicographic order. So equal polynomials have equal lists. Multiplication keeps the
// order, and division relies on that.
//
// Invariants. A Poly is immutable; the zero Poly is the constant 0. Coefficients are checked: if
// one would leave the range of an int64, or a product would have too many terms, the result is bad,
// and so is every result computed from it. Nothing can be proved about a bad one.
//
// The package imports nothing of memc.
package integer

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Bounds of products and of results of substitutions. They keep (a+b)*(c+d)*... and repeated
// squaring from exploding.
const (
	maxProducts = 4096
	maxDegree   = 32
	maxTerms    = 96
)

// A Poly is a polynomial over atoms of some type. Terms are in descending order, and no coefficient
// is 0.
type Poly[A cmp.Ordered] struct {
	Terms []Term[A]
	Bad   bool
}

// A Term is a coefficient and a product of atoms, in ascending order, repeated for powers.
type Term[A cmp.Ordered] struct {
	Coef  int64
	Atoms []A
}

// Const returns a constant.
func Const[A cmp.Ordered](c int64) Poly[A] {
	if c == 0 {
		return Poly[A]{}
	}
	return Poly[A]{Terms: []Term[A]{{Coef: c}}}
}

// Atom returns the polynomial that is an atom.
func Atom[A cmp.Ordered](a A) Poly[A] {
	var both struct { // one allocation instead of two: most polynomials are one atom
		terms [1]Term[A]
		atoms [1]A
	}
	p := &both
	p.atoms[0] = a
	p.terms[0] = Term[A]{1, p.atoms[:]}
	return Poly[A]{Terms: p.terms[:]}
}

func bad[A cmp.Ordered]() Poly[A] { return Poly[A]{Bad: true} }

// Sum adds up terms in any order; it owns ts.
func Sum[A cmp.Ordered](ts []Term[A]) Poly[A] {
	byAtoms := func(a, b Term[A]) int { return Compare(a.Atoms, b.Atoms) }
	if !slices.IsSortedFunc(ts, byAtoms) {
		slices.SortStableFunc(ts, byAtoms)
	}
	out := ts[:0]
	for _, t := range ts {
		if k := len(out) - 1; k >= 0 && slices.Equal(out[k].Atoms, t.Atoms) {
			sum, ok := AddCoef(out[k].Coef, t.Coef)
			if !ok {
				return bad[A]()
			}
			if out[k].Coef = sum; sum == 0 {
				out = out[:k]
			}
			continue
		}
		if t.Coef != 0 {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return Poly[A]{}
	}
	return Poly[A]{Terms: out}
}

// Compare orders products: the higher degree first, then lexicographically; the lesser atom is the
// greater variable.
func Compare[A cmp.Ordered](a, b []A) int {
	if len(a) != len(b) {
		return cmp.Compare(len(b), len(a))
	}
	return slices.Compare(a, b)
}

// AddCoef returns a + b, if an int64 holds it and its negative.
func AddCoef(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0) && s != math.MinInt64
}

// MulCoef returns a * b, if an int64 holds it and its negative.
func MulCoef(a, b int64) (int64, bool) {
	p := a * b
	if a == 0 || b == 0 || a == int64(int32(a)) && b == int64(int32(b)) {
		return p, true
	}
	return p, p != math.MinInt64 && a != math.MinInt64 && b != math.MinInt64 && p/b == a
}

// Add returns p + q.
func (p Poly[A]) Add(q Poly[A]) Poly[A] { return p.plus(q, 1) }

// Sub returns p - q.
func (p Poly[A]) Sub(q Poly[A]) Poly[A] { return p.plus(q, -1) }

// AddConst returns p + c.
func (p Poly[A]) AddConst(c int64) Poly[A] {
	last := len(p.Terms) - 1
	switch {
	case p.Bad:
		return bad[A]()
	case c == 0:
		return p
	case last < 0:
		return Const[A](c)
	case len(p.Terms[last].Atoms) > 0:
		return Poly[A]{Terms: append(slices.Clip(p.Terms), Term[A]{Coef: c})}
	}
	sum, ok := AddCoef(p.Terms[last].Coef, c)
	switch {
	case !ok:
		return bad[A]()
	case sum == 0:
		return Poly[A]{Terms: slices.Clip(p.Terms[:last])}
	}
	terms := slices.Clone(p.Terms)
	terms[last].Coef = sum
	return Poly[A]{Terms: terms}
}

// plus returns p + sign*q by merging two sorted lists.
func (p Poly[A]) plus(q Poly[A], sign int64) Poly[A] {
	switch {
	case p.Bad || q.Bad:
		return bad[A]()
	case len(q.Terms) == 0:
		return p
	case len(p.Terms) == 0 && sign == 1:
		return q
	}
	out := make([]Term[A], 0, len(p.Terms)+len(q.Terms))
	i, j := 0, 0
	for i < len(p.Terms) || j < len(q.Terms) {
		c := 0
		switch {
		case j == len(q.Terms):
			c = -1
		case i == len(p.Terms):
			c = 1
		default:
			c = Compare(p.Terms[i].Atoms, q.Terms[j].Atoms)
		}
		var t Term[A]
		if c <= 0 {
			t = p.Terms[i]
			i++
		}
		if c >= 0 {
			u, ok := MulCoef(sign, q.Terms[j].Coef)
			if sign == 1 {
				u, ok = q.Terms[j].Coef, true
			}
			if c == 0 && ok {
				u, ok = AddCoef(t.Coef, u)
			}
			if !ok {
				return bad[A]()
			}
			t = Term[A]{u, q.Terms[j].Atoms}
			j++
		}
		if t.Coef != 0 {
			out = append(out, t)
		}
	}
	return Poly[A]{Terms: out}
}

// Neg returns -p.
func (p Poly[A]) Neg() Poly[A] { return p.Scale(-1) }

// Scale returns c*p.
func (p Poly[A]) Scale(c int64) Poly[A] {
	switch {
	case p.Bad || c == 1:
		return p
	case c == 0:
		return Poly[A]{}
	}
	return p.MulTerm(Term[A]{Coef: c})
}

// MulTerm multiplies by one term.
func (p Poly[A]) MulTerm(u Term[A]) Poly[A] {
	if p.Bad {
		return p
	}
	out := make([]Term[A], len(p.Terms))
	for k, t := range p.Terms {
		c, ok := MulCoef(t.Coef, u.Coef)
		if !ok || len(t.Atoms)+len(u.Atoms) > maxDegree {
			return bad[A]()
		}
		out[k] = Term[A]{c, Product(t.Atoms, u.Atoms)}
	}
	return Poly[A]{Terms: out}
}

// Product returns a * b.
func Product[A cmp.Ordered](a, b []A) []A {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := make([]A, 0, len(a)+len(b))
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if a[i] <= b[j] {
			out = append(out, a[i])
			i++
		} else {
			out = append(out, b[j])
			j++
		}
	}
	return append(append(out, a[i:]...), b[j:]...)
}

// Mul returns p * q.
func (p Poly[A]) Mul(q Poly[A]) Poly[A] {
	if p.Bad || q.Bad || len(p.Terms)*len(q.Terms) > maxProducts {
		return bad[A]()
	}
	if len(p.Terms) < len(q.Terms) {
		p, q = q, p
	}
	switch len(q.Terms) {
	case 0:
		return q
	case 1:
		return p.MulTerm(q.Terms[0])
	}
	out := make([]Term[A], 0, len(p.Terms)*len(q.Terms))
	for _, u := range q.Terms {
		r := p.MulTerm(u)
		if r.Bad {
			return r
		}
		out = append(out, r.Terms...)
	}
	return Sum[A](out)
}

// Equal reports whether p and q are the same, and not bad.
func (p Poly[A]) Equal(q Poly[A]) bool {
	return !p.Bad && !q.Bad && slices.EqualFunc(p.Terms, q.Terms, func(a, b Term[A]) bool {
		return a.Coef == b.Coef && slices.Equal(a.Atoms, b.Atoms)
	})
}

// IsConst returns the value of a constant.
func (p Poly[A]) IsConst() (int64, bool) {
	switch {
	case p.Bad:
		return 0, false
	case len(p.Terms) == 0:
		return 0, true
	case len(p.Terms) == 1 && len(p.Terms[0].Atoms) == 0:
		return p.Terms[0].Coef, true
	}
	return 0, false
}

// Is reports whether p is the constant c.
func (p Poly[A]) Is(c int64) bool {
	v, ok := p.IsConst()
	return ok && v == c
}

// IsAtom returns the atom that p is.
func (p Poly[A]) IsAtom() (a A, ok bool) {
	if !p.Bad && len(p.Terms) == 1 && p.Terms[0].Coef == 1 && len(p.Terms[0].Atoms) == 1 {
		return p.Terms[0].Atoms[0], true
	}
	return a, false
}

// Constant returns the constant among the terms.
func (p Poly[A]) Constant() int64 {
	if k := len(p.Terms) - 1; k >= 0 && len(p.Terms[k].Atoms) == 0 {
		return p.Terms[k].Coef
	}
	return 0
}

// Coefficient returns the coefficient of a product of atoms.
func (p Poly[A]) Coefficient(m []A) int64 {
	for _, t := range p.Terms {
		if slices.Equal(t.Atoms, m) {
			return t.Coef
		}
	}
	return 0
}

// Without returns p less its k-th term.
func (p Poly[A]) Without(k int) Poly[A] {
	return Poly[A]{Terms: slices.Concat(p.Terms[:k], p.Terms[k+1:]), Bad: p.Bad}
}

// Has reports whether an atom occurs.
func (p Poly[A]) Has(x A) bool {
	return slices.ContainsFunc(p.Terms, func(t Term[A]) bool { return slices.Contains(t.Atoms, x) })
}

// Atoms returns the atoms that occur, ascending.
func (p Poly[A]) Atoms() []A {
	var out []A
	for _, t := range p.Terms {
		out = append(out, t.Atoms...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Collect returns a and b with p = a*x + b, where b does not mention x. affine: a does not mention
// x, either.
func (p Poly[A]) Collect(x A) (a, b Poly[A], affine bool) {
	affine = !p.Bad
	for _, t := range p.Terms {
		k := slices.Index(t.Atoms, x)
		if k < 0 {
			b.Terms = append(b.Terms, t)
			continue
		}
		m := slices.Concat(t.Atoms[:k], t.Atoms[k+1:])
		affine = affine && !slices.Contains(m, x)
		a.Terms = append(a.Terms, Term[A]{t.Coef, m})
	}
	// Without one x each, products of one degree may have another order.
	return Sum[A](a.Terms), b, affine
}

// Subst replaces x by q.
func (p Poly[A]) Subst(x A, q Poly[A]) Poly[A] {
	if p.Bad || !p.Has(x) {
		return p
	}
	a, b, affine := p.Collect(x)
	if !affine {
		a = a.Subst(x, q)
	}
	return a.Mul(q).Add(b).bounded()
}

// SubstAll replaces atoms, all at once.
func (p Poly[A]) SubstAll(by func(A) (Poly[A], bool)) Poly[A] {
	replaced := func(x A) bool { _, ok := by(x); return ok }
	if p.Bad || !slices.ContainsFunc(p.Terms, func(t Term[A]) bool { return slices.ContainsFunc(t.Atoms, replaced) }) {
		return p
	}
	out := Poly[A]{}
	for _, t := range p.Terms {
		v := Const[A](t.Coef)
		for _, x := range t.Atoms {
			if y, ok := by(x); ok {
				v = v.Mul(y)
			} else {
				v = v.MulTerm(Term[A]{1, []A{x}})
			}
		}
		out = out.Add(v).bounded()
	}
	return out
}

func (p Poly[A]) bounded() Poly[A] {
	if len(p.Terms) > maxTerms {
		return bad[A]()
	}
	return p
}

// Value returns the value of p, given those of its atoms. It fails if a product or sum is far from 0.
func (p Poly[A]) Value(value func(A) (int64, bool)) (sum int64, ok bool) {
	const far = 1 << 60
	for _, t := range p.Terms {
		v := t.Coef
		for _, a := range t.Atoms {
			x, ok := value(a)
			if v, ok = mulIf(v, x, ok); !ok || v > far || v < -far {
				return 0, false
			}
		}
		if sum, ok = AddCoef(sum, v); !ok || sum > far || sum < -far {
			return 0, false
		}
	}
	return sum, !p.Bad
}

func mulIf(a, b int64, ok bool) (int64, bool) {
	if !ok {
		return 0, false
	}
	return MulCoef(a, b)
}

// Write writes a text that identifies the polynomial, given the texts of atoms.
func (p Poly[A]) Write(b *strings.Builder, text func(A) string) {
	for _, t := range p.Terms {
		b.WriteString(strconv.FormatInt(t.Coef, 36))
		for _, x := range t.Atoms {
			b.WriteByte('*')
			b.WriteString(text(x))
		}
		b.WriteByte('+')
	}
	if p.Bad {
		b.WriteByte('?')
	}
}
