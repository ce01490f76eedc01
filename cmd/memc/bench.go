package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/bench"
	"github.com/memc-lang/memc/internal/bench/benchdoc"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/pool"
)

// benchCommand measures programs. Its subcommands measure parts of memc, each in a
// file of its own (bench_*.go).
func (a *app) benchCommand() *cobra.Command {
	var opt bench.Options
	var sets, configs []string
	var jsonPath, out, limit string
	var lower lowerFlags
	c := &cobra.Command{
		Use:   "bench [flags] [PROGRAM|PROGRAM:SET|FILE|FILE:SET]...",
		Short: "measure memory, copies and time of programs under several pipelines",
		Long: `bench measures programs with and without memory merging. A program is

  NAME        of the suite (memc bench list), on generated data; no name or "all": the whole suite
  NAME:SET    of the suite, on the data set SET
  FILE        your program, on its own test inputs
  FILE:SET    an edited copy of a program of the suite

bench runs each program in several configurations: none (no memory pass but explicit), coalesce, reuse,
both, scope (none, with blocks held to the end of their scopes), one of these on an
allocator (both@driver), or your own NAME=PASS,PASS. All configurations must return the
same results, and none may raise the peak. They run in turns, and times are medians without
transfers. The table goes to standard output. memc bench compare, memc bench report and
Futhark's tools read the file that --json writes.`,
		Example: `  memc bench nw lud --set=small --config=none,both --json=after.json
  memc bench all canny:large --set=medium --config=scope,none,both,both@driver`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if opt.Runs < 1 || opt.Warmup < 0 {
				return usagef(c, "--runs must be at least 1, and --warmup at least 0")
			}
			if limit != "" {
				n, err := parseBytes(limit)
				if err != nil {
					return usagef(c, "--memory-limit=%s: %v", limit, err)
				}
				opt.MemoryLimit = n
			}
			var err error
			if opt.Lower, err = lower.options(c); err != nil {
				return err
			}
			for _, name := range opt.Allocators {
				if err := checkAllocator(c, name); err != nil {
					return err
				}
			}
			parsed, notes, err := bench.ParseConfigs(configNames(configs))
			for _, n := range notes {
				fmt.Fprintf(a.stderr, "memc: %s\n", n)
			}
			if err != nil {
				return usagef(c, "--config: %v", err)
			}
			opt.Configs = parsed
			programs, err := benchPrograms(c, args, sets)
			if err != nil {
				return err
			}
			opt.Progress = a.benchProgress()
			report, err := bench.Run(programs, opt)
			if err != nil {
				return err
			}
			results := []result{{path: out, write: report.WriteTable}}
			if jsonPath != "" {
				results = append(results, result{path: jsonPath, write: report.WriteJSON})
			}
			if err := a.writeOutputs(results...); err != nil {
				return err
			}
			for _, left := range report.LeftOut {
				fmt.Fprintf(a.stderr, "memc: %s is left out: the time is up\n", left)
			}
			if n := report.Failed(); n > 0 {
				return fmt.Errorf("%d of %d measurements failed (the table says why)", n, len(report.Outcomes))
			}
			if rises := report.Rises(); len(rises) > 0 {
				return fmt.Errorf("merging raises the peak:\n  %s", strings.Join(rises, "\n  "))
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringSliceVar(&sets, "set", []string{"small"}, "data sets of the suite's programs: tiny, small, medium, large")
	f.StringArrayVar(&configs, "config", bench.DefaultConfigs, "configurations; the others are compared with the first")
	lower.addHeap(c)
	f.StringSliceVar(&opt.Allocators, "allocator", []string{runtime.DefaultAllocator}, "allocators, each runs every configuration: "+strings.Join(pool.Policies, ", "))
	f.StringVar(&opt.Device, "device", "", "a device's number or part of its name")
	f.StringVar(&limit, "memory-limit", "", "bound on device memory, such as 512M")
	lower.add(c)
	f.IntVar(&opt.Runs, "runs", 10, "the number of runs that count")
	f.IntVar(&opt.Warmup, "warmup", 1, "the number of runs before them, besides the one that is checked")
	f.DurationVar(&opt.MaxTime, "max-time", time.Minute, "start no more runs after this long, per program and data set; 0: no bound")
	f.DurationVar(&opt.TotalTime, "total-time", 0, "begin no further program and data set after this long; 0: no bound")
	f.StringVar(&jsonPath, "json", "", "write the report as JSON to this file")
	f.StringVarP(&out, "output", "o", "-", "where to write the table")
	c.AddCommand(a.benchListCommand(), a.benchCompareCommand(), a.benchReportCommand(),
		a.benchAllocCommand(), a.benchCCommand(), a.benchMemoryCommand(), a.benchLedgerCommand(), a.benchReuseCommand(), a.benchRooflineCommand(), a.benchDevicesCommand())
	return c
}

// configNames splits lists of names at commas; NAME=PASS,PASS stays whole.
func configNames(texts []string) []string {
	var names []string
	for _, t := range texts {
		if strings.Contains(t, "=") {
			names = append(names, t)
			continue
		}
		names = append(names, strings.Split(t, ",")...)
	}
	return names
}

// benchProgress tells on a terminal what runs, and otherwise what is done.
func (a *app) benchProgress() func(bench.Progress) {
	if !isTerminal(a.stderr) {
		return func(p bench.Progress) {
			if p.Finished {
				fmt.Fprintf(a.stderr, "memc: %d of %d: %s, %s\n", p.Done, p.Total, p.Program, p.Set)
			}
		}
	}
	return func(p bench.Progress) {
		fmt.Fprint(a.stderr, "\r\x1b[K")
		if p.Finished && p.Done == p.Total {
			return
		}
		what := "compiling"
		if p.Run > 0 {
			what = fmt.Sprintf("run %d of %d", p.Run, p.Runs)
		}
		fmt.Fprintf(a.stderr, "%d of %d: %s, %s, %s: %s", p.Done+1, p.Total, p.Program, p.Set, p.Config, what)
	}
}

func (a *app) benchCompareCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "compare BEFORE.json AFTER.json",
		Short:   "compare two reports of benchmarks",
		Example: "  memc bench compare before.json after.json",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef(c, "expected two reports")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var reports [2]*bench.Report
			for i, path := range args {
				var err error
				if reports[i], err = benchdoc.ReadReport(path); err != nil {
					return err
				}
			}
			return a.writeOutput(out, func(w io.Writer) error {
				return bench.WriteChanges(w, bench.Compare(reports[0], reports[1]))
			})
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the table")
	return c
}
