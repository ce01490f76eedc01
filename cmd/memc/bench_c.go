package main

import (
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/benchmarks"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/bench"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

func (a *app) benchCCommand() *cobra.Command {
	var opt bench.ProcessorOptions
	var out string
	c := &cobra.Command{
		Use:   "c [flags] [PROGRAM|PROGRAM:SET|FILE]...",
		Short: "compare C for CPUs with OpenCL and with handwritten loops",
		Long: `c runs programs on an OpenCL device, as C on one and on several threads, as C without
merging, and as handwritten loops (benchmarks/hand has them for five programs). Without a
name it runs these five programs. All ways must return the same results. They run in turns,
and times are those of the best runs, without transfers.`,
		Example: `  memc bench c
  memc bench c all --device=none --runs=3`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if opt.Runs < 1 || opt.Threads < 1 {
				return usagef(c, "--runs and --threads must be at least 1")
			}
			var programs []bench.Program
			if len(args) > 0 {
				var err error
				if programs, err = benchPrograms(c, args, []string{"small"}); err != nil {
					return err
				}
			}
			for _, h := range benchmarks.ByHand() {
				if len(args) == 0 {
					set := bench.Set{Name: h.Set.Name, Args: func(*ir.Func) ([]value.Value, error) { return h.Set.Args(), nil }}
					programs = append(programs, bench.Program{Name: h.Path, File: diag.NewFile(h.Path, h.Source), Entry: "main", Sets: []bench.Set{set}})
				}
				for i := range programs {
					if programs[i].Name == h.Path {
						programs[i].Hand = h.C
					}
				}
			}
			return a.writeOutput(out, func(w io.Writer) error { return bench.MeasureProcessors(w, programs, opt) })
		},
	}
	c.Flags().StringVar(&opt.Device, "device", "", "the OpenCL device's number or part of its name; none: without OpenCL")
	c.Flags().IntVar(&opt.Threads, "threads", runtime.NumCPU(), "the number of threads to compare with one")
	c.Flags().IntVar(&opt.Runs, "runs", 10, "the number of runs that count")
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the table")
	return c
}
