package runtime

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/memc-lang/memc/runtime/pool"
)

// Stats counts the operations of a context since it was opened or reset. Bytes are
// those asked for, rounded up to blocks, or held in buffers of the driver.
type Stats struct {
	Device         string `json:"device"`
	PeakBytes      int64  `json:"peak_bytes"`      // most bytes in live blocks at any time
	AllocRequests  int64  `json:"alloc_requests"`  // blocks asked for
	DriverAllocs   int64  `json:"driver_allocs"`   // buffers made by the driver for them
	CopiedBytes    int64  `json:"copied_bytes"`    // bytes moved by copies on the device
	KernelLaunches int64  `json:"kernel_launches"` // kernels of the program, copy kernels excluded
	WallUS         int64  `json:"wall_us"`         // time inside Begin .. end

	Allocator   string `json:"allocator,omitempty"`
	HitsTag     int64  `json:"hits_tag"`           // served by the block that the same site freed last
	HitsOther   int64  `json:"hits_other"`         // ... by another free block, whole
	HitsSplit   int64  `json:"hits_split"`         // ... by a part of a free block
	Misses      int64  `json:"misses"`             // ... by a new buffer
	DriverFrees int64  `json:"driver_frees"`       // buffers given back to the driver
	Refusals    int64  `json:"driver_refusals"`    // buffers that the driver would not make
	PeakRounded int64  `json:"peak_rounded_bytes"` // most bytes in blocks, after rounding
	PeakHeld    int64  `json:"peak_held_bytes"`    // most bytes in buffers of the driver
	Rounded     int64  `json:"rounded_bytes"`      // bytes in blocks now, after rounding
	Held        int64  `json:"held_bytes"`         // bytes in buffers now
	// DeviceHeap is the memory from which kernels allocate. It is in no other
	// figure, and counts against the memory limit.
	DeviceHeap int64 `json:"device_heap_bytes,omitempty"`
	// Fragmentation now: the part of blocks that nobody asked for, and the part of
	// the free bytes that is outside of the largest free block.
	Internal float64 `json:"fragmentation_internal"`
	External float64 `json:"fragmentation_external"`

	// For several devices: the bytes that moved between them, and the figures of each.
	*Moved
	Devices []Stats `json:"devices,omitempty"`
}

// JSON returns the statistics as one line.
func (s Stats) JSON() string {
	b, err := json.Marshal(s)
	if err != nil { // a struct of strings and integers always marshals
		return "{}"
	}
	return string(b)
}

// WriteText writes the statistics for people.
func (s Stats) WriteText(w io.Writer) {
	fmt.Fprintf(w, "device           %s\n", s.Device)
	for _, f := range []struct {
		name  string
		value int64
	}{
		{"peak_bytes", s.PeakBytes}, {"alloc_requests", s.AllocRequests}, {"driver_allocs", s.DriverAllocs},
		{"copied_bytes", s.CopiedBytes}, {"kernel_launches", s.KernelLaunches}, {"wall_us", s.WallUS},
	} {
		fmt.Fprintf(w, "%-15s %12d\n", f.name, f.value)
	}
	if s.Allocator == "" {
		return // an interpreter
	}
	fmt.Fprintf(w, "%-15s %12s\n", "allocator", s.Allocator)
	fmt.Fprintf(w, "%-15s %12d  (%d by tag, %d whole, %d split), %d misses\n", "hits",
		s.HitsTag+s.HitsOther+s.HitsSplit, s.HitsTag, s.HitsOther, s.HitsSplit, s.Misses)
	fmt.Fprintf(w, "%-15s %12d  (%d after rounding)\n", "peak_held_bytes", s.PeakHeld, s.PeakRounded)
	if s.DeviceHeap > 0 {
		fmt.Fprintf(w, "%-15s %12d  (beside all that)\n", "device_heap", s.DeviceHeap)
	}
	if s.Moved == nil {
		return
	}
	fmt.Fprintf(w, "%-15s %12d  (%d evicted, %d restored)\n", "migrated_bytes", s.Migrated, s.Evicted, s.Restored)
	for i, d := range s.Devices {
		fmt.Fprintf(w, "device %-8d %12d peak_bytes, %d kernel_launches, %s\n", i, d.PeakBytes, d.KernelLaunches, d.Device)
	}
}

// Stats returns the statistics so far.
func (c *Context) Stats() Stats {
	if c.several != nil {
		return c.several.stats(c)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s, p := c.stats, c.pool.Stats()
	s.PeakBytes, s.AllocRequests = p.PeakAsked, p.Requests-c.base.Requests
	s.DriverAllocs = p.Creates - c.base.Creates
	s.DriverFrees = p.Releases - c.base.Releases
	s.Refusals = p.Refusals - c.base.Refusals
	s.HitsTag = p.Hits[pool.HitTag] - c.base.Hits[pool.HitTag]
	s.HitsOther = p.Hits[pool.HitOther] - c.base.Hits[pool.HitOther]
	s.HitsSplit = p.Hits[pool.HitSplit] - c.base.Hits[pool.HitSplit]
	s.Misses = p.Hits[pool.Miss] - c.base.Hits[pool.Miss]
	s.PeakRounded, s.PeakHeld = p.PeakRounded, p.PeakHeld
	s.DeviceHeap = p.Reserved
	s.Rounded, s.Held, s.Internal, s.External = p.Rounded, p.Held, p.Internal(), p.External()
	return s
}

// ResetStats starts counting anew; peaks start at the present values.
func (c *Context) ResetStats() {
	if c.several != nil {
		c.several.resetStats()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats = Stats{Device: c.device.Name, Allocator: c.stats.Allocator}
	if c.several != nil {
		return
	}
	c.pool.ResetPeaks()
	c.base = c.pool.Counts()
}

// CountCopied adds bytes that a kernel moves, for what would be a copy
// elsewhere (array results of kernel bodies).
func (c *Context) CountCopied(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.CopiedBytes += bytes
}

// LiveBytes returns the bytes in live blocks now.
func (c *Context) LiveBytes() int64 {
	if s := c.several; s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.live
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pool.Counts().Asked
}

// LiveBlocks returns the number of live blocks now.
func (c *Context) LiveBlocks() int {
	if s := c.several; s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.blocks
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return int(c.pool.Counts().Blocks)
}
