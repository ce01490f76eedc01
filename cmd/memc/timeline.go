package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/memc-lang/memc/internal/bench/chart"
	"github.com/memc-lang/memc/runtime/memtrace"
)

// A timeline draws what the queues of several devices did.
type timeline struct {
	w     io.Writer
	spans []memtrace.Span
}

func (t *timeline) Event(memtrace.Event) {}

func (t *timeline) Span(s memtrace.Span) { t.spans = append(t.spans, s) }

// Close writes the picture.
func (t *timeline) Close() error {
	slices.SortStableFunc(t.spans, func(x, y memtrace.Span) int { return x.Start.Compare(y.Start) })
	type key struct {
		device int
		queue  string
	}
	bars := map[key][]chart.Bar{}
	var keys []key
	for _, s := range t.spans {
		k := key{s.Device, s.Queue}
		if bars[k] == nil {
			keys = append(keys, k)
		}
		b := chart.Bar{Start: 1e3 * s.Start.Sub(t.spans[0].Start).Seconds(), End: 1e3 * s.End.Sub(t.spans[0].Start).Seconds(), Text: s.Name}
		if s.Bytes > 0 {
			b.Colour = 1
			b.Text = fmt.Sprintf("%s: %d bytes, %.3f ms", s.Name, s.Bytes, b.End-b.Start)
		}
		bars[k] = append(bars[k], b)
	}
	row := map[string]int{"kernels": 0, "in": 1, "out": 2}
	slices.SortFunc(keys, func(x, y key) int {
		return cmp.Or(cmp.Compare(x.device, y.device), cmp.Compare(row[x.queue], row[y.queue]))
	})
	var rows []chart.Row
	for _, k := range keys {
		rows = append(rows, chart.Row{Name: fmt.Sprintf("device %d, %s", k.device, k.queue), Bars: bars[k]})
	}
	return chart.WriteTimeline(t.w, "What the devices did", []string{"kernels", "migrations"}, rows)
}
