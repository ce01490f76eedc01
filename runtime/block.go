package runtime

import (
	"errors"
	"fmt"

	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/pool"
)

// A Block is a range of device memory with a reference count.
type Block struct {
	ctx    *Context
	buf    handle
	offset int64      // of the block in its buffer, in bytes
	size   int64      // as requested, in bytes
	place  pool.Block // nil for a block of AllocUncounted or AllocHeap
	heap   int64      // bytes that AllocHeap took from the limit
	refs   int32
	tag    int
	shared *shared // of several devices: in place of a buffer
}

// Size returns the size in bytes, as requested.
func (b *Block) Size() int64 { return b.size }

// Tag returns the tag that the block was allocated with.
func (b *Block) Tag() int { return b.tag }

// A source is the driver as the pool sees it.
type source struct {
	driver
	refuse func(n, bytes int64) bool
	asked  int64
}

func (s *source) Create(bytes int64) (any, error) {
	s.asked++
	if s.refuse != nil && s.refuse(s.asked, bytes) {
		return nil, fmt.Errorf("%w (refused on purpose)", errNoMemory)
	}
	return s.create(bytes)
}
func (s *source) Release(buf any) { s.release(buf) }
func (s *source) Finish() error   { return s.finish() }

// The sizes of uncounted blocks are rounded up to multiples of uncountedGrain.
const uncountedGrain = 16

// slab is how many Blocks are made at a time. A Block is never used again, for
// somebody may still point to it.
const slab = 64

// Alloc makes a block of that many bytes (0 is allowed), with one reference. Its contents are
// undefined. The tag names the allocation site (RegisterTags). The error is *OutOfMemory if there
// is no room.
func (c *Context) Alloc(bytes int64, tag int) (*Block, error) {
	if c.several != nil {
		return c.several.alloc(c, bytes, tag)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.allocate(bytes, tag)
}

// AllocUncounted makes a block for the executor's own needs (a fault buffer), with a buffer to
// itself. Statistics and the memory limit ignore it.
func (c *Context) AllocUncounted(bytes int64) (*Block, error) {
	if c.several != nil {
		return c.several.allocUncounted(c, bytes)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.allocateUncounted(bytes)
}

func (c *Context) allocateUncounted(bytes int64) (*Block, error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	size := max(uncountedGrain, (bytes+uncountedGrain-1)/uncountedGrain*uncountedGrain)
	buf, err := c.drv.create(size)
	if errors.Is(err, errNoMemory) {
		c.pool.Trim()
		if err = c.drv.finish(); err == nil {
			buf, err = c.drv.create(size)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("allocating %d bytes: %w", bytes, err)
	}
	return &Block{ctx: c, buf: buf, size: bytes, refs: 1, tag: TempTag}, nil
}

// AllocHeap makes a block from which kernels allocate, with a buffer to itself. It counts against
// the memory limit, and statistics show its size (DeviceHeap), but not as memory in use: only
// kernels know how much of it is.
func (c *Context) AllocHeap(bytes int64) (*Block, error) {
	if c.several != nil {
		return c.several.allocHeap(c, bytes)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.usable(); err != nil {
		return nil, err
	}
	s := c.pool.Counts()
	if bytes > s.Limit-s.Asked {
		return nil, c.outOfMemory(bytes, TempTag, nil)
	}
	if s.Held > s.Limit-bytes {
		c.pool.Trim()
	}
	b, err := c.allocateUncounted(bytes)
	if err != nil {
		return nil, err
	}
	b.heap = bytes
	c.pool.Reserve(bytes)
	return b, nil
}

func (c *Context) allocate(bytes int64, tag int) (*Block, error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	if bytes < 0 {
		return nil, fmt.Errorf("a block cannot have %d bytes", bytes)
	}
	place, err := c.pool.Get(bytes, tag)
	if errors.Is(err, errNoMemory) {
		return nil, c.outOfMemory(bytes, tag, err)
	}
	if err != nil {
		return nil, fmt.Errorf("allocating %d bytes: %w", bytes, err)
	}
	if len(c.fresh) == 0 {
		c.fresh = make([]Block, slab)
	}
	b := &c.fresh[0]
	c.fresh = c.fresh[1:]
	*b = Block{ctx: c, buf: place.Buffer(), offset: place.Offset(), size: bytes, place: place, refs: 1, tag: tag}
	if c.trace != nil {
		c.event(memtrace.Allocate, memtrace.Pointer(place.BufferID(), b.offset), bytes, tag)
	}
	return b, nil
}

var errClosed = errors.New("the OpenCL context is closed")

// Retain adds a reference.
func (b *Block) Retain() {
	if b.shared != nil {
		b.ctx.several.retain(b)
		return
	}
	b.ctx.mu.Lock()
	defer b.ctx.mu.Unlock()
	b.refs++
}

// References returns the number of references.
func (b *Block) References() int {
	if b.shared != nil {
		return b.ctx.several.references(b)
	}
	b.ctx.mu.Lock()
	defer b.ctx.mu.Unlock()
	return int(b.refs)
}

// Release drops a reference; the last one gives the memory back. A nil block is
// the empty one, of which there is nothing to release.
func (b *Block) Release() {
	if b == nil {
		return
	}
	if b.shared != nil {
		b.ctx.several.release(b)
		return
	}
	b.ctx.mu.Lock()
	defer b.ctx.mu.Unlock()
	b.ctx.release(b)
}

func (c *Context) release(b *Block) {
	b.refs--
	if b.refs != 0 || c.closed {
		return
	}
	if b.place == nil {
		c.drv.release(b.buf)
		c.pool.Reserve(-b.heap)
		b.buf, b.heap = nil, 0
		return
	}
	at := memtrace.Pointer(b.place.BufferID(), b.offset)
	c.pool.Put(b.place)
	b.buf, b.place = nil, nil
	if c.trace != nil {
		c.event(memtrace.Free, at, b.size, b.tag)
	}
}
