package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/run/cc"
	"github.com/memc-lang/memc/runtime"
)

func (a *app) devicesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "devices",
		Short: "list the devices that programs can run on",
		Example: `  memc devices
  memc run --device=0 prog.ir`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			all, err := runtime.Devices()
			if err != nil && !errors.Is(err, runtime.ErrNoOpenCL) {
				return err
			}
			for _, d := range all {
				fmt.Fprintf(a.stdout, "%-16s %s, %s, %d MiB, largest block %d MiB, f64 %v, 64-bit atomics %v\n",
					fmt.Sprint(d.Index), d, d.Version, d.Memory>>20, d.MaxAlloc>>20, d.FP64, d.Int64Atomics)
			}
			if err != nil {
				fmt.Fprintf(a.stderr, "memc: %v\n", err)
			} else if len(all) == 0 {
				fmt.Fprintln(a.stderr, "memc: no OpenCL device; scripts/bootstrap installs PoCL, which runs on the CPU")
			}
			if cc.Available() {
				fmt.Fprintf(a.stdout, "%-16s the processors: C, built by the system's compiler\n", driver.Processors)
			}
			fmt.Fprintf(a.stdout, "%-16s the built-in interpreter, by value\n", "interp")
			fmt.Fprintf(a.stdout, "%-16s the built-in interpreter, by memory, every access checked\n", "interp-memory")
			return nil
		},
	}
}
