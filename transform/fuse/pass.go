package fuse

import (
	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Pass fuses kernels. One rewrite is one array that is no longer stored, one kernel that joins
// another, or one nest of kernels that becomes one kernel.
var Pass = &transform.Pass{
	Name: "fuse",
	Doc:  "Compute an array's elements where its one reader reads them, and join kernels over the same points.",
	After: []transform.Constraint{
		{Pass: "forget", Reason: "it works on functions without memory only"},
		{Pass: "inline", Reason: "a call hides the kernels in it"},
	},
	Run:      run,
	Computes: true,
}

// maxRounds bounds how often a function is looked at anew: a kernel that joined another one may have
// become the one reader of an array.
const maxRounds = 16

func run(p *ir.Program, c *transform.Context) error {
	var todo []*function
	for _, f := range p.Funcs {
		if !ir.IsExplicit(f) && hasKernel(f) {
			todo = append(todo, &function{prog: p, f: f, c: c, names: transform.NewNames(f)})
		}
	}
	for n := 0; n < maxRounds && len(todo) > 0; n++ {
		k := &known{prog: p, access: accesses.Of(p)}
		var again []*function
		for _, f := range todo {
			r := f.round(k)
			r.body(f.f.Body)
			if r.changes > 0 && n+1 < maxRounds {
				again = append(again, f)
			} else {
				r.refuse()
			}
		}
		todo = again
	}
	return nil
}

func hasKernel(f *ir.Func) bool {
	return ir.AnyStmt(f.Body, func(s *ir.Stmt) bool { return ir.IsKernel(s.Op) })
}
