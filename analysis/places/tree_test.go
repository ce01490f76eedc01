package places

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
)

// A map of ranges answers as a map of Go does, whichever of its changes are in the tree, and so do
// the maps that it was made from.
func TestTree(t *testing.T) {
	type pair struct {
		ranges *ranges
		want   map[string]int64
	}
	random := rand.New(rand.NewPCG(1, 2))
	all := []pair{{nil, map[string]int64{}}}
	for range 3000 {
		old := all[max(0, len(all)-1-random.IntN(3))]
		next := pair{old.ranges, maps.Clone(old.want)}
		for range random.IntN(2 * someChanges) {
			name, v := fmt.Sprint(random.IntN(300)), random.Int64()
			next.ranges, next.want[name] = next.ranges.with(name, known{hi: v}), v
		}
		if random.IntN(2) == 0 {
			next.ranges = Facts{ranges: next.ranges}.Settle().ranges
		}
		all = append(all, next)
	}
	for k := 0; k < len(all); k += 50 {
		for n := range 301 {
			name := fmt.Sprint(n)
			want, known := all[k].want[name]
			if !known {
				want = anything.hi
			}
			if got := all[k].ranges.of(name).hi; got != want {
				t.Fatalf("map %d: %s is %d, want %d", k, name, got, want)
			}
		}
	}
}
