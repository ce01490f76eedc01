package futharktest

import (
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// TestStagesAgree runs the dumps of each program on random inputs: before and
// after Futhark's memory passes, for GPUs and for one thread, they are the same
// program. MEMC_FUTHARK_SAMPLES=DIR takes all programs of a directory.
func TestStagesAgree(t *testing.T) {
	dir, rounds := filepath.Join("..", "..", "..", "testdata", "futhark"), 3
	opt := Options{}
	if all := os.Getenv("MEMC_FUTHARK_SAMPLES"); all != "" {
		dir, rounds = all, 6
		opt.Ctx = openContext(t)
	}
	samples := must.Get(Samples(dir, ""))(t)
	rng := rand.New(rand.NewSource(3))
	total := 0
	for len(samples) > 0 {
		n := 1
		for n < len(samples) && samples[n].Name == samples[0].Name {
			n++
		}
		stages := samples[:n]
		samples = samples[n:]
		t.Run(stages[0].Name, func(t *testing.T) {
			runs, err := Agree(stages, rounds, opt, rng)
			if err != nil {
				t.Error(err)
			}
			total += runs
		})
	}
	if total < 200 {
		t.Errorf("%d runs", total)
	}
}
