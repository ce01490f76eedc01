package difftest

import (
	"strings"

	"github.com/memc-lang/memc/runtime/memtrace"
)

// A Meter follows the blocks of a device and measures the greatest number of bytes in the program's
// own blocks: those in its text, and arguments. The other blocks are temporaries of copies,
// reductions and scans, and copies of results that are views. No pass moves these, so they may meet
// other blocks than before.
type Meter struct {
	own        map[uint64]int64 // the live blocks
	live, peak int64
}

// Event counts a block.
func (m *Meter) Event(e memtrace.Event) {
	switch e.Action {
	case memtrace.Allocate:
		if !strings.HasPrefix(e.Name, "block `") && !strings.HasPrefix(e.Name, "argument") {
			return
		}
		if m.own == nil {
			m.own = map[uint64]int64{}
		}
		m.own[e.Pointer] = e.Size
		m.live += e.Size
		m.peak = max(m.peak, m.live)
	case memtrace.Free:
		m.live -= m.own[e.Pointer]
		delete(m.own, e.Pointer)
	}
}

// Close ends the trace.
func (m *Meter) Close() error { return nil }

// reset begins to measure anew.
func (m *Meter) reset() { m.peak = m.live }
