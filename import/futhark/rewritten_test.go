package futhark_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
)

// TestRewritten writes the samples in other ways: they compute the same, by value
// and, after the passes, by memory. Each sample is rewritten in two of the ways,
// and those of MEMC_FUTHARK_SAMPLES in all. MEMC_FUTHARK_KEEP names a directory for
// what was written, one below it per way.
func TestRewritten(t *testing.T) {
	dir, all := filepath.Join("..", "..", "testdata", "futhark"), false
	if d := os.Getenv("MEMC_FUTHARK_SAMPLES"); d != "" {
		dir, all = d, true
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.fut_*_mem"))
	if err != nil || len(paths) == 0 {
		t.Fatal(err, "no dumps")
	}
	ways := futhark.RewriteNames()
	for k, way := range ways {
		t.Run(way, func(t *testing.T) {
			changed := 0
			for i, path := range paths {
				if !all && (i+k)%(len(ways)/2) != 0 {
					continue
				}
				data := must.Read(t, path)
				text, n := futhark.Rewritten(diag.NewFile(path, data), way)
				if n == 0 {
					continue
				}
				changed++
				keep(t, way, path, text)
				t.Run(filepath.Base(path), func(t *testing.T) { rewritten(t, path, text, dir) })
			}
			if changed == 0 {
				t.Error("nothing was rewritten")
			}
		})
	}
}

func keep(t *testing.T, way, path, text string) {
	dir := os.Getenv("MEMC_FUTHARK_KEEP")
	if dir == "" {
		return
	}
	dir = filepath.Join(dir, strings.ReplaceAll(way, " ", "-"))
	must.Do(t, os.MkdirAll(dir, 0o777))
	must.Do(t, os.WriteFile(filepath.Join(dir, filepath.Base(path)), []byte(text), 0o666))
}

func rewritten(t *testing.T, path, text, dir string) {
	p, list := futhark.Import(diag.NewFile(path, text))
	must.Do(t, list.Err())
	if more := check.Program(p); more.Failed() {
		t.Fatal(more.Err())
	}
	explicit := ir.CloneProgram(p)
	must.Get(pipeline.Run(explicit, pipeline.DefaultPasses(), pipeline.Options{Verify: true}))(t)
	cases(t, p, explicit, dir, strings.SplitN(filepath.Base(path), ".", 2)[0])
}
