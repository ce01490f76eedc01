package bench

import (
	"fmt"
	"io"
	"path"
	"strings"
)

// WriteTable writes a report as a Markdown table, a line per outcome. Peaks and
// times are given beside those of the first configuration of the data set.
func (r *Report) WriteTable(w io.Writer) error {
	t := Table{Head: []string{"program", "data", "configuration", "allocs (static)", "driver", "copies", "kernels", "copied", "peak", "", "bound", "held", "time", "", ""}}
	var first *Outcome
	for i := range r.Outcomes {
		o := &r.Outcomes[i]
		row := []string{o.Title(), o.Set, o.Way()}
		base := first != nil && first.Program == o.Program && first.Entry == o.Entry && first.Set == o.Set
		if base {
			row[0], row[1] = "", ""
		}
		if o.Error != "" {
			if !base {
				first = nil // what comes next shows its own name
			}
			t.Rows = append(t.Rows, append(row, "failed: "+Cell(o.Error)))
			continue
		}
		if !base {
			first = o
		}
		if o.Same != "" {
			t.Rows = append(t.Rows, append(row, "the same program as "+o.Same))
			continue
		}
		time := Summarise(o.Runtimes)
		row = append(row,
			fmt.Sprintf("%d (%d)", o.Allocs, o.Static.Alloc), fmt.Sprintf("%d, %d", o.DriverAllocs, o.SteadyAllocs),
			fmt.Sprint(o.Static.Copy), fmt.Sprint(o.Kernels), Bytes(o.CopiedBytes),
			Bytes(o.PeakBytes), "", Bytes(o.Lower), Bytes(o.PeakHeld), Micros(time.Median), spread(time), "")
		if base {
			row[9] = Percent(float64(o.PeakBytes), float64(first.PeakBytes))
			row[14] = Ratio(time, Summarise(first.Runtimes))
		}
		t.Rows = append(t.Rows, row)
	}
	if err := t.Write(w); err != nil {
		return err
	}
	_, err := fmt.Fprint(w, r.legend())
	return err
}

// Title is a program's short name.
func (o *Outcome) Title() string {
	name := strings.TrimSuffix(path.Base(o.Program), path.Ext(o.Program))
	if o.Entry != "main" {
		name += ":" + o.Entry
	}
	return name
}

// legend says what the columns hold, and where it was measured.
func (r *Report) legend() string {
	device, runs := "", 0
	for _, o := range r.Outcomes {
		if o.Device != "" {
			device = o.Device
		}
		runs = max(runs, len(o.Runtimes))
	}
	if device == "" {
		return ""
	}
	return fmt.Sprintf("\nMeasured on %s, up to %d runs each.\n"+
		"Of one run, arguments included: allocs (in the program's text), kernels, bytes copied, peak of blocks, what no sharing\n"+
		"of these blocks could go below (bound), peak held by the allocator.\n"+
		"Driver: its allocations in the first and in the last run. Copies: in the program's text.\n"+
		"Times are medians with half the range between the quartiles, without transfers; beside peak and time, the change\n"+
		"from the first line of the data set. ~ marks times whose middle halves overlap.\n", device, runs)
}

// Bytes writes a number of bytes with three digits.
func Bytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	x := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB"} {
		if x /= 1000; x < 999.5 {
			return digits(x) + " " + unit
		}
	}
	return digits(x/1000) + " PB"
}

// Micros writes microseconds with three digits.
func Micros(us float64) string {
	switch {
	case us < 999.5:
		return fmt.Sprintf("%.0f us", us)
	case us < 999.5e3:
		return digits(us/1e3) + " ms"
	}
	return digits(us/1e6) + " s"
}

// digits writes three of them.
func digits(x float64) string {
	switch {
	case x < 9.995:
		return fmt.Sprintf("%.2f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

func spread(s Summary) string { return fmt.Sprintf("±%.0f %%", 100*s.Spread()) }

// Percent is the change from old to new.
func Percent(new, old float64) string {
	switch {
	case new == old:
		return "="
	case old == 0:
		return "new"
	}
	return fmt.Sprintf("%+.1f %%", 100*(new-old)/old)
}

// Ratio is the change of a time, with ~ where it may be none.
func Ratio(new, old Summary) string {
	text := Percent(new.Median, old.Median)
	if text != "=" && !new.Apart(old) {
		text += " ~"
	}
	return text
}

// A Table is Markdown, padded so that it can be read as it is. A row may be
// shorter than the head.
type Table struct {
	Head []string
	Rows [][]string
}

func (t *Table) Write(w io.Writer) error {
	width := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		if len(row) < len(t.Head) {
			continue // the last cell of a short row is free text
		}
		for k, c := range row {
			width[k] = max(width[k], len([]rune(c)))
		}
	}
	var b strings.Builder
	line := func(row []string) {
		b.WriteByte('|')
		for k := range t.Head {
			c := ""
			if k < len(row) {
				c = row[k]
			}
			fmt.Fprintf(&b, " %s%s |", c, strings.Repeat(" ", max(0, width[k]-len([]rune(c)))))
		}
		b.WriteByte('\n')
	}
	line(t.Head)
	for _, n := range width {
		b.WriteString("|" + strings.Repeat("-", n+2))
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		line(row)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Cell makes free text fit a cell.
func Cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "\\|")
}
