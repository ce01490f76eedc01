package futharktest

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime"
)

// small names the samples that run on OpenCL as well.
var small = map[string]bool{
	"map_affine": true, "reduce_basic": true, "hist_multi": true, "accumulators_direct": true, "device_scalars": true,
	"scan_segmented": true, "flat_slices": true,
}

// openContext opens an OpenCL device; nil where there is none.
func openContext(t *testing.T) *runtime.Context {
	t.Helper()
	ctx, err := runtime.Open("", runtime.Options{})
	switch {
	case errors.Is(err, runtime.ErrNoDevice) || errors.Is(err, runtime.ErrNoOpenCL):
		t.Log("no OpenCL device; by value and by memory only")
		return nil
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(ctx.Close)
	return ctx
}

// TestSamples imports the dumps of testdata/futhark, from before and after
// Futhark's memory passes, and runs every case in every way.
func TestSamples(t *testing.T) {
	samples := must.Get(Samples(filepath.Join("..", "..", "..", "testdata", "futhark"), ""))(t)
	if len(samples) < 40 {
		t.Fatalf("%d samples", len(samples))
	}
	ctx := openContext(t)
	for _, s := range samples {
		t.Run(s.Name+"."+s.Stage, func(t *testing.T) {
			opt := Options{Values: true}
			if s.Stage == "gpu-after" && small[s.Name] { // compilers of kernels are slow
				opt.Ctx = ctx
			}
			r := Run(s, opt)
			if r.Err != nil {
				t.Fatalf("%s: %v", r.Step, r.Err)
			}
			if r.Cases == 0 {
				t.Error("no case ran")
			}
		})
	}
}
