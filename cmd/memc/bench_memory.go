package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/bench/membench"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/pool"
)

func (a *app) benchMemoryCommand() *cobra.Command {
	var device, out string
	var calls int
	c := &cobra.Command{
		Use:   "memory [flags] [FILE]...",
		Short: "measure the allocators: cost of a block, programs, traces",
		Long: `memory prints four tables:

  the cost of a block for every allocator and size, in nanoseconds: a hit and a free
  in a program, the decision alone, and a miss, for which the driver makes a buffer;
  the programs (examples/*.ir), called many times with every allocator, in turns;
  the traces of these programs, replayed, two calls each;
  traces that are designed to be hard.

"held/asked" is the peak of the bytes in the driver's buffers, divided by the peak of
the bytes requested.`,
		Example: `  memc bench memory
  memc bench memory --device=H200 --calls=20 examples/canny.ir -o memory.txt`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if calls < 2 {
				return usagef(c, "--calls must be at least 2")
			}
			if len(args) == 0 {
				args, _ = filepath.Glob("examples/*.ir") // the pattern is right
			}
			var programs []membench.Program
			for _, path := range args {
				p, err := memoryProgram(path)
				if err != nil {
					return err
				}
				programs = append(programs, p)
			}
			return a.writeOutputs(result{path: out, write: func(w io.Writer) error { return a.benchMemory(w, device, programs, calls) }})
		},
	}
	c.Flags().StringVar(&device, "device", "", "a device's number or part of its name")
	c.Flags().IntVar(&calls, "calls", 100, "how often each program is called")
	c.Flags().StringVarP(&out, "output", "o", "-", "where to write the tables")
	return c
}

// memoryProgram compiles a program and chooses its entry.
func memoryProgram(path string) (membench.Program, error) {
	name := strings.TrimSuffix(filepath.Base(path), ".ir")
	src, err := driver.ReadSource(path)
	if err != nil {
		return membench.Program{}, err
	}
	passes, err := pipeline.Parse(pipeline.Default())
	if err != nil {
		return membench.Program{}, err
	}
	p, _, err := driver.Explicit(src, passes, pipeline.Options{})
	if err != nil {
		return membench.Program{}, err
	}
	f, err := findEntry(p, "")
	if err != nil {
		return membench.Program{}, err
	}
	low, err := driver.Lower(p, imp.Options{})
	return membench.Program{Name: name, Low: low, Entry: f}, err
}

func (a *app) benchMemory(w io.Writer, device string, programs []membench.Program, calls int) error {
	costs, err := membench.Costs(device, membench.Sizes)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "A block, in nanoseconds:")
	if err := membench.WriteCosts(w, costs); err != nil {
		return err
	}
	var runs []membench.Run
	var traces []membench.Trace
	for _, p := range programs {
		fmt.Fprintf(a.stderr, "memc: %s, %d calls under each allocator\n", p.Name, calls)
		r, trace, err := membench.Calls(p, device, calls)
		if failed := new(diag.Diagnostic); errors.As(err, &failed) {
			fmt.Fprintf(a.stderr, "memc: %s is left out: with random arguments, %s\n", p.Name, failed.Msg)
			continue
		}
		if err != nil {
			return err
		}
		runs, traces = append(runs, r...), append(traces, trace)
	}
	fmt.Fprintf(w, "\nPrograms, %d calls:\n", calls)
	if err := membench.WriteRuns(w, runs); err != nil {
		return err
	}
	for _, t := range append(traces, membench.Adversarial()...) {
		var results []memtrace.Result
		for _, name := range pool.Policies {
			policy, err := pool.ParsePolicy(name)
			if err != nil {
				return err
			}
			r, err := memtrace.Replay(t.Events, pool.Options{Policy: policy})
			if err != nil {
				return err
			}
			results = append(results, r)
		}
		fmt.Fprintf(w, "\nTrace: %s\n", t.Name)
		if err := memtrace.WriteTable(w, results); err != nil {
			return err
		}
	}
	return nil
}
