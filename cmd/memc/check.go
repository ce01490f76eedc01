package main

import (
	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/internal/driver"
)

func (a *app) checkCommand() *cobra.Command {
	var memory bool
	c := &cobra.Command{
		Use:   "check FILE|- ...",
		Short: "check programs: types, scopes, uniqueness, places, kernel rules",
		Long: `check parses and verifies programs and prints what is wrong, with the source
line, the place that it conflicts with, and a hint. It prints nothing where a
program is right. Places written by hand that may overwrite an array while it is needed are
warnings. With --memory they are errors, where that is certain, and limitations, where
it could not be excluded; a memory-agnostic program is checked in its explicit form.`,
		Example: `  memc check prog.ir
  memc check --memory prog.ir
  cat prog.ir | memc check -`,
		Args: someFiles,
		RunE: func(c *cobra.Command, args []string) error {
			code := 0
			for _, path := range args {
				f, err := driver.ReadSource(path)
				if err != nil {
					return err
				}
				p, list := driver.Check(f)
				if !memory && !list.Failed() {
					list.All = append(list.All, driver.Warnings(f, p)...)
				}
				if memory && !list.Failed() {
					more, err := driver.CheckMemory(f)
					if err != nil {
						return err
					}
					list.All = append(list.All, more.All...)
				}
				a.show(list)
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
	c.Flags().BoolVar(&memory, "memory", false, "check that no array is overwritten before its last use")
	return c
}
