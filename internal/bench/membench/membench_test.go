//go:build cgo

package membench

import (
	"math"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/pool"
)

// What policy region promises of hard traces: little more is held than what is
// asked, the driver comes to rest, and the others are what they are known for.
func TestAdversarial(t *testing.T) {
	for _, trace := range Adversarial() {
		var held [3]int64
		for policy := range pool.Policies {
			r, err := memtrace.Replay(trace.Events, pool.Options{Policy: pool.Policy(policy)})
			if err != nil {
				t.Fatalf("%s: %v", trace.Name, err)
			}
			held[policy] = r.First.PeakHeld
			if r.First.Failures != 0 || r.First.PeakHeld < r.First.PeakAsked {
				t.Errorf("%s, %v: %+v", trace.Name, r.Policy, r.First)
			}
			if r.Policy == pool.Region && (r.SteadyAfter < 0 || r.SteadyAfter > 4) {
				t.Errorf("%s: region is at rest after %d rounds", trace.Name, r.SteadyAfter)
			}
		}
		if worst := held[pool.Driver] * 4 / 3; held[pool.Region] > worst {
			t.Errorf("%s: region holds %d bytes, driver %d", trace.Name, held[pool.Region], held[pool.Driver])
		}
	}
}

// One program through all tables, with few calls.
func TestTables(t *testing.T) {
	src := must.Get(driver.ReadSource("../../../examples/nbody.ir"))(t)
	passes := must.Get(pipeline.Parse("explicit"))(t)
	p, _, err := driver.Explicit(src, passes, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	low := must.Get(driver.Lower(p, imp.Options{}))(t)
	runs, trace, err := Calls(Program{Name: "nbody", Low: low, Entry: p.Func("main")}, "", 3)
	if err != nil {
		t.Fatalf("this test needs an OpenCL device (PoCL will do): %v", err)
	}
	for _, r := range runs {
		if (r.Later == 0) == (r.Policy == "driver") || r.Asked == 0 || r.Held < r.Asked || r.Median == 0 {
			t.Errorf("%+v", r)
		}
	}
	if r, err := memtrace.Replay(trace.Events, pool.Options{Policy: pool.Region}); err != nil || r.First.Requests != 2*runs[0].AllocationsOfCall {
		t.Errorf("the trace: %+v, %v", r, err)
	}
	// Sizes of which every device holds a batch, and one that none does.
	small := []int64{256, 64 << 10, 1 << 20}
	costs := must.Get(Costs("", append(small, 1<<50)))(t)
	if len(costs) != len(small)*len(pool.Policies) {
		t.Errorf("%d costs: %+v", len(costs), costs)
	}
	for _, c := range costs {
		if pooled := c.Policy != "driver"; c.Miss <= 0 || pooled && !(c.Hit > 0 && c.PoolHit > 0) || !pooled && !math.IsNaN(c.Hit) {
			t.Errorf("%+v", c)
		}
	}
	var out strings.Builder
	if err := WriteRuns(&out, runs); err != nil {
		t.Error(err)
	}
	if err := WriteCosts(&out, costs); err != nil {
		t.Error(err)
	}
	if n := strings.Count(out.String(), "\n"); n != len(runs)+len(costs)+2 {
		t.Errorf("%d lines\n%s", n, out.String())
	}
}
