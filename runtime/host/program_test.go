//go:build cgo

package host_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// add is a program as a generated package holds it: y = x + k for each element, which
// must not be negative. Its kernels stand for what codegen/opencl writes.
var add = host.Source{
	File: "add.ir",
	Kernels: `__kernel void add(__global int *fault, __global uchar *x, long xo, __global uchar *y, long yo, long n, int k) {
  const long i = get_global_id(0);
  if (i >= n || fault[0] != 0) return;
  const int v = ((__global int *)(x + xo))[i];
  if (v < 0) { fault[0] = 1; ((__global long *)fault)[1] = i; return; }
  ((__global int *)(y + yo))[i] = v + k;
}
`,
	KernelNames: []string{"add"},
	GroupSize:   16,
	Checks:      true,
	Faults:      []host.Check{{}, {Pos: host.Pos{Line: 2, Col: 5}, Format: "element %d is negative (100 %%)", Args: 1}},
	Sites:       []host.Site{{Pos: host.Pos{Line: 1, Col: 3}, Name: "block `m_y`"}},
}

var entry = host.Entry{
	Name: "add",
	Params: []host.Param{
		{Name: "x", Type: "[n]i32", Shape: []host.Dim{{Name: "n"}}},
		{Name: "k", Type: "i32"},
	},
	Sizes: []string{"n"},
}

// call is the method that a generated package would have.
func call(p *host.Program, x *host.Array[int32], k int32) (*host.Array[int32], error) {
	c, err := p.Begin(&entry, x, k)
	if err != nil {
		return nil, err
	}
	defer c.End()
	y, err := run(c, c.Size(0), c.Block(0), k)
	defer host.Drop(&y)
	if err := c.Finish(err); err != nil {
		return nil, err
	}
	return host.Result[int32](c, y, c.Size(0)), c.Err()
}

func run(c *host.Call, n int64, x *host.Block, k int32) (*host.Block, error) {
	var y *host.Block
	defer host.Drop(&y)
	if err := c.Alloc(&y, host.MulBytes(n, 4), 0); err != nil {
		return nil, err
	}
	if err := c.Launch("add", (n+15)/16, x, y, n, k); err != nil {
		return nil, err
	}
	return host.Keep(y), nil
}

func open(t *testing.T, opt host.Options) *host.Program {
	t.Helper()
	p, err := host.Open(&add, opt)
	if err != nil {
		t.Fatalf("this test needs an OpenCL device (PoCL will do): %v", err)
	}
	t.Cleanup(p.Close)
	return p
}

func array[T host.Element](t *testing.T, p *host.Program, data ...T) *host.Array[T] {
	t.Helper()
	return must.Get(host.NewArray(p, data))(t)
}

func TestCall(t *testing.T) {
	p := open(t, host.Options{})
	x := array[int32](t, p, 1, 2, 3)
	for range 3 {
		y := must.Get(call(p, x, 10))(t)
		if got, err := y.Data(); err != nil || !slices.Equal(got, []int32{11, 12, 13}) {
			t.Errorf("%v, %v", got, err)
		}
		y.Free()
		// A fault is told once, and is no business of the next call.
		bad := array[int32](t, p, 1, -2)
		if _, err := call(p, bad, 0); err == nil || err.Error() != "add.ir:2:5: element 1 is negative (100 %)" || !host.Is(err, host.Fault) {
			t.Errorf("error %v", err)
		}
		bad.Free()
	}
	x.Free()
	check(t, "live blocks", p.Context().LiveBlocks(), 0)
}

// What a kernel has found comes before the host's own error, and what the call made
// is gone.
func TestEarlierFault(t *testing.T) {
	p := open(t, host.Options{})
	x := array[int32](t, p, -1)
	c := must.Get(p.Begin(&entry, x, int32(0)))(t)
	y := must.Get(run(c, 1, c.Block(0), 0))(t)
	if err := c.Finish(errors.New("the host's")); err == nil || !strings.Contains(err.Error(), "element 0 is negative") {
		t.Errorf("error %v", err)
	}
	host.Drop(&y)
	c.End()
	x.Free()
	check(t, "live blocks", p.Context().LiveBlocks(), 0)
}

// Results are checked against their blocks; after one that does not fit the others
// are gone.
func TestResults(t *testing.T) {
	p := open(t, host.Options{})
	x := array[int32](t, p, 1, 2)
	c := must.Get(p.Begin(&entry, x, int32(0)))(t)
	b := c.Block(0)
	if a := host.Result[int32](c, b, 2, 1); a == nil || c.Err() != nil {
		t.Error(c.Err())
	}
	for _, shape := range [][]int64{{3}, {-1}, {1 << 40, 1 << 40}} {
		if a := host.Result[int32](c, b, shape...); a != nil || !host.Is(c.Err(), host.Bug) {
			t.Errorf("shape %v: error %v", shape, c.Err())
		}
	}
	c.End()
	x.Free()
	check(t, "live blocks", p.Context().LiveBlocks(), 0)
}

// The driver refuses all buffers from the n-th on: calls fail as out of memory and
// leave nothing, and work again when it does not.
func TestRefusedBuffers(t *testing.T) {
	for n := range int64(2) {
		refuse := true
		ctx := must.Get(runtime.Open("", runtime.Options{Allocator: "driver", Refuse: func(k, _ int64) bool { return refuse && k > n }}))(t)
		t.Cleanup(ctx.Close)
		p := open(t, host.Options{Context: ctx})
		for range 2 {
			x, err := host.NewArray(p, []int32{1, 2, 3})
			if err == nil {
				var y *host.Array[int32]
				y, err = call(p, x, 1)
				y.Free()
				x.Free()
			}
			var oom *runtime.OutOfMemory
			if refuse && (!host.Is(err, host.OutOfMemory) || !errors.As(err, &oom)) || !refuse && err != nil {
				t.Errorf("from %d on: error %v", n, err)
			}
			check(t, "live blocks", ctx.LiveBlocks(), 0)
			refuse = false
		}
	}
}

// A wrong program is an error, not a crash.
func TestWrongPrograms(t *testing.T) {
	p := open(t, host.Options{})
	x := array[int32](t, p, 1)
	c := must.Get(p.Begin(&entry, x, int32(0)))(t)
	var v int32
	for what, err := range map[string]error{
		"no kernel":     c.Launch("sub", 1),
		"no block":      c.Launch("add", 1, (*host.Block)(nil)),
		"no scalar":     c.Launch("add", 1, "text"),
		"no fault":      c.Fault(7),
		"few arguments": c.Fault(1),
		"copy":          c.Copy(4, nil, host.At(nil, 0), host.At(c.Block(0), 0)),
		"load":          host.Load(c, &v, nil, 0),
		"store":         host.Store(c, nil, 0, v),
	} {
		if !host.Is(err, host.Bug) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	if err := host.Load(c, &v, c.Block(0), 1); err == nil {
		t.Error("an element outside of the block is read")
	}
	c.End()
	if _, err := p.Begin(&entry, x); !host.Is(err, host.Bug) {
		t.Errorf("too few arguments: %v", err)
	}
	wrong := add
	wrong.Kernels = "__kernel nothing"
	if _, err := host.Open(&wrong, host.Options{}); err == nil || !strings.HasPrefix(err.Error(), "add.ir: building kernels") {
		t.Errorf("error %v", err)
	}
	wrong = add
	wrong.KernelNames = []string{"sub"}
	if _, err := host.Open(&wrong, host.Options{}); err == nil || !strings.Contains(err.Error(), "kernel sub") {
		t.Errorf("error %v", err)
	}
}
