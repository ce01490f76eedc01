package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

func (a *app) fuzzCommand() *cobra.Command {
	var opt difftest.FuzzOptions
	var share, shareC, keep, passes string
	var out []string
	var reduceFor time.Duration
	var traits []string
	for _, t := range progen.Traits {
		traits = append(traits, t.Name)
	}
	c := &cobra.Command{
		Use:   "fuzz [flags]",
		Short: "run random programs in several ways and compare the results",
		Long: `fuzz generates random valid programs, each from a seed. It runs each program with several
inputs: by value, by memory after every pass, after printing and parsing, and a share of the
programs on OpenCL (docs/testing.md). Every second one of these divides its work as for a GPU.
After every pass the static memory checker must find no error, and the program without its
memory must be the same as before.

fuzz prints how many programs ran and how long they took, which constructs they had, and
how often each pass made a rewrite and each condition refused one. Programs run in separate
processes, -j at a time, so a driver that aborts fails only one program. fuzz reduces a
failing program and keeps it as a .ir file with a test block; the exit code is then 70.
An interrupt prints the tables and ends the run; the exit code is then 130, unless a program
failed.`,
		Example: `  memc fuzz --n 1000
  memc fuzz --time 10m --seed 1 --opencl 1/10 --keep out/fuzz`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var err error
			if opt.Every, err = parseShare(share); err != nil {
				return usagef(c, "--opencl=%s: %v", share, err)
			}
			if opt.EveryC, err = parseShare(shareC); err != nil {
				return usagef(c, "--c=%s: %v", shareC, err)
			}
			if opt.N < 0 || opt.Time < 0 {
				return usagef(c, "--n and --time must not be negative")
			}
			switch {
			case opt.N == 0 && c.Flags().Changed("n"):
				opt.N = -1
			case opt.N == 0 && opt.Time == 0:
				opt.N = 1000
			}
			if len(opt.CC) == 0 {
				opt.CC = slices.DeleteFunc([]string{"gcc", "clang"}, func(name string) bool {
					_, err := exec.LookPath(name)
					return err != nil
				})
			}
			if len(opt.CC) == 0 {
				opt.CC = []string{"cc"}
			}
			if passes != "" {
				if opt.Passes, err = pipeline.Parse(passes); err != nil {
					return usagef(c, "--passes: %v", err)
				}
			}
			for _, t := range opt.Without {
				if !slices.Contains(traits, t) {
					return usagef(c, "--without=%s: expected some of %s", t, strings.Join(traits, ", "))
				}
			}
			for _, path := range out {
				if ext := filepath.Ext(path); ext != ".json" && ext != ".md" {
					return usagef(c, "--out=%s: expected a name that ends in .json or .md", path)
				}
			}
			return a.fuzz(opt, keep, reduceFor, out)
		},
	}
	f := c.Flags()
	f.IntVar(&opt.N, "n", 0, "the number of programs (default 1000, or as many as --time allows; 0: none)")
	f.DurationVar(&opt.Time, "time", 0, "how long to run, such as 1m")
	f.Int64Var(&opt.Seed, "seed", 0, "the seed of the first program; the next programs use the next seeds")
	f.IntVar(&opt.Size, "size", 0, "the approximate number of statements of a program (default: chosen by the seed)")
	f.StringSliceVar(&opt.Without, "without", nil, "traits that no program has: "+strings.Join(traits, ", "))
	f.StringVar(&share, "opencl", "1/10", "the share of programs that also run on OpenCL; 0: none")
	f.StringVar(&shareC, "c", "0", "the share of programs that also run as C, compiled by one of --cc at a level from -O0 to -O3; 0: none")
	f.StringSliceVar(&opt.CC, "cc", nil, "C compilers (default: those of gcc and clang that are installed, or cc)")
	f.IntVar(&opt.Pipelines, "pipelines", 3, "one seed in N runs through a random pipeline; 0: none")
	f.IntVar(&opt.Shared, "shared", 4, "one seed in N starts with shared blocks; 0: none")
	f.IntVar(&opt.Twice, "twice", 7, "one seed in N runs through the default pipeline twice; 0: none")
	f.IntVar(&opt.ByHand, "by-hand", 5, "one seed in N has places like handwritten ones, right or wrong; 0: none")
	f.StringArrayVar(&opt.Devices, "device", nil, "a device's number or part of its name; repeated: workers take turns")
	f.IntVarP(&opt.Jobs, "jobs", "j", 0, "the number of processes that run programs (default: the number of processors)")
	f.IntVar(&opt.MaxFailures, "max-failures", 10, "stop after N failures; 0: never")
	f.StringVar(&keep, "keep", "out/fuzz", "the folder for failures")
	f.DurationVar(&reduceFor, "reduce", 2*time.Minute, "how long to reduce each failure")
	f.StringVar(&passes, "passes", "", "the passes to run, in place of the default ones")
	f.StringArrayVar(&out, "out", nil, "write the tables to a file, .md or .json; may be repeated")
	return c
}

// fuzzWorkerCommand is what fuzz starts once per job.
func (a *app) fuzzWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    fuzzWorker,
		Short:  "run programs for memc fuzz, which sends their seeds on standard input",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			// An interrupt is for the whole group; the parent ends its workers.
			signal.Ignore(os.Interrupt, syscall.SIGTERM)
			rareCollections()
			limitMemory()
			return difftest.Serve(a.stdin, a.stdout)
		},
	}
}

// limitMemory bounds what a worker may hold, where the system can do that: a program that
// needs more has failed.
var limitMemory = func() {}

const fuzzWorker = "fuzz-worker"

// newFuzzWorker returns the command of one worker: this program again.
func newFuzzWorker() (func() *exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return func() *exec.Cmd {
		c := exec.Command(self, fuzzWorker)
		c.Args[0] = os.Args[0]
		if os.Getenv("GOMAXPROCS") == "" {
			c.Env = append(os.Environ(), "GOMAXPROCS=1") // there are as many processes as processors
		}
		return c
	}, nil
}

// parseShare reads 1/10 as 10, 0 as none.
func parseShare(s string) (every int, err error) {
	if s == "0" {
		return 0, nil
	}
	one, rest, found := strings.Cut(s, "/")
	if !found {
		rest = "1"
	}
	every, err = strconv.Atoi(rest)
	if err != nil || one != "1" || every < 1 {
		return 0, fmt.Errorf("expected 0, 1 or a share such as 1/10")
	}
	return every, nil
}

// fuzz runs, prints the tables and then reduces what failed: the tables are there
// though the reduction be cut off.
func (a *app) fuzz(opt difftest.FuzzOptions, keep string, reduceFor time.Duration, out []string) error {
	ctx, stop := interruptible()
	defer stop()
	opt.Context = ctx
	rareCollections() // for the reducer
	var err error
	if opt.Worker, err = newFuzzWorker(); err != nil {
		return err
	}
	terminal := isTerminal(a.stderr)
	var told time.Time
	opt.Progress = func(s *difftest.Summary) {
		line := fmt.Sprintf("%d programs, %d on OpenCL, %d failed, %.0f s", s.Programs, s.OnOpenCL, len(s.Failures), s.Time.Seconds())
		switch {
		case terminal:
			fmt.Fprintf(a.stderr, "\r%s", line)
		case time.Since(told) > 20*time.Second:
			told = time.Now()
			fmt.Fprintln(a.stderr, line)
		}
	}
	var lost error
	opt.Failed = func(f *difftest.Found) {
		if err := writeFailure(f, f.Subject, keep); err != nil && lost == nil {
			lost = err
		}
	}
	sum, err := difftest.Fuzz(opt)
	if terminal {
		fmt.Fprint(a.stderr, "\r\x1b[K")
	}
	if err != nil {
		return err
	}
	sum.Write(a.stdout)
	writeNotes(a.stdout, "cannot be proven by the static checker", sum.Unproven)
	writeNotes(a.stdout, "refused as a known limitation", sum.Limited)
	for k := range sum.Failures {
		f := &sum.Failures[k]
		fmt.Fprintf(a.stdout, "FAIL seed %d: %s\n  kept in %s\n", f.Seed, firstLine(f.Failure.Error()), failurePath(f, keep))
	}
	fmt.Fprintln(a.stdout, sum.Line())
	for _, path := range out {
		err := a.writeOutput(path, func(w io.Writer) error {
			if filepath.Ext(path) == ".json" {
				return sum.JSON(w)
			}
			sum.Markdown(w)
			return nil
		})
		if err != nil {
			return err
		}
	}
	if lost != nil {
		return lost
	}
	for k := range sum.Failures {
		if err := a.reduceFailure(ctx, &sum.Failures[k], keep, opt.Devices, reduceFor); err != nil {
			return err
		}
	}
	switch {
	case len(sum.Failures) > 0:
		return exitCode(a.bugHint(diag.ExitBug))
	case ctx.Err() != nil:
		return interrupted
	}
	return nil
}

// interrupted is the exit code of what was stopped by a signal, as shells have it.
const interrupted = exitCode(130)

// interruptible returns a context that an interrupt or SIGTERM ends. A second one ends the
// process.
func interruptible() (ctx context.Context, stop func()) {
	ctx, stop = signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// reduceFailure makes what failed small, and writes it over what was kept.
func (a *app) reduceFailure(stop context.Context, f *difftest.Found, dir string, devices []string, limit time.Duration) error {
	if f.Failure.Stage == difftest.StageProcess {
		fmt.Fprintf(a.stdout, "seed %d not reduced: it would end this process, too\n", f.Seed)
		return nil
	}
	if stop.Err() != nil {
		return nil
	}
	opt := f.Options
	if f.OpenCL {
		device := ""
		if len(devices) > 0 {
			device = devices[0]
		}
		ctx, err := runtime.Open(device, runtime.Options{LikeGPU: f.LikeGPU})
		if err != nil {
			return err
		}
		defer func() {
			if stop.Err() == nil { // else something may still run there
				ctx.Close()
			}
		}()
		opt.Context = ctx
	}
	small := a.reduce(stop, f.Subject, difftest.Same(f.Failure, opt), difftest.ReduceOptions{Time: limit})
	fmt.Fprintf(a.stdout, "seed %d reduced\n", f.Seed)
	return writeFailure(f, small, dir)
}

func failurePath(f *difftest.Found, dir string) string {
	return filepath.Join(dir, fmt.Sprintf("seed-%d.ir", f.Seed))
}

// writeFailure writes a program that failed as a test.
func writeFailure(f *difftest.Found, s *difftest.Subject, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	msg := f.Failure.Error()
	switch f.Failure.Stage {
	case difftest.StageProcess, difftest.StageLower: // what a driver said is all that there is
	default:
		msg = firstLine(msg)
	}
	what := fmt.Sprintf("Found by `memc fuzz --seed %d --n 1`.\n%s", f.Seed, msg)
	if f.Options.Passes != nil {
		what += "\nPasses: " + pipeline.String(f.Options.Passes)
	}
	return os.WriteFile(failurePath(f, dir), []byte(difftest.File(s, what)), 0o666)
}

// writeNotes lists the first programs of which there is something to say.
func writeNotes(w io.Writer, what string, notes []difftest.Note) {
	const most = 5
	for k, n := range notes {
		if k == most {
			fmt.Fprintf(w, "... and %d more\n", len(notes)-most)
			return
		}
		fmt.Fprintf(w, "seed %d %s: %s\n", n.Seed, what, firstLine(n.Msg))
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// reduce reduces, with progress on a terminal. When the context ends it gives what is the
// smallest program so far, at once: a program may still run in the background.
func (a *app) reduce(ctx context.Context, s *difftest.Subject, fails func(*difftest.Subject) bool, opt difftest.ReduceOptions) *difftest.Subject {
	terminal := isTerminal(a.stderr)
	if terminal {
		opt.Progress = func(tries, statements int) {
			fmt.Fprintf(a.stderr, "\rreducing: %d tries, %d statements left ", tries, statements)
		}
		defer func() { _, _ = io.WriteString(a.stderr, "\r\x1b[K") }()
	}
	var best atomic.Pointer[difftest.Subject]
	best.Store(s)
	opt.Smaller = best.Store
	done := make(chan *difftest.Subject, 1)
	go func() { done <- difftest.Reduce(s, fails, opt) }()
	select {
	case small := <-done:
		return small
	case <-ctx.Done():
		return best.Load()
	}
}
