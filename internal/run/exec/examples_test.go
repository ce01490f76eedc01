//go:build cgo

package exec_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/pool"
)

// An example is a program of examples/ with its test inputs, lowered.
type example struct {
	name   string
	low    *driver.Lowered
	inputs []input
}

type input struct {
	entry string
	args  []value.Value
	want  []value.Value // as the driver policy computes it
}

// examples returns all examples that have inputs, with the results of a run
// without any pool.
func examples(t *testing.T) []*example {
	t.Helper()
	paths, err := filepath.Glob("../../../examples/*.ir")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	var all []*example
	for _, path := range paths {
		e := &example{name: strings.TrimSuffix(filepath.Base(path), ".ir")}
		src := must.Get(driver.ReadSource(path))(t)
		passes := must.Get(pipeline.Parse(pipeline.Default()))(t)
		prog, _, err := driver.Explicit(src, passes, pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e.low = must.Get(driver.Lower(prog, imp.Options{}))(t)
		blocks := must.Get(filetest.Blocks(src.Text, filepath.Dir(path)))(t)
		for _, b := range blocks {
			for _, c := range b.Cases {
				if !c.HasInput {
					continue
				}
				args := must.Get(filetest.ReadValues("input", c.Input, prog.Func(c.Entry)))(t)
				e.inputs = append(e.inputs, input{entry: c.Entry, args: args})
			}
		}
		withContext(t, runtime.Options{Allocator: "driver"}, e, func(_ *runtime.Context, p *exec.Prepared) {
			for i := range e.inputs {
				in := &e.inputs[i]
				if in.want, err = p.Call(in.entry, in.args); err != nil {
					t.Fatalf("%s: %v", e.name, err)
				}
			}
		})
		all = append(all, e)
	}
	return all
}

// withContext prepares an example on a context of its own. Nothing may be left
// live behind it.
func withContext(t *testing.T, opt runtime.Options, e *example, use func(*runtime.Context, *exec.Prepared)) {
	t.Helper()
	ctx, err := runtime.Open("", opt)
	if err != nil {
		t.Fatalf("these tests need an OpenCL device (PoCL will do): %v", err)
	}
	defer ctx.Close()
	p, err := exec.Prepare(ctx, e.low.Imp, e.low.Kernels, exec.Options{})
	if err != nil {
		t.Fatalf("%s: %v", e.name, err)
	}
	use(ctx, p)
	p.Close()
	if n := ctx.LiveBlocks(); n != 0 {
		t.Errorf("%s: %d blocks of %d bytes are left", e.name, n, ctx.LiveBytes())
	}
	ctx.Trim()
	if s := ctx.Stats(); s.Held != 0 || s.Rounded != 0 {
		t.Errorf("%s: %d bytes are held, %d of them in blocks", e.name, s.Held, s.Rounded)
	}
}

func same(t *testing.T, what string, got, want []value.Value) {
	t.Helper()
	for i := range want {
		if d := value.Diff(want[i], got[i], value.Tolerance{Rel: 1e-5, Abs: 1e-6}); d != "" {
			t.Errorf("%s: result %d: %s", what, i, d)
		}
	}
}

// The second and later calls of an entry ask the driver for nothing, and give
// nothing back: under every policy but driver.
func TestSteadyState(t *testing.T) {
	for _, e := range examples(t) {
		for _, policy := range pool.Policies {
			withContext(t, runtime.Options{Allocator: policy}, e, func(ctx *runtime.Context, p *exec.Prepared) {
				for i, in := range e.inputs {
					what := fmt.Sprintf("%s, input %d, %s", e.name, i, policy)
					for call := range 4 {
						ctx.ResetStats()
						got, err := p.Call(in.entry, in.args)
						if err != nil {
							t.Fatalf("%s: %v", what, err)
						}
						same(t, what, got, in.want)
						s := ctx.Stats()
						if policy == "driver" {
							if s.DriverAllocs != s.AllocRequests || s.DriverFrees != s.AllocRequests {
								t.Errorf("%s: %d requests, %d buffers", what, s.AllocRequests, s.DriverAllocs)
							}
						} else if call > 0 && (s.DriverAllocs != 0 || s.DriverFrees != 0) {
							t.Errorf("%s: call %d had %d buffers made and %d given back", what, call+1, s.DriverAllocs, s.DriverFrees)
						}
					}
				}
			})
		}
	}
}

// The driver refuses its n-th buffer, or all from there on, for every n: the
// result is right or the error clean, nothing is left, and the context works
// afterwards.
func TestRefusedBuffers(t *testing.T) {
	for _, e := range examples(t) {
		for _, policy := range pool.Policies {
			for _, forGood := range []bool{false, true} {
				refusedBuffers(t, e, policy, forGood)
			}
		}
	}
}

func refusedBuffers(t *testing.T, e *example, policy string, forGood bool) {
	var at, seen int64 // the buffer that is refused, the buffers asked for
	refuse := func(int64, int64) bool {
		seen++
		return at > 0 && (seen == at || forGood && seen > at)
	}
	in := e.inputs[0]
	failed := 0
	withContext(t, runtime.Options{Allocator: policy, Refuse: refuse}, e, func(ctx *runtime.Context, p *exec.Prepared) {
		for at = 1; ; at++ {
			ctx.Trim() // as many buffers again as in the first call
			seen = 0
			what := fmt.Sprintf("%s, %s, buffer %d refused, for good %v", e.name, policy, at, forGood)
			got, err := p.Call(in.entry, in.args)
			if ctx.LiveBlocks() != 0 {
				t.Fatalf("%s: %d blocks are left", what, ctx.LiveBlocks())
			}
			if err == nil {
				same(t, what, got, in.want)
			} else {
				failed++
				var d *diag.Diagnostic
				if !errors.As(err, &d) || d.Severity != diag.Error || !strings.Contains(err.Error(), "out of device memory") {
					t.Fatalf("%s: %v", what, err)
				}
			}
			reached := seen >= at
			again := at
			at = 0
			if got, err = p.Call(in.entry, in.args); err != nil {
				t.Fatalf("%s: and then, without faults: %v", what, err)
			}
			same(t, what+", afterwards", got, in.want)
			at = again
			if !reached {
				break
			}
		}
	})
	if forGood && failed == 0 {
		t.Errorf("%s, %s: no refusal was felt", e.name, policy)
	}
	if !forGood && failed > 0 {
		t.Errorf("%s, %s: %d calls failed although the driver would have given the buffer at the second try", e.name, policy, failed)
	}
}

// With a limit on memory, from nothing to enough, a call works or fails cleanly,
// and no more is held than the limit says.
func TestMemoryLimits(t *testing.T) {
	for _, e := range examples(t) {
		in := e.inputs[0]
		for _, policy := range pool.Policies {
			worked := false
			for _, limit := range []int64{1, 100, 300, 100000} {
				withContext(t, runtime.Options{Allocator: policy, MemoryLimit: limit + e.low.Imp.DeviceHeap}, e, func(ctx *runtime.Context, p *exec.Prepared) {
					got, err := p.Call(in.entry, in.args)
					if s := ctx.Stats(); s.PeakBytes > limit || s.PeakHeld > limit+pool.Slack {
						t.Errorf("%s, %s: a limit of %d bytes, %d in use, %d held", e.name, policy, limit, s.PeakBytes, s.PeakHeld)
					}
					if worked = err == nil; worked {
						same(t, e.name, got, in.want)
					} else if !strings.Contains(err.Error(), "out of device memory") {
						t.Errorf("%s, %s, limit %d: %v", e.name, policy, limit, err)
					}
				})
			}
			if !worked {
				t.Errorf("%s, %s: 100,000 bytes are not enough", e.name, policy)
			}
		}
	}
}

// Several threads call entries of one context, while others do so on a second
// one: results are right, and the contexts do not know of each other.
func TestManyThreads(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // finalizers of the binding get their chance
	all := examples(t)
	for _, policy := range pool.Policies {
		ctxs := make([]*runtime.Context, 2)
		for i := range ctxs {
			ctxs[i] = must.Get(runtime.Open("", runtime.Options{Allocator: policy}))(t)
		}
		var wg sync.WaitGroup
		for i, ctx := range ctxs {
			for g := range 2 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					for k := range all {
						e := all[(k+g)%len(all)]
						p, err := exec.Prepare(ctx, e.low.Imp, e.low.Kernels, exec.Options{})
						if err != nil {
							t.Error(err)
							return
						}
						for _, in := range e.inputs {
							got, err := p.Call(in.entry, in.args)
							if err != nil {
								t.Errorf("context %d, thread %d, %s: %v", i, g, e.name, err)
							} else {
								same(t, e.name, got, in.want)
							}
							_ = ctx.Stats()
						}
						p.Close()
					}
				}()
			}
		}
		wg.Wait()
		for _, ctx := range ctxs {
			if ctx.LiveBlocks() != 0 {
				t.Errorf("%s: %d blocks are left", policy, ctx.LiveBlocks())
			}
			ctx.Close()
		}
	}
}
