package difftest

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
)

// A Culprit is the one rewrite by which a program fails.
type Culprit struct {
	Failure *Failure
	// Passes are the passes up to the one that does it, Pass its name.
	Passes []*transform.Pass
	Pass   string
	// Rewrite is the number of the rewrite, over all runs of the pass: with
	// --limit PASS=Rewrite the program fails, with one less it does not. It is 0
	// where the program fails without any rewrite of the pass.
	Rewrite, Rewrites int
	// Remark is the pass's remark about it, or nil if there is none.
	Remark *diag.Diagnostic
}

// Bisect finds the rewrite that makes a subject fail. It returns nil if the subject does not fail,
// fails before any pass, or fails only after all of them.
//
// Algorithm. The pipeline ends after the first pass after which the check fails. Then the number of
// permitted rewrites is halved between one that passes and one that fails. So the rewrite found
// turns a right program into a wrong one, even if several do.
func Bisect(s *Subject, opt Options) *Culprit {
	passes := opt.Passes
	if passes == nil {
		passes = pipeline.DefaultPasses()
	}
	fails := func(passes []*transform.Pass, name string, limit int) *Failure {
		o := opt
		o.Passes, o.Limit = passes, maps.Clone(opt.Limit)
		if limit >= 0 {
			if o.Limit == nil {
				o.Limit = map[string]int{}
			}
			o.Limit[name] = limit
		}
		return Run(s, o).Failure
	}
	failure := fails(passes, "", -1)
	if failure == nil {
		return nil
	}
	n := sort.Search(len(passes), func(k int) bool { return fails(passes[:k+1], "", -1) != nil })
	if n == len(passes) || n == 0 && fails(passes[:0], "", -1) != nil {
		return nil
	}
	c := &Culprit{Failure: failure, Passes: passes[:n+1], Pass: passes[n].Name}
	_, total := c.remarks(s, opt, transform.Unlimited)
	_, before := c.upTo(n).remarks(s, opt, transform.Unlimited)
	c.Rewrites = total
	if fails(c.Passes, c.Pass, before) != nil {
		return c
	}
	good, bad := before, total
	for bad-good > 1 {
		if mid := (good + bad) / 2; fails(c.Passes, c.Pass, mid) != nil {
			bad = mid
		} else {
			good = mid
		}
	}
	c.Rewrite = bad
	if f := fails(c.Passes, c.Pass, bad); f != nil {
		c.Failure = f
	}
	more, _ := c.remarks(s, opt, bad)
	less, _ := c.remarks(s, opt, bad-1)
	c.Remark = added(more, less)
	return c
}

func (c *Culprit) upTo(n int) *Culprit { return &Culprit{Passes: c.Passes[:n], Pass: c.Pass} }

// remarks runs the passes and gives the pass's remarks, and how many rewrites all its
// runs made.
func (c *Culprit) remarks(s *Subject, opt Options, limit int) ([]*diag.Diagnostic, int) {
	p, list := driver.Check(diag.NewFile(s.Name, s.Text))
	if list.Failed() {
		return nil, 0
	}
	o := pipeline.Options{Limit: maps.Clone(opt.Limit)}
	if limit != transform.Unlimited {
		if o.Limit == nil {
			o.Limit = map[string]int{}
		}
		o.Limit[c.Pass] = limit
	}
	report, err := pipeline.Run(p, c.Passes, o)
	if err != nil && report == nil {
		return nil, 0
	}
	rewrites := 0
	for _, r := range report.Passes {
		if r.Name == c.Pass {
			rewrites += r.Rewrites
		}
	}
	p.SpeakIn(report.Remarks.All...)
	return report.Remarks.All, rewrites
}

// added returns the first remark of a run that the run with one rewrite less does not
// have there.
func added(more, less []*diag.Diagnostic) *diag.Diagnostic {
	for k, d := range more {
		if k >= len(less) || d.Msg != less[k].Msg || d.Span != less[k].Span {
			return d
		}
	}
	return nil
}

// String describes the finding in one line.
func (c *Culprit) String() string {
	if c.Rewrite == 0 {
		return fmt.Sprintf("the program fails after pass %s without any rewrite of it", c.Pass)
	}
	return fmt.Sprintf("rewrite %d of %d of pass %s makes the program fail", c.Rewrite, c.Rewrites, c.Pass)
}

// Pipeline returns the passes up to the culprit as text.
func (c *Culprit) Pipeline() string { return pipeline.String(slices.Clone(c.Passes)) }
