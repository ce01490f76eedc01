package peak

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/memc-lang/memc/analysis/liveness"
)

// The lists of ordered give what a sorted list of all ranges gives.
func TestOrdered(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []*Range
	for k := range 500 {
		r := &Range{Block: fmt.Sprint("m", k), Span: liveness.Span{From: random.IntN(2000), To: 2000}}
		if k%10 == 0 {
			r.Span = over
		}
		all = append(all, r)
	}
	o := newOrdered(all, func(r *Range) int { return r.From })
	for range 2000 {
		r := all[random.IntN(len(all))]
		o.drop(r)
		if r.From = random.IntN(3000); random.IntN(10) == 0 {
			r.Span = over
		} else {
			r.To = 3000
		}
		o.put(r)
		lo := random.IntN(3000) - 10
		hi := lo + random.IntN(600) - 10
		var want []string
		for _, r := range all {
			if lo <= r.From && r.From <= hi {
				want = append(want, fmt.Sprintf("%04d %s", r.From, r.Block))
			}
		}
		slices.SortFunc(want, cmp.Compare[string])
		var got []string
		for r := range o.between(lo, hi) {
			got = append(got, fmt.Sprintf("%04d %s", r.From, r.Block))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d .. %d: %v, want %v", lo, hi, got, want)
		}
	}
}
