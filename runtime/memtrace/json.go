package memtrace

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// jsonSink writes Chrome's trace format: an array of events, times in
// microseconds.
type jsonSink struct {
	w     io.Writer
	start time.Time
	err   error
	any   bool
	rows  map[[2]any]int // thread numbers of queues, by device and name
}

// JSON writes events for chrome://tracing and Perfetto.
func JSON(w io.Writer) Sink { return &jsonSink{w: w} }

func (s *jsonSink) put(fields map[string]any) {
	text, err := json.Marshal(fields) // keys in order: the output is deterministic
	sep := ",\n"
	if !s.any {
		sep, s.any = "[\n", true
	}
	if err == nil && s.err == nil {
		_, err = fmt.Fprintf(s.w, "%s%s", sep, text)
	}
	if s.err == nil {
		s.err = err
	}
}

func (s *jsonSink) Event(e Event) {
	if s.start.IsZero() {
		s.start = e.Time
	}
	at := e.Time.Sub(s.start).Microseconds()
	s.put(map[string]any{"name": "bytes", "ph": "C", "ts": at, "pid": e.Device, "args": map[string]int64{"asked": e.Asked, "blocks": e.Rounded, "held": e.Held}})
	name := e.Name
	if name == "" {
		name = fmt.Sprintf("tag %d", e.Tag)
	}
	args := map[string]any{"bytes": e.Size, "line": e.Line, "tag": e.Tag, "call": e.Call}
	switch e.Action {
	case Failure:
		s.put(map[string]any{"name": "out of memory: " + name, "ph": "i", "s": "g", "ts": at, "pid": e.Device, "tid": 0, "args": args})
	default:
		phase := "b" // an asynchronous bar begins, or ends
		if e.Action == Free {
			phase = "e"
		}
		s.put(map[string]any{"name": name, "cat": "block", "ph": phase, "id": fmt.Sprintf("%d:%#x", e.Device, e.Pointer), "ts": at, "pid": e.Device, "tid": 0, "args": args})
	}
}

// Span writes a bar in the row of its queue.
func (s *jsonSink) Span(x Span) {
	if s.start.IsZero() {
		s.start = x.Start
	}
	row := [2]any{x.Device, x.Queue}
	if s.rows[row] == 0 {
		if s.rows == nil {
			s.rows = map[[2]any]int{}
		}
		s.rows[row] = len(s.rows) + 1
		s.put(map[string]any{"name": "thread_name", "ph": "M", "pid": x.Device, "tid": s.rows[row], "args": map[string]any{"name": x.Queue}})
	}
	at := float64(x.Start.Sub(s.start).Nanoseconds()) / 1000
	s.put(map[string]any{"name": x.Name, "cat": x.Queue, "ph": "X", "ts": at, "dur": float64(x.End.Sub(x.Start).Nanoseconds()) / 1000,
		"pid": x.Device, "tid": s.rows[row], "args": map[string]any{"bytes": x.Bytes}})
}

func (s *jsonSink) Close() error {
	end := "\n]\n"
	if !s.any {
		end = "[]\n"
	}
	if s.err == nil {
		_, s.err = io.WriteString(s.w, end)
	}
	return s.err
}
