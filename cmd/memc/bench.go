package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/benchmarks"
	"github.com/memc-lang/memc/internal/bench"
	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/internal/driver"
	"github.com/memc-lang/memc/internal/filetest"
	"github.com/memc-lang/memc/internal/value"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/pool"
)

// benchCommand measures programs. Its subcommands measure parts of memc, each in a
// file of its own (bench_*.go).
func (a *app) benchCommand() *cobra.Command {
	var opt bench.Options
	var sets, configs []string
	var jsonPath, out, limit string
	c := &cobra.Command{
		Use:   "bench [flags] [PROGRAM|FILE]...",
		Short: "measure memory, copies and time of programs under several pipelines",
		Long: `bench runs programs of the suite (memc bench list; without a name all of them)
on generated data, or a file's own test inputs. Each is compiled in every
configuration: none (explicit only), coalesce, reuse, both, or NAME=PASS,PASS of your
own; all must give the same results. Then the configurations take turns, and times
are medians without transfers. The table goes to standard output; --json writes what
memc bench compare and Futhark's tools read.`,
		Example: `  memc bench nw lud --set=small --config=none,both --json=after.json
  memc bench compare before.json after.json`,
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
			results := []result{{out, report.WriteTable}}
			if jsonPath != "" {
				results = append(results, result{jsonPath, report.WriteJSON})
			}
			if err := a.writeOutputs(results...); err != nil {
				return err
			}
			if n := report.Failed(); n > 0 {
				return fmt.Errorf("%d of %d measurements failed (the table says why)", n, len(report.Outcomes))
			}
			return nil
		},
	}
	f := c.Flags()
	f.StringSliceVar(&sets, "set", []string{"small"}, "data sets of the suite's programs: tiny, small, medium, large")
	f.StringArrayVar(&configs, "config", bench.ConfigNames, "configurations, the first is what the others are held against")
	f.StringSliceVar(&opt.Allocators, "allocator", []string{runtime.DefaultAllocator}, "allocators, each runs every configuration: "+strings.Join(pool.Policies, ", "))
	f.StringVar(&opt.Device, "device", "", "a device's number or part of its name")
	f.StringVar(&limit, "memory-limit", "", "bound on device memory, such as 512M")
	f.BoolVar(&opt.Unsafe, "unsafe", false, "leave bounds checks out")
	f.IntVar(&opt.Runs, "runs", 10, "runs that count")
	f.IntVar(&opt.Warmup, "warmup", 1, "runs before, besides the one that is checked")
	f.DurationVar(&opt.MaxTime, "max-time", time.Minute, "start no more runs after this long, per program and data set; 0: no bound")
	f.StringVar(&jsonPath, "json", "", "write the report as JSON to this file")
	f.StringVarP(&out, "output", "o", "-", "where to write the table")
	c.AddCommand(a.benchListCommand(), a.benchCompareCommand(),
		a.benchAllocCommand(), a.benchMemoryCommand(), a.benchReuseCommand())
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

// benchPrograms finds programs of the suite by name, and files.
func benchPrograms(c *cobra.Command, args, sets []string) ([]bench.Program, error) {
	var known []string
	for _, b := range benchmarks.All() {
		known = append(known, b.Name)
	}
	if len(args) == 0 {
		args = known
	}
	var programs []bench.Program
	for _, arg := range args {
		b, ok := benchmarks.Lookup(strings.TrimSuffix(filepath.Base(arg), ".ir"))
		var file *diag.File
		switch {
		case ok && arg == b.Name:
			file = diag.NewFile(b.Path(), b.Source())
		case strings.HasSuffix(arg, ".ir"): // perhaps of the suite, and edited
			f, err := driver.ReadSource(arg)
			if err != nil {
				return nil, err
			}
			file = f
		default:
			return nil, usagef(c, "the suite has no program %q%s; memc bench list names them", arg, didYouMean(arg, known))
		}
		p := bench.Program{Name: file.Name, File: file, Entry: "main"}
		if !ok {
			own, err := ownSets(p)
			if err != nil {
				return nil, err
			}
			programs = append(programs, own...)
			continue
		}
		for _, name := range sets {
			s, ok := b.Set(name)
			if !ok {
				return nil, usagef(c, "--set: %s has no data set %q (tiny, small, medium, large)", b.Name, name)
			}
			p.Sets = append(p.Sets, bench.Set{Name: name, Args: func(*ir.Func) ([]value.Value, error) { return s.Args(), nil }})
		}
		programs = append(programs, p)
	}
	return programs, nil
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
		return nil, fmt.Errorf("%s has no test inputs to run on (docs/ir.md tells how to write them)", p.File.Name)
	}
	return programs, nil
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

func (a *app) benchCompareCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "compare BEFORE.json AFTER.json",
		Short:   "hold two reports of benchmarks against each other",
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
				f, err := os.Open(path)
				if err != nil {
					return err
				}
				reports[i], err = bench.ReadJSON(f)
				f.Close()
				if err != nil {
					return fmt.Errorf("%s: %w", path, err)
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
