package allocbench

import (
	"io"

	"github.com/memc-lang/memc/internal/bench/chart"
)

// WriteSVG draws the figures of each test over what varies. Charts of one point are
// left to the tables.
func WriteSVG(w io.Writer, rows []Row) error {
	var plots []chart.Plot
	for _, c := range figures(rows) {
		if len(c.at) < 2 {
			continue
		}
		p := chart.Plot{Title: c.test + ": " + c.metric, X: c.x}
		for _, n := range c.names {
			p.Lines = append(p.Lines, chart.Line{Name: n, Values: c.value[n]})
		}
		plots = append(plots, p)
	}
	return chart.WriteLines(w, plots)
}
