package inline

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/inline"
	"github.com/memc-lang/memc/transform"
)

// Pass inlines. One rewrite is one call.
var Pass = &transform.Pass{
	Name:     "inline",
	Doc:      "Replace calls of memory-agnostic functions by their bodies.",
	After:    []transform.Constraint{{Pass: "forget", Reason: "it works on functions without memory only"}},
	Run:      run,
	Computes: true,
}

func run(p *ir.Program, c *transform.Context) error {
	n := take(p)
	n.decide(c)
	before := inline.FromEntries(p)
	calls := &inline.Calls{Names: ir.NewStock(p)}
	for _, f := range p.Funcs {
		if t := n.of[f.Name]; t.chosen && !t.stays {
			continue // nobody calls it in the end
		}
		calls.Callee = func(s *ir.Stmt, op *ir.Call) *ir.Func {
			g := n.of[op.Fn]
			if !g.chosen || refusal(n.of[f.Name], g) != "" || !c.Rewrite(s.Span, "the body of `%s` replaces its call in `%s`", op.Fn, f.Name) {
				return nil
			}
			return g.f
		}
		calls.Enter(f)
		calls.Body(f.Body)
	}
	inline.Prune(p, before)
	return nil
}
