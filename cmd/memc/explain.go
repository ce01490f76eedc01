package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/explain"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime/memtrace"
)

func (a *app) explainCommand() *cobra.Command {
	var passes, out, entry, trace, device, budget string
	var sizes, argFlags []string
	var peak, groups, run bool
	c := &cobra.Command{
		Use:   "explain [flags] FILE|- [NAME [NAME]] | CODE",
		Short: "show how a program uses memory, and why",
		Long: `explain shows what the passes did to a program's memory, and why.

  memc explain prog.ir -o prog.html   an HTML page: the program after every pass, its memory,
                                      the interference of blocks, every refusal
  memc explain prog.ir xs ys          why two arrays or blocks share storage, or why they do not;
                                      main.xs where several functions have an xs
  memc explain prog.ir --peak         which blocks are held at the peak, and which refusals keep it
  memc explain prog.ir --fit 512M     whether it fits in these bytes, up to which sizes, and which
                                      blocks stand in the way
  memc explain prog.ir --groups       which blocks lie where in the local memory of groups, and why;
                                      where threads wait at barriers
  memc explain C3                     the meaning of the code of a refusal, or of an error (E101)

With --run, explain also runs the program, with arguments as for memc run, and the page shows
the real allocations. --trace shows a trace from memc run --trace.`,
		Example: `  memc explain examples/canny.ir --size h=1080 --size w=1920 -o canny.html
  memc explain examples/canny.ir smooth grey`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 3 {
				return usagef(c, "expected a file and at most two names, or a code")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if code, ok := explain.LookUp(args[0]); ok && len(args) == 1 && !exists(args[0]) {
				_, err := io.WriteString(a.stdout, code.String())
				return err
			}
			if !exists(args[0]) && len(args) == 1 && !strings.ContainsAny(args[0], "./-") {
				return usagef(c, "%q is neither a file nor a code; the codes are %s", args[0], codeNames())
			}
			values, err := sizeValues(c, sizes)
			if err != nil {
				return err
			}
			list, err := pipeline.Parse(passes)
			if err != nil {
				return usagef(c, "--passes: %v", err)
			}
			f, err := driver.ReadSource(args[0])
			if err != nil {
				return err
			}
			x, err := explain.New(f, list)
			if err != nil {
				return err
			}
			if err := knownSizes(c, values, x.Program()); err != nil {
				return err
			}
			x.Sizes = sizesOf(x.Program(), values)
			switch {
			case len(args) > 1:
				text, err := x.Pair(args[1], args[len(args)-1])
				if err != nil {
					return err
				}
				_, err = io.WriteString(a.stdout, text)
				return err
			case peak:
				x.WritePeak(a.stdout)
				return nil
			case budget != "":
				limit, err := parseBytes(budget)
				if err != nil {
					return usagef(c, "--fit=%s: %v", budget, err)
				}
				x.WriteFit(a.stdout, limit)
				return nil
			case groups:
				x.WriteGroups(a.stdout)
				return nil
			}
			if trace != "" {
				var events []memtrace.Event
				if events, err = readTrace(a.stdin, trace); err == nil {
					x.Run = explain.Measured(events)
				}
			} else if run {
				err = a.measure(c, x, entry, device, argFlags)
			}
			if err != nil {
				return err
			}
			if out == "" {
				out = strings.TrimSuffix(filepath.Base(f.Name), filepath.Ext(f.Name)) + ".html"
				if f.Name == "<stdin>" {
					out = "-"
				}
			}
			if err := a.writeOutput(out, x.WritePage); err != nil {
				return err
			}
			if out != "-" {
				fmt.Fprintf(a.stderr, "memc: %s is written; open it in a browser\n", out)
			}
			return nil
		},
	}
	fl := c.Flags()
	fl.StringVar(&passes, "passes", pipeline.Default(), "the passes, or groups of passes, to run, in order; empty: none")
	fl.StringSliceVar(&sizes, "size", nil, "NAME=N: the initial value of a size (default 1000)")
	fl.BoolVar(&peak, "peak", false, "print the blocks held at the peak, and the refusals that keep it")
	fl.StringVar(&budget, "fit", "", "print whether the program fits in these bytes, as 512M, and up to which sizes")
	fl.BoolVar(&groups, "groups", false, "print which blocks lie where in the local memory of groups, and where threads wait at barriers")
	fl.BoolVar(&run, "run", false, "run the program, and show its real allocations")
	fl.StringArrayVar(&argFlags, "arg", nil, "NAME=VALUE or NAME=@FILE: an argument for --run; the others come from standard input")
	fl.StringVarP(&entry, "entry", "e", "", "the entry for --run (default: the only one, or main)")
	fl.StringVar(&device, "device", "", "the device for --run: a number or part of its name")
	fl.StringVar(&trace, "trace", "", "show a CSV trace from memc run --trace")
	fl.StringVarP(&out, "output", "o", "", "where to write the page (default: the program's name with .html)")
	c.MarkFlagsMutuallyExclusive("peak", "fit", "groups", "run", "trace")
	c.MarkFlagsMutuallyExclusive("output", "peak") // which print, and write no page
	c.MarkFlagsMutuallyExclusive("output", "groups")
	c.MarkFlagsMutuallyExclusive("output", "fit")
	return c
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func codeNames() string {
	var names []string
	for _, c := range explain.Codes {
		names = append(names, c.Name)
	}
	errors := explain.Errors()
	return fmt.Sprintf("%s, and of errors %s to %s", strings.Join(names, ", "), errors[0].Name, errors[len(errors)-1].Name)
}

// measure runs an entry and keeps what it allocated; the sizes of its arguments are those
// that the page begins with.
func (a *app) measure(c *cobra.Command, x *explain.Explanation, entry, device string, argFlags []string) error {
	if device == driver.Interp || device == driver.InterpMemory {
		return usagef(c, "--run needs an OpenCL device, since interpreters allocate no device memory")
	}
	p := ir.CloneProgram(x.Program())
	f, err := findEntry(p, entry)
	if err != nil {
		return err
	}
	values, err := a.readArgs(c, f, argFlags)
	if err != nil {
		return err
	}
	for k, e := range f.Params {
		for d, dim := range e.Type.Shape {
			if _, given := x.Sizes[dim.Name]; dim.Name != "" && !given {
				x.Sizes[dim.Name] = values[k].Shape[d]
			}
		}
	}
	var events explain.Recorder
	note := func(msg string) { fmt.Fprintf(a.stderr, "memc: %s\n", msg) }
	took := func(t exec.Timing) { x.Took(t.Kernel, float64(t.Took.Nanoseconds())/1000) }
	opt := driver.RunOptions{Device: device, Trace: &events, Profile: took, Note: note}
	if _, _, err := driver.Run(p, f.Name, values, opt); err != nil {
		return err
	}
	x.Run = explain.Measured(events.Events)
	return nil
}
