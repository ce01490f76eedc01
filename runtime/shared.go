package runtime

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/memc-lang/memc/runtime/places"
)

// A linker is a driver whose device works together with others.
type linker interface {
	// link opens the queues of migrations, which close of the driver closes, and gives OpenCL's handles.
	link() (places.Device, error)
	// memory returns the cl_mem of a buffer.
	memory(h handle) unsafe.Pointer
	// failure returns the error of a command of package places.
	failure(e *places.Error) error

	// If the driver was opened for profiling, taken returns the events of commands since its last
	// call. span waits for one, drops it, and returns its times by the device's clock; clock
	// returns the present time by that clock.
	taken() []unsafe.Pointer
	span(ev unsafe.Pointer) (start, end time.Duration, err error)
	clock() (time.Duration, error)
}

// A shared is what a Block of several devices has in place of a buffer.
type shared struct {
	v places.Block
	// private memory belongs to its device, by number, and has no versions: kernels allocate from it.
	private []*Block
	// uncounted storage is no member's business (AllocUncounted), and never evicted.
	uncounted bool
}

// alloc makes a block without storage.
func (s *several) alloc(c *Context, bytes int64, tag int) (*Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	if bytes < 0 {
		return nil, fmt.Errorf("a block cannot have %d bytes", bytes)
	}
	for _, m := range c.homes() {
		if err := m.ctx.couldHold(bytes, tag); err != nil {
			return nil, err
		}
	}
	v, err := s.table.NewBlock(bytes, tag)
	if err != nil {
		return nil, err
	}
	s.asked++
	s.blocks++
	s.live += bytes
	s.peak = max(s.peak, s.live)
	return &Block{ctx: c, size: bytes, refs: 1, tag: tag, shared: &shared{v: v}}, nil
}

// allocUncounted makes a block that the memory limit does not know of, on every device of the front.
func (s *several) allocUncounted(c *Context, bytes int64) (*Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	v, err := s.table.NewBlock(bytes, TempTag)
	if err != nil {
		return nil, err
	}
	b := &Block{ctx: c, size: bytes, refs: 1, tag: TempTag, shared: &shared{v: v, uncounted: true}}
	for _, m := range c.homes() {
		mb, err := m.ctx.AllocUncounted(bytes)
		if err == nil {
			if err = s.table.Hold(v, m.number, m.storage(mb)); err != nil {
				mb.Release()
			}
		}
		if err != nil {
			s.free(b)
			return nil, err
		}
	}
	return b, nil
}

// allocHeap makes memory from which kernels allocate, on every device of the front.
func (s *several) allocHeap(c *Context, bytes int64) (*Block, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	b := &Block{ctx: c, size: bytes, refs: 1, tag: TempTag, shared: &shared{private: make([]*Block, len(s.members))}}
	for _, m := range c.homes() {
		mb, err := m.ctx.AllocHeap(bytes)
		if err != nil {
			s.free(b)
			return nil, err
		}
		b.shared.private[m.number] = mb
	}
	return b, nil
}

// couldHold returns an error if a device can never have room for a block of that size.
func (c *Context) couldHold(bytes int64, tag int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.usable(); err != nil {
		return err
	}
	if bytes > c.pool.Counts().Limit {
		return c.outOfMemory(bytes, tag, nil)
	}
	return nil
}

func (s *several) retain(b *Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b.refs++
}

func (s *several) references(b *Block) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int(b.refs)
}

func (s *several) release(b *Block) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.refs--; b.refs == 0 && !s.closed {
		s.free(b)
	}
}

func (s *several) free(b *Block) {
	sh := b.shared
	if sh.private != nil {
		for i, mb := range sh.private {
			mb.Release()
			sh.private[i] = nil
		}
		return
	}
	s.table.Free(sh.v)
	if !sh.uncounted {
		s.blocks--
		s.live -= b.size
	}
}

// What package places asks of the devices.

// Make makes storage.
func (s *several) Make(device int, bytes int64, tag int) (places.Storage, error) {
	m := s.members[device]
	mb, err := m.ctx.Alloc(bytes, tag)
	if err != nil {
		return places.Storage{}, err
	}
	return m.storage(mb), nil
}

// storage says where a block of the member lies.
func (m *member) storage(b *Block) places.Storage {
	st := places.Storage{Buffer: m.link.memory(b.buf), Offset: b.offset, Owner: b}
	if b.place != nil {
		st.Range = b.place.Range()
	}
	return st
}

// Drop gives storage back.
func (s *several) Drop(_ int, owner any) { owner.(*Block).Release() }

// Moved is told of a transfer.
func (s *several) Moved(device int, out bool, other int, bytes int64, event unsafe.Pointer) {
	s.times.moved(device, out, other, bytes, event)
}
