package main

import (
	"strings"
	"testing"
	"time"
)

// A step is shown once it takes long, and cleared when it ends; a short one never.
func TestProgress(t *testing.T) {
	var b strings.Builder
	p := &progress{w: &b, quit: make(chan struct{})}
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	p.begin("reading", at(0))
	p.tick(at(1))
	p.begin("building", at(1))
	p.tick(at(2))
	if b.Len() > 0 {
		t.Errorf("short steps are shown: %q", b.String())
	}
	p.tick(at(3))
	p.tick(at(5))
	p.end()
	p.tick(at(9))
	if got, want := b.String(), "\r\x1b[Kmemc: building: 2 s\r\x1b[Kmemc: building: 4 s\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var none *progress
	none.begin("nothing", at(0))
	none.end()
}
