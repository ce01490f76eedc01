package reuse

import (
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/reuse/plan"
)

// An Instance is the planner's problem for one function, with one sample: the sizes for given
// values of all names.
type Instance struct {
	Func    string
	Problem *plan.Problem
	// Lower is the plan bound for the peak.
	Lower int64
}

// Instances returns the planner's problems for an explicit program, to compare planners. It changes
// the program as the pass does before it plans.
func Instances(p *ir.Program, value func(name string) int64) []Instance {
	c := transform.NewContext("reuse", &diag.List{File: p.File}, transform.Unlimited)
	known := analyze(p)
	var out []Instance
	for _, f := range transform.CalleesFirst(p) {
		if !ir.IsExplicit(f) {
			continue
		}
		s := newState(p, f, c, known, "")
		q := Instance{Func: f.Name, Problem: s.problem()}
		bytes := func(size sym.Poly) int64 {
			return max(0, peak.Value(size, func(name string) (int64, bool) { return value(name), true }))
		}
		for k, b := range s.table.Blocks {
			if q.Problem.Blocks[k].Sample = []int64{0}; !b.Kept {
				q.Problem.Blocks[k].Sample[0] = bytes(b.Size)
			}
		}
		for _, sum := range s.table.LowerBound(s.meets).Sums {
			q.Lower = max(q.Lower, bytes(sum))
		}
		out = append(out, q)
	}
	return out
}
