package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/run/profile"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/memtrace"
)

// A runVerb is memc run with its flags.
type runVerb struct {
	*app
	c                   *cobra.Command
	flags               pipelineFlags
	lower               lowerFlags
	stats               statsFlag
	opt                 driver.RunOptions
	entry, limit, trace string
	args, outs          []string
	binary, spread      bool
	profiled            formatFlag
	prof                profile.Profile
}

func (a *app) runCommand() *cobra.Command {
	r := &runVerb{app: a, flags: pipelineFlags{warn: true}}
	c := &cobra.Command{
		Use:   "run [flags] FILE|-",
		Short: "compile a program and run it on OpenCL, as C, or on the interpreter",
		Long: `run compiles a program in memory and runs one of its entries. --arg sets an argument by
name; run reads the others in order from standard input, in Futhark's text or binary format.
It writes results to standard output, or to files with --out.

An argument file may have text, binary, a .npy array, or a PNG picture (8-bit grey,
[h][w]u8). Without --device, run uses the first GPU, or else the first OpenCL device.
If there is none, it runs the program as C on the CPU, and without a C compiler on the
interpreter.

--device=0,1 uses several devices: the first runs the program, and blocks that do not fit
move to the others, or to the host, and come back when they are needed (--evict does this
with one device). --spread runs the entry once for each line of standard input; each device
takes the next line when it is free (docs/devices.md).`,
		Example: `  memc run examples/canny.ir --arg img=@photo.png --out edges=@edges.png --stats
  memc run --profile examples/canny.ir --arg img=@photo.png --out edges=@edges.png
  echo '[3u32, 1u32, 2u32]' | memc run --device=interp examples/radix-sort.ir
  memc run --device=0,1 --spread sum.ir < inputs.txt       # one call per line, on two GPUs
  memc run --evict --memory-limit=512M --stats big.ir < data.bin`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return r.run(args[0]) },
	}
	r.c = c
	r.flags.add(c)
	r.stats.add(c)
	c.Flags().StringArrayVar(&r.args, "arg", nil, "NAME=VALUE or NAME=@FILE: an argument by name")
	c.Flags().StringArrayVar(&r.outs, "out", nil, "NAME=@FILE: write a result to a file (.npy, .png, or text)")
	c.Flags().StringVar(&r.opt.Device, "device", "", "a device's number or part of its name, or a comma-separated list; c (C on the CPU), interp, or interp-memory. On a CPU the default of --passes is middle,processors")
	c.Flags().BoolVar(&r.opt.Evict, "evict", false, "if the device is full, move blocks to the host, and back when they are needed")
	c.Flags().BoolVar(&r.spread, "spread", false, "run the entry once for each line of standard input, on all devices of --device at once")
	c.Flags().IntVar(&r.opt.Threads, "threads", 0, "with --device=c: the number of threads (default: OMP_NUM_THREADS, or all processors)")
	c.Flags().StringVarP(&r.entry, "entry", "e", "", "the entry to run (default: the only one, or main)")
	c.Flags().BoolVarP(&r.binary, "binary", "b", false, "write results in Futhark's binary format")
	r.lower.add(c)
	r.profiled.add(c, "profile", "print how long each kernel ran on the device, the bytes that it may have touched, and its speed compared with a device copy")
	c.Flags().StringVar(&r.limit, "memory-limit", "", "bound on device memory (or an interpreter's), such as 512M")
	addAllocator(c, &r.opt.Allocator)
	r.lower.addHeap(c)
	c.Flags().StringVar(&r.trace, "trace", "", "write every allocation to a file: .csv (for memc replay) or .json (for charts); .svg: a picture of several devices' work")
	return c
}

// mostThreads bounds --threads as the compiled program does (codegen/opencl/c/main.c).
const mostThreads = 4096

// several reports whether blocks may leave the device.
func (r *runVerb) several() bool { return r.opt.Evict || strings.Contains(r.opt.Device, ",") }

// check refuses flags that do not go together, before anything is read.
func (r *runVerb) check(file string) (err error) {
	if err := errors.Join(r.stats.check(r.c), r.profiled.check(r.c, "profile")); err != nil {
		return err
	}
	if r.limit != "" {
		if r.opt.MemoryLimit, err = parseBytes(r.limit); err != nil {
			return usagef(r.c, "--memory-limit=%s: %v", r.limit, err)
		}
	}
	if r.opt.Threads < 0 || r.opt.Threads > mostThreads {
		return usagef(r.c, "--threads=%d: expected a number from 1 to %d", r.opt.Threads, mostThreads)
	}
	if err := checkAllocator(r.c, r.opt.Allocator); err != nil {
		return err
	}
	if err := checkTrace(r.c, r.trace, r.opt.Device, r.several()); err != nil {
		return err
	}
	if r.opt.Lower, err = r.lower.optionsOf(r.c, file); err != nil {
		return err
	}
	if !onProcessors(r.opt.Device) {
		return nil
	}
	if r.opt.Evict {
		return usagef(r.c, "--evict needs an OpenCL device")
	}
	if r.profiled != "" {
		return usagef(r.c, "--profile needs an OpenCL device")
	}
	return nil
}

func (r *runVerb) run(file string) error {
	if err := r.check(file); err != nil {
		return err
	}
	r.flags.processors = driver.OnProcessors(r.opt.Device)
	p, _, err := r.flags.run(r.app, r.c, file)
	if err != nil {
		return err
	}
	f, err := findEntry(p, r.entry)
	if err != nil {
		return err
	}
	outs, err := parseOuts(r.c, f, r.flags.results[f.Name], r.outs)
	if err != nil {
		return err
	}
	if r.opt.Device != "" && !onProcessors(r.opt.Device) { // before the input is waited for
		if _, err := runtime.Find(r.opt.Device); err != nil {
			return err
		}
	}
	if r.spread {
		return r.runEach(p, f)
	}
	return r.runOnce(p, f, outs)
}

// runOnce calls the entry once.
func (r *runVerb) runOnce(p *ir.Program, f *ir.Func, outs map[int]string) error {
	values, err := r.readArgs(r.c, f, r.args)
	if err != nil {
		return err
	}
	shown := r.startProgress()
	defer shown.end()
	opt := r.opt
	opt.Step = func(step string) { shown.begin(step, time.Now()) }
	opt.Note = func(msg string) { fmt.Fprintf(r.stderr, "memc: %s\n", msg) }
	if r.profiled != "" {
		opt.Profile = r.prof.Add
	}
	var results []value.Value
	var st runtime.Stats
	err = r.tracing(r.trace, func(sink memtrace.Sink) (err error) {
		opt.Trace = sink
		if r.profiled != "" && r.several() {
			opt.Trace = r.prof.Moves(sink)
		}
		results, st, err = driver.Run(p, f.Name, values, opt)
		return err
	})
	shown.begin("", time.Now())
	if err != nil {
		return err
	}
	if err := r.writeResults(f, r.flags.results[f.Name], outs, results, r.binary); err != nil {
		return err
	}
	r.stats.write(r.stderr, st)
	if r.profiled == "" {
		return nil
	}
	first, _, _ := strings.Cut(r.opt.Device, ",")
	rate, err := profile.DeviceCopyRate(first)
	if err != nil {
		return err
	}
	if r.profiled == "json" {
		return r.prof.WriteJSON(r.stderr, rate)
	}
	return r.prof.Write(r.stderr, rate)
}

// runEach calls the entry once for each line of standard input.
func (r *runVerb) runEach(p *ir.Program, f *ir.Func) error {
	switch {
	case onProcessors(r.opt.Device):
		return usagef(r.c, "--spread needs OpenCL devices")
	case len(r.outs) > 0:
		return usagef(r.c, "--spread writes the results of all calls to standard output; leave --out away")
	case r.profiled != "":
		return usagef(r.c, "--profile measures one call; leave --spread away")
	}
	next, err := r.eachLine(r.c, f, r.args)
	if err != nil {
		return err
	}
	var st runtime.Stats
	opt := r.opt
	err = r.tracing(r.trace, func(sink memtrace.Sink) (err error) {
		opt.Trace = sink
		st, err = driver.Spread(p, f.Name, next, func(results []value.Value) error {
			return r.writeResults(f, nil, nil, results, r.binary)
		}, opt)
		return err
	})
	if err != nil {
		return err
	}
	r.stats.write(r.stderr, st)
	return nil
}

// onProcessors reports whether that device runs no OpenCL.
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
		return nil, codedf(diag.NoEntry, "%s has no entry; write `entry` instead of `fun`", p.File.Name)
	case name == "" && len(names) == 1:
		want = names[0]
	case name == "":
		want = "main"
	}
	if f := p.EntryNamed(want); f != nil {
		return f, nil
	}
	if near := diag.Nearest(want, names); near != "" {
		return nil, codedf(diag.NoEntry, "%s has no entry %q (did you mean %q?)", p.File.Name, want, near)
	}
	return nil, codedf(diag.NoEntry, "%s has no entry %q; choose with --entry among %s", p.File.Name, want, strings.Join(names, ", "))
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
