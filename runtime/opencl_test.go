//go:build cgo

package runtime

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand"
	"strings"
	"sync"
	"testing"

	"github.com/jgillich/go-opencl/cl"

	"github.com/memc-lang/memc/internal/test/must"
)

// open returns a context on the first device. These tests need one: without it
// they fail, for a runtime that was not run is not tested.
func open(t *testing.T, opt Options) *Context {
	t.Helper()
	c, err := Open("", opt)
	if err != nil {
		t.Fatalf("these tests need an OpenCL device (PoCL will do): %v", err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestDevices(t *testing.T) {
	all, err := Devices()
	if err != nil || len(all) == 0 {
		t.Fatalf("these tests need an OpenCL device (PoCL will do): %v", err)
	}
	for i, d := range all {
		if d.Index != i || d.Name == "" || d.Platform == "" || d.Version == "" || d.Memory <= 0 || d.MaxAlloc <= 0 || d.MaxGroup <= 0 {
			t.Errorf("device %d is described as %+v", i, d)
		}
		c, err := Open(strings.ToUpper(d.Name), Options{})
		if err != nil {
			t.Errorf("opening by name: %v", err)
			continue
		}
		if c.Device().Name != d.Name || c.Stats().Device != d.Name {
			t.Errorf("%q opened %q", d.Name, c.Device().Name)
		}
		c.Close()
	}
	if _, err := Open("no such device", Options{}); err == nil || !strings.Contains(err.Error(), all[0].Name) {
		t.Errorf("an unknown selector gives %v, want the devices that there are", err)
	}
}

// The handles that opencl.go takes out of the binding are the binding's own. (No queue opens and no kernel
// is made by wrong ones of contexts and programs.)
func TestBindingHandles(t *testing.T) {
	found, err := listDevices()
	if err != nil || len(found) == 0 {
		t.Fatalf("no device: %v", err)
	}
	dev := found[0].dev.(*cl.Device)
	if got, want := found[0].Name, dev.Name(); got != strings.TrimSpace(want) {
		t.Errorf("name %q by our handle, %q by the binding", got, want)
	}
	if got, want := found[0].MaxGroup, int64(dev.MaxWorkGroupSize()); got != want {
		t.Errorf("work-group size %d by our handle, %d by the binding", got, want)
	}
}

func TestErrorsOfTheDriver(t *testing.T) {
	for _, err := range []error{noMemory(-4), noMemory(-5), noMemory(-61)} { // allocation failure, out of resources, invalid size
		var code clError
		if !errors.Is(err, errNoMemory) || !errors.As(err, &code) {
			t.Errorf("a lack of memory is %v", err)
		}
	}
	if err := noMemory(-48); errors.Is(err, errNoMemory) || !strings.Contains(err.Error(), "OpenCL code -48") {
		t.Errorf("an invalid kernel is no lack of memory: %v", err)
	}
	c := open(t, Options{MemoryLimit: 1 << 60})
	var oom *OutOfMemory
	if _, err := c.Alloc(1<<58, 1); !errors.As(err, &oom) {
		t.Errorf("2^58 bytes: %v, want out of memory", err)
	}
	mustAlloc(t, c, 64, 2).Release()
}

func TestTransfers(t *testing.T) {
	c := open(t, Options{})
	b := mustAlloc(t, c, 1000, 0)
	defer b.Release()
	want := make([]byte, 1000)
	rand.New(rand.NewSource(1)).Read(want)
	got := make([]byte, 1000)
	must.Do(t, c.Write(b, 0, want))
	must.Do(t, c.WriteElem(b, 10, 2, 0xbeef))
	want[20], want[21] = 0xef, 0xbe
	if err := c.Read(b, 0, got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("read back differs (%v)", err)
	}
	if err := c.Read(b, 400, got[:100]); err != nil || !bytes.Equal(got[:100], want[400:500]) {
		t.Errorf("part read back differs (%v)", err)
	}
}

const addSource = `
__kernel void add(__global uchar *m, long off, int n, uchar twice, double x, long big) {
  __global double *a = (__global double *)(m + off);
  long i = get_global_id(0);
  if (i < n) a[i] += (twice ? 2 * x : x) + (double)big;
}`

func TestLaunch(t *testing.T) {
	c := open(t, Options{})
	p := must.Get(c.Build(addSource, ""))(t)
	defer p.Release()
	k := must.Get(p.Kernel("add"))(t)
	if again, err := p.Kernel("add"); again != k || err != nil {
		t.Error("a kernel is made twice")
	}
	b := mustAlloc(t, c, 8000, 0)
	defer b.Release()
	must.Do(t, c.Write(b, 0, make([]byte, 8000)))
	args := []Arg{{Block: b}, {Bits: 999, Size: 4}, {Bits: 1, Size: 1}, {Bits: 0x3fe0000000000000, Size: 8}, {Bits: 1 << 40, Size: 8}}
	for range 3 {
		must.Do(t, c.Launch(k, 4, 256, args))
	}
	want := math.Float64bits(3 * (1<<40 + 2*0.5))
	if err := c.Launch(k, 0, 256, nil); err != nil {
		t.Errorf("a launch of no groups: %v", err)
	}
	for _, e := range []struct {
		at   int64
		want uint64
	}{{0, want}, {998, want}, {999, 0}} {
		if got, err := c.ReadElem(b, e.at, 8); err != nil || got != e.want {
			t.Errorf("element %d is %#x, %v; want %#x", e.at, got, err, e.want)
		}
	}
	if s := c.Stats(); s.KernelLaunches != 3 {
		t.Errorf("%d launches counted, want 3", s.KernelLaunches)
	}
	if err := c.Launch(k, 1, 1<<40, args); err == nil || !strings.Contains(err.Error(), "kernel add") {
		t.Errorf("too large a group: %v", err)
	}
	if err := c.Launch(k, 1, 256, append(args, Arg{Bits: 0, Size: 8})); err == nil || !strings.Contains(err.Error(), "kernel add") {
		t.Errorf("an argument too many: %v", err)
	}
	if _, err := p.Kernel("sub"); err == nil || !strings.Contains(err.Error(), "kernel sub") {
		t.Errorf("a kernel that is not there: %v", err)
	}
}

func TestBuildError(t *testing.T) {
	c := open(t, Options{})
	_, err := c.Build("__kernel void bad(__global int *p) { *p = no_such_name; }", "")
	var b *BuildError
	if !errors.As(err, &b) || !strings.Contains(b.Log, "no_such_name") || strings.Contains(b.Log, "\x00") {
		t.Errorf("got %v, want the compiler's log", err)
	}
}

func TestTwoThreads(t *testing.T) {
	c := open(t, Options{})
	p := must.Get(c.Build(addSource, ""))(t)
	defer p.Release()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			k, err := p.Kernel("add")
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 20 {
				b, err := c.Alloc(80, g)
				if err != nil {
					t.Error(err)
					return
				}
				if err := c.Write(b, 0, make([]byte, 80)); err != nil {
					t.Error(err)
				}
				n := uint64(g*100 + i)
				args := []Arg{{Block: b}, {Bits: 10, Size: 4}, {Size: 1}, {Size: 8}, {Bits: n, Size: 8}}
				if err := c.Launch(k, 1, 64, args); err != nil {
					t.Error(err)
				}
				out := make([]byte, 80)
				if err := c.Read(b, 0, out); err != nil {
					t.Error(err)
				}
				for e := range 10 {
					if got := math.Float64frombits(binary.LittleEndian.Uint64(out[8*e:])); got != float64(n) {
						t.Errorf("thread %d: element %d is %v, want %d", g, e, got, n)
					}
				}
				b.Release()
			}
		}()
	}
	wg.Wait()
	if s := c.Stats(); c.LiveBlocks() != 0 || s.KernelLaunches != 80 {
		t.Errorf("%d blocks left, %d launches; want 0 and 80", c.LiveBlocks(), s.KernelLaunches)
	}
}
