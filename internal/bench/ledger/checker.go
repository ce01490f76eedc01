package ledger

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A rule of the static checker changes no program. It is worth the programs that the checker proves
// with it and not without it: as they are read, and after the default passes.

// ofChecker reports whether a rule is one of the static checker.
func ofChecker(rule string) bool { return strings.HasPrefix(rule, "memcheck.") }

// A verdict tells whether the checker proves a program as it is read, and after the default passes.
type verdict [2]bool

// A checkedRun is a program, what the passes made of it, the verdict under all rules, and whether some
// rule matters: a program that is proven without any needs none.
type checkedRun struct {
	read  func() (*diag.File, error)
	after *ir.Program
	with  verdict
	needs bool
}

// checkedRuns returns a run for each program of a corpus.
func checkedRuns(c Corpus) []checkedRun {
	runs := make([]checkedRun, len(c.Programs))
	parallel.Each(len(runs), func(k int) {
		r := &runs[k]
		r.read = c.Programs[k]
		if p, ok := program(r.read); ok {
			if _, err := pipeline.Run(p, pipeline.MemoryPasses(), pipeline.Options{Quiet: true}); err == nil {
				r.after = p
			}
		}
		r.with = r.verdict(verdict{true, true})
	})
	defer rules.Switch()
	rules.Switch(slices.DeleteFunc(rules.Names(), func(rule string) bool { return !ofChecker(rule) })...)
	parallel.Each(len(runs), func(k int) { runs[k].needs = runs[k].verdict(runs[k].with) != runs[k].with })
	return runs
}

// verdict asks the checker under the present rules; what is not asked is not proven.
func (r *checkedRun) verdict(asked verdict) (v verdict) {
	if asked[0] {
		p, ok := program(r.read)
		v[0] = ok && proven(p)
	}
	v[1] = asked[1] && r.after != nil && proven(r.after)
	return v
}

// proven reports whether the checker proves all functions of a program. Those of a dump whose places
// it did not prove have none.
func proven(p *ir.Program) bool {
	for _, f := range p.Funcs {
		if !ir.IsExplicit(f) {
			return false
		}
	}
	return len(memcheck.Check(p).Findings) == 0
}

// program reads a program; false where it is wrong.
func program(read func() (*diag.File, error)) (*ir.Program, bool) {
	file, err := read()
	if err != nil {
		return nil, false
	}
	p, list := driver.Check(file)
	return p, list.Err() == nil
}

// checkerWorth returns the worth of the rule of the checker that is switched off, in programs.
func checkerWorth(all []checkedRun) (w Worth) {
	worse := make([]bool, len(all))
	parallel.Each(len(all), func(k int) {
		r := &all[k]
		worse[k] = r.needs && r.verdict(r.with) != r.with
	})
	for _, x := range worse {
		if x {
			w.Worse++
			w.Programs++
		}
	}
	return w
}
