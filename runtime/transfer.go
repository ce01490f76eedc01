package runtime

import (
	"fmt"

	"github.com/memc-lang/memc/runtime/places"
)

// within checks that a range of bytes lies inside the block: what the driver
// would answer to a wrong one differs, and a sub-allocated block has neighbours.
func (b *Block) within(off, n int64) error {
	if off < 0 || n < 0 || n > b.size || off > b.size-n {
		return fmt.Errorf("bytes %d to %d are outside of a block of %d bytes", off, off+n, b.size)
	}
	return nil
}

// Write copies data into the block at a byte offset, and waits until that is
// done.
func (c *Context) Write(b *Block, off int64, data []byte) error {
	if c.several != nil {
		return c.several.write(c, b, writes(b, off, int64(len(data))), func(m *Context, mb *Block) error { return m.Write(mb, off, data) })
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.transfer("writing", b, off, data, c.drv.write)
}

// Read copies from the block at a byte offset into data, after all that was
// asked of the device before.
func (c *Context) Read(b *Block, off int64, data []byte) error {
	if c.several != nil {
		return c.several.read(c, b, off, data)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.transfer("reading", b, off, data, c.drv.read)
}

func (c *Context) transfer(what string, b *Block, off int64, data []byte, move func(handle, int64, []byte) error) error {
	if err := c.usable(); err != nil {
		return err
	}
	err := b.within(off, int64(len(data)))
	if err == nil && len(data) > 0 {
		err = move(b.buf, b.offset+off, data)
	}
	if err != nil {
		return fmt.Errorf("%s %d bytes: %w", what, len(data), err)
	}
	return nil
}

// ReadElem reads the element with that index, of size 1, 2, 4 or 8 bytes, into
// the low bits of the result.
func (c *Context) ReadElem(b *Block, index int64, size int) (uint64, error) {
	var data [8]byte
	off, err := elemOffset(b, index, size)
	if err != nil {
		return 0, err
	}
	if err := c.Read(b, off, data[:size]); err != nil {
		return 0, err
	}
	return bitsOf(data[:size]), nil
}

// WriteElem writes the low bits of bits to the element with that index.
func (c *Context) WriteElem(b *Block, index int64, size int, bits uint64) error {
	if c.several != nil {
		return c.several.write(c, b, places.Writes, func(m *Context, mb *Block) error { return m.WriteElem(mb, index, size, bits) })
	}
	var data [8]byte
	off, err := elemOffset(b, index, size)
	if err != nil {
		return err
	}
	for i := range size {
		data[i] = byte(bits >> (8 * i))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.transfer("writing", b, off, data[:size], c.drv.set)
}

func bitsOf(data []byte) (bits uint64) {
	for i := len(data) - 1; i >= 0; i-- {
		bits = bits<<8 | uint64(data[i])
	}
	return bits
}

// WriteElems writes data to the elements of a size from the one with that index on.
func (c *Context) WriteElems(b *Block, index int64, size int, data []byte) error {
	off, err := elemOffset(b, index, size)
	if err != nil {
		return err
	}
	return c.Write(b, off, data)
}

// elemOffset returns the byte offset of an element of the block; an index outside
// is caught before the multiplication can wrap.
func elemOffset(b *Block, index int64, size int) (int64, error) {
	if index < 0 || index >= b.size/int64(size) {
		return 0, fmt.Errorf("element %d (of %d bytes each) is outside of a block of %d bytes", index, size, b.size)
	}
	return index * int64(size), nil
}
