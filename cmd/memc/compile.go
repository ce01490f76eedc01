package main

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
)

func (a *app) compileCommand() *cobra.Command {
	flags := pipelineFlags{warn: true, lowers: true}
	var lower lowerFlags
	var out, emit string
	var target string
	var host hostFlags
	var api apiFlags
	c := &cobra.Command{
		Use:   "compile [flags] FILE|-",
		Short: "compile a program to C, Go or Python with OpenCL kernels",
		Long: `compile writes NAME.c and NAME.h: C99 that needs only OpenCL. The program reads arguments
from standard input and writes results to standard output. With -DMEMC_NO_MAIN the file is a
library with a small C API (docs/c-api.md). With --target=c the file needs no OpenCL
(docs/c-target.md).

With --api=futhark the library has the API of Futhark's output and the manifest NAME.json,
and the program has the options of Futhark's programs (docs/c-api.md). With --server it is
a server executable for futhark test and futhark bench.

With --host=go, compile writes a Go package with one typed method per entry
(docs/go-host.md), and with --host=python a Python package that takes and returns NumPy
arrays (docs/python.md).`,
		Example: `  memc compile examples/life.ir && cc life.c -lOpenCL -lm -o life
  memc compile --host=go --package canny -o internal/canny examples/canny.ir
  memc compile --host=python --target=c examples/kmeans.ir
  memc compile --api=futhark kmeans.fut_gpu_mem
  memc compile --emit=kernels prog.ir -o -`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if err := host.check(c); err != nil {
				return err
			}
			if err := api.check(c, host.language); err != nil {
				return err
			}
			how, err := lower.optionsOf(c, args[0])
			if err != nil {
				return err
			}
			lowering := driver.Lower
			switch target {
			case "opencl":
			case "c":
				if host.language == "go" || emit == "kernels" {
					return usagef(c, "--target=c is for --host=c and --host=python; its kernels are in the C file")
				}
				lowering, flags.processors = driver.LowerTasks, true
			default:
				return usagef(c, "--target=%s: expected opencl or c", target)
			}
			switch emit {
			case "imp", "kernels", "schedule":
			case "c":
				if host.language != "c" {
					break
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
			default:
				return usagef(c, "--emit=%s: expected c, kernels, schedule or imp", emit)
			}
			defer rareCollections()()
			var low *driver.Lowered
			var failed error
			flags.next.name, flags.next.do = "kernels", func(p *ir.Program, sizes func() *check.ObligationTable) {
				how.Sizes = sizes
				low, failed = lowering(p, how)
			}
			p, _, err := flags.run(a, c, args[0])
			if err == nil {
				err = failed
			}
			if err != nil {
				return err
			}
			defer func() { a.watch.done("host code") }()
			if flags.checks {
				for _, d := range low.Imp.Remarks().All {
					d.Render(a.stderr, a.colored())
				}
			}
			if host.language != "c" {
				return a.writePackage(c, &host, low, out, args[0])
			}
			switch emit {
			case "imp":
				return a.writeOutput(out, func(w io.Writer) error { return imp.Dump(w, low.Imp) })
			case "schedule":
				return a.writeOutput(out, func(w io.Writer) error { return imp.Schedule(w, low.Imp) })
			case "kernels":
				return a.writeOutputs(text(out, low.Kernels))
			}
			return a.writeC(c, &api, low, p.File, out)
		},
	}
	flags.add(c)
	lower.addHeap(c)
	host.add(c)
	api.add(c)
	c.Flags().StringVarP(&out, "output", "o", "", "the C file to write, or the package's directory (default: the program's name, in this directory)")
	c.Flags().StringVar(&emit, "emit", "c", "what to write: c, kernels (OpenCL C), schedule (how the work is divided) or imp (the imperative form)")
	c.Flags().StringVar(&target, "target", "opencl", "opencl, or c: for CPUs, without OpenCL, by the passes middle,processors (docs/c-target.md)")
	lower.add(c)
	return c
}
