package places

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// Bounds of the overlap test.
const (
	maxUnknownSigns = 2 // strides for which both signs are tried
	maxSteps        = 8 // dimensions fixed one after another
	maxVirtual      = 4 // strides taken from the offsets
	maxCarry        = 3 // multiples of a stride that the other terms may reach
)

// Disjoint reports whether it is provable that two arrays in one block have no byte in common. The
// elements of a have elemA bytes, those of b have elemB bytes. Both arrays must be within the
// block, as they are in verified programs.
func Disjoint(f Facts, a, b lmad.Fun, elemA, elemB int64) bool {
	perA, perB, ok := units(elemA, elemB)
	if !ok {
		return false
	}
	cv := f.converter()
	ra, rb := cv.regionOf(a.Parts[0], perA), cv.regionOf(b.Parts[0], perB)
	extra := append(cv.nonEmpty(a), cv.nonEmpty(b)...)
	_, singleA := a.Single()
	_, singleB := b.Single()
	if !cv.comparable(ra, rb, singleA, singleB) {
		return false
	}
	if !rules.Off("places.apart") && cv.apart(ra, rb) {
		return true
	}
	if f.counter(func(k int) bool { return f.overlap(a, b, perA, perB, k) }) {
		return false
	}
	return f.cases(cv, flatten(ra, rb), extra, strides(ra, rb), func(v *prover, ps []poly) bool {
		a, b := ra, rb
		unflatten(ps, &a, &b)
		return v.forward(a.trim(), maxUnknownSigns, func(v *prover, a region) bool {
			return v.forward(b.trim(), maxUnknownSigns, func(v *prover, b region) bool {
				return v.disjoint(a, b)
			})
		})
	})
}

// apart reports whether ranges alone show that one region begins behind the end of the other, as
// two parts of a concat do. Most questions need no prover.
func (c *converter) apart(a, b region) bool {
	positive := func(p poly) bool { return c.ranges.bound(p.AddConst(-1)).neg == 0 }
	spans := difference(a.dims, b.dims)
	if slices.ContainsFunc(spans, func(s span) bool { return c.ranges.bound(s.Stride).neg > 0 }) {
		return false
	}
	lo, hi := integer.Extent(a.off.Sub(b.off), spans)
	return positive(lo) || positive(hi.Neg())
}

// comparable reports whether the difference of two positions, computed over the integers, is 0
// wherever it is 0 modulo 2^64 (Note [No wrapping]). If an array has several parts, the part
// nearest to memory may describe positions outside the block.
func (c *converter) comparable(a, b region, singleA, singleB bool) bool {
	total := c.ranges.bound(a.off.Sub(b.off)).plus(mag{2 * MaxBytes, 2 * MaxBytes})
	add := func(r region, single bool) {
		for _, d := range r.dims {
			if m := c.ranges.bound(d.stride); single && addSat(m.most(), MaxBytes) < beyond {
				continue
			}
			m := c.ranges.bound(d.len.AddConst(-1).Mul(d.stride)).most()
			total = total.plus(mag{m, m})
		}
	}
	add(a, singleA)
	add(b, singleB)
	return total.neg < beyond && total.pos < beyond || planted == PositionsAreIntegers
}

// strides lists the strides of regions.
func strides(rs ...region) []poly {
	var out []poly
	for _, r := range rs {
		for _, d := range r.dims {
			out = append(out, d.stride)
		}
	}
	return out
}

// disjoint is the overlap test proper: see Note [Overlap].
func (v *prover) disjoint(a, b region) bool {
	return !v.overlap(a, b) && v.noSolution(a.off.Sub(b.off), difference(a.dims, b.dims), maxSteps)
}

type span = integer.Span[string]

// difference returns the spans of a position of a less one of b, without the offsets. Spans of one
// stride are joined.
func difference(a, b []dim) []span {
	var out []span
	for _, d := range a {
		out = integer.Join(out, d.stride, poly{}, d.len.AddConst(-1))
	}
	for _, d := range b {
		out = integer.Join(out, d.stride, d.len.AddConst(-1).Neg(), poly{})
	}
	// The order in which they are tried: the likely largest first.
	slices.SortStableFunc(out, func(s, t span) int { return likely(s.Stride, t.Stride) })
	return out
}

// likely orders strides by their leading terms, the larger one first.
func likely(p, q poly) int {
	for k := 0; k < len(p.Terms) && k < len(q.Terms); k++ {
		if c := integer.Compare(p.Terms[k].Atoms, q.Terms[k].Atoms); c != 0 {
			return c
		}
		if p.Terms[k].Coef != q.Terms[k].Coef {
			if p.Terms[k].Coef > q.Terms[k].Coef {
				return -1
			}
			return 1
		}
	}
	return len(q.Terms) - len(p.Terms)
}

// noSolution reports whether off + sum of c_k * stride_k = 0 provably has no
// solution: see Note [Overlap].
func (v *prover) noSolution(off poly, spans []span, steps int) bool {
	lo, hi := integer.Extent(off, spans)
	if v.atLeastZero(lo.AddConst(-1)) || v.atLeastZero(hi.Neg().AddConst(-1)) {
		return true
	}
	if !rules.Off("places.congruent") && integer.Indivisible(off, spans) {
		return true
	}
	if steps == 0 || *v.work <= 0 {
		return false
	}
	for k, s := range spans {
		rest := slices.Delete(slices.Clone(spans), k, k+1)
		if v.fixing(off, s, rest, steps) {
			return true
		}
	}
	for _, s := range virtual(off, spans) {
		if rules.Off("places.virtual") {
			break
		}
		if v.fixing(off, s, spans, steps) {
			return true
		}
	}
	return false
}

// fixing tries to show that only few multiples of s are possible, and that none of them leads to a
// solution.
func (v *prover) fixing(off poly, s span, rest []span, steps int) bool {
	q, r := off.Divide(s.Stride)
	if v.fix(q, r, s, rest, steps) {
		return true
	}
	return !rules.Off("places.undivided") && !q.Is(0) && !s.Stride.Is(1) && v.fix(poly{}, off, s, rest, steps)
}

// fix solves (c+q)*stride + r + (rest) = 0. If r + (rest) is in (-l*stride, u*stride), then c+q is
// in -u+1 .. l-1.
func (v *prover) fix(q, r poly, s span, rest []span, steps int) bool {
	lo, hi := integer.Extent(r, rest)
	u, ok := v.within(hi, s.Stride)
	if !ok {
		return false
	}
	l, ok := v.within(lo.Neg(), s.Stride)
	if !ok {
		return false
	}
	for w := -u + 1; w < l; w++ {
		c := constant(w).Sub(q)
		below, above := c.Sub(s.Lo), s.Hi.Sub(c) // both at least 0 if c is possible
		if v.atLeastZero(below.Neg().AddConst(-1)) || v.atLeastZero(above.Neg().AddConst(-1)) {
			continue
		}
		if !v.following(below, above).noSolution(r.Add(s.Stride.Scale(w)), rest, steps-1) {
			return false
		}
	}
	return true
}

// within returns the least u, up to maxCarry, with p < u*s provably. It tries the greatest u first:
// usually that fails already.
func (v *prover) within(p, s poly) (int64, bool) {
	less := func(u int64) bool { return v.atLeastZero(s.Scale(u).Sub(p).AddConst(-1)) }
	if !less(maxCarry) {
		return 0, false
	}
	if rules.Off("places.carry") {
		return 1, less(1)
	}
	u := int64(1)
	for u < maxCarry && !less(u) {
		u++
	}
	return u, true
}

// virtual returns strides that the offsets suggest: the factors of their atoms, such as n in i*n +
// j - i'*n - j'.
func virtual(off poly, spans []span) []span {
	atoms := map[string]bool{}
	mention(off, atoms)
	names := make([]string, 0, len(atoms))
	for x := range atoms {
		names = append(names, x)
	}
	slices.Sort(names)
	var out []span
	for _, x := range names {
		s, _, affine := off.Collect(x)
		if !affine || len(s.Terms) == 0 {
			continue
		}
		if s.Terms[0].Coef < 0 {
			s = s.Neg()
		}
		same := func(t span) bool { return t.Stride.Equal(s) }
		if s.Is(1) || slices.ContainsFunc(spans, same) || slices.ContainsFunc(out, same) || len(out) == maxVirtual {
			continue
		}
		out = append(out, span{Stride: s})
	}
	slices.SortStableFunc(out, func(s, t span) int { return likely(s.Stride, t.Stride) })
	return out
}
