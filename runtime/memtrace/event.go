package memtrace

import "time"

// An Action is what happened to a block.
type Action string

// The actions, as RMM writes them.
const (
	Allocate Action = "allocate"
	Free     Action = "free"
	Failure  Action = "allocate failure"
)

// An Event is a request, or the end of a block.
type Event struct {
	Call    int64 // of an entry; 0: outside
	Time    time.Time
	Action  Action
	Pointer uint64 // unique among live blocks; 0 for a Failure
	Size    int64  // as asked
	Tag     int    // the allocation site
	Line    string // of it in the source
	Name    string // of the block there
	Device  int    // where several work together

	Asked, Rounded, Held int64 // bytes after the event; only for charts
}

// Pointer packs a block's place: the buffer's number from 1 above an offset of
// 40 bits.
func Pointer(buffer, offset int64) uint64 { return uint64(buffer+1)<<40 | uint64(offset) }

// A Span is the time that a queue of a device worked on a command, by the device's clock.
type Span struct {
	Device     int
	Queue      string // "kernels", "in" or "out"
	Name       string
	Bytes      int64 // that a migration moves; 0 for kernels
	Start, End time.Time
}

// A SpanSink is a Sink that takes spans, too. Only several devices tell of them.
type SpanSink interface {
	Sink
	Span(Span)
}

// A Sink takes events. Close completes what was written; it does not close the
// file below. Errors are kept for Close.
type Sink interface {
	Event(Event)
	Close() error
}
