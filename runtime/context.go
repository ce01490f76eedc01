package runtime

import (
	"fmt"
	"sync"
	"time"
)

// Options of a context.
type Options struct {
	// MemoryLimit bounds the bytes in live blocks. 0 means the memory that the
	// device says it has; some drivers promise more and then kill the process.
	MemoryLimit int64
}

// A Context is an open device with its queue, blocks and statistics.
type Context struct {
	device DeviceInfo
	drv    driver
	limit  int64

	turn sync.Mutex // held while a program runs, see Begin

	mu     sync.Mutex // guards all below, and the order of commands
	alloc  allocator
	blocks map[*Block]struct{} // live, those of AllocUncounted excluded
	live   int64               // bytes in blocks
	lastID int64
	stats  Stats
	closed bool
}

// Open opens the device that the selector names: "" is the first GPU, or the
// first device where there is none; otherwise an index of Devices, or a part of
// a device's or platform's name.
func Open(selector string, opt Options) (*Context, error) {
	all, err := Devices()
	if err != nil {
		return nil, err
	}
	i, err := choose(all, selector)
	if err != nil {
		return nil, err
	}
	drv, err := openDriver(i)
	if err != nil {
		return nil, fmt.Errorf("opening device %s: %w", all[i], err)
	}
	return newContext(all[i], drv, opt), nil
}

func newContext(d DeviceInfo, drv driver, opt Options) *Context {
	c := &Context{device: d, drv: drv, limit: opt.MemoryLimit, blocks: map[*Block]struct{}{}}
	if c.limit <= 0 {
		c.limit = d.Memory
	}
	c.alloc = &direct{drv: drv, stats: &c.stats}
	c.stats.Device = d.Name
	return c
}

// Device tells which device the context is on.
func (c *Context) Device() DeviceInfo { return c.device }

// Begin waits for this goroutine's turn to run a program on the context; end
// gives the turn to the next. The time in between is counted as WallUS.
func (c *Context) Begin() (end func()) {
	c.turn.Lock()
	start := time.Now()
	return func() {
		took := time.Since(start).Microseconds()
		c.mu.Lock()
		c.stats.WallUS += took
		c.mu.Unlock()
		c.turn.Unlock()
	}
}

// Finish waits until the device has done all that was asked.
func (c *Context) Finish() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.drv.finish(); err != nil {
		return fmt.Errorf("waiting for the device: %w", err)
	}
	return nil
}

// Close gives the device back, with all blocks that are still live. Blocks,
// programs and kernels of the context must not be used any more.
func (c *Context) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	// Memory that is given back under a running kernel is not worth finding
	// out about; an error of the kernel itself has nobody left to go to.
	_ = c.drv.finish()
	for b := range c.blocks {
		c.alloc.put(b.buf, b.offset)
	}
	c.blocks, c.live = map[*Block]struct{}{}, 0
	c.drv.close()
}
