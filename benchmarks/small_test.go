package benchmarks

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// near is how far results may be from the oracle's where rounding counts for more
// than elsewhere: absolute for floats; for integers, the share of elements that may
// be others.
var near = map[string]float64{
	"crystal":    1e-3, // fifty cosines of arguments up to 30
	"mandelbrot": 0.01, // points at the set's rim take chaotic ways
}

// On a device, every program's small set gives what the oracle says, without a NaN,
// with and without merging; and merging does not raise its peak.
func TestSmall(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Logf("no device: %v", err)
		return
	}
	defer ctx.Close()
	for _, b := range all {
		t.Run(b.Name, func(t *testing.T) {
			set, _ := b.Set("small")
			want := oracles[b.Name](set.Args())
			var peaks [2]int64
			for i, passes := range [][]*transform.Pass{{explicit.Pass}, pipeline.DefaultPasses()} {
				peaks[i] = small(t, ctx, b, set, passes, want)
			}
			if peaks[1] > peaks[0] {
				t.Errorf("the peak is %d bytes, without merging %d", peaks[1], peaks[0])
			}
		})
	}
}

// small runs a program on its small set, compares, and gives its peak.
func small(t *testing.T, ctx *runtime.Context, b Benchmark, set Set, passes []*transform.Pass, want []value.Value) int64 {
	p, _, err := driver.Explicit(diag.NewFile(b.Path(), b.Source()), passes, pipeline.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	low := must.Get(driver.Lower(p, imp.Options{}))(t)
	prepared := must.Get(exec.Prepare(ctx, low.Imp, low.Kernels, exec.Options{}))(t)
	defer prepared.Close()
	ctx.ResetStats()
	got := must.Get(prepared.Call("main", set.Args()))(t)
	for i, v := range got {
		if v.Prim.Float() && hasNaN(v) {
			t.Errorf("result %d has a NaN", i)
		}
	}
	if slack, ok := near[b.Name]; ok {
		roughly(t, want[0], got[len(got)-1], slack)
	} else {
		compare(t, p.Func("main"), want, got)
	}
	return ctx.Stats().PeakBytes
}

func hasNaN(v value.Value) bool {
	for i := range v.Elems() {
		if math.IsNaN(v.Float(i)) {
			return true
		}
	}
	return false
}

// roughly compares with slack as near says.
func roughly(t *testing.T, want, got value.Value, slack float64) {
	if want.Prim.Float() {
		if d := value.Diff(want, got, value.Tolerance{Abs: slack}); d != "" {
			t.Error(d)
		}
		return
	}
	if want.Type() != got.Type() {
		t.Fatalf("type %s, expected %s", got.Type(), want.Type())
	}
	others := 0
	for i := 0; i < len(want.Data); i += 4 {
		if binary.LittleEndian.Uint32(want.Data[i:]) != binary.LittleEndian.Uint32(got.Data[i:]) {
			others++
		}
	}
	if n := want.Elems(); float64(others) > slack*float64(n) {
		t.Errorf("%d of %d elements are others", others, n)
	}
}
