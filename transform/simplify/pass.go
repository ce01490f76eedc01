package simplify

import (
	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/transform"
)

// Pass simplifies agnostic functions.
var Pass = &transform.Pass{
	Name:     "simplify",
	Doc:      "Drop what nobody uses or somebody has computed before, and compute the rest more simply.",
	After:    []transform.Constraint{{Pass: "forget", Reason: "it works on functions without memory only"}},
	Run:      run,
	Computes: true,
	Settles:  true,
}

func run(p *ir.Program, c *transform.Context) error {
	r := &program{Program: p, context: c}
	r.calls()
	for _, f := range p.Funcs {
		if !ir.IsExplicit(f) {
			g := &function{program: r, f: f}
			forward(g)
			fills(g)
			before := c.Rewrites
			if stored(g); c.Rewrites > before { // the first iteration knows its index
				g.access = nil
				forward(g)
			}
			remainder(g)
			invariant(g)
			backward(g)
		}
	}
	return nil
}

// A program is one whose functions are simplified.
type program struct {
	*ir.Program
	context *transform.Context
	sizes   *check.ObligationTable
}

// obligations returns the comparisons of sizes that the program makes when it runs.
func (p *program) obligations() *check.ObligationTable {
	if p.sizes == nil {
		p.sizes = check.Obligations(p.Program)
	}
	return p.sizes
}

// A function is one that is simplified.
type function struct {
	*program
	f      *ir.Func
	access *accesses.Table
}

// table returns the facts about the function after the walk forward. Later steps only move and drop
// statements. So what holds at a point holds there still.
func (f *function) table() *accesses.Table {
	if f.access == nil {
		f.access = accesses.AnalyzeFunc(f.Program, f.f, index.Of(f.f))
	}
	return f.access
}

// text shows an expression in a remark. The text is made only if somebody reads it.
type text struct{ e ir.Exp }

func (t text) String() string { return ir.ExpString(t.e) }
