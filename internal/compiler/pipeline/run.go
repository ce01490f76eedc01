package pipeline

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/transform"
)

// Options of a run. The zero Options run the passes and nothing else.
type Options struct {
	// Verify checks the program after every pass; a failure is a bug.
	Verify bool
	// Memcheck checks besides, after every pass, that the program is
	// memory-correct, and that without its memory it is the program that it was.
	Memcheck bool
	// Footprints fills in Report.Functions, which takes analyses of the program
	// before and after.
	Footprints bool
	// Quiet makes no remarks: reasons for what was not done take time to find.
	Quiet bool
	// Limit bounds the rewrites of the passes named in it (for bisecting). The
	// bound holds over all runs of a pass together.
	Limit map[string]int
	// After, where it is set, is called after each pass with the program's text
	// before and after it.
	After func(pass *transform.Pass, before, after string)
	// Meanwhile, where it is set, is called with the program at the end, which it must not change,
	// while the last check runs. What it finds is worth nothing if Run fails.
	Meanwhile func(p *ir.Program)
}

// Run runs passes over an elaborated program, in place. If a pass fails, the report covers the
// passes before it.
//
// A program is checked while later passes run. If the check finds an error, these passes count as not
// run, and the program is the one in which the error was found.
func Run(p *ir.Program, passes []*transform.Pass, opt Options) (*Report, error) {
	r := &Report{
		Passes:  []PassReport{},
		Remarks: &diag.List{File: p.File},
		speak:   p.Speak,
	}
	left := make(map[string]int, len(opt.Limit))
	maps.Copy(left, opt.Limit)
	if !slices.ContainsFunc(passes, placing) {
		r.Before = count(p)
	}
	before := ""
	if opt.After != nil {
		before = p.String()
	}
	var failed error
	checks := newChecks(p, opt)
	prints := &footprints{}
	remarks := r.Remarks
	if opt.Quiet {
		remarks = nil
	}
	var told []int // the remarks that there were after each pass
	for k, pass := range passes {
		limit, limited := left[pass.Name]
		if !limited {
			limit = transform.Unlimited
		}
		c := transform.NewContext(pass.Name, remarks, limit)
		var took time.Duration
		var err error
		ended := checks.during(func() {
			if opt.Footprints {
				prints.see(p, pass.Name)
			}
			start := time.Now()
			err = pass.Run(p, c)
			took = time.Since(start)
		})
		if !ended || opt.After != nil && checks.wait() != nil {
			break
		}
		failed = err
		r.Passes, told = append(r.Passes, PassReport{pass.Name, c.Rewrites, took}), append(told, len(r.Remarks.All))
		if pass.Name == "coalesce" {
			prints.count(p, c.Sites)
		}
		if limited {
			left[pass.Name] = c.Limit
		}
		if opt.After != nil {
			after := p.String()
			opt.After(pass, before, after)
			before = after
		}
		if failed != nil {
			break
		}
		if c.Rewrites > 0 || !checks.saw(p) {
			left := p
			if checks.asked() && k < len(passes)-1 { // the next pass writes to p
				left = ir.Snapshot(p)
			}
			checks.start(left, pass, len(r.Passes))
		}
		if placing(pass) {
			r.Before = count(p)
		}
	}
	if failed == nil {
		checks.during(func() {
			r.After = count(p)
			if opt.Meanwhile != nil {
				opt.Meanwhile(p)
			}
		})
	}
	if found := checks.wait(); found != nil {
		failed = found
		r.Passes, r.Remarks.All = r.Passes[:checks.passes], r.Remarks.All[:told[checks.passes-1]]
		*p = *checks.wrong
	}
	if failed != nil {
		r.After = count(p)
	}
	r.Unproven = checks.unproven
	p.SpeakIn(r.Unproven...)
	var list *diag.List
	if errors.As(failed, &list) {
		p.SpeakIn(list.All...)
	}
	if opt.Footprints && failed == nil {
		r.Functions = prints.report(p)
	}
	return r, failed
}

// placing reports whether a pass gives a program memory.
func placing(pass *transform.Pass) bool { return pass.Name == "explicit" }

func count(p *ir.Program) Counts {
	c := metrics.Count(p)
	return Counts{Alloc: c.Alloc, Copy: c.Copy, Kernel: c.Kernel}
}

// verify turns the verifier's findings after a pass into bugs of memc's own.
func verify(p *ir.Program, pass *transform.Pass) error {
	found := check.Verify(p)
	if !found.Failed() {
		return nil
	}
	return asBugs(p, pass, found.All)
}

// asBugs returns failing diagnostics as bugs of the pass before.
func asBugs(p *ir.Program, pass *transform.Pass, found []*diag.Diagnostic) error {
	bugs := &diag.List{File: p.File}
	for _, d := range found {
		if d.Severity > diag.Bug {
			continue
		}
		bug := *d
		bug.Severity = diag.Bug
		bug.Msg = "after pass " + pass.Name + ": " + d.Msg
		bug.Hint = "this is a bug of memc; `memc opt --passes=" + upTo(pass) + " --print-after=" + pass.Name + "` shows the program"
		bugs.All = append(bugs.All, &bug)
	}
	return bugs
}

// upTo returns the default pipeline's part that ends in pass.
func upTo(pass *transform.Pass) string {
	names := []string{}
	for _, p := range defaults {
		names = append(names, p.Name)
		if p == pass {
			return strings.Join(names, ",")
		}
	}
	return pass.Name
}

// IsBug reports whether an error of Run is a bug of memc's own.
func IsBug(err error) bool {
	var list *diag.List
	return errors.As(err, &list) && diag.ExitCode(list) == diag.ExitBug
}
