package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/benchmarks"
	"github.com/memc-lang/memc/internal/run/profile"
	"github.com/memc-lang/memc/ir/diag"
)

func (a *app) benchRooflineCommand() *cobra.Command {
	var opt profile.RooflineOptions
	var out string
	var lower lowerFlags
	c := &cobra.Command{
		Use:   "roofline [flags] [ENTRY]...",
		Short: "compare maps, copies, reductions and scans with a device copy",
		Long: `roofline runs the entries of benchmarks/roofline/roofline.ir, which only move memory, on
2^size elements. "kernels us" is the time of all kernels and copies by the device's
clock, and "call us" the time of a call without transfers. "of copy" compares the rate at
which the program reads arguments and writes results with the rate of a device copy of
256 MiB in the same run. Times are medians.`,
		Example: `  memc bench roofline --device=NVIDIA
  memc bench roofline --size=20 --runs=3 transpose columns`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if opt.Runs < 1 || opt.Log < 12 || opt.Log > 30 || opt.Log%2 != 0 {
				return usagef(c, "--runs must be at least 1, and --size an even number from 12 to 30")
			}
			path, source := benchmarks.Roofline()
			var err error
			if opt.Lower, err = lower.options(c); err != nil {
				return err
			}
			opt.Only = args
			for _, name := range args {
				if !profile.IsWork(name) {
					return usagef(c, "%s has no entry %q", path, name)
				}
			}
			opt.Tell = func(done, all int) { fmt.Fprintf(a.stderr, "memc: %d of %d\n", done, all) }
			return a.writeOutput(out, func(w io.Writer) error { return profile.Roofline(w, diag.NewFile(path, source), opt) })
		},
	}
	c.Flags().StringVar(&opt.Device, "device", "", "a device's number or part of its name")
	c.Flags().IntVar(&opt.Runs, "runs", 5, "runs that count")
	c.Flags().IntVar(&opt.Log, "size", 26, "the number of elements: 2^N")
	lower.add(c)
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the table")
	return c
}
