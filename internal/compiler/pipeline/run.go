package pipeline

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/sequentialise"
)

// Options of a run. The zero Options run the passes and nothing else.
type Options struct {
	// Verify verifies the program at the end; a failure is a bug of memc's own.
	Verify bool
	// Memcheck verifies the program after every pass, and checks besides that it is
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
	// while that is verified, and with what finds its size equalities in the same walk. What it finds
	// is worth nothing if Run fails.
	Meanwhile func(p *ir.Program, sizes func() *check.ObligationTable)
}

// Run runs passes over an elaborated program, in place. If a pass fails, the report covers the
// passes before it.
//
// With Verify, only the last program is verified. If that or a pass fails, the passes run again on
// the program as it came, which is now verified after each: so the error names the pass that made it.
func Run(p *ir.Program, passes []*transform.Pass, opt Options) (*Report, error) {
	passes = WithLevels(p, passes)
	when := checks{verify: opt.Verify || opt.Memcheck}
	if opt.Memcheck {
		when.memory = newMemoryChecks(p)
	}
	if !when.verify || opt.Memcheck || opt.After != nil {
		return run(p, passes, opt, when)
	}
	came := ir.Snapshot(p)
	if r := unharmed(func() (*Report, error) { return run(p, passes, opt, checks{atEnd: true}) }); r != nil {
		return r, nil
	}
	*p = *came
	return run(p, passes, opt, when)
}

// unharmed returns the report of a run that neither fails nor panics, or nil.
func unharmed(run func() (*Report, error)) (r *Report) {
	defer func() {
		if recover() != nil {
			r = nil
		}
	}()
	if r, err := run(); err == nil {
		return r
	}
	return nil
}

// checks say when a program is verified, and how.
type checks struct {
	atEnd  bool          // once, whatever has changed
	verify bool          // after each pass that changes the program
	memory *memoryChecks // nil where they are not asked for
}

func run(p *ir.Program, passes []*transform.Pass, opt Options, when checks) (*Report, error) {
	r := &Report{
		Passes:  []PassReport{},
		Remarks: &diag.List{File: p.File},
		speak:   p.Speak,
		shown:   p.Shown,
	}
	left := make(map[string]int, len(opt.Limit))
	maps.Copy(left, opt.Limit)
	if !slices.ContainsFunc(passes, placing) {
		r.Before = count(p)
	}
	before := ""
	if when.verify || opt.After != nil {
		before = p.String()
	}
	prints := &footprints{}
	remarks := r.Remarks
	if opt.Quiet {
		remarks = nil
	}
	var failed error
	settled := map[*transform.Pass]bool{} // which ran after the last change, or made it
	for _, pass := range passes {
		if settled[pass] && pass.Settles {
			r.Passes = append(r.Passes, PassReport{Name: pass.Name})
			continue
		}
		limit, limited := left[pass.Name]
		if !limited {
			limit = transform.Unlimited
		}
		if opt.Footprints {
			prints.see(p, pass.Name)
		}
		c := transform.NewContext(pass.Name, remarks, limit)
		start := time.Now()
		failed = pass.Run(p, c)
		r.Passes = append(r.Passes, PassReport{pass.Name, c.Rewrites, time.Since(start)})
		if c.Rewrites > 0 {
			clear(settled)
		}
		settled[pass] = true
		if pass.Name == "coalesce" {
			prints.count(p, c.Sites)
		}
		if limited {
			left[pass.Name] = c.Limit
		}
		if when.verify || opt.After != nil {
			after := p.String()
			if failed == nil && (c.Rewrites > 0 || before != after) {
				var unproven []*diag.Diagnostic
				unproven, failed = when.after(p, pass)
				r.Unproven = append(r.Unproven, unproven...)
			}
			if opt.After != nil {
				opt.After(pass, before, after)
			}
			before = after
		}
		if failed != nil {
			break
		}
		if placing(pass) {
			r.Before = count(p)
		}
	}
	passed := failed == nil
	verified := sync.OnceValues(func() (diag.List, *check.ObligationTable) { return check.Verified(p) })
	parallel.Do(
		func() {
			if r.After = count(p); passed && opt.Meanwhile != nil {
				opt.Meanwhile(p, func() *check.ObligationTable { _, sizes := verified(); return sizes })
			}
		},
		func() {
			if passed && when.atEnd && len(passes) > 0 {
				found, _ := verified()
				failed = failure(p, passes[len(passes)-1], found)
			}
		},
	)
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

// after checks a program that a pass has changed.
func (k checks) after(p *ir.Program, pass *transform.Pass) (unproven []*diag.Diagnostic, err error) {
	if k.verify {
		err = failure(p, pass, check.Verify(p))
	}
	if err == nil && k.memory != nil {
		return k.memory.after(p, pass)
	}
	return nil, err
}

// placing reports whether a pass gives a program memory.
func placing(pass *transform.Pass) bool { return pass.Name == "explicit" }

// WithLevels returns passes in which `levels` comes before `explicit`, if a kernel of the program needs that.
func WithLevels(p *ir.Program, passes []*transform.Pass) []*transform.Pass {
	k := slices.IndexFunc(passes, placing)
	deep := func(f *ir.Func) bool { return ir.Deep(f.Body) != nil }
	if k < 0 || slices.Contains(passes[:k], sequentialise.Levels) || !slices.ContainsFunc(p.Funcs, deep) {
		return passes
	}
	return slices.Insert(slices.Clone(passes), k, sequentialise.Levels)
}

func count(p *ir.Program) Counts {
	c := metrics.Count(p)
	return Counts{Alloc: c.Alloc, Copy: c.Copy, Kernel: c.Kernel, Thread: c.Thread}
}

// failure turns the verifier's findings after a pass into bugs of memc's own.
func failure(p *ir.Program, pass *transform.Pass, found diag.List) error {
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
	for _, p := range DefaultPasses() {
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
