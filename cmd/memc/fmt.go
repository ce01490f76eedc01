package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/irjson"
)

func (a *app) fmtCommand() *cobra.Command {
	var opt formatOptions
	c := &cobra.Command{
		Use:   "fmt [flags] FILE|- ...",
		Short: "format programs",
		Long: `fmt formats programs and keeps names and comments: one statement per line, and lines of at
most 120 columns. With --json it prints a program as JSON. It makes text of a file with JSON, as every
verb does that reads programs.`,
		Example: `  memc fmt prog.ir
  memc fmt --json prog.ir > prog.json && memc fmt prog.json
  memc fmt -w examples/*.ir`,
		Args: someFiles,
		RunE: func(c *cobra.Command, args []string) error {
			if opt.json && (opt.write || opt.list) {
				return usagef(c, "--json prints JSON; it goes with neither -w nor -l")
			}
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
	c.Flags().BoolVar(&opt.json, "json", false, "print programs as JSON (memc schema program)")
	return c
}

// maxColumns is how long lines of formatted programs may be.
const maxColumns = 120

type formatOptions struct{ write, list, version, json bool }

func (a *app) format(path string, opt formatOptions) error {
	f, err := driver.ReadSource(path)
	if err != nil {
		return err
	}
	inPlace := opt.write || opt.list
	switch {
	case inPlace && futhark.Recognises(f):
		return fmt.Errorf("%s is not a program in memc's own text; use memc import", path)
	case inPlace && irjson.Recognises(f):
		return fmt.Errorf("%s is a program in JSON; memc fmt without -w and -l prints its text", path)
	}
	p, diags := driver.Parse(f)
	if err := diags.Err(); err != nil {
		return err
	}
	formatted, err := opt.text(p)
	if err != nil {
		return err
	}
	switch {
	case opt.list:
		if formatted != f.Text {
			fmt.Fprintln(a.stdout, path)
			return exitCode(1)
		}
		return nil
	case opt.write && path != "-":
		if formatted == f.Text {
			return nil
		}
		if _, err := os.Stat(path); err != nil {
			return err
		}
		out := text(path, formatted)
		out.inPlace = true
		return a.writeOutputs(out)
	}
	return a.writeOutputs(text("-", formatted))
}

// text returns a program as the options want it.
func (opt formatOptions) text(p *ir.Program) (string, error) {
	if opt.version && p.Version == 0 {
		p.Version = ir.Version
	}
	if opt.json {
		encoded, err := irjson.Marshal(p)
		return string(encoded), err
	}
	var b strings.Builder
	err := ir.Format(&b, p, maxColumns)
	return b.String(), err
}
