package peak

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir/sym"
)

// classes number the sizes of ranges.
type classes struct {
	number  map[string]int
	size    []sym.Poly
	unknown []bool
	dims    map[string]bool // names of sizes of arrays, which are not negative
}

func newClasses(t *Table) classes {
	c := classes{number: map[string]int{}, dims: map[string]bool{}}
	for _, n := range t.Func.Sizes {
		c.dims[n] = true
	}
	return c
}

// of gives the class of a range. A size that is not known is a class of its own.
func (c *classes) of(r *Range) int {
	key, size := r.size.String(), r.size
	if r.unknown {
		key = "unknown " + r.Block
		size = sym.Poly{}
	}
	k, met := c.number[key]
	if !met {
		k = len(c.size)
		c.number[key] = k
		c.size, c.unknown = append(c.size, size), append(c.unknown, r.unknown)
	}
	return k
}

// covers tells whether a sum of sizes, so many of each class, is provably not negative
// where facts hold. A negative size counts as 0.
func (c *classes) covers(facts places.Facts, more map[int]int64) bool {
	var sum sym.Poly
	var lacking []int
	for _, k := range slices.Sorted(maps.Keys(more)) {
		switch n := more[k]; {
		case n < 0 && c.unknown[k]:
			return false
		case n < 0:
			lacking = append(lacking, k)
			fallthrough
		case n > 0 && !c.unknown[k]:
			sum = sum.Add(c.size[k].Mul(sym.Const(n)))
		}
	}
	if len(lacking) == 0 {
		return true
	}
	if !c.notNegative(facts, sum) {
		return false
	}
	// What is lacking takes at most its size, or nothing where that is negative.
	lacking = slices.DeleteFunc(lacking, func(k int) bool { return c.notNegative(facts, c.size[k]) })
	if len(lacking) > maxUnsure {
		return false
	}
	for chosen := 1; chosen < 1<<len(lacking); chosen++ {
		without := sum
		for j, k := range lacking {
			if chosen>>j&1 == 1 {
				without = without.Sub(c.size[k].Mul(sym.Const(more[k])))
			}
		}
		if !c.notNegative(facts, without) {
			return false
		}
	}
	return true
}

// notNegative tells whether a sum of sizes is provably not negative. The size of an array is
// 0 or at least 1: n <= n * n holds, but not for all numbers.
func (c *classes) notNegative(facts places.Facts, d sym.Poly) bool {
	if yes, known := c.oneSigned(d); known {
		return yes
	}
	if facts.Covers(d, sym.Poly{}) {
		return true
	}
	names := d.Names()
	if len(names) == 0 || len(names) > 2 {
		return false
	}
	var split func(f places.Facts, d sym.Poly, names []string) bool
	split = func(f places.Facts, d sym.Poly, names []string) bool {
		if len(names) == 0 {
			return f.Covers(d, sym.Poly{})
		}
		n := names[0]
		if !f.AtLeast(sym.Var(n), 0) {
			return false
		}
		zero := d.Subst(func(x string) (sym.Poly, bool) { return sym.Const(0), x == n })
		return split(f.Positive(sym.Var(n)), d, names[1:]) && split(f, zero, names[1:])
	}
	return split(facts, d, names)
}

// oneSigned tells whether a sum is not negative, where that is seen at once: all its terms
// have one sign, and no factor of a term is negative. That spares most questions, as those
// among many sizes n * k.
func (c *classes) oneSigned(d sym.Poly) (nonneg, known bool) {
	some, plus, minus := false, true, true
	d.Terms(func(coef int64, factors []sym.Factor) {
		some = true
		plus, minus = plus && coef > 0, minus && coef < 0
		for _, x := range factors {
			if x.Opaque != nil || !c.dims[x.Key] {
				plus, minus = false, false
			}
		}
	})
	return plus || !some, plus || minus || !some
}
