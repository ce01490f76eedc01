package main

import (
	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/internal/driver"
)

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE|- ...",
		Short: "check programs: types, scopes, uniqueness, places, kernel rules",
		Long: `check parses and verifies programs and prints what is wrong, with the source
line, the place that it conflicts with, and a hint. It prints nothing where a
program is right.`,
		Example: `  memc check prog.ir
  cat prog.ir | memc check -`,
		Args: someFiles,
		RunE: func(c *cobra.Command, args []string) error {
			code := 0
			for _, path := range args {
				f, err := driver.ReadSource(path)
				if err != nil {
					return err
				}
				_, list := driver.Check(f)
				list.Render(a.stderr, a.colored())
				if err := list.Err(); err != nil {
					code = max(code, a.bugHint(diag.ExitCode(err)))
				}
			}
			if code != 0 {
				return exitCode(code)
			}
			return nil
		},
	}
}
