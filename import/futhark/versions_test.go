package futhark_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
)

// TestVersions forces the versions whose threads work in groups, with tiles in
// shared memory and in registers, and then the first versions, where the import
// would take others: they compute the same, by value and, after the passes, by
// memory.
func TestVersions(t *testing.T) {
	for _, groups := range []bool{true, false} {
		t.Run(map[bool]string{true: "groups", false: "first"}[groups], func(t *testing.T) { versions(t, groups) })
	}
}

func versions(t *testing.T, groups bool) {
	dir := filepath.Join("..", "..", "testdata", "futhark")
	if d := os.Getenv("MEMC_FUTHARK_SAMPLES"); d != "" {
		dir = d
	}
	paths := must.Get(filepath.Glob(filepath.Join(dir, "*.gpu-*.fut_gpu_mem")))(t)
	ran, tiles := 0, 0
	for _, path := range paths {
		data := must.Read(t, path)
		p, list, forced := futhark.ImportVersion(diag.NewFile(path, data), groups)
		if forced == 0 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			if diag.ExitCode(list.Err()) == diag.ExitLimitation {
				t.Log(list.Err())
				return
			}
			must.Do(t, list.Err())
			if more := check.Program(p); more.Failed() {
				t.Fatal(more.Err())
			}
			explicit := ir.CloneProgram(p)
			must.Get(pipeline.Run(explicit, pipeline.DefaultPasses(), pipeline.Options{Verify: true}))(t)
			ran++
			tiles += strings.Count(data, "tile(")
			cases(t, p, explicit, dir, strings.SplitN(filepath.Base(path), ".", 2)[0])
		})
	}
	if ran == 0 || groups && tiles == 0 {
		t.Errorf("%d samples ran, with %d tiles", ran, tiles)
	}
}

func cases(t *testing.T, p, explicit *ir.Program, dir, name string) {
	for _, f := range p.Funcs {
		base := filepath.Join(dir, name+"."+f.Name)
		if f.Name == "main" {
			base = filepath.Join(dir, name)
		}
		in, err := os.ReadFile(base + ".in")
		if !f.Entry || err != nil {
			continue
		}
		out, err := os.ReadFile(base + ".out")
		if err != nil {
			continue
		}
		args := must.Get(filetest.ReadValues(base+".in", string(in), f))(t)
		want := must.Get(value.NewReader(base+".out", out).All())(t)
		got, err := interp.ByValue(p, f.Name, args, interp.Options{})
		compare(t, f, "by value", got, want, err)
		got, err = interp.ByMemory(explicit, f.Name, args, interp.Options{})
		compare(t, f, "by memory", got, want, err)
	}
}

func compare(t *testing.T, f *ir.Func, how string, got, want []value.Value, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s %s: %v", f.Name, how, err)
		return
	}
	k := 0
	for i, v := range got {
		if f.SizeResult(i) {
			continue
		}
		if k >= len(want) {
			t.Fatalf("%s: more than %d results", f.Name, len(want))
		}
		if d := value.Diff(want[k], v, value.DefaultTolerance); d != "" {
			t.Errorf("%s %s: result %d: %s", f.Name, how, k, d)
		}
		k++
	}
}
