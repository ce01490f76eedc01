package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/driver"
)

func (a *app) compileCommand() *cobra.Command {
	var flags pipelineFlags
	var out, emit, prefix string
	var unsafe bool
	c := &cobra.Command{
		Use:   "compile [flags] FILE|-",
		Short: "compile a program to C with OpenCL kernels",
		Long: `compile writes NAME.c and NAME.h: C99 that needs nothing but OpenCL. Built as it
is, it is a program that reads its arguments from standard input and writes its
results; built with -DMEMC_NO_MAIN it is a library with a small C API (docs/c-api.md).`,
		Example: `  memc compile examples/life.ir && cc life.c -lOpenCL -lm -o life
  memc compile --emit=kernels prog.ir -o -`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			p, _, err := flags.run(a, c, args[0])
			if err != nil {
				return err
			}
			low, err := driver.Lower(p, unsafe)
			if err != nil {
				return err
			}
			switch emit {
			case "imp":
				return a.writeOutput(out, func(w io.Writer) error { return imp.Dump(w, low.Imp) })
			case "kernels":
				return a.writeOutput(out, func(w io.Writer) error { _, err := io.WriteString(w, low.Kernels); return err })
			case "c":
			default:
				return usagef(c, "--emit=%s: expected c, kernels or imp", emit)
			}
			if out == "" {
				base := filepath.Base(args[0])
				if args[0] == "-" {
					base = "out"
				}
				out = strings.TrimSuffix(base, filepath.Ext(base)) + ".c"
			}
			if out == "-" || filepath.Ext(out) != ".c" {
				return usagef(c, "-o %s: expected a name that ends in .c; the header is written beside it", out)
			}
			if prefix == "" {
				prefix = driver.Prefix(out)
			}
			text, header, err := driver.C(low, prefix, strings.TrimSuffix(filepath.Base(out), ".c")+".h")
			if err != nil {
				return err
			}
			for _, o := range []struct{ path, text string }{{out, text}, {strings.TrimSuffix(out, ".c") + ".h", header}} {
				if err := a.writeOutput(o.path, func(w io.Writer) error { _, err := io.WriteString(w, o.text); return err }); err != nil {
					return fmt.Errorf("cannot write %s: %w", o.path, err)
				}
			}
			return nil
		},
	}
	flags.add(c)
	c.Flags().StringVarP(&out, "output", "o", "", "the C file to write (default: the program's name with .c, here)")
	c.Flags().StringVar(&emit, "emit", "c", "c, kernels (OpenCL C) or imp (the imperative form)")
	c.Flags().StringVar(&prefix, "prefix", "", "prefix of the C names (default: the file's name)")
	c.Flags().BoolVar(&unsafe, "unsafe", false, "leave bounds checks out")
	return c
}
