package peak

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// maxOperations bounds the operations in a comparison that goes to the prover. A longer comparison
// that fails as it is written counts as unproven, and the blocks do not share.
const maxOperations = 32

// Covers reports whether b >= a is provable for two sizes, given some facts.
func (t *Table) Covers(f places.Facts, b, a sym.Poly) bool {
	d := b.Sub(a)
	operations := 0
	d.Terms(func(_ int64, factors []sym.Factor) {
		for _, x := range factors {
			if x.Opaque != nil {
				ir.WalkExp(x.Opaque, func(ir.Exp) bool { operations++; return true })
			}
		}
	})
	if operations > 0 && t.written.NotNegative(d) {
		return true
	}
	if operations > maxOperations {
		return false
	}
	if f.Covers(b, a) {
		return true
	}
	if rules.Off("peak.where") {
		return false
	}
	there := where(f, d)
	return there != f && there.Covers(b, a)
}

// where extends facts to the runs in which a sum is not 0: a name that is a factor of all of its
// terms is then at least 1, if it is not negative.
func where(f places.Facts, sum sym.Poly) places.Facts {
	common := map[string]int{}
	terms := 0
	sum.Terms(func(_ int64, factors []sym.Factor) {
		terms++
		for _, x := range factors {
			if x.Opaque == nil {
				common[x.Key]++
			}
		}
	})
	for _, n := range slices.Sorted(maps.Keys(common)) {
		if common[n] == terms && f.AtLeast(sym.Var(n), 0) {
			f = f.Positive(sym.Var(n))
		}
	}
	return f
}

// maxMultiple times the size of a block is far from where an i64 wraps.
const maxMultiple = 1 << 12

// Multiple returns b / a for two sizes, or 0 if b is not a multiple of a.
func Multiple(a, b sym.Poly) int64 {
	leading := func(p sym.Poly) (c int64) {
		p.Terms(func(coef int64, _ []sym.Factor) {
			if c == 0 {
				c = coef
			}
		})
		return c
	}
	c, d := leading(a), leading(b)
	if c == 0 || d%c != 0 || d/c < 1 || d/c > maxMultiple || !b.Equal(a.Mul(sym.Const(d/c))) {
		return 0
	}
	return d / c
}
