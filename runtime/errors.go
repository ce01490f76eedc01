package runtime

import (
	"errors"
	"fmt"
	"strings"

	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/places"
	"github.com/memc-lang/memc/runtime/pool"
)

// ErrNoOpenCL is the error of every operation in a memc that was built without cgo.
var ErrNoOpenCL = errors.New("this memc was built without cgo and has no OpenCL; use the interpreter, or build with CGO_ENABLED=1")

// ErrNoDevice tells that OpenCL is there, but offers no device.
var ErrNoDevice = errors.New("no OpenCL device was found (is an OpenCL driver installed?)")

// errNoMemory is how a driver says that a buffer cannot be made.
var errNoMemory = pool.ErrNoMemory

// OutOfMemory tells that a block could not be allocated. The context stays
// usable.
type OutOfMemory struct {
	Request   int64 // bytes asked for
	Tag       int
	Where     TagInfo // the meaning of the tag
	Allocator string
	Live      int64 // bytes in use, as asked
	Held      int64 // bytes in buffers of the driver
	Limit     int64 // bytes that may be in use (0: unlimited), Heap taken off
	Heap      int64 // bytes from which kernels allocate
	MaxAlloc  int64 // what the driver promises, if it makes no buffer of this size; else 0
	// LargestHole is the largest free block, and Free all free bytes that are held.
	LargestHole, Free int64
	Fragmentation     float64     // the part of Free outside of the largest hole
	Blocks            []BlockInfo // live, the largest first

	why, holes string
}

// BlockInfo describes a live block.
type BlockInfo struct {
	Bytes int64
	Tag   int
	Where TagInfo
}

// Summary describes in one line the block that did not fit, and the reason.
func (e *OutOfMemory) Summary() string { return e.why }

// Larger reports whether no device of this size could hold the block, however empty it is.
func (e *OutOfMemory) Larger() bool {
	return e.MaxAlloc > 0 || e.Limit > 0 && e.Request > e.Limit
}

// Holes says in one line what is held and free, and why that does not help; ""
// where nothing is, or no hole could.
func (e *OutOfMemory) Holes() string { return e.holes }

// maxListed bounds the list of blocks in an error message.
const maxListed = 10

// Error is the summary, the holes, and the largest live blocks.
func (e *OutOfMemory) Error() string {
	var b strings.Builder
	if e.Where.Line != "" {
		b.WriteString(e.Where.Line + ": ")
	}
	if e.Where.Name != "" {
		b.WriteString(e.Where.Name + ": ")
	}
	b.WriteString(e.Summary())
	if h := e.Holes(); h != "" {
		b.WriteString("\n  " + h)
	}
	for i, k := range e.Blocks {
		if i == maxListed {
			fmt.Fprintf(&b, "\n  and %d smaller blocks", len(e.Blocks)-i)
			break
		}
		fmt.Fprintf(&b, "\n  block of %d bytes (tag %d)", k.Bytes, k.Tag)
		if k.Where.Name != "" {
			fmt.Fprintf(&b, ": %s, %s", k.Where.Name, k.Where.Line)
		}
	}
	return b.String()
}

// Is tells package places that others may give way, where that can help.
func (e *OutOfMemory) Is(target error) bool { return target == places.ErrFull && e.MaxAlloc == 0 }

// outOfMemory describes the state of c after a request that failed with err; nil: it was beyond the
// limit.
func (c *Context) outOfMemory(bytes int64, tag int, err error) *OutOfMemory {
	s := c.pool.Stats()
	e := &OutOfMemory{
		Request: bytes, Tag: tag, Where: c.tags[tag], Allocator: c.stats.Allocator, Live: s.Asked, Held: s.Held, Limit: s.Limit, Heap: s.Reserved,
		LargestHole: s.LargestFree, Free: s.Free(), Fragmentation: s.External(),
	}
	e.why, e.holes = c.pool.Why(bytes)
	if errors.Is(err, pool.ErrTooLarge) {
		e.MaxAlloc = c.device.MaxAlloc
	}
	for _, b := range c.pool.Live() {
		e.Blocks = append(e.Blocks, BlockInfo{b.Bytes, b.Tag, c.tags[b.Tag]})
	}
	if c.trace != nil {
		c.event(memtrace.Failure, 0, bytes, tag)
	}
	return e
}
