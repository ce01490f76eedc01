package plan

import (
	"math/rand"
	"testing"
)

// TestBaselines compares the simple plans and the bounds with the best of all partitions: no plan
// is below the bounds.
func TestBaselines(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	tight, rises := 0, 0
	for range 500 {
		p := random(rng, 2+rng.Intn(6))
		least := Least(p)
		best := newNaive(p).optimum()
		for name, c := range map[string]Cost{"optimum": best, "plan": Solve(p).After, "linear scan": LinearScan(p), "best fit": BestFit(p)} {
			if c.Blocks < least.Blocks || c.Bytes < least.Bytes {
				t.Fatalf("%s costs %+v, which is below the bound %+v: %+v", name, c, least, p)
			}
		}
		if best.Blocks == least.Blocks {
			tight++
		}
		if LinearScan(p).Peak > Solve(p).Before.Peak {
			rises++
		}
	}
	t.Logf("the bound of blocks is reached by %d of 500 best plans; linear scan raises the peak of %d problems", tight, rises)
	if tight < 100 || rises == 0 {
		t.Errorf("%d bounds are reached, %d peaks rise", tight, rises)
	}
}
