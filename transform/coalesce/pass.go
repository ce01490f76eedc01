package coalesce

import (
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Pass is the coalescing pass.
var Pass = newPass(options{})

// options vary the pass; the zero value is what users get.
type options struct {
	off  map[kind]bool   // kinds that are switched off
	skip map[string]bool // conditions that are not checked: planted bugs
}

func newPass(opt options) *transform.Pass {
	return &transform.Pass{
		Name: "coalesce",
		Doc:  "Make an array in the place that it would be copied to, so that the copy and the block vanish.",
		After: []transform.Constraint{
			{Pass: "explicit", Reason: "it moves arrays from one place to another, so they must have places"},
			{Pass: "lift", Reason: "a block can only be used below its allocation"},
		},
		Run: func(p *ir.Program, c *transform.Context) error {
			known := aliases.Analyze(p)
			for _, f := range transform.CalleesFirst(p) {
				if ir.IsExplicit(f) {
					(&job{prog: p, f: f, aliases: known, opt: opt}).run(c)
				}
			}
			return nil
		},
		Variant: func(off []string) *transform.Pass {
			opt := options{off: map[kind]bool{}}
			for _, s := range off {
				opt.off[kind(s)] = true
			}
			p := newPass(opt)
			p.Off = off
			return p
		},
		Switches: []string{string(copies), string(concats), string(updates), string(results), string(buffers), string(steps), string(begin), access, apart, string(memory)},
	}
}

// Mutant returns the pass without one of its conditions. It exists only to show that the checks of
// the results notice that.
func Mutant(condition string) *transform.Pass {
	skip := map[string]bool{condition: true}
	if condition == "C2" || condition == "C5" {
		skip["guard"] = true // it needs the same names
	}
	return newPass(options{skip: skip})
}

// Conditions lists the conditions that Mutant can leave out.
func Conditions() []string {
	return []string{"C1", "C2", "C3", "C4", "C5", "guard", "origins", "threads", "iterations", "overwrites", "aliases", "motion", "offset", "step"}
}
