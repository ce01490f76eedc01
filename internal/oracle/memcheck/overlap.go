package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// A span is a term c*Stride of the difference of two positions.
type span = integer.Span[int32]

// disjoint proves that two regions share no position.
//
// Note [Common positions]. A common position is a solution of
//
//	D + sum of c_k * s_k = 0,  lo_k <= c_k <= hi_k
//
// where D is the difference of the offsets, and c_k*s_k comes from a dimension of a (0 <= c_k <=
// len-1) or of b (1-len <= c_k <= 0); those of one stride are added. There is no solution if the
// sum is always positive, or always negative, or if a number divides everything except D's
// constant. Otherwise take out one stride s: with D = q*s + r, let R be r and all other terms. R is
// a multiple of s, as the whole sum is 0. If R lies strictly between -l*s and u*s, it is one of the
// multiples w*s there, and c = -q-w. For each such w, either that is beyond c's range, or the sum
// without s, R = w*s, must have no solution.
//
// s may also be a stride that only D mentions, in the factor of a thread index: its c is 0. The
// choice of s, q and r does not affect soundness.
func (f *facts) disjoint(a, b region) bool {
	tries := maxTries
	return f.plainlyDisjoint(a, b) || f.inValues(maxSplits, &tries, a, b)
}

func (f *facts) plainlyDisjoint(a, b region) bool {
	if f.impossible || empty(a) || empty(b) {
		return true
	}
	if a.off.Equal(b.off) { // both have an element there, unless they are known to be empty
		return len(f.assumed) > 0 && f.inhabited(a, b).impossible
	}
	left := searchFuel
	g := f.inhabited(a, b)
	if g.impossible {
		return true
	}
	g.left = &left
	a, ok := g.straight(a)
	if !ok {
		return false
	}
	if b, ok = g.straight(b); !ok {
		return false
	}
	if g.less(a.last(), b.off) || g.less(b.last(), a.off) {
		return true
	}
	var spans []span
	for _, d := range a.dims {
		spans = integer.Join(spans, d.stride, poly{}, d.len.AddConst(-1))
	}
	for _, d := range b.dims {
		spans = integer.Join(spans, d.stride, d.len.AddConst(-1).Neg(), poly{})
	}
	diff := a.off.Sub(b.off)
	spans = g.suggested(diff, spans)
	slices.SortStableFunc(spans, func(s, t span) int { return size(t.Stride, s.Stride) })
	return g.unsolvable(diff, spans)
}

// suggested adds the strides that only the difference of the offsets mentions.
func (f *facts) suggested(diff poly, spans []span) []span {
	if rules.Off("memcheck.virtual") {
		return spans
	}
	for _, x := range diff.Atoms() {
		c, _, ok := diff.Collect(x)
		if _, isConst := number(c); !ok || !f.lookup(x).bounded() {
			continue
		} else if isConst && !c.Is(0) {
			c = constant(integer.Abs(c.Constant()))
		} else if len(c.Terms) > 0 && c.Terms[0].Coef < 0 {
			c = c.Neg()
		}
		if f.nonneg(c.AddConst(-1)) && !c.Is(1) {
			spans = integer.Join(spans, c, poly{}, poly{})
			if k := c.Content(); k > 1 { // rows i and n-1-i are 2*i - n + 1 rows apart
				if one, ok := c.Exact(constant(k)); ok && !one.Is(1) {
					spans = integer.Join(spans, one, poly{}, poly{})
				}
			}
		}
	}
	return spans
}

// maxSpans bounds the terms of an equation; with more nothing is proven.
const maxSpans = 10

// maxCarry bounds how many multiples of a stride the other terms may reach.
const maxCarry = 3

// unsolvable proves that diff + sum of c*stride is never 0.
func (f *facts) unsolvable(diff poly, spans []span) bool {
	if c, ok := number(diff); ok && len(spans) == 0 {
		return c != 0
	}
	if f.impossible || len(spans) == 0 && f.nonzero(diff) {
		return true
	}
	if len(spans) > maxSpans || *f.left <= 0 {
		return false
	}
	if !rules.Off("memcheck.indivisible") && integer.Indivisible(diff, spans) {
		return true
	}
	low, high := integer.Extent(diff, spans)
	if f.nonneg(low.AddConst(-1)) || f.nonneg(high.Neg().AddConst(-1)) {
		return true
	}
	for k, s := range spans {
		if k > 0 && s.Stride.Equal(spans[k-1].Stride) {
			continue
		}
		rest := slices.Delete(slices.Clone(spans), k, k+1)
		for _, d := range divisions(diff, s.Stride) {
			if whole, others := f.absorb(s, rest); len(others) < len(rest) && f.without(whole, d.q, d.r, others) {
				return true
			}
			if f.without(s, d.q, d.r, rest) {
				return true
			}
		}
	}
	return false
}

type split struct{ q, r poly }

// divisions returns q and r with p = q*d + r, in two ways if d is a constant: -1 is -1 * 40 + 39, and 0 * 40 - 1.
func divisions(p, d poly) []split {
	q, r := p.Divide(d)
	out := []split{{q, r}}
	if _, ok := number(d); ok && !r.Is(0) && !rules.Off("memcheck.rounded") {
		q, r = p.Neg().Divide(d)
		out = append(out, split{q.Neg(), r.Neg()})
	}
	return out
}

// absorb counts the terms whose strides are multiples of that of s among its own:
// c*m*stride is (c*m)*stride.
func (f *facts) absorb(s span, rest []span) (whole span, others []span) {
	for _, t := range rest {
		m, ok := t.Stride.Exact(s.Stride)
		if !ok || rules.Off("memcheck.absorb") || !f.nonneg(m) {
			others = append(others, t)
			continue
		}
		s.Lo, s.Hi = s.Lo.Add(m.Mul(t.Lo)), s.Hi.Add(m.Mul(t.Hi))
	}
	return s, others
}

// without takes the stride of s out, with diff = q*stride + r.
func (f *facts) without(s span, q, r poly, rest []span) bool {
	low, high := integer.Extent(r, rest)
	// How many multiples of the stride lie below and above 0.
	reach := func(p poly) int64 {
		if !f.less(p, s.Stride.Scale(maxCarry)) || rules.Off("memcheck.carry") && !f.less(p, s.Stride) { // mostly it does not hold at all
			return 0
		}
		w := int64(1)
		for w < maxCarry && !f.less(p, s.Stride.Scale(w)) {
			w++
		}
		return w
	}
	up := reach(high)
	if up == 0 {
		return false
	}
	down := reach(low.Neg())
	if down == 0 {
		return false
	}
	for w := 1 - down; w < up; w++ {
		c := q.Neg().AddConst(-w)
		if f.less(c, s.Lo) || f.less(s.Hi, c) || s.Lo.Equal(s.Hi) && f.nonzero(c.Sub(s.Lo)) {
			continue
		}
		g := f.with()
		g.atLeast(c.Sub(s.Lo), s.Hi.Sub(c))
		if !g.unsolvable(r.Sub(s.Stride.Scale(w)), rest) {
			return false
		}
	}
	return true
}
