package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/runtime/device"
	"github.com/memc-lang/memc/runtime/device/cl"
)

// heapFlags choose what serves kernels that allocate.
type heapFlags struct{ bytes, allocator string }

func (h *heapFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&h.bytes, "device-heap", "64M", "memory for kernels that allocate, such as 1G")
	c.Flags().StringVar(&h.allocator, "device-allocator", imp.DefaultDeviceAllocator, "the allocator for them: "+strings.Join(cl.Names(true), ", "))
}

// heap checks the flags.
func (h *heapFlags) heap(c *cobra.Command) (driver.DeviceHeap, error) {
	out := driver.DeviceHeap{Allocator: h.allocator}
	var err error
	if out.Bytes, err = parseBytes(h.bytes); err != nil {
		return out, usagef(c, "--device-heap=%s: %v", h.bytes, err)
	}
	if out.Bytes < device.MinBytes {
		return out, usagef(c, "--device-heap=%s: a heap has at least %d bytes", h.bytes, device.MinBytes)
	}
	a, err := cl.Lookup(h.allocator)
	switch {
	case err != nil:
		return out, usagef(c, "--device-allocator: there is no allocator %q; there are %s%s", h.allocator, strings.Join(cl.Names(true), ", "), didYouMean(h.allocator, cl.Names(true)))
	case !a.Safe:
		return out, usagef(c, "--device-allocator=%s: %s, so programs would go wrong; choose %s", a.Name, a.About, strings.Join(cl.Names(true), ", "))
	}
	return out, nil
}
