package benchdoc

import (
	"fmt"
	"io"
	"strings"

	"github.com/memc-lang/memc/internal/bench"
)

// suite writes each program of a section on its largest data set, with one figure in a cell. Where Futhark
// was measured on that set, its time is compared, too.
func (d *Document) suite(w io.Writer, s *Section) {
	rows := [][]string{
		{"program", "data", "peak without merging", "with it", "time with / without", "time / Futhark's"},
		{"---", "---", "--:", "--:", "--:", "--:"},
	}
	for _, p := range s.programs() {
		if f := s.largest(p); f != nil {
			rows = append(rows, d.suiteRow(s, f))
		}
	}
	for _, r := range rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(r, " | "))
	}
}

func (d *Document) suiteRow(s *Section, f *Figures) []string {
	none, both := f.way("none"), f.way("both")
	a, b := bench.Summarise(none.Runtimes).Median, bench.Summarise(both.Runtimes).Median
	row := []string{f.Program, f.Set, bench.Bytes(none.PeakBytes), bench.Bytes(both.PeakBytes), times(b, a), ""}
	if both.Same == none.Way() {
		row[4] = "same program"
	}
	for _, v := range d.Futhark {
		if v.Program == f.Program && v.Set == f.Set && besideFuthark(s.Device) {
			row[5] = times(b, v.Time)
		}
	}
	return row
}

// times is a divided by b, if both were measured.
func times(a, b float64) string {
	if a == 0 || b == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", a/b)
}
