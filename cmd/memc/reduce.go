package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/runtime"
)

func (a *app) reduceCommand() *cobra.Command {
	var flags comparisonFlags
	var out string
	var opt difftest.ReduceOptions
	c := &cobra.Command{
		Use:   "reduce [flags] FILE|-",
		Short: "make a failing program small",
		Long: `reduce reads a program that fails with the inputs of its test block. It writes the smallest
program it finds that fails in the same way, with a test block. A program fails if

  --with=value    a pass refuses or changes it, or it fails by value
  --with=memory   the same, or its results by memory and by value differ (the default)
  --with=opencl   the same, or its results on OpenCL and by value differ. It runs in a process of
                  its own, so a driver that crashes, or does not end within two minutes, is a
                  failure, too

After an interrupt it writes the smallest program so far.`,
		Example: `  memc reduce wrong.ir -o small.ir
  memc reduce --with=opencl wrong.ir`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := interruptible()
			defer stop()
			r, done, err := flags.compare(c, args[0], ctx)
			if err != nil {
				return err
			}
			s, check := r.subject, r.opt
			failure := difftest.Check(s, check)
			if failure == nil {
				done()
				return fmt.Errorf("%s does not fail with --with=%s", args[0], flags.with)
			}
			fmt.Fprintf(a.stderr, "reducing what fails with: %s\n", firstLine(failure.Error()))
			small := a.reduce(ctx, s, difftest.Same(failure, check), opt)
			if ctx.Err() == nil { // else something may still run
				if last := difftest.Check(small, check); last != nil {
					failure = last
				}
				done()
			}
			err = a.writeOutput(out, func(w io.Writer) error {
				_, err := io.WriteString(w, difftest.File(small, firstLine(failure.Error())))
				return err
			})
			if err == nil && ctx.Err() != nil {
				err = interrupted
			}
			return err
		},
	}
	f := c.Flags()
	flags.add(c)
	f.IntVar(&opt.Tries, "tries", 0, "the largest number of programs to try (default 6000)")
	f.DurationVar(&opt.Time, "time", 0, "the time limit")
	f.StringVarP(&out, "output", "o", "-", "where to write the program")
	return c
}

// A comparison is what --with and --passes ask for, and the program of a file with the
// inputs of its test block.
type comparison struct {
	opt     difftest.Options
	subject *difftest.Subject
	text    string // the program as it stands in the file
}

// comparisonFlags are the flags that say what counts as failing.
type comparisonFlags struct{ with, device, passes string }

func (x *comparisonFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&x.with, "with", "memory", "what to compare: value, memory or opencl")
	f.StringVar(&x.device, "device", "", "a device's number or part of its name")
	f.StringVar(&x.passes, "passes", "", "the passes to run (default: the default passes)")
}

// compare reads the file and opens the device, in another process if it gets a context, which ends
// that; done closes it.
func (x *comparisonFlags) compare(c *cobra.Command, path string, apart context.Context) (r comparison, done func(), err error) {
	done = func() {}
	switch x.with {
	case "value":
		r.opt.Skip = map[string]bool{difftest.StageMemory: true, difftest.StageStatic: true}
	case "memory", "opencl":
	default:
		return r, done, usagef(c, "--with=%s: expected value, memory or opencl%s", x.with, didYouMean(x.with, []string{"value", "memory", "opencl"}))
	}
	if c.Flags().Changed("passes") {
		if r.opt.Passes, err = pipeline.Parse(x.passes); err != nil {
			return r, done, usagef(c, "--passes: %v", err)
		}
	}
	file, err := driver.ReadSource(path)
	if err != nil {
		return r, done, err
	}
	r.text = file.Text
	if r.subject, err = difftest.Read(file); err != nil {
		return r, done, err
	}
	if x.with == "opencl" && apart != nil {
		worker, err := newFuzzWorker()
		if err != nil {
			return r, done, err
		}
		if r.opt.Apart, err = difftest.CheckApart(apart, worker, x.device, r.opt.Passes); err != nil {
			return r, done, err
		}
		done = r.opt.Apart.Close
	} else if x.with == "opencl" {
		if r.opt.Context, err = runtime.Open(x.device, runtime.Options{}); err != nil {
			return r, done, err
		}
		done = r.opt.Context.Close
	}
	return r, done, nil
}
