package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/internal/bench/allocbench"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/device"
)

func (a *app) benchAllocCommand() *cobra.Command {
	var cfg allocbench.Config
	var dev, csvPath, svgPath string
	var heapMB int64
	var defines, from []string
	c := &cobra.Command{
		Use:   "alloc [flags]",
		Short: "measure the allocators that run inside kernels",
		Long:  "alloc measures the allocators that run inside kernels (docs/device-memory.md).\n\n" + allocTests(),
		Example: `  memc bench alloc --quick
  memc bench alloc --device=NVIDIA --mesh=bunny.obj --csv=alloc.csv --svg=alloc.svg
  memc bench alloc --from=alloc.csv,cuda.csv --svg=alloc.svg`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, n := range cfg.Allocators {
				if _, err := device.Lookup(n); err != nil {
					return usagef(c, "--allocators: %v", err)
				}
			}
			for _, n := range cfg.Tests {
				if !strings.Contains(allocTests(), "  "+n+" ") {
					return usagef(c, "--tests: there is no benchmark %q", n)
				}
			}
			if heapMB < 1 || heapMB > 32<<10 {
				return usagef(c, "--heap=%d: expected 1 to 32768 MiB", heapMB)
			}
			cfg.HeapBytes = heapMB << 20
			for _, d := range defines {
				cfg.Defines = append(cfg.Defines, strings.Replace(d, "=", " ", 1))
			}
			if len(from) > 0 {
				return a.tellAlloc(from, csvPath, svgPath)
			}
			return a.benchAlloc(cfg, dev, csvPath, svgPath)
		},
	}
	f := c.Flags()
	f.StringVar(&dev, "device", "", "a device's number or part of its name")
	f.StringSliceVar(&cfg.Allocators, "allocators", nil, "the allocators to measure (default: all)")
	f.StringSliceVar(&cfg.Tests, "tests", nil, "the tests to run (default: all)")
	f.Int64Var(&heapMB, "heap", 2048, "the size of the heap in MiB")
	f.Int64Var(&cfg.Groups, "groups", 120, "work-groups of 256 in the paper's tests")
	f.IntVar(&cfg.Hints, "offsets", 0, "search offsets of cm, cfm and slab (default 64)")
	f.IntVar(&cfg.Reps, "reps", 5, "repetitions; the median counts")
	f.DurationVar(&cfg.MaxTime, "max-time", 0, "time limit for each test of each allocator; further points are left out")
	f.BoolVar(&cfg.Quick, "quick", false, "measure only a few points")
	f.StringSliceVar(&defines, "define", nil, "macros for the allocators, such as MEMC_WARP=0")
	f.StringSliceVar(&from, "from", nil, "do not measure; make tables and plots from these files; the last file with a point counts")
	f.StringVar(&cfg.Mesh, "mesh", "", "an OBJ file for the k-d tree (default: a generated sphere)")
	f.StringVar(&csvPath, "csv", "", "write the figures to this file")
	f.StringVar(&svgPath, "svg", "", "write plots to this file")
	return c
}

// allocTests describes the tests.
func allocTests() string {
	var b strings.Builder
	for _, t := range allocbench.Tests() {
		fmt.Fprintf(&b, "  %-6s %s\n", t.Name, t.About)
	}
	return b.String()
}

// benchAlloc measures, and writes tables to stdout. The figures that there are
// are written even if a later test fails.
func (a *app) benchAlloc(cfg allocbench.Config, dev, csvPath, svgPath string) error {
	if cfg.Mesh != "" {
		if _, err := os.Stat(cfg.Mesh); err != nil {
			return fmt.Errorf("cannot read %s: %w", filepath.Base(cfg.Mesh), err)
		}
	}
	ctx, err := runtime.Open(dev, runtime.Options{})
	if err != nil {
		return err
	}
	defer ctx.Close()
	var rows []allocbench.Row
	failed := allocbench.Run(ctx, cfg, func(r allocbench.Row) { rows = append(rows, r) },
		func(s string) { fmt.Fprintln(a.stderr, s) })
	if err := a.writeAlloc(rows, csvPath, svgPath); err != nil {
		return err
	}
	return failed
}

// tellAlloc writes tables and plots of figures that were measured earlier.
func (a *app) tellAlloc(from []string, csvPath, svgPath string) error {
	var rows []allocbench.Row
	for _, name := range from {
		f, err := hostmem.Open(name)
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", name, err)
		}
		more, err := allocbench.ReadCSV(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rows = allocbench.Merge(rows, more)
	}
	return a.writeAlloc(rows, csvPath, svgPath)
}

func (a *app) writeAlloc(rows []allocbench.Row, csvPath, svgPath string) error {
	outputs := []result{{path: "-", write: func(w io.Writer) error { return allocbench.WriteTables(w, rows) }}}
	if csvPath != "" {
		outputs = append(outputs, result{path: csvPath, write: func(w io.Writer) error { return allocbench.WriteCSV(w, rows) }})
	}
	if svgPath != "" {
		outputs = append(outputs, result{path: svgPath, write: func(w io.Writer) error { return allocbench.WriteSVG(w, rows) }})
	}
	return a.writeOutputs(outputs...)
}
