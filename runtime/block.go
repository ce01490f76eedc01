package runtime

import (
	"errors"
	"fmt"
	"math"
)

// A Block is a range of device memory with a reference count.
type Block struct {
	ctx       *Context
	buf       handle
	offset    int64 // of the block in its buffer, in bytes
	size      int64 // as requested, in bytes
	refs      int32
	id        int64 // order of allocation
	tag       int
	uncounted bool
}

// Size gives the size in bytes, as requested.
func (b *Block) Size() int64 { return b.size }

// Tag gives the tag that the block was allocated with.
func (b *Block) Tag() int { return b.tag }

// An allocator finds places for blocks in buffers of the driver. Sizes are
// multiples of grain and positive.
type allocator interface {
	get(bytes int64, tag int) (buf handle, offset int64, err error)
	put(buf handle, offset int64)
}

// direct is the policy "one driver buffer per block, given back at once".
type direct struct {
	drv   driver
	stats *Stats
}

func (d *direct) get(bytes int64, _ int) (handle, int64, error) {
	h, err := d.drv.create(bytes)
	if errors.Is(err, errNoMemory) {
		// Buffers already released stay allocated until the commands that use
		// them are done.
		if ferr := d.drv.finish(); ferr != nil {
			return nil, 0, ferr
		}
		h, err = d.drv.create(bytes)
	}
	if err == nil {
		d.stats.DriverAllocs++
	}
	return h, 0, err
}

func (d *direct) put(buf handle, _ int64) { d.drv.release(buf) }

// grain is what sizes are rounded up to; it is the strictest alignment of an
// element, and makes a block of no bytes a buffer that a kernel can be given.
const grain = 16

func roundUp(bytes int64) int64 {
	return max(grain, (bytes+grain-1)/grain*grain)
}

// Alloc makes a block of that many bytes (0 is allowed), with one reference.
// Its contents are undefined. The tag is the caller's, for error messages. An
// error is *OutOfMemory where there is no room.
func (c *Context) Alloc(bytes int64, tag int) (*Block, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.allocate(bytes, tag, false)
}

// AllocUncounted is Alloc for the executor's own needs (a fault buffer):
// neither statistics nor the memory limit know of the block.
func (c *Context) AllocUncounted(bytes int64) (*Block, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.allocate(bytes, -1, true)
}

func (c *Context) allocate(bytes int64, tag int, uncounted bool) (*Block, error) {
	if c.closed {
		return nil, errClosed
	}
	if bytes < 0 {
		return nil, fmt.Errorf("a block cannot have %d bytes", bytes)
	}
	b := &Block{ctx: c, size: bytes, refs: 1, tag: tag, uncounted: uncounted}
	var err error
	if uncounted {
		b.buf, err = c.drv.create(roundUp(bytes))
		if err != nil {
			return nil, fmt.Errorf("allocating %d bytes: %w", bytes, err)
		}
		return b, nil
	}
	c.stats.AllocRequests++
	if bytes > math.MaxInt64-grain || bytes > c.limit-c.live {
		return nil, c.outOfMemory(bytes, tag)
	}
	b.buf, b.offset, err = c.alloc.get(roundUp(bytes), tag)
	if errors.Is(err, errNoMemory) {
		return nil, c.outOfMemory(bytes, tag)
	}
	if err != nil {
		return nil, fmt.Errorf("allocating %d bytes: %w", bytes, err)
	}
	c.lastID++
	b.id = c.lastID
	c.blocks[b] = struct{}{}
	c.live += bytes
	c.stats.PeakBytes = max(c.stats.PeakBytes, c.live)
	return b, nil
}

var errClosed = errors.New("the OpenCL context is closed")

// Retain adds a reference.
func (b *Block) Retain() {
	b.ctx.mu.Lock()
	defer b.ctx.mu.Unlock()
	b.refs++
}

// Release drops a reference; the last one gives the memory back. A nil block is
// the empty one, of which there is nothing to release.
func (b *Block) Release() {
	if b == nil {
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
	if b.uncounted {
		c.drv.release(b.buf)
	} else {
		delete(c.blocks, b)
		c.live -= b.size
		c.alloc.put(b.buf, b.offset)
	}
	b.buf = nil
}
