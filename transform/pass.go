package transform

import "github.com/memc-lang/memc/ir"

// A Pass rewrites a program in place.
type Pass struct {
	Name  string // one lower-case word, as written in --passes
	Doc   string // one sentence
	After []Constraint
	Run   func(p *ir.Program, c *Context) error
	// Computes tells that the pass changes how values are computed, though not
	// the values: what it leaves is another program, also without its memory.
	Computes bool
	// Variant gives the pass with parts of it switched off, where it has switches:
	// "-concat" in the pipeline text "coalesce:-concat". Switches lists them.
	Variant  func(off []string) *Pass
	Switches []string
	// Off are the switches that are off.
	Off []string
}

// A Constraint is one fact about the order of passes: where the pass named Pass
// is in the pipeline too, it has to come first, because of Reason.
type Constraint struct {
	Pass   string
	Reason string
}
