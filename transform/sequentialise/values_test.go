package sequentialise_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/sequentialise"
)

// TestRandomPrograms runs random programs in every way after this pass and those
// that follow: the value is that of the program as written.
func TestRandomPrograms(t *testing.T) {
	passes := must.Get(pipeline.Parse("sequentialise,explicit,lift,coalesce,lower"))(t)
	kernels := 0
	for seed := range int64(40) {
		s := difftest.SubjectOf(seed, progen.Options{})
		p := sequential(t, s.Text)
		kernels += p.before
		if n := metrics.Count(p.program).Kernel; n > 0 {
			t.Errorf("seed %d: %d kernels are left", seed, n)
		}
		if f := difftest.Check(s, difftest.Options{Passes: passes}); f != nil {
			t.Errorf("seed %d: %v\n%s", seed, f, f.Text)
		}
	}
	if kernels < 60 {
		t.Errorf("only %d kernels in the programs", kernels)
	}
}

// A run of the pass: the program, and how many kernels it had.
type sequentialised struct {
	program *ir.Program
	before  int
}

func sequential(t *testing.T, text string) sequentialised {
	t.Helper()
	p, list := driver.Check(diag.NewFile("test.ir", text))
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	before := metrics.Count(p).Kernel
	if _, err := pipeline.Run(p, []*transform.Pass{sequentialise.Pass}, pipeline.Options{Verify: true}); err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	return sequentialised{p, before}
}

// TestMessages looks at what a run says of an array that the pass made for the user's.
func TestMessages(t *testing.T) {
	p := sequential(t, "entry main [n] (xs: [n]i64, k: i64) : [n]i64 = {\n  let ys: [n]i64 = map (i < k) { in xs[i] }\n  in ys\n}\n").program
	args, err := value.NewReader("input", []byte("[1i64, 2i64] 3i64")).All()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := interp.ByValue(p, "main", args, interp.Options{}); err == nil || !strings.Contains(err.Error(), "dimension 0 of `ys`: 2 and 3") {
		t.Errorf("the run ended with %v", err)
	}
}

// TestPrograms compares the values of all agnostic programs with inputs before and
// after the pass.
func TestPrograms(t *testing.T) {
	compared := 0
	for _, root := range []string{"../../testdata", "../../examples"} {
		must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".ir" {
				return err
			}
			compared += compare(t, path)
			return nil
		}))
	}
	if compared < 100 {
		t.Errorf("only %d inputs compared", compared)
	}
}

// maxSteps bounds a run, so that large examples are left to their own tests.
const maxSteps = 2_000_000

// idle reports whether a size among the arguments is so large that no loop has as many turns.
func idle(args []value.Value) bool {
	large := func(n int64) bool { return n >= 1<<16 }
	return slices.ContainsFunc(args, func(v value.Value) bool {
		return v.Prim == ir.I64 && v.Shape == nil && large(int64(v.Bits(0))) || v.Elems() == 0 && slices.ContainsFunc(v.Shape, large)
	})
}

// compare returns the number of inputs whose values it compared.
func compare(t *testing.T, path string) (compared int) {
	text := must.Get(os.ReadFile(path))(t)
	blocks, err := filetest.Blocks(string(text), filepath.Dir(path))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	old, list := driver.Check(diag.NewFile(path, string(text)))
	if list.Err() != nil || metrics.Count(old).Kernel == 0 {
		return 0
	}
	p := ir.CloneProgram(old)
	if _, err := pipeline.Run(p, []*transform.Pass{sequentialise.Pass}, pipeline.Options{Verify: true}); err != nil {
		t.Errorf("%s: %v", path, err)
		return 0
	}
	for _, b := range blocks {
		for _, c := range b.Cases {
			if !c.HasInput || c.Fails != nil {
				continue
			}
			entry := c.Entry
			if entry == "" {
				entry = "main"
			}
			args, err := filetest.ReadValues(path, c.Input, old.Func(entry))
			if err != nil {
				t.Fatalf("%s:%d: %v", path, c.Line, err)
			}
			want, err := interp.ByValue(old, entry, args, interp.Options{MaxSteps: maxSteps})
			if err != nil {
				if strings.Contains(err.Error(), "steps") {
					continue
				}
				t.Fatalf("%s:%d: %v", path, c.Line, err)
			}
			if idle(args) {
				continue // threads without elements cost nothing by value, but a loop has its turns
			}
			got, err := interp.ByValue(p, entry, args, interp.Options{MaxSteps: 64 * maxSteps})
			if err != nil {
				t.Errorf("%s:%d: %v", path, c.Line, err)
				continue
			}
			compared++
			for k := range want {
				if d := value.Diff(want[k], got[k], value.Exact); d != "" {
					t.Errorf("%s:%d: result %d: %s", path, c.Line, k, d)
				}
			}
		}
	}
	return compared
}
