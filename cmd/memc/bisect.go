package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/ir/diag"
)

func (a *app) bisectCommand() *cobra.Command {
	var flags comparisonFlags
	c := &cobra.Command{
		Use:   "bisect [flags] FILE|-",
		Short: "find the one rewrite that breaks a program",
		Long: `bisect reads a program that fails with the inputs of its test block. It finds the first
pass after which the program fails, and the rewrite of this pass that makes the difference:
with the rewrites before it (--limit PASS=N) the program passes, and with one more it
fails. It prints the remark of the rewrite, and the command that shows the program after it.
` + "`memc reduce --help`" + ` says which programs count as failing.`,
		Example: `  memc bisect wrong.ir
  memc bisect --with=opencl --passes=explicit,lift,coalesce wrong.ir`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			r, done, err := flags.compare(c, args[0], nil)
			if err != nil {
				return err
			}
			defer done()
			r.subject.Text = r.text // so that positions are the file's
			return a.bisect(r.subject, r.opt, args[0], flags.with)
		},
	}
	flags.add(c)
	return c
}

func (a *app) bisect(s *difftest.Subject, opt difftest.Options, path, with string) error {
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
	fmt.Fprintf(a.stdout, "see the program after it: memc opt --passes=%s%s %s\n", found.Pipeline(), limit, path)
	return nil
}
