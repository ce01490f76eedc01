package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir"
)

func (a *app) fmtCommand() *cobra.Command {
	var opt formatOptions
	c := &cobra.Command{
		Use:   "fmt [flags] FILE|- ...",
		Short: "format programs",
		Long: `fmt formats programs and keeps names and comments: one statement per line, and lines of at
most 120 columns.`,
		Example: `  memc fmt prog.ir
  memc fmt -w examples/*.ir`,
		Args: someFiles,
		RunE: func(c *cobra.Command, args []string) error {
			for _, path := range args {
				if err := a.format(path, opt); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&opt.write, "write", "w", false, "rewrite the files in place")
	c.Flags().BoolVarP(&opt.list, "list", "l", false, "list the files whose format differs; exit code 1 if there are any")
	c.Flags().BoolVar(&opt.version, "add-version", false, "write the version of the language at the top of files that state none")
	return c
}

// maxColumns is how long lines of formatted programs may be.
const maxColumns = 120

type formatOptions struct{ write, list, version bool }

func (a *app) format(path string, opt formatOptions) error {
	f, err := driver.ReadSource(path)
	if err != nil {
		return err
	}
	if (opt.write || opt.list) && futhark.Recognises(f) {
		return fmt.Errorf("%s is not a program in memc's own text; use memc import", path)
	}
	p, diags := driver.Parse(f)
	if err := diags.Err(); err != nil {
		return err
	}
	if opt.version {
		p.Version = ir.Version
	}
	var b strings.Builder
	if err := ir.Format(&b, p, maxColumns); err != nil {
		return err
	}
	switch {
	case opt.list:
		if b.String() != f.Text {
			fmt.Fprintln(a.stdout, path)
			return exitCode(1)
		}
		return nil
	case opt.write && path != "-":
		if b.String() == f.Text {
			return nil
		}
		if _, err := os.Stat(path); err != nil {
			return err
		}
		formatted := text(path, b.String())
		formatted.inPlace = true
		return a.writeOutputs(formatted)
	}
	return a.writeOutputs(text("-", b.String()))
}
