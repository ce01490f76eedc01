package benchdoc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/bench"
)

// arrow writes a value before and after merging, once where they are equal.
func arrow[T comparable](before, after T, text func(T) string) string {
	if before == after {
		return text(before)
	}
	return text(before) + " → " + text(after)
}

func count[T int | int64](n T) string { return fmt.Sprint(n) }

// memoryTable holds memory before and after merging.
func memoryTable(s *Section) *bench.Table {
	t := &bench.Table{Head: []string{"program", "data", "allocations", "copies", "copied", "kernels", "peak: scope", "none", "coalesce", "reuse", "both", "saved", "bound", "above it"}}
	for _, f := range s.All {
		none, both := f.way("none"), f.way("both")
		if none == nil || both == nil {
			t.Rows = append(t.Rows, []string{f.Program, f.Set, "failed: " + f.failure()})
			continue
		}
		peak := func(way string) string {
			if o := f.way(way); o != nil {
				return bench.Bytes(o.PeakBytes)
			}
			return ""
		}
		saved, _ := f.saved("none")
		above := ""
		least := f.lower()
		if least > 0 {
			above = share(float64(both.PeakBytes)/float64(least) - 1)
		}
		t.Rows = append(t.Rows, []string{
			f.Program, f.Set, arrow(none.Allocs, both.Allocs, count), arrow(none.Static.Copy, both.Static.Copy, count),
			arrow(none.CopiedBytes, both.CopiedBytes, bench.Bytes), count(both.Kernels),
			peak("scope"), peak("none"), peak("coalesce"), peak("reuse"), peak("both"), share(saved), bench.Bytes(least), above,
		})
	}
	return t
}

// failure is the error of a data set's first configuration that failed.
func (f *Figures) failure() string {
	for _, way := range f.order {
		if e := f.ways[way].Error; e != "" {
			return bench.Cell(e)
		}
	}
	return "not measured"
}

// timeTable holds times, and those with merging as a change from those without.
func timeTable(s *Section) *bench.Table {
	t := &bench.Table{Head: []string{"program", "data", "none", "", "coalesce", "reuse", "both", "change"}}
	for _, f := range s.All {
		none, both := f.way("none"), f.way("both")
		if none == nil || both == nil {
			continue
		}
		time := func(way string) string {
			o := f.way(way)
			if o == nil {
				return ""
			}
			return bench.Micros(bench.Summarise(o.Runtimes).Median)
		}
		a, b := bench.Summarise(none.Runtimes), bench.Summarise(both.Runtimes)
		change := doubtful(bench.Ratio(b, a), none, both)
		if both.Same == none.Way() {
			change = "the same program"
		}
		t.Rows = append(t.Rows, []string{f.Program, f.Set, time("none"), fmt.Sprintf("±%.0f %%", 100*a.Spread()), time("coalesce"), time("reuse"), time("both"), change})
	}
	return t
}

// doubtful marks a difference of times that rests on too few runs.
func doubtful(text string, a, b *bench.Outcome) string {
	if text != "=" && !strings.HasSuffix(text, "~") && min(len(a.Runtimes), len(b.Runtimes)) < fewest {
		return text + " ~"
	}
	return text
}

// allocatorTable compares the allocators where they were measured.
func allocatorTable(s *Section) *bench.Table {
	t := &bench.Table{Head: []string{"program", "data"}}
	var ways []string
	for _, f := range s.All {
		for _, w := range f.order {
			if name, ok := strings.CutPrefix(w, "both "); ok && !slices.Contains(ways, name) {
				ways = append(ways, name)
			}
		}
	}
	if len(ways) == 0 {
		return t
	}
	t.Head = append(t.Head, "region: held", "buffers")
	for _, w := range ways {
		t.Head = append(t.Head, w+": held", "buffers", "time")
	}
	for _, f := range s.All {
		base := f.way("both")
		if base == nil || base.PeakBytes == 0 {
			continue
		}
		held := func(o *bench.Outcome) string { return fmt.Sprintf("%.2f", float64(o.PeakHeld)/float64(o.PeakBytes)) }
		row := []string{f.Program, f.Set, held(base), count(base.SteadyAllocs)}
		any := false
		for _, w := range ways {
			o := f.way("both " + w)
			if o == nil {
				row = append(row, "", "", "")
				continue
			}
			any = true
			row = append(row, held(o), count(o.SteadyAllocs), doubtful(bench.Ratio(bench.Summarise(o.Runtimes), bench.Summarise(base.Runtimes)), o, base))
		}
		if any {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// thesisTable holds the thesis's savings beside memc's.
func (d *Document) thesisTable() *bench.Table {
	t := &bench.Table{Head: []string{"program", "thesis: benchmark", "pipeline", "peak", "time"}}
	for _, s := range d.sections {
		t.Head = append(t.Head, s.Name+": data", "peak", "scope", "time")
	}
	pct := func(x float64) string { return strings.Replace(fmt.Sprintf("%.1f", 100*x), "-0.0", "0.0", 1) }
	for _, p := range d.programs() {
		for i, v := range savings(d.Thesis, p) {
			row := []string{p, v.Benchmark, v.Pipeline, pct(v.Peak), ""}
			if v.Timed {
				row[4] = pct(v.Time)
			}
			if i > 0 {
				row[0] = ""
				t.Rows = append(t.Rows, append(row, make([]string, len(t.Head)-len(row))...))
				continue
			}
			for _, s := range d.sections {
				cells := make([]string, 4)
				if f := s.largest(p); f != nil {
					cells[0] = f.Set
					x, _ := f.saved("none")
					cells[1] = pct(x)
					if x, ok := f.saved("scope"); ok {
						cells[2] = pct(x)
					}
					a, b := bench.Summarise(f.way("none").Runtimes), bench.Summarise(f.way("both").Runtimes)
					if a.Median > 0 {
						cells[3] = pct(1 - b.Median/a.Median)
						if !a.Apart(b) {
							cells[3] += " ~"
						}
						cells[3] = doubtful(cells[3], f.way("none"), f.way("both"))
					}
				}
				row = append(row, cells...)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// programs returns the names of all sections, in order.
func (d *Document) programs() []string {
	names := map[string]bool{}
	for _, s := range d.sections {
		for _, p := range s.programs() {
			names[p] = true
		}
	}
	return sorted(names)
}

// futharkTable holds Futhark's peaks and times beside memc's on the same sizes.
func (d *Document) futharkTable() *bench.Table {
	t := &bench.Table{Head: []string{"program", "data", "Futhark: peak", "allocations", "time"}}
	for _, s := range d.sections {
		t.Head = append(t.Head, s.Name+": peak", "", "allocations", "time", "")
	}
	for _, v := range d.Futhark {
		row := []string{v.Program, v.Data, bench.Bytes(v.Peak), count(v.Allocs), bench.Micros(v.Time)}
		for _, s := range d.sections {
			cells := make([]string, 5)
			if f := s.on(v.Program, v.Set); f != nil && f.way("both") != nil {
				o := f.way("both")
				cells[0], cells[1], cells[2] = bench.Bytes(o.PeakBytes), bench.Percent(float64(o.PeakBytes), float64(v.Peak)), count(o.Allocs)
				if besideFuthark(s.Device) {
					m := bench.Summarise(o.Runtimes).Median
					cells[3], cells[4] = bench.Micros(m), fmt.Sprintf("%.2fx", m/v.Time)
				}
			}
			row = append(row, cells...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
