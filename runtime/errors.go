package runtime

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
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
	Refused   int64 // bytes of the buffer that was refused
	ByLimit   bool  // it was the limit that refused it, and not the driver
	// LargestHole is the largest free block, and Free all free bytes that are held.
	LargestHole, Free int64
	Fragmentation     float64     // the part of Free outside of the largest hole
	Blocks            []BlockInfo // live, the largest first
}

// BlockInfo describes a live block.
type BlockInfo struct {
	Bytes int64
	Tag   int
	Where TagInfo
}

// Summary describes in one line the block that did not fit, and the reason.
func (e *OutOfMemory) Summary() string {
	why := fmt.Sprintf("%d bytes are in use", e.Live)
	switch {
	case e.Limit+e.Heap > 0 && e.Request > e.Limit-e.Live:
		why += e.limited()
	case e.ByLimit:
		why += fmt.Sprintf(" in buffers of %d", e.Held) + e.limited()
	case e.MaxAlloc > 0:
		why += fmt.Sprintf(", and the driver makes no buffer of this size (it promises %d bytes)", e.MaxAlloc)
	default:
		why += ", and the driver has no more"
	}
	return fmt.Sprintf("out of device memory: %d bytes requested, %s", e.Request, why)
}

// Larger reports whether no device of this size could hold the block, however empty it is.
func (e *OutOfMemory) Larger() bool {
	return e.MaxAlloc > 0 || e.Limit > 0 && e.Request > e.Limit
}

// limited tells the limit.
func (e *OutOfMemory) limited() string {
	if e.Heap == 0 {
		return fmt.Sprintf(", the limit is %d", e.Limit)
	}
	return fmt.Sprintf(" beside a device heap of %d, the limit is %d", e.Heap, e.Limit+e.Heap)
}

// Holes says in one line what is held and free, and why that does not help; ""
// where nothing is, or no hole could.
func (e *OutOfMemory) Holes() string {
	if e.Free == 0 || e.MaxAlloc > 0 || e.Limit+e.Heap > 0 && e.Request > e.Limit-e.Live {
		return ""
	}
	by := "the driver"
	if e.ByLimit {
		by = "the limit"
	}
	return fmt.Sprintf("of %d bytes held, %d are free beside blocks in use, the largest hole is %d bytes; no buffer is idle, and %s refused one of %d bytes",
		e.Held, e.Free, e.LargestHole, by, e.Refused)
}

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
		Request: bytes, Tag: tag, Where: c.tags[tag], Allocator: c.stats.Allocator, Live: c.live, Held: s.Held, Limit: c.limit - c.heap, Heap: c.heap,
		LargestHole: s.LargestFree, Free: s.Free(), Fragmentation: s.External(),
	}
	e.Refused, e.ByLimit = c.pool.Refused()
	if errors.Is(err, pool.ErrTooLarge) {
		e.MaxAlloc = c.device.MaxAlloc
	}
	for b := c.oldest; b != nil; b = b.next {
		e.Blocks = append(e.Blocks, BlockInfo{b.size, b.tag, c.tags[b.tag]})
	}
	// The oldest comes first among equals.
	slices.SortStableFunc(e.Blocks, func(x, y BlockInfo) int { return cmp.Compare(y.Bytes, x.Bytes) })
	if c.trace != nil {
		c.event(memtrace.Failure, 0, bytes, tag)
	}
	return e
}
