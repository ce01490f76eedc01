package runtime

import (
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/memc-lang/memc/runtime/memtrace"
)

// Timings are the times of several devices' commands. Nil ones ask for none.
type timings struct {
	mu      sync.Mutex
	devices []clock
	spans   []pendingSpan
	took    time.Duration     // by kernels and copies of devices, since Took
	sink    memtrace.SpanSink // nil: only Took
	traced  *sync.Mutex       // held while a sink is told something
}

// A clock is a device, and when its clock was 0.
type clock struct {
	link linker
	zero time.Time
}

// A pending span is a command whose times are not known yet.
type pendingSpan struct {
	ev   unsafe.Pointer // a cl_event
	span memtrace.Span
}

// maxSpans is how many commands may be pending before somebody asks for their times.
const maxSpans = 4096

// add adds a device.
func (t *timings) add(link linker) error {
	now, err := link.clock()
	t.devices = append(t.devices, clock{link, time.Now().Add(-now)})
	return err
}

// kernels records the kernels and copies just enqueued on a device.
func (t *timings) kernels(m *member, name string) {
	if t == nil {
		return
	}
	m.ctx.mu.Lock()
	list := m.link.taken()
	m.ctx.mu.Unlock()
	for _, ev := range list {
		t.record(ev, memtrace.Span{Device: m.number, Queue: "kernels", Name: name})
	}
}

// moved records a transfer.
func (t *timings) moved(device int, out bool, other int, bytes int64, ev unsafe.Pointer) {
	span := memtrace.Span{Device: device, Queue: "in", Name: "from the host", Bytes: bytes}
	switch host := other == len(t.devices); {
	case out && host:
		span.Queue, span.Name = "out", "to the host"
	case out:
		span.Queue, span.Name = "out", fmt.Sprintf("to device %d", other)
	case !host:
		span.Name = fmt.Sprintf("from device %d", other)
	}
	t.record(ev, span)
}

func (t *timings) record(ev unsafe.Pointer, span memtrace.Span) {
	t.mu.Lock()
	t.spans = append(t.spans, pendingSpan{ev, span})
	full := len(t.spans) >= maxSpans
	t.mu.Unlock()
	if full {
		t.tell()
	}
}

// tell waits for the commands recorded, adds kernels up, and tells the trace.
func (t *timings) tell() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.spans {
		d := t.devices[p.span.Device]
		start, end, err := d.link.span(p.ev)
		if err != nil {
			continue // the goroutine that waits for the command gets the error
		}
		p.span.Start, p.span.End = d.zero.Add(start), d.zero.Add(end)
		if p.span.Queue == "kernels" {
			t.took += end - start
		}
		if t.sink != nil {
			t.traced.Lock()
			t.sink.Span(p.span)
			t.traced.Unlock()
		}
	}
	t.spans = nil
}

// since is Took: the time of kernels and copies, on whatever device. Migrations are not in
// it; the trace has them.
func (t *timings) since() time.Duration {
	if t == nil {
		return 0
	}
	t.tell()
	t.mu.Lock()
	defer t.mu.Unlock()
	took := t.took
	t.took = 0
	return took
}

// deviceTrace tells a sink which device its events are of.
type deviceTrace struct {
	mu     *sync.Mutex
	sink   memtrace.Sink
	device int
}

func (t *deviceTrace) Event(e memtrace.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.Device = t.device
	t.sink.Event(e)
}

func (t *deviceTrace) Close() error { return nil }
