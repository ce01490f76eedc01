package runtime

import (
	"encoding/json"
	"fmt"
	"io"
)

// Stats is what a context has done since it was opened or reset. Bytes are
// those requested: rounding is the allocator's own matter.
type Stats struct {
	Device         string `json:"device"`
	PeakBytes      int64  `json:"peak_bytes"`      // most bytes in live blocks at any time
	AllocRequests  int64  `json:"alloc_requests"`  // blocks asked for
	DriverAllocs   int64  `json:"driver_allocs"`   // buffers made by the driver for them
	CopiedBytes    int64  `json:"copied_bytes"`    // bytes moved by copies on the device
	KernelLaunches int64  `json:"kernel_launches"` // kernels of the program, copy kernels excluded
	WallUS         int64  `json:"wall_us"`         // time inside Begin .. end
}

// JSON gives the statistics as one line.
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
}

// Stats gives the statistics so far.
func (c *Context) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// ResetStats starts counting anew; the peak starts at what is live.
func (c *Context) ResetStats() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats = Stats{Device: c.device.Name, PeakBytes: c.live}
}

// CountCopied adds bytes that a kernel moves, for what would be a copy
// elsewhere (array results of kernel bodies).
func (c *Context) CountCopied(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.CopiedBytes += bytes
}

// LiveBytes gives the bytes in live blocks now.
func (c *Context) LiveBytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live
}

// LiveBlocks gives the number of live blocks now.
func (c *Context) LiveBlocks() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.blocks)
}
