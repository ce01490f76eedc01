package peak

import (
	"fmt"
	"math"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
)

const maxTerms = 24 // of an expanded size; a larger one stays as it was

// expansion replaces scalars by what they are computed from, where that, computed as the
// program does, cannot wrap: a block's size is computed without wrapping, so h * 4 is not
// n * k * 4 where h = n * k may have wrapped.
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

// Expand gives a size over names that are not computed from others.
func (t *Table) Expand(p sym.Poly) sym.Poly { return short(t.expanded.Of(p), p) }

// expandAt does that with what is known at a point, such as that arrays of those sizes exist:
// a name has the same value there as where it was computed.
func (t *Table) expandAt(p sym.Poly, at int) sym.Poly {
	facts := t.Accesses.Facts(at)
	p = t.Expand(p)
	return facts.Decided(short(t.expansion(func(string) places.Facts { return facts }).Of(p), p))
}

// short gives an expanded size, or what it was where it has become too long.
func short(p, was sym.Poly) sym.Poly {
	if p.Len() <= maxTerms {
		return p
	}
	return was
}

// Known gives the first point at which an expanded size can be computed on the
// host, or math.MaxInt where there is none.
func (t *Table) Known(p sym.Poly) int { return t.Liveness.KnownAll(p) }

// End gives what is known where the function has run to its end.
func (t *Table) End() places.Facts { return t.Accesses.Facts(t.Regions[0].Body.To) }

// terms gives a block's size as a sum over monomials that are not negative once
// the block has been used. Where that is not certain of one of them, or of the sum (an
// alloc of n - 4 bytes gives none where n is 3), the whole size is one monomial.
func (t *Table) terms(b *Block) Vec {
	after, end := t.Accesses.Facts(max(b.Last, b.Alloc)), t.End()
	notNegative := func(p sym.Poly) bool { return t.Covers(end, p, sym.Poly{}) || t.Covers(after, p, sym.Poly{}) }
	var out Vec
	certain, adds := true, true
	b.Size.Terms(func(coef int64, factors []sym.Factor) {
		m := monomial(factors)
		adds = adds && coef > 0
		if certain = certain && notNegative(m); certain {
			out = append(out, Term{t.number(m), coef})
		}
	})
	if !certain || !adds && !notNegative(b.Size) {
		m := t.number(b.Size)
		t.unsure[m] = true
		return Vec{{m, 1}}
	}
	return out
}

func monomial(factors []sym.Factor) sym.Poly {
	m := sym.Const(1)
	for _, f := range factors {
		x := sym.Var(f.Key)
		if f.Opaque != nil {
			x = sym.Of(f.Opaque)
		}
		for range f.Pow {
			m = m.Mul(x)
		}
	}
	return m
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

// maxUnsure bounds the monomials of unknown sign in a comparison.
const maxUnsure = 4

// AtMost tells whether a sum is at most another in every run that ends without a fault.
//
// A monomial of unknown sign counts as zero where it is negative. In w that is no less
// than its value; in v it is one of two numbers, and v must be at most w with either.
func (t *Table) AtMost(v, w Vec) bool {
	more := map[int]int64{} // v - w
	for _, x := range v {
		more[x.Mono] += x.Coef
	}
	for _, x := range w {
		more[x.Mono] -= x.Coef
	}
	diff := vecOf(more)
	key := fmt.Sprint(diff) // a planner asks the same again and again
	holds, known := t.atMost[key]
	if !known {
		holds = t.notPositive(diff)
		t.atMost[key] = holds
	}
	return holds
}

func (t *Table) notPositive(v Vec) bool {
	var room sym.Poly
	var open []sym.Poly
	for _, x := range v {
		if p := t.Poly(Vec{x}); t.unsure[x.Mono] && x.Coef > 0 {
			open = append(open, p)
		} else {
			room = room.Sub(p)
		}
	}
	if len(open) > maxUnsure {
		return false
	}
	end := t.End()
	for chosen := range 1 << len(open) {
		left := room
		for k, p := range open {
			if chosen>>k&1 == 1 {
				left = left.Sub(p)
			}
		}
		if !t.Covers(end, left, sym.Poly{}) {
			return false
		}
	}
	return true
}

// Poly gives a sum as a polynomial.
func (t *Table) Poly(v Vec) sym.Poly {
	var p sym.Poly
	for _, x := range v {
		p = p.Add(t.Monos[x.Mono].Mul(sym.Const(x.Coef)))
	}
	return p
}
