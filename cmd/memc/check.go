package main

import (
	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir/diag"
)

func (a *app) checkCommand() *cobra.Command {
	var memory bool
	c := &cobra.Command{
		Use:   "check FILE|- ...",
		Short: "check programs: types, scopes, uniqueness, places, kernel rules",
		Long: `check parses and verifies programs. It prints every error with the source line, the place
that it conflicts with, and a hint. If there are no errors it prints nothing.

check warns if handwritten places may overwrite an array that is still needed. With --memory
this is an error if memc is certain, and a limitation (exit code 3) if memc can neither
prove nor exclude it. --memory checks a memory-agnostic program in its explicit form.`,
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
