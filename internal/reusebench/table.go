package reusebench

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// A Row is one problem with the scores of all ways.
type Row struct {
	Name  string
	Count int
	// Lower is what nothing can beat; Plan and Static are the planner's where
	// blocks are freed behind their last use, and where nothing is freed.
	Lower, Plan, Static, LinearScan, BestFit Score
}

// Measure reads a problem and scores all ways on it.
func Measure(path string) (Row, error) {
	blocks, err := Read(path)
	if err != nil {
		return Row{}, err
	}
	return Row{
		Name:  strings.TrimSuffix(filepath.Base(path), ".csv"),
		Count: len(blocks),
		Lower: Bounds(blocks), Plan: Plan(blocks, true), Static: Plan(blocks, false),
		LinearScan: LinearScan(blocks), BestFit: BestFit(blocks),
	}, nil
}

// Write writes rows as a table: blocks, then bytes and peak in KiB; what no way
// can beat stands in the columns called lower; static is the planner where
// nothing is freed.
func Write(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\t\tblocks\t\t\t\t\tKiB\t\t\t\t\tpeak KiB\t\t\t\t\t")
	fmt.Fprintln(t, "problem\tcount"+strings.Repeat("\tlower\tplan\tstatic\tscan\tfit", 3)+"\t")
	for _, r := range rows {
		all := []Score{r.Lower, r.Plan, r.Static, r.LinearScan, r.BestFit}
		fmt.Fprintf(t, "%s\t%d\t", r.Name, r.Count)
		for _, s := range all {
			fmt.Fprintf(t, "%d\t", s.Blocks)
		}
		for _, s := range all {
			fmt.Fprintf(t, "%d\t", kib(s.Bytes))
		}
		for _, s := range all {
			fmt.Fprintf(t, "%d\t", kib(s.Peak))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// kib rounds up.
func kib(bytes int64) int64 { return (bytes + 1023) / 1024 }
