package main

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/bench/reusebench"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform/reuse"
)

func (a *app) benchReuseCommand() *cobra.Command {
	var out string
	var sizes []string
	c := &cobra.Command{
		Use:   "reuse DIR|FILE.csv|FILE.ir...",
		Short: "compare the planner of reuse with linear scan and best fit",
		Long: `reuse reads allocation problems and plans in several ways which blocks share storage: like the
pass reuse (plan), the same if nothing is freed before the end (static), by linear scan, and by
best fit. The table shows the blocks, their bytes and the peak of each way, the plan bound
(lower), and the figures without sharing (alone).

A problem is a CSV file with the columns lower and upper (when a block is live) and size (in
bytes), or a function that allocates, as it is before the pass reuse. Names in sizes have the
value 1000, or the value from --size.`,
		Example: `  memc bench reuse internal/bench/reusebench/testdata examples
  memc bench reuse problem.csv canny.ir --size=h=2000 -o table.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef(c, "expected a directory, CSV files or programs")
			}
			values, err := sizeValues(c, sizes)
			if err != nil {
				return err
			}
			var rows []reusebench.Row
			var programs []*ir.Program
			for _, arg := range args {
				files, err := reusebench.Files(arg)
				if err != nil {
					return err
				}
				for _, f := range files {
					found, of, err := measureReuse(f, values)
					if err != nil {
						return err
					}
					if of != nil {
						programs = append(programs, of)
					}
					for _, r := range found {
						rows = append(rows, r)
						fmt.Fprintf(a.stderr, "memc: %s: %d blocks\n", r.Name, r.Count)
					}
				}
			}
			if err := knownSizes(c, values, programs...); err != nil {
				return err
			}
			write := reusebench.Write
			if strings.HasSuffix(out, ".md") {
				write = reusebench.WriteMarkdown
			}
			return a.writeOutputs(result{path: out, write: func(w io.Writer) error { return write(w, rows) }})
		},
	}
	c.Flags().StringSliceVar(&sizes, "size", nil, "NAME=N: the value of a size in programs")
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the table; .md: as tables of Markdown")
	return c
}

// measureReuse returns the rows of a list of intervals or of a program.
func measureReuse(path string, sizes map[string]int64) ([]reusebench.Row, *ir.Program, error) {
	if !strings.HasSuffix(path, ".ir") {
		r, err := reusebench.Measure(path)
		return []reusebench.Row{r}, nil, err
	}
	file, err := driver.ReadSource(path)
	if err != nil {
		return nil, nil, err
	}
	passes, err := pipeline.Parse("explicit,lift,coalesce,lower")
	if err != nil {
		return nil, nil, err
	}
	p, _, err := driver.Explicit(file, passes, pipeline.Options{Verify: true})
	if err != nil {
		return nil, nil, err
	}
	sizes = sizesOf(p, sizes)
	derived := map[string]sym.Poly{}
	for _, f := range p.Funcs {
		maps.Copy(derived, peak.Derived(f))
	}
	var value func(name string) int64
	value = func(name string) int64 {
		if v, ok := sizes[name]; ok {
			return v
		}
		if d, ok := derived[name]; ok {
			return max(0, peak.Value(d, func(n string) (int64, bool) { return value(n), true }))
		}
		return 1000
	}
	name := strings.TrimSuffix(filepath.Base(path), ".ir")
	var rows []reusebench.Row
	for _, q := range reuse.Instances(p, value) {
		r := reusebench.MeasureProblem(name+" "+q.Func, q.Problem, q.Lower)
		if r.Count > 0 {
			rows = append(rows, r)
		}
	}
	return rows, p, nil
}
