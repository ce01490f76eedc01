package runtime

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/places"
)

// Several devices work together: their blocks have versions (package places), and lie where they
// are used. Callers see Contexts, the fronts: one per device, and one whose launches run on a
// device at random (Options.Scatter). All fronts take the blocks that any of them makes. Below the
// fronts, each device is a Context of its own (a member), which knows of no other.
type several struct {
	mu      sync.Mutex // of what follows; taken before a member's
	members []*member
	fronts  []*Context
	table   places.Table
	calls   int64
	live    int64 // bytes in blocks, wherever they lie
	peak    int64
	blocks  int
	asked   int64 // requests for blocks
	closed  bool

	// enqueuing is held by a command that does not wait, from its first block on: what it needs has room
	// at one time. It is taken before all others.
	enqueuing sync.Mutex
	times     *timings // nil: nobody wants the commands' times
}

// Moved counts what several devices moved: bytes from one device to another that needed them,
// bytes that gave way on a full device, and bytes that came back from the host.
type Moved struct {
	Migrated int64 `json:"migrated_bytes"`
	Evicted  int64 `json:"evicted_bytes"`
	Restored int64 `json:"restored_bytes"`
}

// A member is a device.
type member struct {
	number int
	ctx    *Context
	link   linker
}

// openSeveral opens devices that work together.
func openSeveral(infos []DeviceInfo, opt Options) (*Context, error) {
	if _, ok := opt.Trace.(memtrace.SpanSink); ok {
		opt.Profile = true
	}
	drivers, err := openDrivers(infos, opt)
	if err != nil {
		return nil, fmt.Errorf("opening the devices %v: %w", infos, err)
	}
	c, err := newSeveral(infos, drivers, opt)
	if err != nil {
		for _, d := range drivers {
			d.close()
		}
	}
	return c, err
}

// newSeveral returns the first device's front, or the scattering one. The drivers are linkers.
func newSeveral(infos []DeviceInfo, drivers []driver, opt Options) (*Context, error) {
	s := &several{}
	if err := s.open(infos, drivers, opt); err != nil { // the caller closes the drivers
		for _, m := range s.members {
			m.ctx.pool.Close()
		}
		return nil, err
	}
	how, _ := policy(opt)
	front := func(home int, d DeviceInfo) *Context {
		c := &Context{device: seen(d, opt), real: d, several: s, home: home, tags: map[int]TagInfo{}}
		c.stats.Device, c.stats.Allocator = d.Name, how.String()
		s.fronts = append(s.fronts, c)
		return c
	}
	common := infos[0]
	for i, d := range infos {
		front(i, d)
		common = common.and(d)
	}
	if opt.Scatter != 0 {
		c := front(0, common)
		c.scatter = rand.New(rand.NewPCG(opt.Scatter, 24))
		return c, nil
	}
	return s.fronts[0], nil
}

// open makes the members, and the table of what lies where.
func (s *several) open(infos []DeviceInfo, drivers []driver, opt Options) (err error) {
	trace, traced := opt.Trace, &sync.Mutex{}
	spans, _ := trace.(memtrace.SpanSink)
	if opt.Profile {
		s.times = &timings{sink: spans, traced: traced}
	}
	var devices []places.Device
	for i, d := range infos {
		link := drivers[i].(linker)
		device, err := link.link()
		if err != nil {
			return fmt.Errorf("opening queues for migrations: %w", err)
		}
		devices = append(devices, device)
		if trace != nil {
			opt.Trace = &deviceTrace{mu: traced, sink: trace, device: i}
		}
		ctx, err := newContext(d, drivers[i], opt)
		if err != nil {
			return err
		}
		s.members = append(s.members, &member{i, ctx, link})
		if s.times != nil {
			if err := s.times.add(link); err != nil {
				return err
			}
		}
	}
	s.table, err = places.New(devices, s, places.Options{Chunk: opt.chunk, Timed: s.times != nil})
	return err
}

// and describes the common properties of both devices.
func (d DeviceInfo) and(o DeviceInfo) DeviceInfo {
	d.MaxGroup, d.Local, d.MaxAlloc, d.Memory = min(d.MaxGroup, o.MaxGroup), min(d.Local, o.Local), min(d.MaxAlloc, o.MaxAlloc), min(d.Memory, o.Memory)
	d.Items, d.Wave = min(d.Items, o.Items), min(d.Wave, o.Wave)
	d.Several, d.Waits = d.Several && o.Several, d.Waits && o.Waits
	d.FP64, d.Int64Atomics, d.ExactDivide = d.FP64 && o.FP64, d.Int64Atomics && o.Int64Atomics, d.ExactDivide && o.ExactDivide
	if d.Index != o.Index {
		d.Name += " + " + o.Name
	}
	return d
}

// Devices returns a context for each of several devices, in their order; for one device, the
// context itself. A launch on the i-th runs on device i. All of them take the blocks that any of
// them made: a block that a launch needs moves to its device first. Calls on different ones run at
// the same time. Close closes all of them.
func (c *Context) Devices() []*Context {
	if c.several == nil {
		return []*Context{c}
	}
	return c.several.fronts[:len(c.several.members)]
}

// Shares reports whether the contexts take each other's blocks.
func (c *Context) Shares(o *Context) bool {
	return c == o || c.several != nil && c.several == o.several
}

// Peers reports whether blocks move between the contexts' devices by the driver's own copy, and not
// through the host.
func (c *Context) Peers(o *Context) bool {
	return c.several != nil && c.several == o.several && c.several.table.Peers(o.home, c.home)
}

// homes returns the members that launches of a front may run on.
func (c *Context) homes() []*member {
	if c.scatter != nil {
		return c.several.members
	}
	return c.several.members[c.home : c.home+1]
}

// begin numbers a call of a front for the traces of its devices; 0 is the end of one.
func (s *several) begin(c *Context, more int64) {
	if more == 0 {
		s.times.tell()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls += more
	for _, m := range c.homes() {
		m.ctx.mu.Lock()
		m.ctx.call = more * s.calls
		if more > 0 {
			m.ctx.pool.Turn()
		}
		m.ctx.mu.Unlock()
	}
}

// finish waits for the devices of a front.
func (s *several) finish(c *Context) error {
	for _, m := range c.homes() {
		if err := m.ctx.Finish(); err != nil {
			return err
		}
	}
	return nil
}

func (s *several) trim() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.members {
		m.ctx.Trim()
	}
	if !s.closed {
		s.table.Trim()
	}
}

func (s *several) lost() error {
	for _, m := range s.members {
		if err := m.ctx.Lost(); err != nil {
			return err
		}
	}
	return nil
}

func (s *several) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	s.table.Close()
	s.times.tell()
	for _, m := range s.members {
		m.ctx.Close()
	}
}

// stats adds the members' figures up. Blocks are counted once, wherever they lie.
func (s *several) stats(c *Context) Stats {
	c.mu.Lock()
	t := c.stats
	c.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Device = ""
	moved := Moved(s.table.Moved())
	t.Moved = &moved
	for i, m := range s.members {
		x := m.ctx.Stats()
		t.Devices = append(t.Devices, x)
		t.KernelLaunches += x.KernelLaunches
		t.CopiedBytes += x.CopiedBytes
		t.DriverAllocs += x.DriverAllocs
		t.DriverFrees += x.DriverFrees
		t.Refusals += x.Refusals
		t.HitsTag += x.HitsTag
		t.HitsOther += x.HitsOther
		t.HitsSplit += x.HitsSplit
		t.Misses += x.Misses
		t.PeakRounded += x.PeakRounded
		t.PeakHeld += x.PeakHeld
		t.DeviceHeap += x.DeviceHeap
		t.Rounded += x.Rounded
		t.Held += x.Held
		if i > 0 {
			t.Device += " + "
		}
		t.Device += x.Device
	}
	t.AllocRequests, t.PeakBytes = s.asked, s.peak
	return t
}

func (s *several) resetStats() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.members {
		m.ctx.ResetStats()
	}
	s.table.ResetMoved()
	s.asked, s.peak = 0, s.live
}
