package reusebench

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/memc-lang/memc/transform/reuse/plan"
)

// A Row is one problem with the scores of all ways.
type Row struct {
	Name  string
	Count int
	// Lower is what nothing can beat; Plan and Static are the planner's where
	// blocks are freed behind their last use, and where nothing is freed. There is no
	// Static of programs.
	Lower, Plan, Static, LinearScan, BestFit Score
	// Alone is where nothing is shared.
	Alone   Score
	Program bool
}

// Measure reads a problem and scores all ways on it.
func Measure(path string) (Row, error) {
	blocks, err := Read(path)
	if err != nil {
		return Row{}, err
	}
	return Row{
		Name:  strings.TrimSuffix(filepath.Base(path), ".csv"),
		Count: len(blocks), Alone: Alone(blocks),
		Lower: Bounds(blocks), Plan: Plan(blocks, true), Static: Plan(blocks, false),
		LinearScan: LinearScan(blocks), BestFit: BestFit(blocks),
	}, nil
}

// MeasureProblem scores all ways on what the pass asks about a function; lower is
// what no plan's peak can beat.
func MeasureProblem(name string, p *plan.Problem, lower int64) Row {
	r := plan.Solve(p)
	row := Row{
		Name: name, Count: r.Before.Blocks, Program: true,
		Lower: score(plan.Least(p)), Plan: score(r.After), Alone: score(r.Before),
		LinearScan: score(plan.LinearScan(p)), BestFit: score(plan.BestFit(p)),
	}
	row.Lower.Peak = lower
	return row
}

func score(c plan.Cost) Score { return Score{c.Blocks, c.Bytes, c.Peak} }

// Write writes rows as a table: blocks, then bytes and peak in KiB; what no way
// can beat stands in the columns called lower; alone is without sharing, static the
// planner where nothing is freed.
func Write(w io.Writer, rows []Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tblocks\t\t\t\t\t\tKiB\t\t\t\t\t\tpeak KiB\t\t\t\t\t\t")
	fmt.Fprintln(t, "problem"+strings.Repeat("\tlower\tplan\tstatic\tscan\tfit\talone", 3)+"\t")
	for _, r := range rows {
		fmt.Fprintf(t, "%s\t", r.Name)
		for _, c := range columns {
			for k, s := range []Score{r.Lower, r.Plan, r.Static, r.LinearScan, r.BestFit, r.Alone} {
				if r.Program && k == 2 {
					fmt.Fprint(t, "-\t")
					continue
				}
				fmt.Fprintf(t, "%d\t", c.number(s))
			}
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// columns are what is told of each way.
var columns = []struct {
	what   string
	number func(Score) int64
}{
	{"blocks", func(s Score) int64 { return int64(s.Blocks) }},
	{"all blocks, KiB", func(s Score) int64 { return kib(s.Bytes) }},
	{"peak, KiB", func(s Score) int64 { return kib(s.Peak) }},
}

// WriteMarkdown writes rows as tables of figures.md, three of lists of intervals and three of programs,
// with one figure in a cell.
func WriteMarkdown(w io.Writer, rows []Row) error {
	var all strings.Builder
	for _, programs := range []bool{false, true} {
		what, ways := "intervals", "lower | plan | static | scan | fit"
		if programs {
			what, ways = "function", "lower | plan | scan | fit | alone"
		}
		for _, c := range columns {
			head := fmt.Sprintf("| %s: %s | %s |\n|---|--:|--:|--:|--:|--:|\n", what, c.what, ways)
			for _, r := range rows {
				if r.Program != programs {
					continue
				}
				if head != "" && all.Len() > 0 {
					all.WriteString("\n")
				}
				all.WriteString(head + "| " + r.Name)
				head = ""
				scores := []Score{r.Lower, r.Plan, r.Static, r.LinearScan, r.BestFit}
				if programs {
					scores = []Score{r.Lower, r.Plan, r.LinearScan, r.BestFit, r.Alone}
				}
				for _, s := range scores {
					all.WriteString(" | " + strconv.FormatInt(c.number(s), 10))
				}
				all.WriteString(" |\n")
			}
		}
	}
	_, err := io.WriteString(w, all.String())
	return err
}

// kib rounds up.
func kib(bytes int64) int64 { return (bytes + 1023) / 1024 }
