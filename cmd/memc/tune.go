package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/bench"
)

func (a *app) tuneCommand() *cobra.Command {
	var lower lowerFlags
	var opt bench.Options
	var out string
	var sets []string
	var list bool
	c := &cobra.Command{
		Use:   "tune [flags] FILE|PROGRAM|PROGRAM:SET",
		Short: "measure how a program's kernels should divide their work",
		Long: `tune runs a program on its own test inputs (or a program of the suite on a data set) with
several values of each threshold that affects its kernels, and keeps the faster values. It
writes them to FILE.tune beside FILE.ir, one "NAME VALUE" per line; memc compile and memc run
read this file. The values change results only by the rounding of floats that are added in
another order. --list shows the thresholds; --threshold of other commands sets one.`,
		Example: `  memc tune --device=NVIDIA prog.ir
  memc tune --list`,
		Args: func(c *cobra.Command, args []string) error {
			if list != (len(args) == 0) || len(args) > 1 {
				return usagef(c, "expected one program, or --list alone")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if list {
				return a.writeOutput("-", listThresholds)
			}
			if opt.Runs < 1 {
				return usagef(c, "--runs must be at least 1")
			}
			var err error
			if opt.Lower, err = lower.options(c); err != nil {
				return err
			}
			programs, err := benchPrograms(c, args, sets)
			if err != nil {
				return err
			}
			chosen, err := bench.Tune(programs, opt, a.stderr)
			if err != nil {
				return err
			}
			if out == "" {
				if out = "-"; strings.HasSuffix(args[0], ".ir") {
					out = tuningOf(args[0])
				}
			}
			return a.writeOutput(out, chosen.Write)
		},
	}
	lower.add(c)
	lower.addHeap(c)
	f := c.Flags()
	f.StringVar(&opt.Device, "device", "", "a device's number or part of its name")
	f.IntVar(&opt.Runs, "runs", 7, "the number of runs of each choice; the fastest counts")
	f.StringSliceVar(&sets, "set", []string{"medium"}, "data sets of a program of the suite: tiny, small, medium, large")
	f.StringVarP(&out, "output", "o", "", "the file to write (default: FILE.tune; for a program of the suite, standard output)")
	f.BoolVar(&list, "list", false, "show the thresholds")
	return c
}

func listThresholds(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, h := range imp.Thresholds {
		fmt.Fprintf(t, "%s\t%d\t%d to %d\t%s\n", h.Name, h.Default, h.Least, h.Most, h.Doc)
	}
	return t.Flush()
}
