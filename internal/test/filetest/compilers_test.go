package filetest

import (
	"os"
	"testing"
)

// TestCompilers runs the programs of this repository as C, each by one of several C compilers with
// some flags. MEMC_COMPILERS=all runs each by all of them (scripts/compilers).
func TestCompilers(t *testing.T) {
	if os.Getenv("MEMC_COMPILERS") == "" {
		t.Skip("make compilers runs it: it takes minutes")
	}
	root := "../../../"
	run(t, []string{root + "testdata", root + "examples", root + "benchmarks"}, CompiledOptions{Compilers: Compilers, Turns: os.Getenv("MEMC_COMPILERS") != "all", Files: 40})
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
