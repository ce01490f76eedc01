package benchmarks

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/internal/driver"
	"github.com/memc-lang/memc/internal/exec"
	"github.com/memc-lang/memc/internal/pipeline"
	"github.com/memc-lang/memc/internal/value"
	"github.com/memc-lang/memc/runtime"
)

// near is how far results may be from the oracle's where rounding counts for more
// than elsewhere: absolute for floats; for integers, the share of elements that may
// be others.
var near = map[string]float64{
	"crystal":    1e-3, // fifty cosines of arguments up to 30
	"mandelbrot": 0.01, // points at the set's rim take chaotic ways
}

// On a device, every program's small set gives what the oracle says, without a NaN.
func TestSmall(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Logf("no device: %v", err)
		return
	}
	t.Cleanup(ctx.Close)
	for _, b := range all {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			set, _ := b.Set("small")
			args := set.Args()
			p, _, err := driver.Explicit(diag.NewFile(b.Path(), b.Source()), pipeline.DefaultPasses(), pipeline.Options{Verify: true})
			if err != nil {
				t.Fatal(err)
			}
			low, err := driver.Lower(p, false)
			if err != nil {
				t.Fatal(err)
			}
			prepared, err := exec.Prepare(ctx, low.Imp, low.Kernels, exec.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer prepared.Close()
			got, err := prepared.Call("main", args)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range got {
				if v.Prim.Float() && hasNaN(v) {
					t.Errorf("result %d has a NaN", i)
				}
			}
			want := oracles[b.Name](args)
			if slack, ok := near[b.Name]; ok {
				roughly(t, want[0], got[len(got)-1], slack)
				return
			}
			compare(t, p.Func("main"), want, got)
		})
	}
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
