package fuse

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Pass
var Pass = &transform.Pass{
	Name: "fuse",
	Doc:  "Compute an array's elements where its one reader reads them.",
	After: []transform.Constraint{
		{Pass: "forget", Reason: "it works on functions without memory only"},
		{Pass: "inline", Reason: "a call hides the kernels in it"},
	},
	Run:      run,
	Computes: true,
}

func run(p *ir.Program, c *transform.Context) error {
	return nil
}
