package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/benchmarks"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/bench"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// What memc bench measures: programs of the suite, and files.

// benchPrograms finds the programs that the arguments name: programs of the suite, on the requested
// data sets; NAME:SET, a program on a data set of its own; "all", the suite; files. The first data
// set of all programs comes before the second one of any, so that a run that ends early covers most
// programs. A file runs on its own test inputs, whatever its name; FILE:SET runs an edited copy of
// a program of the suite.
func benchPrograms(c *cobra.Command, args, sets []string) ([]bench.Program, error) {
	for _, name := range sets {
		if !slices.ContainsFunc(benchmarks.All(), func(b benchmarks.Benchmark) bool { _, ok := b.Set(name); return ok }) {
			return nil, usagef(c, "--set: no program has a data set %q (tiny, small, medium, large; see memc bench list)", name)
		}
	}
	if len(args) == 0 {
		args = []string{"all"}
	}
	var whole, files []string
	var pinned [][2]string
	for _, arg := range args {
		name, set, found := strings.Cut(arg, ":")
		switch {
		case arg == "all":
			whole = append(whole, suiteNames()...)
		case found:
			pinned = append(pinned, [2]string{name, set})
		case strings.HasSuffix(arg, ".ir"):
			files = append(files, arg)
		default:
			whole = append(whole, arg)
		}
	}
	var programs []bench.Program
	for _, set := range sets {
		for _, name := range whole {
			p, ok, err := suiteProgram(c, name, set)
			if err != nil {
				return nil, err
			}
			if ok { // a data set may be one program's own
				programs = append(programs, p)
			}
		}
	}
	for _, want := range pinned {
		p, ok, err := suiteProgram(c, want[0], want[1])
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, usagef(c, "%s has no data set %q (see memc bench list)", want[0], want[1])
		}
		programs = append(programs, p)
	}
	for _, name := range files {
		f, err := driver.ReadSource(name)
		if err != nil {
			return nil, err
		}
		own, err := ownSets(bench.Program{Name: f.Name, File: f, Entry: "main"})
		if err != nil {
			return nil, err
		}
		programs = append(programs, own...)
	}
	if len(programs) == 0 {
		return nil, usagef(c, "none of these programs has any of these data sets (see memc bench list)")
	}
	return programs, nil
}

func suiteNames() []string {
	var names []string
	for _, b := range benchmarks.All() {
		names = append(names, b.Name)
	}
	return names
}

// suiteProgram returns a program of the suite on one data set, if it has it. The
// name may be the path of an edited copy.
func suiteProgram(c *cobra.Command, name, set string) (p bench.Program, ok bool, err error) {
	b, known := benchmarks.Lookup(strings.TrimSuffix(filepath.Base(name), ".ir"))
	if !known || name != b.Name && !strings.HasSuffix(name, ".ir") {
		return p, false, usagef(c, "the suite has no program %q%s; memc bench list names them", name, didYouMean(name, suiteNames()))
	}
	s, ok := b.Set(set)
	if !ok {
		return p, false, nil
	}
	file := diag.NewFile(b.Path(), b.Source())
	if name != b.Name {
		if file, err = driver.ReadSource(name); err != nil {
			return p, false, err
		}
	}
	args := func(*ir.Func) ([]value.Value, error) { return s.Args(), nil }
	return bench.Program{Name: file.Name, File: file, Entry: "main", Sets: []bench.Set{{Name: set, Args: args}}}, true, nil
}

// ownSets makes data sets of a file's test inputs, entry by entry.
func ownSets(p bench.Program) ([]bench.Program, error) {
	blocks, err := filetest.Blocks(p.File.Text, filepath.Dir(p.File.Name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.File.Name, err)
	}
	var programs []bench.Program
	for _, b := range blocks {
		for _, k := range b.Cases {
			if !k.HasInput || k.Fails != nil {
				continue
			}
			set := bench.Set{Name: fmt.Sprintf("line %d", k.Line), Args: func(f *ir.Func) ([]value.Value, error) {
				return filetest.ReadValues("input", k.Input, f)
			}}
			if n := len(programs); n > 0 && programs[n-1].Entry == k.Entry {
				programs[n-1].Sets = append(programs[n-1].Sets, set)
				continue
			}
			q := p
			q.Entry, q.Sets = k.Entry, []bench.Set{set}
			programs = append(programs, q)
		}
	}
	if len(programs) == 0 {
		return nil, fmt.Errorf("%s has no test inputs to run on (docs/ir.md says how to write them)", p.File.Name)
	}
	return programs, nil
}

func (a *app) benchListCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "list the programs of the suite and their data sets",
		Example: "  memc bench list",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, b := range benchmarks.All() {
				var names []string
				for _, s := range b.Sets {
					names = append(names, s.Name)
				}
				fmt.Fprintf(a.stdout, "%-18s %s\n", b.Name, strings.Join(names, " "))
			}
			return nil
		},
	}
}
