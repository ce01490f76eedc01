package runtime

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// ErrNoOpenCL is what everything answers in a memc that was built without cgo.
var ErrNoOpenCL = errors.New("this memc was built without cgo and has no OpenCL; use the interpreter, or build with CGO_ENABLED=1")

// ErrNoDevice tells that OpenCL is there, but offers no device.
var ErrNoDevice = errors.New("no OpenCL device was found (is an OpenCL driver installed?)")

// errNoMemory is how a driver says that a buffer cannot be made.
var errNoMemory = errors.New("the driver has no memory left")

// OutOfMemory tells that a block could not be allocated. The context stays
// usable.
type OutOfMemory struct {
	Request  int64 // bytes asked for
	Tag      int
	Live     int64 // bytes in use
	Limit    int64 // bytes that may be in use (0: unlimited)
	MaxAlloc int64 // the device's largest block; 0 where that was not the reason
	Blocks   []BlockInfo
}

// BlockInfo describes a live block.
type BlockInfo struct {
	Bytes int64
	Tag   int
}

// Summary says in one line what did not fit, and why.
func (e *OutOfMemory) Summary() string {
	why := fmt.Sprintf("%d bytes are in use", e.Live)
	switch {
	case e.MaxAlloc > 0 && e.Request > e.MaxAlloc:
		why = fmt.Sprintf("the device's largest block is %d bytes", e.MaxAlloc)
	case e.Limit > 0 && e.Request > e.Limit-e.Live:
		why += fmt.Sprintf(", the limit is %d", e.Limit)
	default:
		why += ", and the driver has no more"
	}
	return fmt.Sprintf("out of device memory: %d bytes requested, %s", e.Request, why)
}

// maxListed bounds the list of blocks in an error message.
const maxListed = 10

// Error is the summary and the largest live blocks.
func (e *OutOfMemory) Error() string {
	var b strings.Builder
	b.WriteString(e.Summary())
	for i, k := range e.Blocks {
		if i == maxListed {
			fmt.Fprintf(&b, "\n  and %d smaller blocks", len(e.Blocks)-i)
			break
		}
		fmt.Fprintf(&b, "\n  block of %d bytes (tag %d)", k.Bytes, k.Tag)
	}
	return b.String()
}

// outOfMemory describes the state of c after a failed request.
func (c *Context) outOfMemory(bytes int64, tag int) *OutOfMemory {
	e := &OutOfMemory{Request: bytes, Tag: tag, Live: c.live, Limit: c.limit}
	if bytes > c.device.MaxAlloc {
		e.MaxAlloc = c.device.MaxAlloc
	}
	blocks := make([]*Block, 0, len(c.blocks))
	for b := range c.blocks {
		blocks = append(blocks, b)
	}
	sort.Slice(blocks, func(i, j int) bool {
		if blocks[i].size != blocks[j].size {
			return blocks[i].size > blocks[j].size
		}
		return blocks[i].id < blocks[j].id
	})
	for _, b := range blocks {
		e.Blocks = append(e.Blocks, BlockInfo{b.size, b.tag})
	}
	return e
}
