package places

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// The limits that the run time enforces for every program: docs/rationale.md, "What the provers may
// take for true".
const (
	// MaxBytes bounds the bytes of a block or an array. So it also bounds a dim, the product of an
	// array's dims, the threads of a kernel, and a position within a block.
	MaxBytes = 1 << 47
	// maxTurns bounds the iterations that a loop can get through.
	maxTurns = 1 << 56
)

// A mag bounds an integer, -neg <= v <= pos; beyond is no bound.
type mag struct{ neg, pos uint64 }

const beyond = math.MaxUint64

func addSat(a, b uint64) uint64 {
	s, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return beyond
	}
	return s
}

func mulSat(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return beyond
	}
	return lo
}

func (a mag) plus(b mag) mag { return mag{addSat(a.neg, b.neg), addSat(a.pos, b.pos)} }

func (a mag) times(b mag) mag {
	return mag{
		max(mulSat(a.neg, b.pos), mulSat(a.pos, b.neg)),
		max(mulSat(a.neg, b.neg), mulSat(a.pos, b.pos)),
	}
}

func (a mag) most() uint64 { return max(a.neg, a.pos) }

// fits reports whether an i64 holds it.
func (a mag) fits() bool { return a.neg <= 1<<63 && a.pos < 1<<63 }

// known describes an atom apart from the facts: its range, its definition, an upper bound that
// holds if the atom is not negative, and products that it is a factor of.
type known struct {
	lo, hi   int64
	is       poly
	below    []poly
	products []product
}

// A product of atoms is at most limit, and at least -limit. If that depends on signs, it counts
// only once all atoms are known not to be negative.
type product struct {
	m      []string
	limit  uint64
	signed bool
}

const (
	maxBelow    = 2 // of one atom
	maxProducts = 8
	maxFactors  = 14 // of a product that is bounded in several ways
)

func (k *known) mag() mag {
	var m mag
	if k.lo < 0 {
		m.neg = -uint64(k.lo)
	}
	if k.hi > 0 {
		m.pos = uint64(k.hi)
	}
	return m
}

// allows reports whether an atom can have a value.
func (k *known) allows(v int64) bool { return k.lo <= v && v <= k.hi }

// within adds lo <= name <= hi.
func (r *ranges) within(name string, lo, hi int64) *ranges {
	old := r.of(name)
	if lo <= old.lo && hi >= old.hi {
		return r
	}
	k := *old
	k.lo, k.hi = max(k.lo, lo), min(k.hi, hi)
	return r.with(name, k)
}

// meet adds the facts of k about an atom.
func (r *ranges) meet(name string, k *known) *ranges {
	old := r.of(name)
	merged := *old
	merged.lo, merged.hi = max(old.lo, k.lo), min(old.hi, k.hi)
	if len(old.is.Terms) == 0 {
		merged.is = k.is
	}
	if len(old.below) == 0 {
		merged.below = k.below
	}
	if len(old.products) < len(k.products) {
		merged.products = k.products
	}
	if merged.lo == old.lo && merged.hi == old.hi && len(merged.is.Terms) == len(old.is.Terms) && len(merged.below) == len(old.below) && len(merged.products) == len(old.products) {
		return r
	}
	return r.with(name, merged)
}

// maxUppers is how often a bound may be replaced by its own bound, to bound a product, and a name
// by its definition.
const maxUppers = 2

// mono bounds a product of atoms.
func (r *ranges) mono(m []string, uppers int) mag {
	out := mag{0, 1}
	for left := m; len(left) > 0; {
		k := r.of(left[0])
		taken, by := left[:1], k.mag()
		for _, p := range k.products {
			if len(left) == 1 {
				break
			}
			if part := p.part(left, r); len(part) > len(taken) {
				taken, by = part, mag{p.limit, p.limit}
			}
		}
		left, _ = integer.Quotient(left, taken)
		out = out.times(by)
	}
	if rules.Off("places.uppers") || uppers == 0 || out.most() < 1<<62 || len(m) > maxFactors {
		return out
	}
	for j, x := range m {
		if j > 0 && m[j-1] == x {
			continue
		}
		k := r.of(x)
		ups := k.below
		if k.lo < 0 {
			ups = nil
		}
		if len(k.is.Terms) > 0 {
			ups = append(slices.Clip(ups), k.is)
		}
		rest, _ := integer.Quotient(m, []string{x})
		for _, up := range ups {
			var sum uint64
			for _, t := range up.Terms {
				sum = addSat(sum, mulSat(abs64(t.Coef), r.mono(integer.Product(t.Atoms, rest), uppers-1).most()))
			}
			out.neg, out.pos = min(out.neg, sum), min(out.pos, sum)
		}
	}
	return out
}

func abs64(c int64) uint64 {
	if c < 0 {
		return -uint64(c)
	}
	return uint64(c)
}

// part returns the factors that a product has in common with m, if its other factors are at least
// 1. Then the common factors are at most its limit, too.
func (p product) part(m []string, r *ranges) []string {
	if p.signed && !r.nonNegative(p.m) {
		return nil
	}
	var part []string
	left := m
	for _, x := range p.m {
		if k := slices.Index(left, x); k >= 0 {
			part, left = append(part, x), slices.Delete(slices.Clone(left), k, k+1)
		} else if r.of(x).lo < 1 {
			return nil
		}
	}
	return part
}

// bound bounds a polynomial.
func (r *ranges) bound(p poly) mag {
	out, sum := r.parts(p)
	return out.shift(sum)
}

// parts bounds a polynomial without a number, the sum of its constant and of lower bounds of atoms.
func (r *ranges) parts(p poly) (out mag, sum int64) {
	if p.Bad {
		return mag{beyond, beyond}, 0
	}
	for _, t := range p.Terms {
		c := mag{pos: abs64(t.Coef)}
		if t.Coef < 0 {
			c = mag{neg: abs64(t.Coef)}
		}
		switch len(t.Atoms) {
		case 0:
			if s, ok := integer.AddCoef(sum, t.Coef); ok {
				sum = s
				continue
			}
		case 1:
			k := r.of(t.Atoms[0])
			low, ok := integer.MulCoef(t.Coef, k.lo)
			if s, small := integer.AddCoef(sum, low); ok && small && k.lo > 0 && k.hi >= k.lo {
				sum = s
				out = out.plus(c.times(mag{0, uint64(k.hi - k.lo)}))
				continue
			}
		}
		out = out.plus(c.times(r.mono(t.Atoms, maxUppers)))
	}
	return out, sum
}

// shift adds a number.
func (a mag) shift(c int64) mag {
	u := abs64(c)
	if c < 0 {
		a.neg, a.pos = a.pos, a.neg
	}
	if a.pos = addSat(a.pos, u); a.neg < beyond {
		a.neg -= min(a.neg, u)
	}
	if c < 0 {
		a.neg, a.pos = a.pos, a.neg
	}
	return a
}

// exact reports whether p = 0 over the integers, given that p = 0 modulo 2^64. If x is not empty,
// it is an atom that occurs alone in p, with factor 1 or -1.
func (r *ranges) exact(p poly, x string) bool {
	// -2^64 < p if -2^64 + 1 < p + 1, and alike above: 2^64 - 1 itself is no bound.
	out, sum := r.parts(p)
	up, ok := integer.AddCoef(sum, 1)
	down, ok2 := integer.AddCoef(sum, -1)
	if ok && ok2 && out.shift(up).neg < beyond && out.shift(down).pos < beyond || planted == WrappedAreIntegers {
		return true
	}
	if x == "" || p.Bad {
		return false
	}
	k := slices.IndexFunc(p.Terms, func(t term) bool { return len(t.Atoms) == 1 && t.Atoms[0] == x })
	if k < 0 {
		return false
	}
	q, ok := alone(p, k)
	m := r.bound(q)
	if p.Terms[k].Coef == 1 { // x is -q
		m.neg, m.pos = m.pos, m.neg
	}
	return ok && m.fits()
}

// maxRefined bounds the terms of an inequality that ranges are read from.
const maxRefined = 4

// refine adds the consequences of p >= 0 for single atoms and for products.
func (r *ranges) refine(p poly) *ranges {
	if p.Bad || len(p.Terms) > maxRefined || rules.Off("places.refine") {
		return r
	}
	var room [maxRefined]term
	for k, t := range p.Terms {
		if len(t.Atoms) == 0 {
			continue
		}
		most, ok := r.most(poly{Terms: append(append(room[:0], p.Terms[:k]...), p.Terms[k+1:]...)})
		switch {
		case !ok:
		case len(t.Atoms) > 1 && t.Coef > 0: // none of the factors is 0
			if r.nonNegative(t.Atoms) && most < 0 {
				for _, x := range t.Atoms {
					r = r.within(x, 1, math.MaxInt64)
				}
			}
		case len(t.Atoms) > 1:
			if r.nonNegative(t.Atoms) && most >= 0 {
				r = r.limit(product{m: t.Atoms, limit: uint64(integer.FloorDiv(most, -t.Coef))})
			}
		case t.Coef > 0:
			r = r.within(t.Atoms[0], -integer.FloorDiv(most, t.Coef), math.MaxInt64)
		default:
			r = r.within(t.Atoms[0], math.MinInt64, integer.FloorDiv(most, -t.Coef))
		}
	}
	return r
}

// atLeastZero adds the consequences of p >= 0, including upper bounds of atoms.
func (r *ranges) atLeastZero(p poly) *ranges {
	r = r.refine(p)
	for j, t := range p.Terms {
		if len(t.Atoms) == 1 && t.Coef == -1 && len(p.Terms) <= maxRefined {
			r = r.under(t.Atoms[0], poly{Terms: slices.Delete(slices.Clone(p.Terms), j, j+1)})
		}
	}
	return r
}

// most returns the greatest value of p, if that is far from the ends of an i64.
func (r *ranges) most(p poly) (int64, bool) {
	c := int64(0)
	if k := len(p.Terms) - 1; k >= 0 && len(p.Terms[k].Atoms) == 0 {
		c, p = p.Terms[k].Coef, poly{Terms: p.Terms[:k]}
	}
	m := r.bound(p)
	if m.pos > 1<<62 {
		return 0, false
	}
	return integer.AddCoef(int64(m.pos), c)
}

func (r *ranges) nonNegative(m []string) bool {
	return !slices.ContainsFunc(m, func(x string) bool { return r.of(x).lo < 0 })
}

// under adds that an atom is at most p if it is not negative.
func (r *ranges) under(x string, p poly) *ranges {
	if rules.Off("places.below") {
		return r
	}
	k := *r.of(x)
	if p = r.raise(p); p.Bad || p.Has(x) || len(k.below) == maxBelow {
		return r
	}
	if _, constant := p.IsConst(); constant {
		return r
	}
	k.below = append(slices.Clip(k.below), p)
	if single(p) && k.lo >= 0 {
		r = r.within(p.Terms[0].Atoms[0], k.lo, math.MaxInt64)
	}
	return r.with(x, k)
}

// maxRaised bounds the terms of an atom's upper bound.
const maxRaised = 8

// raise returns an upper bound of p. It drops terms that cannot add to p, and replaces atoms by
// their upper bounds, unless products with them have limits. So a bound of a bound costs no more.
func (r *ranges) raise(p poly) poly {
	out := poly{Bad: p.Bad}
	for _, t := range p.Terms {
		switch {
		case !r.nonNegative(t.Atoms):
			out = out.Add(poly{Terms: []term{t}})
		case t.Coef > 0:
			q := constant(t.Coef)
			for _, x := range t.Atoms {
				if k := r.of(x); len(k.below) > 0 && len(k.products) == 0 {
					q = q.Mul(k.below[0])
				} else {
					q = q.Mul(atomPoly(x))
				}
			}
			out = out.Add(q)
		}
	}
	if out.Bad || len(out.Terms) > maxRaised {
		return p
	}
	return out
}

// limit adds a product.
func (r *ranges) limit(p product) *ranges {
	m := p.m
	if rules.Off("places.products") {
		return r
	}
	if len(m) < 2 || r.mono(m, 0).most() <= p.limit {
		return r
	}
	for j, x := range m {
		if j > 0 && m[j-1] == x {
			continue
		}
		k := *r.of(x)
		k.products = slices.DeleteFunc(slices.Clone(k.products), func(p product) bool { return slices.Equal(p.m, m) })
		if k.products = append(k.products, p); len(k.products) > maxProducts {
			k.products = k.products[1:]
		}
		r = r.with(x, k)
	}
	return r
}

// defined returns p with names replaced by their definitions, as far as these are certain.
func (r *ranges) defined(p poly) poly {
	is := func(x string) bool { return len(r.of(x).is.Terms) > 0 }
	if !slices.ContainsFunc(p.Terms, func(t term) bool { return slices.ContainsFunc(t.Atoms, is) }) {
		return p
	}
	atoms := map[string]bool{}
	mention(p, atoms)
	for _, x := range slices.Sorted(maps.Keys(atoms)) {
		if k := r.of(x); len(k.is.Terms) > 0 {
			p = p.Subst(x, k.is)
		}
	}
	return p
}

// small adds that p, an integer, is at most MaxBytes, and so are the definitions of its names.
// Facts may define names in a circle (x is y, y is z, z is x), so small follows only some
// definitions.
func (r *ranges) small(p poly) *ranges {
	if p.Bad {
		return r
	}
	forms := []poly{p}
	for range maxUppers {
		q := r.defined(forms[len(forms)-1])
		if q.Bad || q.Equal(forms[len(forms)-1]) {
			break
		}
		forms = append(forms, q)
	}
	for _, p := range slices.Backward(forms) {
		r = r.smallTerms(p)
	}
	return r
}

// smallTerms adds that p, an integer, is at most MaxBytes. If no term can be negative, each of them
// is at most MaxBytes, too. So is a single term.
func (r *ranges) smallTerms(p poly) *ranges {
	for _, t := range p.Terms {
		if t.Coef < 0 || len(p.Terms) > 1 && !r.nonNegative(t.Atoms) {
			return r
		}
	}
	for _, t := range p.Terms {
		switch len(t.Atoms) {
		case 0:
		case 1:
			r = r.within(t.Atoms[0], math.MinInt64, MaxBytes/t.Coef)
		default:
			r = r.limit(product{t.Atoms, uint64(MaxBytes / t.Coef), true})
		}
	}
	return r
}

// leastOf returns a number that p is at least, 0 or 1 mostly: exact for an atom and a constant.
func (r *ranges) leastOf(p poly) int64 {
	if c, ok := p.IsConst(); ok {
		return c
	}
	if single(p) {
		return r.of(p.Terms[0].Atoms[0]).lo
	}
	if most, ok := r.most(p.Neg()); ok {
		return -most
	}
	return math.MinInt64
}
