package runtime

import (
	"time"

	"github.com/memc-lang/memc/runtime/memtrace"
)

// TempTag is the tag of blocks that no allocation site of a program asks for:
// temporaries of copies.
const TempTag = -1

// TagInfo is the meaning of a tag, for error messages and traces.
type TagInfo struct {
	Name string // "block `m`"
	Line string // its position in the source: "canny.ir:25"
}

// RegisterTags returns numbers to the allocation sites of a program: info[i] is
// tag base+i. Programs that share a context do not share tags.
func (c *Context) RegisterTags(info []TagInfo) (base int) {
	if s := c.several; s != nil { // every member numbers them alike
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, m := range s.members {
			base = m.ctx.RegisterTags(info)
		}
		return base
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	base = c.nextTag
	c.nextTag += len(info)
	for i, t := range info {
		c.tags[base+i] = t
	}
	return base
}

// ForgetTags ends what RegisterTags began, once no block of theirs is live. What
// an allocator keeps for these sites in particular is given up.
func (c *Context) ForgetTags(base, n int) {
	if s := c.several; s != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, m := range s.members {
			m.ctx.ForgetTags(base, n)
		}
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for tag := base; tag < base+n; tag++ {
		delete(c.tags, tag)
		if !c.closed {
			c.pool.Forget(tag)
		}
	}
}

// event writes an event to the trace, which there must be.
func (c *Context) event(what memtrace.Action, at uint64, bytes int64, tag int) {
	s := c.pool.Counts()
	t := c.tags[tag]
	c.trace.Event(memtrace.Event{
		Call: c.call, Time: time.Now(), Action: what, Pointer: at, Size: bytes, Tag: tag, Line: t.Line, Name: t.Name,
		Asked: s.Asked, Rounded: s.Rounded, Held: s.Held,
	})
}
