package reuse

import (
	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Pass lets blocks share storage. One rewrite is one block that gives way to
// another.
var Pass = newPass(mutation(""))

func newPass(mutant mutation) *transform.Pass {
	return &transform.Pass{
		Name: "reuse",
		Doc:  "Let memory blocks share storage whose contents are never needed at one time, without raising the peak.",
		After: []transform.Constraint{
			{Pass: "explicit", Reason: "it shares the blocks that `explicit` makes"},
			{Pass: "lift", Reason: "blocks that are allocated early are held for longer than they need be"},
			{Pass: "coalesce", Reason: "an array that lies in its result's block already needs no other"},
			{Pass: "lower", Reason: "blocks that are allocated early are held for longer than they need be"},
		},
		Run: func(p *ir.Program, c *transform.Context) error {
			run(p, c, mutant)
			return nil
		},
	}
}

// facts are the analyses of a program.
type facts struct {
	aliases *aliases.Program
	live    *liveness.Program
	access  *accesses.Program
	meets   *interference.Program
}

func analyze(p *ir.Program) *facts {
	f := &facts{aliases: aliases.Analyze(p)}
	f.live = liveness.Analyze(p, f.aliases)
	f.access = accesses.Analyze(p, f.live)
	f.meets = interference.Analyze(p, f.aliases, f.live)
	return f
}

// table gives what is held in a function.
func (f *facts) table(fn *ir.Func) *peak.Table {
	return peak.Analyze(fn, f.aliases.Func(fn.Name), f.live.Func(fn.Name), f.access.Func(fn.Name))
}

// run shares blocks function by function, callees first: which argument a
// callee hands back, its callers have to know.
func run(p *ir.Program, c *transform.Context, mutant mutation) {
	known := analyze(p)
	called := calledFuncs(p)
	for _, f := range transform.CalleesFirst(p) {
		if !ir.IsExplicit(f) {
			continue
		}
		s := newState(p, f, c, known, mutant)
		if s.fillWaiting() {
			known = analyze(p)
			s = newState(p, f, c, known, mutant)
		}
		s.called = called[f.Name]
		if s.share() && s.called {
			known = analyze(p)
		}
	}
}

// calledFuncs gives the functions that others call.
func calledFuncs(p *ir.Program) map[string]bool {
	called := map[string]bool{}
	for _, f := range p.Funcs {
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			if call, ok := s.Op.(*ir.Call); ok {
				called[call.Fn] = true
			}
			return true
		})
	}
	return called
}
