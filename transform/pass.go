package transform

import "github.com/memc-lang/memc/ir"

// A Pass rewrites a program in place.
type Pass struct {
	Name  string // one lower-case word, as written in --passes
	Doc   string // one sentence
	After []Constraint
	Run   func(p *ir.Program, c *Context) error
	// Computes: the pass changes how values are computed, though not the values. Its output is a
	// different program even without its memory.
	Computes bool
	// Settles: running the pass once more, with no other change in between, is worth nothing.
	Settles bool
	// Variant returns the pass with some of its switches off, as in "coalesce:-concat" in the text
	// of a pipeline. Switches lists them. It is nil for a pass without switches.
	Variant  func(off []string) *Pass
	Switches []string
	// Off are the switches that are off.
	Off []string
}

// A Constraint is one fact about the order of passes: if the pass named Pass is in the pipeline
// too, it has to come first, because of Reason.
type Constraint struct {
	Pass   string
	Reason string
}
