package difftest

import (
	"math/rand"

	"github.com/memc-lang/memc/internal/pipeline"
	"github.com/memc-lang/memc/transform"
)

// RandomPipeline gives a pipeline that a user may ask for, always the same for a
// seed: the first pass makes the program explicit, others follow in any order that
// their constraints allow, some more than once.
func RandomPipeline(seed int64) []*transform.Pass {
	r := rand.New(rand.NewSource(seed))
	all := pipeline.All()
	for {
		passes := []*transform.Pass{all[0]}
		for range 1 + r.Intn(2*len(all)) {
			next := append(passes[:len(passes):len(passes)], all[r.Intn(len(all))])
			if pipeline.CheckOrder(next) == nil {
				passes = next
			}
		}
		if pipeline.CheckOrder(passes) == nil && len(passes) > min(1, len(all)-1) {
			return passes
		}
	}
}
