package benchmarks

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// A reference is data of others, from futhark-benchmarks, that a benchmark must
// agree with: so no oracle is only a second reading of the program beside it.
type reference struct {
	benchmark, in, out string
	// args and want make arguments and results of what the files hold; nil: they
	// are just that.
	args, want func(vs []value.Value) []value.Value
	oracle     bool // the oracle is fast enough for it
}

// references are registered by the files of the oracles.
var references []reference

// dataRoot is where data of others lies: it is not part of the repository.
func dataRoot() string {
	if root := os.Getenv("MEMC_DATA"); root != "" {
		return root
	}
	return filepath.Join("..", "..", "shared", "data", "futhark-benchmarks")
}

// Reference data gives what it must, of the oracle and on a device.
func TestReference(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Logf("no device, only the oracles are tested: %v", err)
	} else {
		defer ctx.Close()
	}
	for _, r := range references {
		t.Run(r.benchmark+"/"+r.in, func(t *testing.T) {
			args, err := read(filepath.Join(dataRoot(), r.in))
			if os.IsNotExist(err) {
				t.Logf("%s is missing; MEMC_DATA names the folder with data of futhark-benchmarks", r.in)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := must.Get(read(filepath.Join(dataRoot(), r.out)))(t)
			if r.args != nil {
				args = r.args(args)
			}
			if r.want != nil {
				want = r.want(want)
			}
			b, _ := Lookup(r.benchmark)
			p, _, err := driver.Explicit(diag.NewFile(b.Path(), b.Source()), pipeline.DefaultPasses(), pipeline.Options{Verify: true})
			if err != nil {
				t.Fatal(err)
			}
			f := p.Func("main")
			if r.oracle {
				got := oracles[r.benchmark](args)
				if len(got) != len(want) {
					t.Fatalf("the oracle gives %d results, expected %d", len(got), len(want))
				}
				for i := range want {
					if d := value.Diff(want[i], got[i], value.DefaultTolerance); d != "" {
						t.Errorf("the oracle's result %d: %s", i, d)
					}
				}
			}
			if ctx == nil {
				return
			}
			low := must.Get(driver.Lower(p, imp.Options{}))(t)
			prepared := must.Get(exec.Prepare(ctx, low.Imp, low.Kernels, exec.Options{}))(t)
			defer prepared.Close()
			got := must.Get(prepared.Call("main", args))(t)
			compare(t, f, want, got)
		})
	}
}
