package inline

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Pass
var Pass = &transform.Pass{
	Name:     "inline",
	Doc:      "Replace calls of memory-agnostic functions by their bodies.",
	Run:      run,
	Computes: true,
}

func run(p *ir.Program, c *transform.Context) error {
	return nil
}
