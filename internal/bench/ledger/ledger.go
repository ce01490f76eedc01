// Package ledger measures what the special rules of the passes and analyses are worth: for how many
// functions the default passes do worse without each (internal/base/rules).
package ledger

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/checks"
	"github.com/memc-lang/memc/analysis/fits"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
)

// A Corpus is a set of programs.
type Corpus struct {
	Name     string
	From     string // the directories, or the generator
	Programs []func() (*diag.File, error)
}

// Figures are what the passes leave of a function: allocations, copies, the peak and the plan bound
// for some values of its sizes. Checks are of a whole program: those that stay for run time.
type Figures struct {
	Alloc, Copy, Checks int
	Peak, Bound         []int64
}

// Worth is what a rule does in a corpus: the functions that are worse without it, those that are
// better, and the programs of the former. Bounds are functions of which only the plan bound differs, a
// printed figure. For a rule of the checker Worse counts programs, not functions.
type Worth struct{ Worse, Better, Bounds, Programs int }

// A Row is a rule with the lines of code that serve it alone, and its worth in each corpus.
type Row struct {
	rules.Rule
	Lines int
	Worth []Worth
}

// Rows returns a row for each rule, without its worth. Root is the root of this repository, whose lines
// it counts.
func Rows(root string, list []rules.Rule) ([]Row, error) {
	var rows []Row
	for _, r := range list {
		n, err := Lines(root, r)
		if err != nil {
			return nil, err
		}
		rows = append(rows, Row{Rule: r, Lines: n})
	}
	return rows, nil
}

// Measure finds the worth of rules, by switching off one after the other. A program is run again only
// if it asked for the rule. Progress is called before each rule.
func Measure(corpora []Corpus, rows []Row, progress func(string)) {
	defer rules.Switch()
	rules.Switch()
	checker := func(r Row) bool { return ofChecker(r.Name) }
	progress("all rules")
	runs, checked := make([][]run, len(corpora)), make([][]checkedRun, len(corpora))
	for k, c := range corpora {
		if slices.ContainsFunc(rows, checker) {
			checked[k] = checkedRuns(c)
		}
		if slices.ContainsFunc(rows, func(r Row) bool { return !checker(r) }) {
			runs[k] = allRuns(c)
		}
	}
	for i := range rows {
		r := &rows[i]
		progress(r.Name)
		rules.Switch(r.Name)
		for k := range corpora {
			if checker(*r) {
				r.Worth = append(r.Worth, checkerWorth(checked[k]))
			} else {
				r.Worth = append(r.Worth, worth(runs[k], r.Name))
			}
		}
	}
}

// allRuns returns a run for each program of a corpus, under all rules.
func allRuns(c Corpus) (runs []run) {
	for _, read := range c.Programs {
		r := run{read: read}
		r.asked = rules.Asked(func() { r.with = figures(read) })
		runs = append(runs, r)
	}
	return runs
}

// A run is what a program's functions end with under all rules, and the rules that it asked for.
type run struct {
	read  func() (*diag.File, error)
	with  map[string]Figures
	asked map[string]bool
}

// worth returns the worth of a rule that is switched off.
func worth(all []run, rule string) (w Worth) {
	all = slices.DeleteFunc(slices.Clone(all), func(r run) bool { return !r.asked[rule] })
	without := make([]map[string]Figures, len(all))
	parallel.Each(len(all), func(k int) { without[k] = figures(all[k].read) })
	for k, r := range all {
		w.add(r.with, without[k])
	}
	return w
}

// figures returns those of a program's functions; nil where the program is wrong.
func figures(read func() (*diag.File, error)) map[string]Figures {
	p, ok := program(read)
	if !ok {
		return nil
	}
	r, err := pipeline.Run(p, pipeline.MemoryPasses(), pipeline.Options{Quiet: true, Footprints: true})
	if err != nil {
		return nil
	}
	out := map[string]Figures{"": {Checks: unproven(p)}}
	for _, f := range r.Functions {
		x := Figures{Alloc: f.After.Alloc, Copy: f.After.Copy}
		for _, sample := range peak.Samples() {
			x.Peak = append(x.Peak, most(f.After.Peak, sample))
			x.Bound = append(x.Bound, most(f.Lower, sample))
		}
		out[f.Name] = x
	}
	return out
}

// unproven counts the checks of a program that stay for run time.
func unproven(p *ir.Program) int {
	known := accesses.Of(p)
	n := len(fits.Unproven(p, known))
	t := checks.Of(p, known)
	exp := func(e ir.Exp) {
		ir.WalkExp(e, func(e ir.Exp) bool {
			switch x := e.(type) {
			case *ir.Index:
				for d := range x.Indices {
					if !t.Index(x, d) {
						n++
					}
				}
			case *ir.Binary:
				if ir.Fails(x.Op, x.Y) && !t.Divisor(x) {
					n++
				}
			case *ir.Builtin:
				if len(x.Args) == 2 && ir.Fails(x.Fn, x.Args[1]) && !t.Divisor(x) {
					n++
				}
			}
			return true
		})
	}
	for _, f := range p.Funcs {
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			ir.Exps(s.Op, exp)
			if !t.Sizes(s) {
				n++
			}
			var items []ir.Item
			switch op := s.Op.(type) {
			case *ir.Assert:
				n++
			case *ir.Slice:
				items = op.Items
			case *ir.Update:
				items = op.Items
			}
			for k := range items {
				if !t.Item(&items[k]) {
					n++
				}
			}
			return true
		})
	}
	return n
}

// add counts the functions of a program that differ without a rule.
func (w *Worth) add(with, without map[string]Figures) {
	worse := w.Worse
	for name, x := range with {
		y, ok := without[name]
		more, less := y.Alloc > x.Alloc || y.Copy > x.Copy || y.Checks > x.Checks, y.Alloc < x.Alloc || y.Copy < x.Copy || y.Checks < x.Checks
		for i := range min(len(x.Peak), len(y.Peak)) {
			more, less = more || y.Peak[i] > x.Peak[i], less || y.Peak[i] < x.Peak[i]
		}
		switch {
		case !ok || more:
			w.Worse++
		case less:
			w.Better++
		case !slices.Equal(x.Bound, y.Bound):
			w.Bounds++
		}
	}
	if w.Worse > worse {
		w.Programs++
	}
}

// most is the largest sum of a formula.
func most(f peak.Formula, sample func(sym.Poly) int64) (n int64) {
	for _, p := range f.Sums {
		n = max(n, sample(p))
	}
	return n
}
