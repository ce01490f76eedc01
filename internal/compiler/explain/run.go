package explain

import (
	"strings"

	"github.com/memc-lang/memc/runtime/memtrace"
)

// A Run is what was measured: every allocation of one run or of a trace, in the order in
// which they happened.
type Run struct {
	Blocks []RunBlock `json:"blocks"`
	Events int        `json:"events"`
	Peak   int64      `json:"peak"` // bytes asked for at one time
	// Given is how much of Peak are arguments; Own is the peak of the
	// blocks that the program allocates, which the charts show.
	Given int64 `json:"given"`
	Own   int64 `json:"own"`
	More  bool  `json:"more,omitempty"`
}

// A RunBlock is a block from its allocation to its end, counted in events.
type RunBlock struct {
	Name  string `json:"name"`
	Line  string `json:"line"`
	Bytes int64  `json:"bytes"`
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// maxEvents bounds the events that a page shows; the peak is that of all.
const maxEvents = 20_000

// Measured makes a Run of the events of a trace.
func Measured(events []memtrace.Event) *Run {
	r := &Run{Blocks: []RunBlock{}}
	live := map[uint64]int{} // by pointer, of Blocks, or -1
	size := map[uint64]int64{}
	given := map[uint64]bool{}
	var now, own int64
	for _, e := range events {
		switch e.Action {
		case memtrace.Allocate:
			now += e.Size
			size[e.Pointer] = e.Size
			if given[e.Pointer] = strings.HasPrefix(e.Name, "argument "); !given[e.Pointer] {
				own += e.Size
				r.Own = max(r.Own, own)
			}
			if now > r.Peak {
				r.Peak, r.Given = now, now-own
			}
			live[e.Pointer] = -1
			if r.Events < maxEvents {
				live[e.Pointer] = len(r.Blocks)
				r.Blocks = append(r.Blocks, RunBlock{e.Name, e.Line, e.Size, r.Events, -1})
			}
		case memtrace.Free:
			now -= size[e.Pointer]
			if !given[e.Pointer] {
				own -= size[e.Pointer]
			}
			if k, ok := live[e.Pointer]; ok && k >= 0 {
				r.Blocks[k].To = r.Events
			}
			delete(live, e.Pointer)
			delete(size, e.Pointer)
		default:
			continue
		}
		if r.Events < maxEvents {
			r.Events++
		} else {
			r.More = true
		}
	}
	for k := range r.Blocks {
		if r.Blocks[k].To < 0 {
			r.Blocks[k].To = r.Events
		}
	}
	return r
}

// Recorder is a memtrace.Sink that keeps the events.
type Recorder struct{ Events []memtrace.Event }

// Event keeps an event.
func (r *Recorder) Event(e memtrace.Event) { r.Events = append(r.Events, e) }

// Close does nothing: there is nothing to complete.
func (r *Recorder) Close() error { return nil }
