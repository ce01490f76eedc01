package peak

import (
	"fmt"
	"math"
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
)

const maxTerms = 24 // of an expanded size; a larger one stays as it was

// expansion replaces scalars by their definitions, unless a definition may wrap as the program
// computes it. A block's size is computed without wrapping. So h * 4 does not equal n * k * 4 if h
// = n * k may have wrapped.
func (t *Table) expansion(known func(name string) places.Facts) *index.Expansion {
	e := t.Liveness.Closed()
	e.If = func(name string, def, to sym.Poly) bool {
		if t.Liveness.Known(name) == math.MaxInt {
			return false
		}
		facts := known(name)
		return facts.Unwrapped(def) || !to.Equal(def) && facts.Unwrapped(to)
	}
	return e
}

// Expand returns a size over names that are not computed from others.
func (t *Table) Expand(p sym.Poly) sym.Poly { return short(t.expanded.Of(p), p) }

// expandAt does the same with the facts of a point, such as that arrays of those sizes exist. A
// name has the same value there as where it was computed.
func (t *Table) expandAt(p sym.Poly, at int) sym.Poly {
	facts := t.Accesses.Facts(at)
	here := t.expansion(func(string) places.Facts { return facts })
	here.After = t.expanded
	p = t.Expand(p)
	if rules.Off("peak.decided") {
		return short(here.Of(p), p)
	}
	return facts.Decided(short(here.Of(p), p))
}

// short returns an expanded size, or the original if the expanded one is too long.
func short(p, was sym.Poly) sym.Poly {
	if p.Len() <= maxTerms {
		return p
	}
	return was
}

// Known returns the first point at which an expanded size can be computed on the host, or
// math.MaxInt if there is none.
func (t *Table) Known(p sym.Poly) int { return t.Liveness.KnownAll(p) }

// End returns the facts at the end of the function.
func (t *Table) End() places.Facts { return t.Accesses.Facts(t.Regions[0].Body.To) }

// terms returns a block's size as a sum over monomials that are not negative once the block has
// been used. If that is uncertain for one of them, or for the sum, the whole size is one monomial.
// (An alloc of n - 4 bytes allocates nothing if n is 3.)
func (t *Table) terms(b *Block) Vec {
	size := b.Size
	if b.Workers != nil {
		size = b.Work
	}
	after, end := t.Accesses.Facts(max(b.Last, b.Alloc)), t.End()
	notNegative := func(p sym.Poly) bool { return t.Covers(end, p, sym.Poly{}) || t.Covers(after, p, sym.Poly{}) }
	var out Vec
	certain, adds := true, true
	size.Monomials(func(coef int64, m sym.Poly) {
		adds = adds && coef > 0
		if certain = certain && notNegative(m); certain {
			out = append(out, Term{Mono: t.number(m), Coef: coef})
		}
	})
	if !certain || !adds && !notNegative(size) {
		m := t.number(size)
		t.unsure[m] = true
		return Vec{{Mono: m, Coef: 1}}
	}
	return out
}

func (t *Table) number(p sym.Poly) int {
	key := p.String()
	k, ok := t.mono[key]
	if !ok {
		k = len(t.Monos)
		t.mono[key] = k
		t.Monos = append(t.Monos, p)
	}
	return k
}

// AtMost reports whether a sum is at most another in every run that ends without a fault.
func (t *Table) AtMost(v, w Vec) bool {
	more := map[int]int64{} // w - v
	for _, x := range w {
		more[x.Mono] += x.Coef
	}
	for _, x := range v {
		more[x.Mono] -= x.Coef
	}
	diff := vecOf(more)
	key := fmt.Sprint(diff) // a planner repeats its questions
	holds, known := t.atMost[key]
	if !known {
		var sizes []multiple
		for _, x := range diff {
			sizes = append(sizes, multiple{of: t.Monos[x.Mono], n: x.Coef, sure: !t.unsure[x.Mono]})
		}
		holds = t.covers(t.End(), sizes)
		t.atMost[key] = holds
	}
	return holds
}

// A multiple is n times a size; sure: the size is not negative.
type multiple struct {
	of   sym.Poly
	n    int64
	sure bool
}

// maxUnsure bounds the sizes of unknown sign in a comparison.
const maxUnsure = 4

// covers reports whether a sum of sizes is provably not negative, given some facts. A size that is
// negative counts as 0. An added size is thus at least its value. A subtracted one is its value or
// 0, and the sum must not be negative in either case.
func (t *Table) covers(facts places.Facts, sizes []multiple) bool {
	if !slices.ContainsFunc(sizes, func(x multiple) bool { return x.n < 0 }) {
		return true
	}
	var sum sym.Poly
	for _, x := range sizes {
		sum = sum.Add(x.of.Mul(sym.Const(x.n)))
	}
	if !t.notNegative(facts, sum) {
		return false
	}
	var less []multiple // that are subtracted, and may be negative
	for _, x := range sizes {
		if x.n < 0 && !x.sure && !t.notNegative(facts, x.of) {
			less = append(less, x)
		}
	}
	if len(less) > maxUnsure {
		return false
	}
	for chosen := 1; chosen < 1<<len(less); chosen++ {
		without := sum
		for j, x := range less {
			if chosen>>j&1 == 1 {
				without = without.Sub(x.of.Mul(sym.Const(x.n)))
			}
		}
		if !t.notNegative(facts, without) {
			return false
		}
	}
	return true
}

// notNegative reports whether a sum of sizes is provably not negative.
func (t *Table) notNegative(facts places.Facts, d sym.Poly) bool {
	if yes, known := t.oneSigned(d); known {
		return yes
	}
	return t.Covers(facts, d, sym.Poly{})
}

// oneSigned answers the easy case: all terms of a sum have one sign, and no factor of a term is
// negative. This avoids most proofs, such as those among many sizes n * k.
func (t *Table) oneSigned(d sym.Poly) (nonneg, known bool) {
	some, plus, minus := false, true, true
	d.Terms(func(coef int64, factors []sym.Factor) {
		some = true
		plus, minus = plus && coef > 0, minus && coef < 0
		for _, x := range factors {
			if x.Opaque != nil || !slices.Contains(t.Func.Sizes, x.Key) {
				plus, minus = false, false
			}
		}
	})
	return plus || !some, plus || minus || !some
}

// Poly returns a sum as a polynomial. A size of unknown sign stands in it as written, so the sum is
// too small in runs in which that size is negative.
func (t *Table) Poly(v Vec) sym.Poly {
	var p sym.Poly
	for _, x := range v {
		m := t.Monos[x.Mono]
		if n, constant := m.IsConst(); constant && n < 0 {
			continue
		}
		p = p.Add(m.Mul(sym.Const(x.Coef)))
	}
	return p
}
