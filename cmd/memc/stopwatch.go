package main

import (
	"fmt"
	"io"
	"time"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
)

// A stopwatch notes how long the stages of a command take, one after the other
// (--time-passes). The nil stopwatch notes nothing.
type stopwatch struct {
	stages []stage
	since  time.Time // when the stage began that is under way
}

type stage struct {
	name string
	time time.Duration
}

func startStopwatch() *stopwatch { return &stopwatch{since: time.Now()} }

// done says which stage ends now.
func (w *stopwatch) done(name string) {
	if w != nil {
		now := time.Now()
		w.stages = append(w.stages, stage{name, now.Sub(w.since)})
		w.since = now
	}
}

// passes ends the pipeline: its passes, what ran beside the last check, and what they waited for.
func (w *stopwatch) passes(passes []pipeline.PassReport, beside stage) {
	if w == nil {
		return
	}
	for _, p := range passes {
		w.add(stage{p.Name, p.Time})
	}
	if beside.name != "" {
		w.add(beside)
	}
	w.done("verify")
}

func (w *stopwatch) add(s stage) {
	w.stages = append(w.stages, s)
	w.since = w.since.Add(s.time)
}

// write writes the times, and their sum; nothing where no stage has ended.
func (w *stopwatch) write(out io.Writer) {
	if w == nil || len(w.stages) == 0 {
		return
	}
	var total time.Duration
	for _, s := range append(w.stages, stage{name: "total"}) {
		if total += s.time; s.name == "total" {
			s.time = total
		}
		fmt.Fprintf(out, "%10.3f ms  %s\n", float64(s.time)/float64(time.Millisecond), s.name)
	}
}
