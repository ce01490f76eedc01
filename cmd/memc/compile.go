package main

import (
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
				return a.writeOutputs(text(out, low.Kernels))
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
			base := strings.TrimSuffix(out, ".c")
			source, header, err := driver.C(low, prefix, filepath.Base(base)+".h")
			if err != nil {
				if c.Flags().Changed("prefix") {
					return usagef(c, "--prefix=%s: %v", prefix, err)
				}
				return err
			}
			return a.writeOutputs(text(out, source), text(base+".h", header))
		},
	}
	flags.add(c)
	c.Flags().StringVarP(&out, "output", "o", "", "the C file to write (default: the program's name with .c, here)")
	c.Flags().StringVar(&emit, "emit", "c", "c, kernels (OpenCL C) or imp (the imperative form)")
	c.Flags().StringVar(&prefix, "prefix", "", "prefix of the C names (default: the file's name)")
	c.Flags().BoolVar(&unsafe, "unsafe", false, "leave bounds checks out")
	return c
}
