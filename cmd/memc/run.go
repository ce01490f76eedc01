package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/run/profile"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/memtrace"
)

func (a *app) runCommand() *cobra.Command {
	flags := pipelineFlags{warn: true}
	var lower lowerFlags
	var stats statsFlag
	var run driver.RunOptions
	var entry, limit, trace string
	var argFlags, outFlags []string
	var binary, profiled, spread bool
	c := &cobra.Command{
		Use:   "run [flags] FILE|-",
		Short: "compile a program and run it on OpenCL or the built-in interpreter",
		Long: `run compiles a program in memory and runs one of its entries. --arg gives an argument by
name; the others come in order from standard input, in Futhark's text or binary format.
Results go to standard output, or to files with --out.

A file of an argument has text, binary, a .npy array, or a PNG picture (8-bit grey,
[h][w]u8). Without --device run takes the first GPU, or else the first OpenCL device. If
there is none, it runs the program as C on the processors, and without a C compiler on
the interpreter.

--device=0,1 takes several devices: the first runs the program, and blocks that it has no
room for move to the others, or to the host, and come back when they are needed (--evict
does that with one device). --spread runs the entry once for each line of standard input,
and each device takes the next line when it is free (docs/devices.md).`,
		Example: `  memc run examples/canny.ir --arg img=@photo.png --out edges=@edges.png --stats
  memc run --profile examples/canny.ir --arg img=@photo.png --out edges=@edges.png
  echo '[3u32, 1u32, 2u32]' | memc run --device=interp examples/radix-sort.ir
  memc run --device=0,1 --spread sum.ir < inputs.txt       # one call a line, on two GPUs
  memc run --evict --memory-limit=512M --stats big.ir < data.bin`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if err := stats.check(c); err != nil {
				return err
			}
			if limit != "" {
				n, err := parseBytes(limit)
				if err != nil {
					return usagef(c, "--memory-limit=%s: %v", limit, err)
				}
				run.MemoryLimit = n
			}
			several := run.Evict || strings.Contains(run.Device, ",")
			if err := checkAllocator(c, run.Allocator); err != nil {
				return err
			}
			if err := checkTrace(c, trace, run.Device, several); err != nil {
				return err
			}
			var err error
			if run.Lower, err = lower.optionsOf(c, args[0]); err != nil {
				return err
			}
			if run.Evict && onProcessors(run.Device) {
				return usagef(c, "--evict needs an OpenCL device")
			}
			var prof profile.Profile
			if profiled {
				if onProcessors(run.Device) {
					return usagef(c, "--profile needs an OpenCL device")
				}
				run.Profile = prof.Add
			}
			p, _, err := flags.run(a, c, args[0])
			if err != nil {
				return err
			}
			f, err := findEntry(p, entry)
			if err != nil {
				return err
			}
			outs, err := parseOuts(c, f, outFlags)
			if err != nil {
				return err
			}
			if run.Device != "" && !onProcessors(run.Device) { // before the input is waited for
				if _, err := runtime.Find(run.Device); err != nil {
					return err
				}
			}
			if spread {
				return a.spread(c, p, f, outFlags, argFlags, binary, stats, trace, run)
			}
			values, err := a.readArgs(c, f, argFlags)
			if err != nil {
				return err
			}
			shown := a.startProgress()
			defer shown.end()
			run.Step = func(step string) { shown.begin(step, time.Now()) }
			run.Note = func(msg string) { fmt.Fprintf(a.stderr, "memc: %s\n", msg) }
			var results []value.Value
			var st runtime.Stats
			err = a.tracing(trace, func(sink memtrace.Sink) (err error) {
				run.Trace = sink
				if profiled && several {
					run.Trace = prof.Moves(sink)
				}
				results, st, err = driver.Run(p, f.Name, values, run)
				return err
			})
			shown.begin("", time.Now())
			if err != nil {
				return err
			}
			if err := a.writeResults(f, outs, results, binary); err != nil {
				return err
			}
			stats.write(a.stderr, st)
			if profiled {
				first, _, _ := strings.Cut(run.Device, ",")
				rate, err := profile.DeviceCopyRate(first)
				if err != nil {
					return err
				}
				return prof.Write(a.stderr, rate)
			}
			return nil
		},
	}
	flags.add(c)
	stats.add(c)
	c.Flags().StringArrayVar(&argFlags, "arg", nil, "NAME=VALUE or NAME=@FILE: an argument by name")
	c.Flags().StringArrayVar(&outFlags, "out", nil, "NAME=@FILE: write a result to a file (.npy, .png, or text)")
	c.Flags().StringVar(&run.Device, "device", "", "a device's number or part of its name, or several with commas; c (compiled for the processors), interp, or interp-memory")
	c.Flags().BoolVar(&run.Evict, "evict", false, "where the device is full, move blocks to the host, and back when they are needed")
	c.Flags().BoolVar(&spread, "spread", false, "run the entry once for each line of standard input, on all devices of --device at once")
	c.Flags().IntVar(&run.Threads, "threads", 0, "with --device=c: the number of threads (default: as the environment says)")
	c.Flags().StringVarP(&entry, "entry", "e", "", "the entry to run (the only one, or main)")
	c.Flags().BoolVarP(&binary, "binary", "b", false, "write results in Futhark's binary format")
	lower.add(c)
	c.Flags().BoolVar(&profiled, "profile", false, "tell how long each kernel ran on the device, the bytes it moved at least, and its share of the device's copy")
	c.Flags().StringVar(&limit, "memory-limit", "", "bound on device memory (or an interpreter's), such as 512M")
	addAllocator(c, &run.Allocator)
	lower.addHeap(c)
	c.Flags().StringVar(&trace, "trace", "", "write every allocation to a file: .csv (for memc replay) or .json (for charts); .svg: a picture of what several devices did")
	return c
}

// spread runs the entry once for each line of standard input.
func (a *app) spread(c *cobra.Command, p *ir.Program, f *ir.Func, outs, args []string, binary bool, stats statsFlag, trace string, run driver.RunOptions) error {
	switch {
	case onProcessors(run.Device):
		return usagef(c, "--spread needs OpenCL devices")
	case len(outs) > 0:
		return usagef(c, "--spread writes the results of all calls to standard output; leave --out away")
	case run.Profile != nil:
		return usagef(c, "--profile watches one call; leave --spread away")
	}
	next, err := a.eachLine(c, f, args)
	if err != nil {
		return err
	}
	var st runtime.Stats
	err = a.tracing(trace, func(sink memtrace.Sink) (err error) {
		run.Trace = sink
		st, err = driver.Spread(p, f.Name, next, func(results []value.Value) error {
			return a.writeResults(f, nil, results, binary)
		}, run)
		return err
	})
	if err != nil {
		return err
	}
	stats.write(a.stderr, st)
	return nil
}

// onProcessors tells whether that device runs no OpenCL.
func onProcessors(device string) bool {
	return device == driver.Processors || device == driver.Interp || device == driver.InterpMemory
}

// findEntry finds the entry to run: the named one, the only one, or main.
func findEntry(p *ir.Program, name string) (*ir.Func, error) {
	var names []string
	for _, f := range p.Funcs {
		if f.Entry {
			names = append(names, f.Name)
		}
	}
	want := name
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("%s has no entry; write `entry` instead of `fun`", p.File.Name)
	case name == "" && len(names) == 1:
		want = names[0]
	case name == "":
		want = "main"
	}
	if f := p.EntryNamed(want); f != nil {
		return f, nil
	}
	if near := diag.Nearest(want, names); near != "" {
		return nil, fmt.Errorf("%s has no entry %q (did you mean %q?)", p.File.Name, want, near)
	}
	return nil, fmt.Errorf("%s has no entry %q; choose with --entry among %s", p.File.Name, want, strings.Join(names, ", "))
}

// parseBytes reads a size such as 512M, with K, M, G as powers of 1024.
func parseBytes(s string) (int64, error) {
	var n int64
	var unit string
	if k, _ := fmt.Sscanf(s, "%d%s", &n, &unit); k == 0 || n <= 0 {
		return 0, fmt.Errorf("expected a number of bytes above 0, such as 512M")
	}
	shift, ok := map[string]int{"": 0, "K": 10, "M": 20, "G": 30, "T": 40}[strings.TrimSuffix(strings.TrimSuffix(strings.ToUpper(unit), "B"), "I")]
	if !ok || n > (1<<62)>>shift {
		return 0, fmt.Errorf("expected a number of bytes above 0, such as 512M")
	}
	return n << shift, nil
}
