package peak

import (
	"hash/fnv"

	"github.com/memc-lang/memc/ir/sym"
)

// drawn is how many samples are drawn besides the one where all names are equal.
const drawn = 3

// Samples returns functions that choose numbers for the names in a size: the first takes 1000 for
// all names, the others take different numbers. That says nothing of conditions such as 0 < k, so these are open.
func Samples() []func(sym.Poly) int64 {
	var out []func(sym.Poly) int64
	for k := range drawn + 1 {
		sample := func(p sym.Poly) int64 {
			return evaluate(p, func(name string) (int64, bool) { return number(name, k), true }, true)
		}
		out = append(out, sample)
	}
	return out
}

// Sampled returns the greatest sum under each sample.
func (f Formula) Sampled() (out []int64) {
	for _, sample := range Samples() {
		var most int64
		for _, sum := range f.Sums {
			most = max(most, sample(sum))
		}
		out = append(out, most)
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
