package filetest

import (
	"github.com/memc-lang/memc/internal/test/part"
	"testing"
)

// TestCompilers runs programs of this repository as C, each by one of several C compilers with some
// flags. MEMC_ALL=1 runs all of them by all compilers (scripts/compilers).
func TestCompilers(t *testing.T) {
	root, opt := "../../../", CompiledOptions{Compilers: Compilers, Turns: true, Files: 20}
	paths := []string{root + "testdata/c", root + "testdata/imp", root + "testdata/fixedbugs"}
	if part.All() {
		paths, opt.Turns, opt.Files = []string{root + "testdata", root + "examples", root + "benchmarks"}, false, 40
	}
	run(t, paths, opt)
}

func run(t *testing.T, paths []string, opt CompiledOptions) {
	t.Helper()
	built := map[string]int{}
	opt.Done = func(compiler string, files int) { built[compiler] += files }
	results, err := Compiled(paths, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if r.Err != nil {
			t.Errorf("%s:%d: %v", r.Path, r.Line, r.Err)
		}
	}
	for _, c := range opt.Compilers {
		t.Logf("%s: %d files", c, built[c])
		if built[c] == 0 {
			t.Errorf("%s compiled nothing", c)
		}
	}
}
