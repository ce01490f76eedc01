package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/pool"
)

// What verbs share that choose or watch the memory of a device.

func addAllocator(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "allocator", runtime.DefaultAllocator, "how blocks are placed in the driver's buffers: "+strings.Join(pool.Policies, ", "))
}

func checkAllocator(c *cobra.Command, name string) error {
	if _, err := pool.ParsePolicy(name); err != nil {
		return usagef(c, "--allocator: %v%s", err, didYouMean(name, pool.Policies))
	}
	return nil
}

// checkTrace checks the name of a trace's file; an interpreter has no blocks to
// trace.
func checkTrace(c *cobra.Command, path, device string, several bool) error {
	switch ext := filepath.Ext(path); {
	case path == "":
	case ext != ".csv" && ext != ".json" && ext != ".svg":
		return usagef(c, "--trace=%s: expected a name that ends in .csv, .json or .svg", path)
	case ext == ".svg" && !several:
		return usagef(c, "--trace=%s: a picture shows several devices (--device=0,1), or what moves to the host (--evict)", path)
	case onProcessors(device):
		return usagef(c, "--trace: only runs on OpenCL allocate memory that can be traced")
	}
	return nil
}

// tracing runs something with a trace into a file, nil where no path is given.
// The trace of what fails or is interrupted is written, too: it tells why memory ran out.
func (a *app) tracing(path string, run func(memtrace.Sink) error) error {
	if path == "" {
		return run(nil)
	}
	var failed error
	err := a.writeOutput(path, func(w io.Writer) error {
		var sink memtrace.Sink
		switch filepath.Ext(path) {
		case ".json":
			sink = memtrace.JSON(w)
		case ".svg":
			sink = &timeline{w: w}
		default:
			sink = memtrace.CSV(w) // which begins to write at once
		}
		sink = memtrace.Closing(sink)
		ctx, stop := interruptible()
		defer stop()
		done := make(chan error, 1)
		go func() { done <- run(sink) }()
		select {
		case failed = <-done:
		case <-ctx.Done(): // run goes on until the process ends
			failed = interrupted
		}
		return sink.Close()
	})
	return errors.Join(failed, err)
}

func (a *app) replayCommand() *cobra.Command {
	var names []string
	var limit, largest string
	c := &cobra.Command{
		Use:   "replay [flags] TRACE.csv|-",
		Short: "replay a memory trace on the allocators, without a device",
		Long: `replay repeats the requests of a trace (memc run --trace mem.csv, or the log of RMM's
logging adaptor) on every allocator. It prints how many buffers each allocator
requested from the driver, and how much memory it held. "again" counts the buffers that a
second run of the trace requests: with 0 the allocator has reached the steady state.
"steady" is the number of runs until then.`,
		Example: `  memc run life.ir --trace mem.csv < board.txt && memc replay mem.csv
  memc replay mem.csv --allocator=tagged,region --memory-limit=64M`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			var opt pool.Options
			for _, n := range []struct {
				flag, text string
				to         *int64
			}{{"memory-limit", limit, &opt.Limit}, {"largest-block", largest, &opt.MaxAlloc}} {
				if n.text == "" {
					continue
				}
				var err error
				if *n.to, err = parseBytes(n.text); err != nil {
					return usagef(c, "--%s=%s: %v", n.flag, n.text, err)
				}
			}
			events, err := readTrace(a.stdin, args[0])
			if err != nil {
				return err
			}
			var results []memtrace.Result
			for _, name := range names {
				if err := checkAllocator(c, name); err != nil {
					return err
				}
				opt.Policy, _ = pool.ParsePolicy(name)
				r, err := memtrace.Replay(events, opt)
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				results = append(results, r)
			}
			return a.writeOutput("-", func(w io.Writer) error { return memtrace.WriteTable(w, results) })
		},
	}
	c.Flags().StringSliceVar(&names, "allocator", pool.Policies, "the allocators to compare")
	c.Flags().StringVar(&limit, "memory-limit", "", "bound on device memory, such as 512M")
	c.Flags().StringVar(&largest, "largest-block", "", "the largest block that the device can allocate, such as 4G")
	return c
}

// maxTrace bounds a trace, some 20 million requests: a device or a pipe may have no end.
const maxTrace = 1 << 30

func readTrace(stdin io.Reader, path string) ([]memtrace.Event, error) {
	if path != "-" {
		f, err := hostmem.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		stdin = f
	}
	events, err := memtrace.Read(hostmem.Limit(stdin, maxTrace))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return events, nil
}
