package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/difftest"
	"github.com/memc-lang/memc/internal/driver"
	"github.com/memc-lang/memc/runtime"
)

func (a *app) reduceCommand() *cobra.Command {
	var with, device, out string
	var opt difftest.ReduceOptions
	c := &cobra.Command{
		Use:   "reduce [flags] FILE|-",
		Short: "make a program that fails as small as it gets",
		Long: `reduce takes a program with a test block whose inputs make it fail, and writes the
smallest program that it finds to fail in the same way, with a test block. What
counts as failing, in the order in which it is looked for:
  --with=value    the program is refused by a pass, changed by one, or fails by value
  --with=memory   the same, or by memory differs from by value (the default)
  --with=opencl   the same, or OpenCL differs from by value`,
		Example: `  memc reduce wrong.ir -o small.ir
  memc reduce --with=opencl wrong.ir`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			var check difftest.Options
			switch with {
			case "value":
				check.Until = difftest.StageValue
			case "memory":
			case "opencl":
				ctx, err := runtime.Open(device, runtime.Options{})
				if err != nil {
					return err
				}
				defer ctx.Close()
				check.Context = ctx
			default:
				return usagef(c, "--with=%s: expected value, memory or opencl%s", with, didYouMean(with, []string{"value", "memory", "opencl"}))
			}
			file, err := driver.ReadSource(args[0])
			if err != nil {
				return err
			}
			s, err := difftest.Read(file)
			if err != nil {
				return err
			}
			failure := difftest.Check(s, check)
			if failure == nil {
				return fmt.Errorf("%s does not fail with --with=%s", args[0], with)
			}
			fmt.Fprintf(a.stderr, "reducing what fails with: %s\n", firstLine(failure.Error()))
			small := a.reduce(s, failure, check, opt)
			if last := difftest.Check(small, check); last != nil {
				failure = last
			}
			return a.writeOutput(out, func(w io.Writer) error {
				_, err := io.WriteString(w, difftest.File(small, firstLine(failure.Error())))
				return err
			})
		},
	}
	f := c.Flags()
	f.StringVar(&with, "with", "memory", "what to compare: value, memory or opencl")
	f.StringVar(&device, "device", "", "a device's number or part of its name")
	f.IntVar(&opt.Tries, "tries", 0, "how many programs to try at most (default 6000)")
	f.DurationVar(&opt.Time, "time", 0, "for how long at most")
	f.StringVarP(&out, "output", "o", "-", "where to write the program")
	return c
}
