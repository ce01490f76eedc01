package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/ir/diag"
)

func (a *app) testCommand() *cobra.Command {
	var opt filetest.Options
	var lower lowerFlags
	c := &cobra.Command{
		Use:   "test [flags] PATH...",
		Short: "run the test blocks of all .ir files below the paths",
		Long: `test runs every test block (docs/ir.md) that it finds: inputs by value, by memory and
on OpenCL, structure counts, and programs that memc must refuse. The last line of
the output is "N passed, N failed". Without an OpenCL device it fails; use
--device=none to leave OpenCL out.`,
		Example: `  memc test testdata examples
  memc test --device=none prog.ir
  POCL_DEVICES="pthread pthread" memc test --device=0,1 --scatter=1 testdata/lang`,
		Args: someFiles,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkAllocator(c, opt.Allocator); err != nil {
				return err
			}
			var err error
			if opt.Lower, err = lower.options(c); err != nil {
				return err
			}
			progress := isTerminal(a.stderr)
			if progress {
				opt.Done = func(done, total int) {
					fmt.Fprintf(a.stderr, "\r%d of %d files", done, total)
					if done == total {
						fmt.Fprint(a.stderr, "\r\x1b[K")
					}
				}
			}
			results, err := filetest.Run(args, opt)
			if err != nil {
				return err
			}
			passed, failed, unproven := 0, 0, 0
			for _, r := range results {
				if r.Unproven != nil {
					unproven++
					fmt.Fprintf(a.stdout, "unproven: %v\n", r.Unproven)
				}
				if r.Err == nil {
					passed++
					continue
				}
				failed++
				where := r.Path
				if r.Line > 0 { // else the file could not be read
					where = fmt.Sprintf("%s:%d", r.Path, r.Line)
				}
				fmt.Fprintf(a.stdout, "FAIL %s: ", diag.PrintableName(where))
				var list *diag.List
				if errors.As(r.Err, &list) {
					fmt.Fprintln(a.stdout, "refused")
					list.Render(a.stdout, a.colored())
				} else {
					fmt.Fprintln(a.stdout, r.Err)
				}
			}
			fmt.Fprintf(a.stdout, "%d passed, %d failed\n", passed, failed)
			if unproven > 0 {
				fmt.Fprintf(a.stderr, "memc: programs that ran, but that the static memory checker can neither prove nor refute: %d\n", unproven)
			}
			if len(results) == 0 {
				fmt.Fprintln(a.stderr, "memc: no test block was found (docs/ir.md says how to write one)")
			}
			if failed > 0 || passed == 0 {
				return exitCode(diag.ExitInput)
			}
			return nil
		},
	}
	c.Flags().StringVar(&opt.Device, "device", "", "a device's number or part of its name, or a comma-separated list; c: C on the CPU; none: only the interpreters")
	c.Flags().Uint64Var(&opt.Scatter, "scatter", 0, "run every launch on a random one of the devices (--device=0,1); this is the seed")
	c.Flags().BoolVar(&opt.Apart, "apart", false, "with --scatter: devices exchange blocks like devices of different platforms")
	c.Flags().BoolVar(&opt.LikeGPU, "like-gpu", false, "divide work as for a large GPU, on any device")
	c.Flags().BoolVar(&opt.Small, "small-device", false, "see a device that has no more of anything than it must")
	addAllocator(c, &opt.Allocator)
	lower.addHeap(c)
	c.Flags().IntVarP(&opt.Jobs, "jobs", "j", 0, "the number of files tested at once (default: the number of processors)")
	c.Flags().DurationVar(&opt.Timeout, "timeout", 10*time.Minute, "how long a test may take, with the compilation for the first of its file; 0: no limit")
	c.Flags().IntVar(&opt.Elements, "elements", 0, "leave out inputs with more elements, as a simulator needs (default: none)")
	return c
}
