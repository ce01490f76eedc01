package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

// Note [Strides that may be 0]. An example is (q-1)*b: the tiles of an anti-diagonal lie in a
// matrix of q by q tiles, and if q is 1, there is one tile. A stride that may be 0 cannot be a
// divisor. So a question that fails because of one is asked twice: with the factor 0, which
// determines a name, and with a factor of at least 1.

// A zeroCase is a factor of strides that may be 0.
type zeroCase struct {
	factor poly
	name   int32 // is value where the factor is 0
	value  poly
}

// mayVanish finds such a factor.
func (f *facts) mayVanish(rs ...region) (zeroCase, bool) {
	for _, r := range rs {
		for _, d := range r.dims {
			z := d.stride.Primitive()
			if len(z.Terms) < 2 || !f.nonneg(z) || f.nonneg(z.AddConst(-1)) {
				continue
			}
			for _, x := range z.Atoms() {
				c, rest, ok := z.Collect(x)
				if k, isConst := number(c); ok && isConst && (k == 1 || k == -1) && !rest.Has(x) {
					return zeroCase{z, x, rest.Scale(-k)}, true
				}
			}
		}
	}
	return zeroCase{}, false
}

// inCases asks a question of regions in both cases.
func (f *facts) inCases(ask func(f *facts, rs []region) bool, rs ...region) bool {
	z, ok := f.mayVanish(rs...)
	if !ok {
		return false
	}
	zero, more := f.with(), f.with()
	zero.left, more.left = nil, nil
	zero.assume(z.factor.Neg())
	more.assume(z.factor.AddConst(-1))
	here := make([]region, len(rs))
	for k, r := range rs {
		here[k] = r.subst(byName(map[int32]poly{z.name: z.value}))
	}
	return (zero.impossible || ask(zero, here)) && (more.impossible || ask(more, rs))
}

// maxValues bounds the values of a name that are looked at one by one, maxSplits the
// names, and maxTries the cases together.
const (
	maxValues = 4
	maxSplits = 4
	maxTries  = 32
)

// inValues proves that regions are disjoint for each value of a name that has few, such
// as the index of a kernel of two threads: with it a constant, 4*n + t may be no
// multiple of 4, and (t + 1) % 3 is known.
func (f *facts) inValues(splits int, tries *int, a, b region) bool {
	x, lo, hi, ok := f.fewValues(a, b)
	if !ok || rules.Off("memcheck.values") || splits == 0 {
		return false
	}
	for v := lo; v <= hi; v++ {
		if *tries--; *tries < 0 {
			return false
		}
		g, known := f.with(), f.lookup(x)
		g.left = nil
		for _, bound := range known.los {
			g.assume(constant(v).Scale(bound.den).Sub(bound.p))
		}
		for _, bound := range known.his {
			g.assume(bound.p.Sub(constant(v).Scale(bound.den)))
		}
		s := g.fix(x, v, a, b)
		if c, d := a.subst(s), b.subst(s); !g.plainlyDisjoint(c, d) && !g.inValues(splits-1, tries, c, d) {
			return false
		}
	}
	return true
}

// fix returns a name a value, and to what the regions mention that is computed from it.
func (f *facts) fix(x int32, v int64, rs ...region) func(int32) (poly, bool) {
	values := map[int32]poly{}
	s := byName(values)
	set := func(n int32, v int64) {
		values[n] = constant(v)
		here := *f.lookup(n)
		here.los, here.his, here.div = []bound{{constant(v), 1}}, []bound{{constant(v), 1}}, nil
		f.set(n, here)
	}
	set(x, v)
	for again := true; again; { // a division may be of another one
		again = false
		for _, r := range rs {
			for _, n := range r.names() {
				d := f.lookup(n).div.subst(s)
				if q, ok := d.result(); ok {
					set(n, q)
					again = true
				} else if d != nil {
					here := *f.lookup(n)
					here.div = d
					f.set(n, here)
				}
			}
		}
	}
	return s
}

// fewValues finds the name in the distance of two regions, or in a division there, that
// was bound first of those with few values; a division only where there is no other.
func (f *facts) fewValues(a, b region) (x int32, lo, hi int64, ok bool) {
	names := a.off.Sub(b.off).Atoms()
	for k := 0; k < len(names); k++ {
		v := f.lookup(names[k])
		if v.div != nil {
			for _, n := range append(v.div.x.Atoms(), v.div.y.Atoms()...) {
				if !slices.Contains(names, n) {
					names = append(names, n)
				}
			}
		}
		from, ok1 := v.lowest()
		to, ok2 := v.highest()
		if !ok1 || !ok2 || to-from >= maxValues {
			continue
		}
		w := f.lookup(x)
		if first := v.before(w); !ok || v.div == nil && w.div != nil || first && (v.div == nil || w.div != nil) {
			x, lo, hi, ok = names[k], from, to, true
		}
	}
	return x, lo, hi, ok
}
