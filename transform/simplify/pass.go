package simplify

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Pass
var Pass = &transform.Pass{
	Name:     "simplify",
	Doc:      "Drop what nobody uses or somebody has computed before, and compute the rest more simply.",
	After:    []transform.Constraint{{Pass: "forget", Reason: "it works on functions without memory only"}},
	Run:      run,
	Computes: true,
}

func run(p *ir.Program, c *transform.Context) error {
	return nil
}
