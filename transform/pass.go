package transform

import "github.com/memc-lang/memc/ir"

// A Pass rewrites a program in place.
type Pass struct {
	Name  string // one lower-case word, as written in --passes
	Doc   string // one sentence
	After []Constraint
	Run   func(p *ir.Program, c *Context) error
}

// A Constraint is one fact about the order of passes: where the pass named Pass
// is in the pipeline too, it has to come first, because of Reason.
type Constraint struct {
	Pass   string
	Reason string
}
