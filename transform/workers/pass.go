package workers

import (
	"slices"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/workers"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Pass gives workers memory instead of threads. One rewrite is one set of blocks.
var Pass = newPass("")

func newPass(mutant mutation) *transform.Pass {
	return &transform.Pass{
		Name: "workers",
		Doc:  "Turn blocks that hold a part per thread, for the time of a kernel, into blocks of workers.",
		After: []transform.Constraint{
			{Pass: "explicit", Reason: "it turns the blocks that `explicit` expands"},
			{Pass: "coalesce", Reason: "an array that lies in its result's block needs no block at all"},
			{Pass: "reuse", Reason: "an array that lies in a dead block needs no block of its own"},
		},
		Run: func(p *ir.Program, c *transform.Context) error { return run(p, c, mutant) },
	}
}

func run(p *ir.Program, c *transform.Context, mutant mutation) error {
	analysed := aliases.Analyze(p)
	for _, f := range p.Funcs {
		if ir.IsExplicit(f) && threadsMake(f) {
			contract(f, workers.Find(f, analysed.Func(f.Name)), c, mutant)
		}
	}
	return nil
}

// threadsMake reports whether a name of an array is bound in a kernel. Most functions have none, and need no analysis.
func threadsMake(f *ir.Func) (found bool) {
	var visit func(b *ir.Body, kernel bool)
	visit = func(b *ir.Body, kernel bool) {
		for _, s := range b.Stmts {
			found = found || kernel && slices.ContainsFunc(s.Pat, func(e *ir.Elem) bool { return e.Type.Kind == ir.ArrayKind })
			space := ir.IsKernel(s.Op)
			for _, in := range ir.Bodies(s.Op) {
				visit(in, kernel || space)
			}
		}
	}
	visit(f.Body, false)
	return found
}
