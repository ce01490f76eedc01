package ledger

import (
	"strings"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/ir"
)

// A rule of the static checker changes no program. It is worth the programs that the checker proves
// with it and not without it: as they are read, and after the default passes.

// ofChecker reports whether a rule is one of the static checker.
func ofChecker(rule string) bool { return strings.HasPrefix(rule, "memcheck.") }

// A verdict tells whether the checker proves a program as it is read, and after the default passes.
type verdict [2]bool

// A checkedRun is a program, what the passes made of it, the verdict under all rules, and the rules
// that the checker asked for.
type checkedRun struct {
	read  func() (*diag.File, error)
	after *ir.Program
	with  verdict
	asked map[string]bool
}

// checkedRuns returns a run for each program of a corpus.
func checkedRuns(c Corpus) []checkedRun {
	runs := make([]checkedRun, len(c.Programs))
	parallel.Each(len(runs), func(k int) {
		runs[k].read = c.Programs[k]
		p, ok := program(c.Programs[k])
		if !ok {
			return
		}
		if _, err := pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{Quiet: true}); err == nil {
			runs[k].after = p
		}
	})
	for k := range runs {
		r := &runs[k]
		r.asked = rules.Asked(func() { r.with = r.verdict() })
	}
	return runs
}

// verdict asks the checker under the present rules.
func (r *checkedRun) verdict() verdict {
	p, ok := program(r.read)
	return verdict{ok && proven(p), r.after != nil && proven(r.after)}
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

// checkerWorth returns the worth of a rule of the checker that is switched off, in programs.
func checkerWorth(all []checkedRun, rule string) (w Worth) {
	without := make([]verdict, len(all))
	parallel.Each(len(all), func(k int) {
		if without[k] = all[k].with; all[k].asked[rule] {
			without[k] = all[k].verdict()
		}
	})
	for k, r := range all {
		switch x := without[k]; {
		case r.with[0] && !x[0] || r.with[1] && !x[1]:
			w.Worse++
			w.Programs++
		case r.with != x:
			w.Better++
		}
	}
	return w
}
