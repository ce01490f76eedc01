package peak

import (
	"hash/fnv"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir/sym"
)

// drawn is how many samples are drawn besides the one where all names are equal.
const drawn = 3

// Samples returns functions that choose numbers for the names in a size: the first takes 1000 for
// all names, the others take different numbers. Names that are known to be equal get one number.
func (t *Table) Samples(f places.Facts) []func(sym.Poly) int64 {
	same := t.equalNames(f)
	var out []func(sym.Poly) int64
	for k := range drawn + 1 {
		sample := func(p sym.Poly) int64 {
			return Value(p, func(name string) (int64, bool) {
				if r, ok := same[name]; ok {
					name = r
				}
				return number(name, k), true
			})
		}
		out = append(out, sample)
	}
	return out
}

// number draws a number for a name: always the same one.
func number(name string, k int) int64 {
	if k == 0 {
		return 1000
	}
	h := fnv.New64a()
	h.Write([]byte{byte(k)})
	h.Write([]byte(name))
	return 16 + int64(h.Sum64()%(1<<(6+2*uint(k))))
}

// maxCompared bounds the names that are compared with one another.
const maxCompared = 24

// equalNames maps a name of a size to another name that is known to be equal.
func (t *Table) equalNames(f places.Facts) map[string]string {
	same := map[string]string{}
	var names []string
	seen := map[string]bool{}
	for _, m := range t.Monos {
		for _, n := range m.Names() {
			if !seen[n] && len(names) < maxCompared {
				seen[n] = true
				names = append(names, n)
			}
		}
	}
	for k, n := range names {
		for _, m := range names[:k] {
			if f.SameValue(sym.Var(n), sym.Var(m)) {
				same[n] = m
				if r, ok := same[m]; ok {
					same[n] = r
				}
				break
			}
		}
	}
	return same
}
