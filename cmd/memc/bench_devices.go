package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/bench/devbench"
	"github.com/memc-lang/memc/runtime/memtrace"
)

func (a *app) benchDevicesCommand() *cobra.Command {
	var opt devbench.Options
	var trace string
	c := &cobra.Command{
		Use:   "devices [flags]",
		Short: "measure two devices: migrations, their overlap with kernels, launches",
		Long: `devices measures how fast a block moves from the first device to the second: through the
host, and by the driver's copy between devices if there is one. Then it runs kernels on both
devices during a move: "hidden" is the part of the shorter time that the longer one covers.
Finally it measures a launch on one device alone, with --evict, and as one of several.
Times are medians (docs/devices.md).`,
		Example: `  memc bench devices --device=0,1
  POCL_DEVICES="pthread pthread" memc bench devices --device=0,1 --size=20 --trace=moves.svg`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if !strings.Contains(opt.Device, ",") {
				return usagef(c, "--device: expected two devices, such as 0,1")
			}
			if opt.Runs < 1 || opt.Launches < 1 || opt.Log < 12 || opt.Log > 34 {
				return usagef(c, "--runs and --launches must be at least 1, and --size from 12 to 34")
			}
			if err := checkTrace(c, trace, opt.Device, true); err != nil {
				return err
			}
			return a.tracing(trace, func(sink memtrace.Sink) error {
				opt.Trace = sink
				return devbench.Run(a.stdout, opt)
			})
		},
	}
	c.Flags().StringVar(&opt.Device, "device", "0,1", "two devices, by numbers or parts of their names")
	c.Flags().IntVar(&opt.Runs, "runs", 5, "runs that count")
	c.Flags().IntVar(&opt.Log, "size", 28, "the size of the block: 2^N bytes")
	c.Flags().IntVar(&opt.Launches, "launches", 2000, "the number of launches to measure")
	c.Flags().StringVar(&trace, "trace", "", "write what the devices did to this file: .svg (a picture) or .json")
	return c
}
