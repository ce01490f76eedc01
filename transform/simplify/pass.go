package simplify

import (
	"strings"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/internal/base/diag"
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
}

// Note [Sizes that are known to be wrong]
//
// A program may compute a wrong size and fail only when it runs, such as `replicate (k) 0` after
// `let k = if true then -1 else n`. Once k is known to be -1, the same program is an error that the
// checker reports, as if the user had written -1. The pass must not turn one into the other. So if
// it has computed a scalar, it asks the checker. If that objects to a size, the pass starts again
// from the program that came, and then leaves all scalars uncomputed. Only programs that may fail
// pay for this.

func run(p *ir.Program, c *transform.Context) error {
	came := ir.Snapshot(p)
	if attempt(p, c, true) {
		return nil
	}
	*p = *came
	attempt(p, c, false)
	return nil
}

// attempt simplifies the program. compute: it may compute scalars. It returns false, and the
// program is worth nothing, if the checker now refuses a size.
func attempt(p *ir.Program, c *transform.Context, compute bool) bool {
	own := transform.NewContext(c.Pass, nil, c.Limit)
	if c.Remarks != nil {
		own.Remarks = &diag.List{File: c.Remarks.File}
	}
	r := &program{Program: p, context: own, compute: compute}
	var funcs []*function
	for _, f := range p.Funcs {
		if !ir.IsExplicit(f) {
			g := &function{program: r, f: f}
			forward(g)
			remainder(g)
			invariant(g)
			funcs = append(funcs, g)
		}
	}
	if r.computed && wrongSize(p) {
		return false
	}
	for _, g := range funcs {
		backward(g)
	}
	c.Take(own)
	c.Limit = own.Limit
	return true
}

// wrongSize reports whether the checker refuses a size. It is silent about other errors: they are
// bugs, which are reported after the pass.
func wrongSize(p *ir.Program) bool {
	for _, d := range check.Verify(p).All {
		if strings.HasPrefix(d.Msg, "sizes differ") || strings.HasPrefix(d.Msg, "the size ") {
			return true
		}
	}
	return false
}

// A program is one whose functions are simplified.
type program struct {
	*ir.Program
	context  *transform.Context
	compute  bool // scalars may be computed
	computed bool // some were
	sizes    *check.ObligationTable
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
