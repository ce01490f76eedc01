package difftest

import (
	"math/rand"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/transform"
)

// RandomPipeline returns a pipeline that a user may request, always the same one for a seed.
// Perhaps kernels become loops first. Then the program is made explicit, and other passes follow in
// any order that their constraints allow, some more than once, some with parts of them switched
// off.
func RandomPipeline(seed int64) []*transform.Pass {
	r := rand.New(rand.NewSource(seed))
	all, explicit := pipeline.All(), pipeline.Lookup("explicit")
	for {
		var passes []*transform.Pass
		for range r.Intn(4) {
			front := []string{"forget", "inline", "simplify", "fuse", "sequentialise", "levels"}
			passes = append(passes, pipeline.Lookup(front[r.Intn(len(front))]))
		}
		passes = append(passes, explicit)
		least := len(passes)
		for range 1 + r.Intn(2*len(all)) {
			next := append(passes[:len(passes):len(passes)], variant(r, all[r.Intn(len(all))]))
			if next[len(passes)].Name == "forget" {
				next = append(next, explicit) // only explicit functions are compiled
			}
			if pipeline.CheckOrder(next) == nil {
				passes = next
			}
		}
		if pipeline.CheckOrder(passes) == nil && len(passes) > least {
			return passes
		}
	}
}

// variant returns a pass, now and then with some of its switches off.
func variant(r *rand.Rand, p *transform.Pass) *transform.Pass {
	var off []string
	if r.Intn(3) == 0 {
		for _, s := range p.Switches {
			if r.Intn(3) == 0 {
				off = append(off, s)
			}
		}
	}
	if len(off) == 0 {
		return p
	}
	return p.Variant(off)
}
