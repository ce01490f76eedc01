package runtime

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/pool"
)

// Options of a context.
type Options struct {
	// MemoryLimit bounds the bytes in live blocks, and (to within pool.Slack) those held. 0 means
	// the memory that the device reports. If the device is the host's processor, the memory that
	// the host has free when the context is opened is a bound, too.
	MemoryLimit int64
	// Allocator names the policy that places blocks in buffers (pool.Policies);
	// "" is DefaultAllocator.
	Allocator string
	// Trace receives every event of a block, if it is not nil. The context does not
	// close it.
	Trace memtrace.Sink
	// Refuse, if set, injects faults: it is called before the driver makes its n-th buffer for
	// blocks (from 1), and true means that there is no memory for it.
	Refuse func(n, bytes int64) bool
	// Profile has the device tell how long kernels and copies take (Took). Each then costs
	// the driver more.
	Profile bool
	// Evict has a full device move blocks elsewhere, and back when they are needed. Several
	// devices always do that (Open).
	Evict bool
	// Scatter, if it is not 0, runs every launch and copy on one of the devices, which this
	// seed chooses: for tests.
	Scatter uint64
	// Apart gives each of several devices a context of its own in the driver, as devices of
	// different platforms have. They then exchange blocks through the host.
	Apart bool
	// LikeGPU has programs divide their work as for a large GPU, whatever the device is:
	// for tests.
	LikeGPU bool
	// chunk is how many bytes of a migration through the host move at once; 0: the default. For tests.
	chunk int64
	// Small has programs see the least device: what OpenCL 1.2 promises of each limit, and few
	// work-groups at once. For tests.
	Small bool
}

// DefaultAllocator is the policy where none is chosen; docs/runtime.md has the
// figures that speak for it.
const DefaultAllocator = "region"

// A Context is an open device with its queue, blocks and statistics.
type Context struct {
	device DeviceInfo
	real   DeviceInfo // before LikeGPU
	drv    *watched
	source *source
	limit  int64

	// Of several devices: what they share, and where launches of this context run. It has
	// no driver and no pool then; its members have.
	several *several
	home    int
	scatter *rand.Rand // nil: at home

	turn sync.Mutex // held while a program runs, see Begin

	mu          sync.Mutex // guards all below, and the order of commands
	pool        pool.Pool  // of all live blocks but those of AllocUncounted and AllocHeap
	fresh       []Block
	tags        map[int]TagInfo
	nextTag     int
	trace       memtrace.Sink
	calls, call int64 // turns begun, and that which runs now (0: none)
	stats       Stats
	base        pool.Stats // of pool, when counting began
	closed      bool
}

// Open opens the device that the selector names. "" is the first GPU, or the first device if there
// is none. Otherwise it is an index of Devices, or a part of a device's or platform's name; "#1 TEXT"
// is the second device that has the part. A list of selectors, with commas, opens several devices that
// work together: the context is that of the first, and Devices returns the others.
func Open(selector string, opt Options) (*Context, error) {
	if _, err := policy(opt); err != nil {
		return nil, err
	}
	infos, err := Find(selector)
	if err != nil {
		return nil, err
	}
	if len(infos) > 1 || opt.Evict || opt.Scatter != 0 {
		return openSeveral(infos, opt)
	}
	drivers, err := openDrivers(infos, opt)
	if err != nil {
		return nil, fmt.Errorf("opening device %s: %w", infos[0], err)
	}
	return newContext(infos[0], drivers[0], opt)
}

// LikeGPU has the programs that are called from now on divide their work as Options.LikeGPU
// says, or as the device is.
func (c *Context) LikeGPU(on bool) { c.device = seen(c.real, Options{LikeGPU: on}) }

// seen is a device as programs see it.
func seen(d DeviceInfo, opt Options) DeviceInfo {
	if opt.LikeGPU {
		d.Items, d.Wave, d.Waits, d.Several = 128*2048, 32, true, true
	}
	d.MaxGroups = 1 << 30 // OpenCL reports none: CUDA's is 2^31 - 1, and PoCL counts in 32 bits
	if opt.Small {
		d.Local, d.MaxGroups, d.Int64Atomics, d.Waits = 32<<10, 16, false, false
	}
	return d
}

func policy(opt Options) (pool.Policy, error) {
	if opt.Allocator == "" {
		opt.Allocator = DefaultAllocator
	}
	return pool.ParsePolicy(opt.Allocator)
}

// newContext takes options whose allocator is known to exist.
func newContext(d DeviceInfo, drv driver, opt Options) (c *Context, err error) {
	c = &Context{device: seen(d, opt), real: d, drv: &watched{driver: drv, device: d}, limit: opt.MemoryLimit, tags: map[int]TagInfo{}, trace: opt.Trace}
	if c.limit <= 0 {
		c.limit = d.Memory
	}
	if d.CPU {
		// Its driver promises memory that the host may not have, and dies, or the
		// process with it, when a kernel touches that.
		budget := hostmem.Budget()
		if _, limited := hostmem.Left(); limited { // and compiling takes address space
			budget = max(1, budget-driverSpace/4)
		}
		c.limit = min(c.limit, budget)
	}
	how, _ := policy(opt)
	c.source = &source{driver: c.drv, refuse: opt.Refuse}
	c.pool, err = pool.New(c.source, pool.Options{Policy: how, Limit: c.limit, MaxAlloc: d.MaxAlloc})
	c.stats.Device, c.stats.Allocator = d.Name, how.String()
	return c, err
}

// MovesBlocks reports whether blocks move elsewhere if the device is full.
func (c *Context) MovesBlocks() bool { return c.several != nil }

// Limit returns the bytes that live blocks may have together: the device's memory, less where
// the options, or a processor's host, have less.
func (c *Context) Limit() int64 { return c.limit }

// Device tells which device the context is on.
func (c *Context) Device() DeviceInfo { return c.device }

// Begin waits for this goroutine's turn to run a program on the context; end
// gives the turn to the next. The time in between is counted as WallUS.
func (c *Context) Begin() (end func()) {
	c.turn.Lock()
	c.mu.Lock()
	c.calls++
	c.call = c.calls
	if c.several == nil {
		c.pool.Turn()
	}
	c.mu.Unlock()
	if c.several != nil {
		c.several.begin(c, 1)
	}
	start := time.Now()
	return func() {
		took := time.Since(start).Microseconds()
		c.mu.Lock()
		c.stats.WallUS += took
		c.call = 0
		c.mu.Unlock()
		if c.several != nil {
			c.several.begin(c, 0)
		}
		c.turn.Unlock()
	}
}

// Finish waits until the device has done all that was asked.
func (c *Context) Finish() error {
	if c.several != nil {
		return c.several.finish(c)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.drv.finish(); err != nil {
		return fmt.Errorf("waiting for the device: %w", err)
	}
	return nil
}

// Took waits for the launches and copies since it was last asked, and gives how long
// the device worked on them, by its own clock (Options.Profile).
func (c *Context) Took() (time.Duration, error) {
	if c.several != nil {
		return c.several.times.since(), nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	d, err := c.drv.took()
	if err != nil {
		return 0, fmt.Errorf("waiting for the device: %w", err)
	}
	return d, nil
}

// Trim gives the driver back all memory that no block is in.
func (c *Context) Trim() {
	if c.several != nil {
		c.several.trim()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.pool.Trim()
	}
}

// Close gives the device back, with all blocks that are still live. Blocks,
// programs and kernels of the context must not be used any more.
func (c *Context) Close() {
	if c.several != nil {
		c.several.close()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.closed = true
	// Memory that is given back under a running kernel is not worth finding
	// out about; an error of the kernel itself has nobody left to go to.
	_ = c.drv.finish()
	c.pool.Close()
	c.drv.close()
}
