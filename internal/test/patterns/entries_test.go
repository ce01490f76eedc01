package patterns_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/internal/test/patterns"
	"github.com/memc-lang/memc/ir/diag"
)

// entries are programs of one function each that give all passes something to do.
var entries = []string{
	"coalesce/chain/pos-copy-concat-update",
	"coalesce/if/pos-one-outside",
	"coalesce/loop/pos-chain-in-body",
	"coalesce/misc/pos-choose-copy-or-concat",
	"mix/pos-row-then-reuse",
	"reuse/loop/pos-double-buffer-of-fresh-value",
	"reuse/misc/pos-larger-then-smaller-then-larger",
}

// A file of many entry points takes as much work for each as a file of few: what a pass
// does for one function it must not do anew for every other. Work is counted in bytes
// that are allocated, which a slow machine does not change.
func TestManyEntries(t *testing.T) {
	few, fewAllocs := optimise(t, 10)
	many, manyAllocs := optimise(t, 80)
	t.Logf("%d kB for 10 copies, %d kB for 80", few>>10, many>>10)
	if manyAllocs != 8*fewAllocs || fewAllocs == 0 {
		t.Errorf("Alloc %d in 10 copies, %d in 80: entries must not change one another", fewAllocs, manyAllocs)
	}
	if many > 10*few {
		t.Errorf("80 copies of %d entries take %.1f times the work of 10, expected about 8", len(entries), float64(many)/float64(few))
	}
}

// optimise runs the default passes over copies of all entries in one program. It gives
// the bytes allocated meanwhile and the blocks left.
func optimise(t *testing.T, copies int) (work uint64, allocs int) {
	t.Helper()
	var src strings.Builder
	for _, name := range entries {
		text := must.Read(t, filepath.Join(testdata, name+".ir"))
		if strings.Count(text, "\nentry ") != 1 || strings.Contains(text, "\nfun ") {
			t.Fatalf("%s is not of one function", name)
		}
		_, entry, _ := strings.Cut(text, "\nentry main ")
		for k := range copies {
			fmt.Fprintf(&src, "entry main%d_%s %s\n", k, strings.ReplaceAll(filepath.Base(name), "-", "_"), entry)
		}
	}
	passes := must.Get(pipeline.Parse(patterns.Pipelines["default"]))(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, report, err := driver.Explicit(diag.NewFile("entries.ir", src.String()), passes, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, report.After.Alloc
}
