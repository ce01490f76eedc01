package reuse_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/transform/reuse"
)

// soak is how many random programs are tried: more with MEMC_SOAK=100000.
func soak(t *testing.T, usual int) int {
	s := os.Getenv("MEMC_SOAK")
	if s == "" {
		return usual
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatalf("MEMC_SOAK=%s: %v", s, err)
	}
	return n
}

// TestRandomPrograms shares blocks in random programs: the results stay the same, the independent
// checker agrees, and no measured peak rises.
func TestRandomPrograms(t *testing.T) {
	n := soak(t, 100)
	var runs, lower, allocs, left, fewer, bounds, reached int
	var ratio float64
	for seed := range int64(n) {
		g := progen.Generate(seed, progen.Options{Without: []string{"large", "wild"}})
		p := load.Checked(t, "test.ir", g.Text)
		if seed%2 == 0 {
			prepare(t, p, before...)
		} else {
			prepare(t, p, plain...)
		}
		old := ir.CloneProgram(p)
		apply(t, p, reuse.Pass)
		if least, got := bounded(t, old, p); least > 0 {
			bounds++
			ratio += float64(got) / float64(least)
			if got == least {
				reached++
			}
		}
		a, b := metrics.Count(old).Alloc, metrics.Count(p).Alloc
		allocs += a
		left += b
		if b < a {
			fewer++
		}
		for _, args := range g.Inputs {
			if !sameResults(t, p, "main", args) {
				continue
			}
			runs++
			was, is := peakOf(t, old, "main", args), peakOf(t, p, "main", args)
			if is > was {
				t.Fatalf("seed %d: the peak rises from %d to %d\n%s\n%s", seed, was, is, old, p)
			}
			if is < was {
				lower++
			}
		}
	}
	t.Logf("%d programs: %d allocations, %d left; %d runs, the peak of %d is lower", n, allocs, left, runs, lower)
	t.Logf("peaks as formulas are %.3f times the plan bound on the mean; %d of %d are the bound", ratio/float64(max(bounds, 1)), reached, bounds)
	if fewer*3 < n {
		t.Errorf("only %d of %d programs have fewer allocations", fewer, n)
	}
}
