package benchmarks

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/pool"
)

// ways are the pipelines without merging, with coalescing only, with reuse only,
// and with both.
var ways = []struct{ name, passes string }{
	{"none", "explicit"},
	{"coalesce", "explicit,lift,coalesce,lower"},
	{"reuse", "explicit,lift,lower,reuse"},
	{"both", pipeline.Default()},
}

// Every program gives what its oracle says by memory, whatever merges its memory, and, without merging and
// with all of it, on OpenCL under every allocator; and merging raises no peak. (By value it is in
// TestTiny. PoCL compiles for minutes what coalescing or reuse alone makes.)
func TestEveryWay(t *testing.T) {
	contexts := map[string]*runtime.Context{}
	for _, name := range pool.Policies {
		ctx, err := runtime.Open("", runtime.Options{Allocator: name})
		if err != nil {
			t.Logf("no device, only by memory: %v", err)
			break
		}
		defer ctx.Close()
		contexts[name] = ctx
	}
	for _, b := range all {
		t.Run(b.Name, func(t *testing.T) {
			for _, set := range b.Sets {
				if strings.HasPrefix(set.Name, "tiny") {
					everyWay(t, b, set, contexts)
				}
			}
		})
	}
}

func everyWay(t *testing.T, b Benchmark, set Set, contexts map[string]*runtime.Context) {
	args := set.Args()
	want := oracles[b.Name](args)
	seen := map[string]bool{}
	var without int64 // the peak
	for _, way := range ways {
		passes := must.Get(pipeline.Parse(way.passes))(t)
		p, _, err := driver.Explicit(diag.NewFile(b.Path(), b.Source()), passes, pipeline.Options{Verify: true})
		if err != nil {
			t.Fatal(err)
		}
		if text := p.String(); seen[text] {
			continue // the same program as another way's
		} else {
			seen[text] = true
		}
		t.Run(set.Name+"/"+way.name, func(t *testing.T) {
			got, err := interp.ByMemory(p, "main", args, interp.Options{})
			if err != nil {
				t.Fatalf("by memory: %v", err)
			}
			compare(t, p.Func("main"), want, got)
			if way.name == "coalesce" || way.name == "reuse" {
				return
			}
			for _, name := range pool.Policies {
				if ctx := contexts[name]; ctx != nil {
					peak := onDevice(t, ctx, p, set, want)
					if way.name == "none" {
						without = peak
					}
					if peak > without {
						t.Errorf("on %s the peak is %d bytes, without merging %d", name, peak, without)
					}
				}
			}
		})
	}
}

// onDevice runs a program on OpenCL, compares, and gives its peak.
func onDevice(t *testing.T, ctx *runtime.Context, p *ir.Program, set Set, want []value.Value) int64 {
	t.Helper()
	low := must.Get(driver.Lower(p, imp.Options{}))(t)
	prepared := must.Get(exec.Prepare(ctx, low.Imp, low.Kernels, exec.Options{}))(t)
	defer prepared.Close()
	ctx.ResetStats()
	got := must.Get(prepared.Call("main", set.Args()))(t)
	compare(t, p.Func("main"), want, got)
	return ctx.Stats().PeakBytes
}
