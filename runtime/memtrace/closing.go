package memtrace

import "sync"

// Closing returns a sink that may be closed while events still come: it drops the later ones. A
// run that is interrupted so completes its trace.
func Closing(s Sink) Sink {
	c := &closing{sink: s}
	if spans, ok := s.(SpanSink); ok {
		return &closingSpans{c, spans}
	}
	return c
}

type closing struct {
	mu     sync.Mutex
	sink   Sink
	closed bool
}

// open calls f unless the sink is closed.
func (c *closing) open(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		f()
	}
}

func (c *closing) Event(e Event) { c.open(func() { c.sink.Event(e) }) }

func (c *closing) Close() (err error) {
	c.open(func() {
		c.closed = true
		err = c.sink.Close()
	})
	return err
}

type closingSpans struct {
	*closing
	spans SpanSink
}

func (c *closingSpans) Span(s Span) { c.open(func() { c.spans.Span(s) }) }
