package runtime

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/pool"
	"github.com/memc-lang/memc/runtime/versions"
)

// Several devices work together: their blocks have versions (package versions), and lie where they
// are used. Callers see Contexts, the fronts: one per device, and one whose launches run on a
// device at random (Options.Scatter). All fronts take the blocks that any of them makes. Below the
// fronts, each device is a Context of its own (a member), which knows of no other.
type several struct {
	mu      sync.Mutex // taken before a member's; not held while the host waits for kernels, but between OpenCL contexts
	members []*member
	host    *member // no device: the host's memory, the last place
	fronts  []*Context
	table   versions.Table
	rings   map[*member]*ring
	chunk   int64 // bytes of a migration through the host that move at once
	calls   int64
	live    int64 // bytes in blocks, wherever they lie
	peak    int64
	blocks  int
	asked   int64 // requests for blocks
	moved   Moved
	timed   bool              // somebody wants the commands' times
	trace   memtrace.SpanSink // nil: only Took
	spans   []pendingSpan
	took    time.Duration // by kernels and copies of devices, since Took
	closed  bool
}

// Moved counts what several devices moved: bytes from one device to another that needed them,
// bytes that gave way on a full device, and bytes that came back from the host.
type Moved struct {
	Migrated int64 `json:"migrated_bytes"`
	Evicted  int64 `json:"evicted_bytes"`
	Restored int64 `json:"restored_bytes"`
}

// A member is one place: a device, or the host's memory.
type member struct {
	number        int
	zero          time.Time // when the device's clock was 0
	ctx           *Context
	link          linker
	main, in, out *lane
	pool          pool.Pool      // of the host's memory
	tracks        map[any]*track // of freed blocks, by the buffer that they were in
}

// severalDevices splits a list of devices.
func severalDevices(selector string, opt Options) ([]string, bool) {
	list := strings.Split(selector, ",")
	return list, len(list) > 1 || opt.Evict || opt.Scatter != 0
}

// openSeveral opens the devices that the selectors name.
func openSeveral(all []DeviceInfo, selectors []string, opt Options) (*Context, error) {
	infos, err := chooseAll(all, selectors)
	if err != nil {
		return nil, err
	}
	var indices []int
	for _, d := range infos {
		indices = append(indices, d.Index)
	}
	if _, ok := opt.Trace.(memtrace.SpanSink); ok {
		opt.Profile = true
	}
	drivers, err := openDrivers(indices, opt)
	if err != nil {
		return nil, fmt.Errorf("opening the devices %s: %w", strings.Join(selectors, ","), err)
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
	for _, d := range drivers {
		if err := d.(linker).link(); err != nil {
			return nil, fmt.Errorf("opening queues for migrations: %w", err)
		}
	}
	s := &several{rings: map[*member]*ring{}, chunk: chunkBytes, timed: opt.Profile, host: &member{tracks: map[any]*track{}}}
	if err := s.open(infos, drivers, opt); err != nil { // the caller closes the drivers
		for _, m := range s.members {
			m.ctx.pool.Close()
		}
		if s.host.pool != nil {
			s.host.pool.Close()
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

// open makes the members, the host's memory, and the table of what lies where.
func (s *several) open(infos []DeviceInfo, drivers []driver, opt Options) (err error) {
	trace, traced := opt.Trace, &sync.Mutex{}
	if sink, ok := trace.(memtrace.SpanSink); ok {
		s.trace = &spanTrace{traced, sink}
	}
	for i, d := range infos {
		if trace != nil {
			opt.Trace = &deviceTrace{mu: traced, sink: trace, device: i}
		}
		ctx, err := newContext(d, drivers[i], opt)
		if err != nil {
			return err
		}
		m := &member{number: i, ctx: ctx, tracks: map[any]*track{}}
		s.members = append(s.members, m)
		link := &watchedLinker{drivers[i].(linker), m.ctx.drv}
		m.link = link
		m.main, m.in, m.out = newLane(link, queueMain), newLane(link, queueIn), newLane(link, queueOut)
		m.in.eager, m.out.eager = true, true
		m.ctx.source.gone = func(buf any) { delete(m.tracks, buf) }
		if s.timed {
			now, err := link.clock()
			if err != nil {
				return err
			}
			m.zero = time.Now().Add(-now)
		}
	}
	if s.host.pool, err = pool.New(&hostSource{s.members[0].link, s.host}, pool.Options{Policy: pool.Region, Limit: hostmem.Budget()}); err != nil {
		return err
	}
	s.table, err = versions.New(s, s.distances())
	return err
}

func newLane(link linker, queue int) *lane {
	return &lane{link: link, queue: queue, after: map[*lane]int64{}}
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

// distances says where blocks come from and go to. A device takes contents from a peer before
// the host's memory, and from the host before a device that it reaches only through the host.
func (s *several) distances() (order [][]versions.Place) {
	host := versions.Place(len(s.members))
	for i := range s.members {
		var near, far []versions.Place
		for k := range s.members {
			if k == i {
				continue
			}
			if s.peers(i, k) {
				near = append(near, versions.Place(k))
			} else {
				far = append(far, versions.Place(k))
			}
		}
		order = append(order, append(append(near, host), far...))
	}
	var devices []versions.Place
	for i := range s.members {
		devices = append(devices, versions.Place(i))
	}
	return append(order, devices)
}

// peers reports whether device to can copy from device from by itself.
func (s *several) peers(to, from int) bool {
	return s.members[to].link.peers(s.members[from].link)
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
	return c.several != nil && c.several == o.several && c.several.peers(o.home, c.home)
}

// homes returns the members that launches of a front may run on.
func (c *Context) homes() []*member {
	if c.scatter != nil {
		return c.several.members
	}
	return c.several.members[c.home : c.home+1]
}

// place chooses the device of a launch, or of another command.
func (c *Context) place() int {
	if c.scatter != nil {
		return c.scatter.IntN(len(c.several.members))
	}
	return c.home
}

// begin numbers a call of a front for the traces of its devices; 0 is the end of one.
func (s *several) begin(c *Context, more int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if more == 0 && s.timed {
		s.tell()
	}
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
		s.host.pool.Trim()
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
	for _, m := range s.members {
		_ = m.ctx.Finish() // as Close says
	}
	s.tell()
	for _, r := range s.rings {
		r.close()
	}
	s.host.pool.Close()
	s.table.Close()
	for _, m := range s.members {
		m.main.close()
		m.in.close()
		m.out.close()
	}
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
	moved := s.moved
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
	s.asked, s.peak, s.moved = 0, s.live, Moved{}
}

// hostSource makes memory of the host for blocks that no device has room for.
type hostSource struct {
	link linker
	host *member
}

func (h *hostSource) Create(bytes int64) (any, error) {
	if err := hostmem.Room(bytes); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoMemory, err)
	}
	p, err := h.link.pin(bytes)
	if err != nil {
		return nil, err
	}
	return &p, nil
}

func (h *hostSource) Release(buf any) {
	if t := h.host.tracks[buf]; t != nil { // devices may still be at work on it
		for _, s := range t.uses {
			_ = s.wait()
		}
		delete(h.host.tracks, buf)
	}
	h.link.unpin(*buf.(*pinned))
}

func (h *hostSource) Finish() error { return nil }

// A pending span is a command whose times are not known yet.
type pendingSpan struct {
	m    *member
	ev   event
	span memtrace.Span
}

// maxSpans is how many commands may be pending before somebody asks for their times.
const maxSpans = 4096

// record records the commands just enqueued on a device, if they are timed.
func (s *several) record(m *member, queue, name string, bytes int64) {
	if !s.timed {
		return
	}
	for _, ev := range m.link.taken() {
		s.spans = append(s.spans, pendingSpan{m, ev, memtrace.Span{Device: m.number, Queue: queue, Name: name, Bytes: bytes}})
	}
	if len(s.spans) >= maxSpans {
		s.tell()
	}
}

// tell waits for the commands recorded, adds kernels up, and tells the trace.
func (s *several) tell() {
	for _, p := range s.spans {
		start, end, err := p.m.link.span(p.ev)
		if err != nil {
			continue // the goroutine that waits for the command gets the error
		}
		p.span.Start, p.span.End = p.m.zero.Add(start), p.m.zero.Add(end)
		if p.span.Queue == "kernels" {
			s.took += end - start
		}
		if s.trace != nil {
			s.trace.Span(p.span)
		}
	}
	s.spans = nil
}

// tookSince is Took: the time of kernels and copies, on whatever device. Migrations are not in
// it; the trace has them.
func (s *several) tookSince() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tell()
	took := s.took
	s.took = 0
	return took
}

// deviceTrace tells a sink which device its events are of.
type deviceTrace struct {
	mu     *sync.Mutex
	sink   memtrace.Sink
	device int
}

func (t *deviceTrace) Event(e memtrace.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.Device = t.device
	t.sink.Event(e)
}

func (t *deviceTrace) Close() error { return nil }

// spanTrace lets one device at a time tell a sink.
type spanTrace struct {
	mu *sync.Mutex
	memtrace.SpanSink
}

func (t *spanTrace) Span(x memtrace.Span) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.SpanSink.Span(x)
}

// isFull reports whether a member had no room.
func isFull(err error) bool { return errors.Is(err, versions.ErrFull) }
