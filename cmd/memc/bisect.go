package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/internal/difftest"
	"github.com/memc-lang/memc/internal/driver"
	"github.com/memc-lang/memc/internal/pipeline"
	"github.com/memc-lang/memc/runtime"
)

func (a *app) bisectCommand() *cobra.Command {
	var with, device, passes string
	c := &cobra.Command{
		Use:   "bisect [flags] FILE|-",
		Short: "find the one rewrite that breaks a program",
		Long: `bisect takes a program with a test block whose inputs make it fail, and finds the
first pass after which it does, and among the rewrites of that pass the one that
makes the difference (as --limit PASS=N lets through). It prints the remark of that
rewrite and the command that shows the program just behind it.
What counts as failing is what ` + "`memc reduce --with`" + ` says.`,
		Example: `  memc bisect wrong.ir
  memc bisect --with=opencl --passes=explicit,lift,coalesce wrong.ir`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			var opt difftest.Options
			switch with {
			case "value":
				opt.Until = difftest.StageValue
			case "memory":
			case "opencl":
				ctx, err := runtime.Open(device, runtime.Options{})
				if err != nil {
					return err
				}
				defer ctx.Close()
				opt.Context = ctx
			default:
				return usagef(c, "--with=%s: expected value, memory or opencl%s", with, didYouMean(with, []string{"value", "memory", "opencl"}))
			}
			if c.Flags().Changed("passes") {
				list, err := pipeline.Parse(passes)
				if err != nil {
					return usagef(c, "--passes: %v", err)
				}
				opt.Passes = list
			}
			file, err := driver.ReadSource(args[0])
			if err != nil {
				return err
			}
			s, err := difftest.Read(file)
			if err != nil {
				return err
			}
			s.Text = file.Text // so that positions are the file's
			return a.bisect(c, s, opt, args[0], with)
		},
	}
	f := c.Flags()
	f.StringVar(&with, "with", "memory", "what to compare: value, memory or opencl")
	f.StringVar(&device, "device", "", "a device's number or part of its name")
	f.StringVar(&passes, "passes", "", "the pipeline (default: the default one)")
	return c
}

func (a *app) bisect(c *cobra.Command, s *difftest.Subject, opt difftest.Options, path, with string) error {
	found := difftest.Bisect(s, opt)
	if found == nil {
		if failure := difftest.Check(s, opt); failure != nil {
			return fmt.Errorf("%s fails, but no pass makes it fail: %s", path, firstLine(failure.Error()))
		}
		return fmt.Errorf("%s does not fail with --with=%s", path, with)
	}
	fmt.Fprintf(a.stdout, "%s\n%s\n", found, firstLine(found.Failure.Error()))
	if found.Remark != nil {
		(&diag.List{File: found.Remark.File, All: []*diag.Diagnostic{found.Remark}}).Render(a.stdout, a.colored())
	}
	limit := ""
	if found.Rewrite > 0 {
		limit = fmt.Sprintf(" --limit %s=%d", found.Pass, found.Rewrite)
	}
	fmt.Fprintf(a.stdout, "see the program behind it: memc opt --passes=%s%s %s\n", found.Pipeline(), limit, path)
	return nil
}
