package filetest

import (
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestTuning runs collective operations with all thresholds at either end, divided as on
// a GPU: results do not depend on them.
func TestTuning(t *testing.T) {
	least, most := imp.Tuning{}, imp.Tuning{}
	for _, h := range imp.Thresholds {
		least[h.Name], most[h.Name] = h.Least, h.Most
	}
	for name, tuning := range map[string]imp.Tuning{"least": least, "most": most, "busy": imp.Busy()} {
		t.Run(name, func(t *testing.T) {
			var paths []string
			for _, room := range []string{"reduce", "scan", "hist"} {
				paths = append(paths, "../../../testdata/lang/"+room)
			}
			for _, file := range []string{"points-that-share-reads", "staged-reads", "points-in-place", "rows-that-share-reads", "maps-in-rows"} {
				paths = append(paths, "../../../testdata/imp/"+file+".ir")
			}
			results := must.Get(Run(paths, Options{LikeGPU: true, Lower: imp.Options{Tuning: tuning}}))(t)
			if len(results) < 80 {
				t.Errorf("only %d cases ran", len(results))
			}
			for _, r := range results {
				if r.Err != nil {
					t.Errorf("%s:%d: %v", r.Path, r.Line, r.Err)
				}
			}
		})
	}
}
