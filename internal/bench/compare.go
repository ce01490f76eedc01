package bench

import (
	"fmt"
	"io"
)

// A Change is one measurement in two reports. Old or New is nil where a report
// does not have it.
type Change struct{ Old, New *Outcome }

// Compare pairs the outcomes of two reports: all of the new one, in its order, then those that only
// the old one has. If only one report distinguishes configurations (Futhark's do not), every
// configuration is compared with the single measurement of the other report.
func Compare(before, after *Report) []Change {
	type key struct{ program, entry, set, way string }
	of := func(o *Outcome, way string) key { return key{o.Title(), o.Entry, o.Set, way} }
	olds := map[key]*Outcome{}
	used := map[*Outcome]bool{}
	for i := range before.Outcomes {
		o := &before.Outcomes[i]
		olds[of(o, o.Way())] = o
	}
	var changes []Change
	for i := range after.Outcomes {
		n := &after.Outcomes[i]
		o := olds[of(n, n.Way())]
		if o == nil {
			o = olds[of(n, "")]
		}
		if o != nil {
			used[o] = true
		}
		changes = append(changes, Change{o, n})
	}
	for i := range before.Outcomes {
		if o := &before.Outcomes[i]; !used[o] {
			changes = append(changes, Change{o, nil})
		}
	}
	return changes
}

// Worse reports whether a change is for the worse beyond noise: more bytes at the
// peak, more bytes copied, a time that is more than share longer and apart, or
// figures that are gone.
func (c Change) Worse(share float64) bool {
	if c.Old == nil || c.New == nil || c.Old.Error != "" {
		return false
	}
	copied := c.Old.Device != "" && c.New.CopiedBytes > c.Old.CopiedBytes // Futhark's reports do not tell
	if c.New.Error != "" || c.New.PeakBytes > c.Old.PeakBytes || copied {
		return true
	}
	o, n := Summarise(c.Old.Runtimes), Summarise(c.New.Runtimes)
	return n.Median > o.Median*(1+share) && n.Apart(o)
}

// WriteChanges writes a comparison as a Markdown table.
func WriteChanges(w io.Writer, changes []Change) error {
	t := Table{Head: []string{"program", "data", "configuration", "peak before", "after", "", "copied before", "after", "time before", "after", ""}}
	worse := 0
	for _, c := range changes {
		o := c.New
		if o == nil {
			o = c.Old
		}
		row := []string{o.Title(), o.Set, o.Way()}
		switch {
		case c.Old == nil:
			row = append(row, "only in the second report")
		case c.New == nil:
			row = append(row, "only in the first report")
		case c.Old.Error != "" && c.New.Error != "":
			row = append(row, "fails in both: "+Cell(c.New.Error))
		case c.New.Error != "":
			row = append(row, "fails now: "+Cell(c.New.Error))
		case c.Old.Error != "":
			row = append(row, "failed before: "+Cell(c.Old.Error))
		default:
			before, after := Summarise(c.Old.Runtimes), Summarise(c.New.Runtimes)
			row = append(row, Bytes(c.Old.PeakBytes), Bytes(c.New.PeakBytes), Percent(float64(c.New.PeakBytes), float64(c.Old.PeakBytes)),
				Bytes(c.Old.CopiedBytes), Bytes(c.New.CopiedBytes),
				Micros(before.Median)+" "+spread(before), Micros(after.Median)+" "+spread(after), Ratio(after, before))
		}
		if c.Worse(0.05) {
			worse++
		}
		t.Rows = append(t.Rows, row)
	}
	if err := t.Write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d of %d are worse: more bytes at the peak, more copied, or more than 5 %% slower with the middle halves apart (~ marks overlap).\n", worse, len(changes))
	return err
}
