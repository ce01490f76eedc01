package workers_test

import (
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
)

// No plan needs less than the plan bound, also where this pass makes a block small after the planner has
// chosen.
func TestBound(t *testing.T) {
	files := must.Get(filepath.Glob("../../testdata/workers/pos-*.ir"))(t)
	compared := 0
	for _, file := range files {
		p := load.Checked(t, file, must.Read(t, file))
		report := must.Get(pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{Footprints: true}))(t)
		for _, f := range report.Functions {
			sizes := map[string]int64{}
			for _, e := range p.Func(f.Name).Params {
				for _, d := range e.Type.Shape {
					sizes[d.Name] = 1000
				}
				sizes[e.Name] = 1000
			}
			peak, err1 := f.After.Peak.Bytes(sizes)
			bound, err2 := f.Lower.Bytes(sizes)
			if err1 != nil || err2 != nil {
				continue
			}
			if compared++; peak < bound {
				t.Errorf("%s: the peak of `%s` is %d (%v), below the plan bound, %d (%v)", file, f.Name, peak, f.After.Peak, bound, f.Lower)
			}
		}
	}
	if compared < 5 {
		t.Errorf("only %d functions were compared", compared)
	}
}
