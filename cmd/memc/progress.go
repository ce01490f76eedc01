package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// patience is how long a step may take before memc says on a terminal which one
// is under way.
const patience = 2 * time.Second

// A progress says on a terminal what takes long: one line, which is cleared when
// the step ends. The nil progress says nothing.
type progress struct {
	w io.Writer

	mu    sync.Mutex
	step  string // "": nothing is under way
	since time.Time
	shown bool
	quit  chan struct{}
}

// startProgress makes a progress for standard error, nil where that is no
// terminal or is read by a program.
func (a *app) startProgress() *progress {
	if !isTerminal(a.stderr) || a.messages == "json" {
		return nil
	}
	p := &progress{w: a.stderr, quit: make(chan struct{})}
	go func() {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for {
			select {
			case now := <-t.C:
				p.tick(now)
			case <-p.quit:
				return
			}
		}
	}()
	return p
}

// begin says that a step begins, and with that the one before ends.
func (p *progress) begin(step string, now time.Time) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.step, p.since, p.shown = step, now, false
}

// tick shows the step that is under way, if it takes long.
func (p *progress) tick(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if took := now.Sub(p.since); p.step != "" && took >= patience {
		fmt.Fprintf(p.w, "\r\x1b[Kmemc: %s: %d s", p.step, int(took.Seconds()))
		p.shown = true
	}
}

// end clears what is shown.
func (p *progress) end() {
	if p != nil {
		p.begin("", time.Time{})
		close(p.quit)
	}
}
