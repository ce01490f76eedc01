package plan

import (
	"math/rand"
	"os"
	"testing"
)

// figures of a comparison with the optimum: mean and worst ratio, in millionths.
type ratios struct {
	n          int
	sum, worst int64
	optimal    int
}

func (r *ratios) add(got, best int64) {
	q := int64(1_000_000)
	if best > 0 {
		q = got * 1_000_000 / best
	}
	r.n++
	r.sum += q
	r.worst = max(r.worst, q)
	if got == best {
		r.optimal++
	}
}

func (r *ratios) log(t *testing.T, what string) {
	t.Logf("%-28s mean %.4f  worst %.4f  optimal %d of %d", what, float64(r.sum)/1e6/float64(r.n), float64(r.worst)/1e6, r.optimal, r.n)
}

// TestOptimum compares plans with the best of all partitions; with MEMC_SOAK set
// those of 10,000 problems.
func TestOptimum(t *testing.T) {
	count := 500
	if os.Getenv("MEMC_SOAK") != "" {
		count = 10_000
	}
	rng := rand.New(rand.NewSource(1))
	var peak, bytes, greedyPeak, greedyBytes ratios
	for k := range count {
		n := 2 + rng.Intn(7)
		if k%20 == 0 {
			n = 9 + rng.Intn(4)
		}
		p := random(rng, n)
		o := newNaive(p)
		r := Solve(p)
		o.check(t, r)
		want := o.optimum()
		if r.Exact && r.After != want {
			t.Fatalf("problem %d: cost %+v is said to be the least, but %+v is possible: %+v", k, r.After, want, p)
		}
		peak.add(r.After.Peak, want.Peak)
		if r.After.Peak == want.Peak {
			bytes.add(r.After.Bytes, want.Bytes)
		}
		// The same without the exact search.
		h := solve(p, 0)
		o.check(t, h)
		greedyPeak.add(h.After.Peak, want.Peak)
		if h.After.Peak == want.Peak {
			greedyBytes.add(h.After.Bytes, want.Bytes)
		}
	}
	peak.log(t, "peak")
	bytes.log(t, "bytes at that peak")
	greedyPeak.log(t, "heuristic: peak")
	greedyBytes.log(t, "heuristic: bytes at that peak")
	for _, r := range []*ratios{&peak, &bytes, &greedyPeak, &greedyBytes} {
		if r.sum > 1_020_000*int64(r.n) {
			t.Errorf("the mean ratio is above 1.02")
		}
	}
}

// TestLarge makes plans of small problems as of large ones.
func TestLarge(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	fewer := 0
	for range 2000 {
		p := random(rng, 2+rng.Intn(12))
		o := newNaive(p)
		r := solveLarge(p)
		o.check(t, r)
		if len(r.Groups) < len(p.Blocks) {
			fewer++
		}
	}
	if fewer < 1000 {
		t.Errorf("only %d of 2000 plans share anything", fewer)
	}
}
