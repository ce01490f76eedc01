package reuse_test

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/coalesce"
	"github.com/memc-lang/memc/transform/explicit"
	"github.com/memc-lang/memc/transform/hoist"
)

// Pipelines as far as this pass.
var (
	plain  = []*transform.Pass{explicit.Pass}
	before = []*transform.Pass{explicit.Pass, hoist.Lift, coalesce.Pass.Variant([]string{"access"}), hoist.Lower}
)

// prepare runs the passes before this one, without memcheck.
func prepare(t testing.TB, p *ir.Program, passes ...*transform.Pass) {
	t.Helper()
	if _, err := pipeline.Run(p, passes, pipeline.Options{Verify: true}); err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
}

// apply runs passes, with every check of memory after each.
func apply(t testing.TB, p *ir.Program, passes ...*transform.Pass) *pipeline.Report {
	t.Helper()
	r, err := pipeline.Run(p, passes, pipeline.Options{Verify: true, Memcheck: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	return r
}

// bounded checks that the peak's formula of a program with sharing is not below the plan bound of
// the program without, for made-up sizes. It skips programs that assert facts about their sizes. It
// returns both numbers for main.
func bounded(t testing.TB, old, p *ir.Program) (lowest, reached int64) {
	t.Helper()
	if strings.Contains(old.String(), "assert") {
		return 0, 0
	}
	defs := map[string]ir.Exp{} // one size may be told by different names
	for _, f := range old.Funcs {
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			if op, ok := s.Op.(*ir.Compute); ok && s.Pat[0].Type.Prim == ir.I64 {
				defs[s.Pat[0].Name] = op.E
			}
			return true
		})
	}
	var value func(name string) (int64, bool)
	value = func(name string) (int64, bool) {
		if e := defs[name]; e != nil {
			return peak.Value(sym.Of(e), value), true
		}
		if strings.HasPrefix(name, "it") { // progen's loop counters are below sizes
			return 1, true
		}
		return 100 + int64(len(name)*7), true
	}
	greatest := func(f peak.Formula) int64 {
		var most int64
		for _, s := range f.Sums {
			most = max(most, peak.Value(s, value))
		}
		return most
	}
	for _, f := range old.Funcs {
		was, in := analyze(old, f.Name)
		is, _ := analyze(p, f.Name)
		lower, least, got := was.LowerBound(in), greatest(was.LowerBound(in)), greatest(is.Peak())
		if least > got {
			t.Errorf("%s: the plan bound %v is %d, and the peak %v is %d\n%s\n%s", f.Name, lower, least, is.Peak(), got, old, p)
		}
		if f.Name == "main" {
			lowest, reached = least, got
		}
	}
	return lowest, reached
}

func analyze(p *ir.Program, name string) (*peak.Table, *interference.Table) {
	a := aliases.Analyze(p)
	l := liveness.Analyze(p, a)
	acc := accesses.Analyze(p, l)
	return peak.Analyze(p.Func(name), a.Func(name), l.Func(name), acc.Func(name)), interference.Analyze(p, a, l).Func(name)
}

// maxSteps bounds every run.
const maxSteps = 3_000_000

// sameResults runs a program by value and by memory.
func sameResults(t testing.TB, p *ir.Program, entry string, args []value.Value) bool {
	t.Helper()
	want, err := interp.ByValue(p, entry, args, interp.Options{MaxSteps: maxSteps})
	if err != nil {
		return false // a fault that the program means
	}
	got, err := interp.ByMemory(p, entry, args, interp.Options{MaxSteps: maxSteps})
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	for k := range want {
		if d := value.Diff(want[k], got[k], value.Exact); d != "" {
			t.Fatalf("result %d: %s\n%s", k, d, p)
		}
	}
	return true
}

// peakOf measures the peak of a run.
func peakOf(t testing.TB, p *ir.Program, entry string, args []value.Value) int64 {
	t.Helper()
	n, err := load.Peak(p, entry, args)
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	return n
}
