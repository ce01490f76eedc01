package benchdoc

import (
	"io"
	"math"

	"github.com/memc-lang/memc/internal/bench"
	"github.com/memc-lang/memc/internal/bench/chart"
)

// WritePeaks draws the peaks of a section's programs, on the largest data set of
// each, in percent of the peak without merging.
func (s *Section) WritePeaks(w io.Writer) error {
	b := chart.Bars{Title: "Peak memory in percent of that without merging (" + s.Device + ")", Unit: " %", Mark: 100, Series: []string{"scope", "coalesce", "reuse", "both", "bound"}}
	for _, p := range s.programs() {
		f := s.largest(p)
		if f == nil || f.way("none").PeakBytes == 0 {
			continue
		}
		base := float64(f.way("none").PeakBytes)
		g := chart.Group{Name: p + ", " + f.Set}
		for _, way := range b.Series[:4] {
			v := math.NaN()
			if o := f.way(way); o != nil {
				v = 100 * float64(o.PeakBytes) / base
			}
			g.Values = append(g.Values, v)
		}
		b.Groups = append(b.Groups, chart.Group{Name: g.Name, Values: append(g.Values, 100*float64(f.lower())/base)})
	}
	return chart.WriteBars(w, b)
}

// WriteTimes draws times in the same way.
func (s *Section) WriteTimes(w io.Writer) error {
	b := chart.Bars{Title: "Time in percent of that without merging (" + s.Device + ")", Unit: " %", Mark: 100, Series: []string{"coalesce", "reuse", "both"}}
	for _, p := range s.programs() {
		f := s.largest(p)
		if f == nil {
			continue
		}
		base := bench.Summarise(f.way("none").Runtimes).Median
		if base == 0 {
			continue
		}
		g := chart.Group{Name: p + ", " + f.Set}
		for _, way := range b.Series {
			v := math.NaN()
			if o := f.way(way); o != nil {
				v = 100 * bench.Summarise(o.Runtimes).Median / base
			}
			g.Values = append(g.Values, v)
		}
		b.Groups = append(b.Groups, g)
	}
	return chart.WriteBars(w, b)
}
