package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/transform"
)

// pipelineFlags are the flags of every verb that runs passes.
type pipelineFlags struct {
	passes       string
	printAfter   []string
	printAll     bool
	printChanged string
	timePasses   bool
	limits       []string
	remarks      string
	verify       bool
	footprints   bool // wanted by the verb
	warn         bool // of places that are written by hand, likewise
	checks       bool // somebody asks for the checks that are left; a verb that lowers tells
	lowers       bool // likewise
	processors   bool // the program runs on processors: they have a default pipeline of their own
	// results has the names of the results of each entry.
	results map[string][]string
	// next is what the verb does next with the program, beside the last check.
	next struct {
		name string
		do   func(p *ir.Program, sizes func() *check.ObligationTable)
	}
}

func (p *pipelineFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.passes, "passes", pipeline.Default(), "the passes, or groups of passes, to run, in order; empty: none")
	f.StringSliceVar(&p.printAfter, "print-after", nil, "print the program after these passes (stderr)")
	f.BoolVar(&p.printAll, "print-after-all", false, "print the program after every pass (stderr)")
	f.StringVar(&p.printChanged, "print-changed", "", "=diff: print what each pass changed (stderr)")
	f.BoolVar(&p.timePasses, "time-passes", false, "print the time of every pass and stage (stderr)")
	f.StringSliceVar(&p.limits, "limit", nil, "PASS=N: let a pass make only its first N rewrites")
	f.StringVar(&p.remarks, "remarks", "", "print what the passes did and why (stderr); =missed: only refusals; =reuse,name=xs: only one pass, one name; =json; with compile, =checks: the run-time checks that remain")
	f.BoolVar(&p.verify, "verify", false, "check after every pass that no array is overwritten too early and that only memory has changed; exit code 3 if that is not proven")
	f.Lookup("remarks").NoOptDefVal = "all"
	f.Lookup("print-changed").NoOptDefVal = "diff"
}

// run checks a file and runs the passes that the flags name.
func (p *pipelineFlags) run(a *app, c *cobra.Command, path string) (*ir.Program, *pipeline.Report, error) {
	passes, opt, err := p.options(a, c)
	if err != nil {
		return nil, nil, err
	}
	filter, err := pipeline.ParseRemarks(p.remarks)
	if err != nil && p.remarks != "" {
		return nil, nil, usagef(c, "--remarks: %v", err)
	}
	if p.checks = filter.Checks; p.checks && !p.lowers {
		return nil, nil, usagef(c, "--remarks=checks: memc compile tells of checks; memc %s makes none", c.Name())
	}
	if p.timePasses {
		a.watch = startStopwatch()
	}
	f, err := driver.ReadSource(path)
	if err != nil {
		return nil, nil, err
	}
	defer rareCollections()()
	shown := a.startProgress()
	defer shown.end()
	shown.begin("checking", time.Now())
	prog, list := driver.Check(f)
	if err := list.Err(); err != nil {
		return nil, nil, err
	}
	a.watch.done("parse and check")
	p.results = map[string][]string{}
	for _, f := range prog.Funcs {
		if f.Entry {
			p.results[f.Name] = resultNames(prog, f)
		}
	}
	shown.begin("optimising", time.Now())
	if p.warn && !p.verify { // which looks closer
		a.say(driver.Warnings(f, prog)...)
		a.watch.done("memory check")
	}
	if p.verify {
		unproven, wrong := driver.PlacesByHand(prog)
		if wrong != nil {
			return nil, nil, wrong
		}
		a.doubt(unproven)
	}
	beside := stage{name: p.next.name}
	if p.next.do != nil {
		opt.Meanwhile = func(prog *ir.Program, sizes func() *check.ObligationTable) {
			start := time.Now()
			p.next.do(prog, sizes)
			beside.time = time.Since(start)
		}
	}
	report, err := pipeline.Run(prog, passes, opt)
	shown.begin("", time.Now())
	if err != nil {
		return nil, nil, err
	}
	a.watch.passes(report.Passes, beside)
	a.doubt(report.Unproven)
	if p.remarks != "" {
		report.WriteRemarks(a.stderr, filter, a.colored())
	}
	return prog, report, nil
}

func (p *pipelineFlags) options(a *app, c *cobra.Command) ([]*transform.Pass, pipeline.Options, error) {
	opt := pipeline.Options{Verify: true, Memcheck: p.verify, Footprints: p.footprints, Quiet: p.remarks == "", Limit: map[string]int{}}
	passes, err := pipeline.ParseFor(p.passes, p.processors)
	if err != nil {
		return nil, opt, usagef(c, "--passes: %v", err)
	}
	if p.printChanged != "" && p.printChanged != "diff" {
		return nil, opt, usagef(c, "--print-changed=%s: only diff is known", p.printChanged)
	}
	for _, l := range p.limits {
		name, n, ok := strings.Cut(l, "=")
		k, err := strconv.Atoi(n)
		if !ok || err != nil || k < 0 {
			return nil, opt, usagef(c, "--limit=%s: expected PASS=N", l)
		}
		if pipeline.Lookup(name) == nil {
			return nil, opt, usagef(c, "--limit=%s: unknown pass %q%s", l, name, didYouMean(name, pipeline.Names()))
		}
		opt.Limit[name] = k
	}
	printing := pipeline.Printing{After: p.printAfter, AfterAll: p.printAll, ChangedDiff: p.printChanged != ""}
	if err := printing.Check(); err != nil {
		return nil, opt, usagef(c, "--print-after: %v", err)
	}
	opt.After = printing.Hook(a.stderr)
	return passes, opt, nil
}

func didYouMean(name string, known []string) string {
	if near := diag.Nearest(name, known); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// A formatFlag is a flag such as --stats[=json].
type formatFlag string

func (s *formatFlag) add(c *cobra.Command, name, usage string) {
	c.Flags().StringVar((*string)(s), name, "", usage+"; =json: as one JSON object")
	c.Flags().Lookup(name).NoOptDefVal = "text"
}

func (s formatFlag) check(c *cobra.Command, name string) error {
	if s != "" && s != "text" && s != "json" {
		return usagef(c, "--%s=%s: expected text or json", name, string(s))
	}
	return nil
}

// statsFlag is --stats[=json].
type statsFlag struct{ formatFlag }

func (s *statsFlag) add(c *cobra.Command) { s.formatFlag.add(c, "stats", "print statistics (stderr)") }

func (s statsFlag) check(c *cobra.Command) error { return s.formatFlag.check(c, "stats") }

// write writes what was asked for.
func (s statsFlag) write(w io.Writer, st runtime.Stats) {
	switch s.formatFlag {
	case "json":
		fmt.Fprintln(w, st.JSON())
	case "text":
		st.WriteText(w)
	}
}
