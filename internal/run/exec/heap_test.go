//go:build cgo

package exec_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/device"
)

// lowerFile brings a program through passes.
func lowerFile(t *testing.T, path, passes string, heap imp.Options) *driver.Lowered {
	t.Helper()
	src := must.Get(driver.ReadSource(path))(t)
	list := must.Get(pipeline.Parse(passes))(t)
	prog, _, err := driver.Explicit(src, list, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return must.Get(driver.Lower(prog, heap))(t)
}

// runInputs calls a program with all inputs of its test blocks. Each must fail
// where the block says so, and only there.
func runInputs(t *testing.T, path string, call func(entry string, args []value.Value) error) {
	t.Helper()
	text := must.Read(t, path)
	blocks := must.Get(filetest.Blocks(text, filepath.Dir(path)))(t)
	for _, b := range blocks {
		for _, c := range b.Cases {
			if !c.HasInput {
				continue
			}
			args := must.Get(value.NewReader("input", []byte(c.Input)).All())(t)
			err := call(c.Entry, args)
			if (err != nil) != (c.Fails != nil) || err != nil && !c.Fails.MatchString(err.Error()) {
				t.Errorf("line %d: %v, want %v", c.Line, err, c.Fails)
			}
		}
	}
}

// After all inputs of a program, those that fail in the middle of a kernel
// included, no block of the device heap is left and none was freed wrongly.
func TestHeapIsLeftEmpty(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Fatalf("these tests need an OpenCL device (PoCL will do): %v", err)
	}
	defer ctx.Close()
	for _, name := range []string{"branches", "explicit-form", "faults", "filter", "growing", "history", "inner-carries", "kinds", "swap", "vector"} {
		path := "../../../testdata/device-heap/" + name + ".ir"
		pipelines := []string{pipeline.Default()}
		if name == "faults" {
			pipelines = append(pipelines, "explicit")
		}
		for _, passes := range pipelines {
			t.Run(name+"/"+passes, func(t *testing.T) {
				low := lowerFile(t, path, passes, imp.Options{})
				if low.Imp.DeviceAllocator == "" {
					t.Fatal("no kernel allocates")
				}
				p := must.Get(exec.Prepare(ctx, low.Imp, "#define MEMC_DEBUG 1\n"+low.Kernels, exec.Options{}))(t)
				defer p.Close()
				runInputs(t, path, func(entry string, args []value.Value) error {
					_, err := p.Call(entry, args)
					return err
				})
				emptyHeap(t, exec.DeviceHeap(p))
			})
		}
	}
}

func emptyHeap(t *testing.T, h *device.Heap) {
	t.Helper()
	s := must.Get(h.Survey())(t)
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if n := s.Live(h.Allocator); n != 0 {
		t.Errorf("%d blocks are left in the heap", n)
	}
}

// Every allocator that is safe serves programs, also one that reuses nothing: it
// starts anew with each kernel.
func TestEveryDeviceAllocator(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Fatalf("these tests need an OpenCL device (PoCL will do): %v", err)
	}
	defer ctx.Close()
	const path = "../../../testdata/device-heap/history.ir"
	for _, a := range device.Allocators() {
		if !a.Safe {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			low := lowerFile(t, path, pipeline.Default(), imp.Options{DeviceAllocator: a.Name, DeviceHeap: 256 << 10})
			p := must.Get(exec.Prepare(ctx, low.Imp, low.Kernels, exec.Options{}))(t)
			defer p.Close()
			for range 4 {
				runInputs(t, path, func(entry string, args []value.Value) error {
					_, err := p.Call(entry, args)
					return err
				})
			}
			emptyHeap(t, exec.DeviceHeap(p))
		})
	}
}

// A heap that is too small fails the run with the position of the array, the
// sizes, and what to do; with a larger one the same program runs.
func TestHeapTooSmall(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Fatalf("these tests need an OpenCL device (PoCL will do): %v", err)
	}
	defer ctx.Close()
	const path = "../../../testdata/device-heap/triangular.ir"
	xs := must.Get(value.NewReader("input", []byte("[1i64, 2i64, 3i64, 4i64]")).All())(t)
	for _, bytes := range []int64{device.MinBytes, 1 << 20} {
		low := lowerFile(t, path, pipeline.Default(), imp.Options{DeviceHeap: bytes})
		p := must.Get(exec.Prepare(ctx, low.Imp, low.Kernels, exec.Options{}))(t)
		for range 2 { // a failed run leaves everything usable
			_, err := p.Call("main", xs)
			if bytes > device.MinBytes {
				if err != nil {
					t.Error(err)
				}
				continue
			}
			for _, want := range []string{"triangular.ir:14:5: error[E812]: out of memory in a kernel: ", " bytes requested for block `m_a`", "the device heap of 1024 bytes has no room"} {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %q", err, want)
				}
			}
		}
		p.Close()
	}
}

// Sizes that no heap has do not wrap around to small ones.
func TestHugeSizes(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Fatalf("these tests need an OpenCL device (PoCL will do): %v", err)
	}
	defer ctx.Close()
	path := filepath.Join(t.TempDir(), "huge.ir")
	text := "entry main [n] (xs: [n]i64) : [n]i64 = {\n  let r = map (i < n) {\n    let k = xs[i]\n    let a: [k][k]i64 = scratch i64 (k, k)\n" +
		"    let b = a with [0, 0] = i\n    in b[0, 0]\n  }\n  in r\n}\n"
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	low := lowerFile(t, path, "explicit", imp.Options{})
	if low.Imp.DeviceHeap != imp.DefaultDeviceHeap {
		t.Errorf("a heap of %d bytes", low.Imp.DeviceHeap)
	}
	p := must.Get(exec.Prepare(ctx, low.Imp, low.Kernels, exec.Options{}))(t)
	defer p.Close()
	for _, k := range []string{"4294967296", "3037000500", "2147483648", "1000000000000000"} {
		args := must.Get(value.NewReader("input", []byte("["+k+"i64]")).All())(t)
		if _, err := p.Call("main", args); err == nil || !strings.Contains(err.Error(), "out of memory in a kernel") {
			t.Errorf("%s squared elements: %v", k, err)
		}
	}
}
