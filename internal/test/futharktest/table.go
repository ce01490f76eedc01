package futharktest

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/transform"
)

// A Row compares what a sample asks of memory: as Futhark gives it before its
// memory passes, after them, and as memc makes it from the former.
type Row struct {
	Name, Target        string // kmeans, gpu
	Before, After, Memc Cost
	Placed              bool  // all places that Futhark chose were kept
	Err                 error // why there is nothing to compare
}

// A Cost is what a program asks for: its alloc expressions on the device, those in
// the memory of groups of threads, how many of the device's stand in the program as imported, the
// copies that move data, and the bytes held at most, summed over the inputs.
type Cost struct {
	Alloc, Shared, Imported, Copy int
	Peak                          int64
}

// Compare returns the rows of the samples that there is both of, in their order.
// The passes are memc's.
func Compare(samples []Sample, passes []*transform.Pass) []Row {
	byKey := map[string]Sample{}
	for _, s := range samples {
		byKey[s.Name+" "+s.Stage] = s
	}
	var rows []Row
	for _, s := range samples {
		target, before := strings.CutSuffix(s.Stage, "-before")
		after, both := byKey[s.Name+" "+target+"-after"]
		if before && both {
			rows = append(rows, compare(s, after, target, passes))
		}
	}
	return rows
}

func compare(s, after Sample, target string, passes []*transform.Pass) Row {
	row := Row{Name: s.Name, Target: target}
	only, err := pipeline.Parse("explicit")
	if err != nil {
		row.Err = err
		return row
	}
	ours := Run(s, Options{Passes: passes, Values: true})
	theirs := Run(after, Options{Passes: only, Values: true})
	for _, r := range []Result{ours, theirs} {
		if r.Err != nil {
			row.Err = fmt.Errorf("%s: %w", r.Step, r.Err)
			return row
		}
	}
	counts, err := imported(s, only)
	if err != nil {
		row.Err = err
		return row
	}
	row.Placed = theirs.Placed
	row.Before = Cost{Alloc: ours.Blocks.Device, Imported: counts.Device(), Copy: counts.Copy}
	row.After = Cost{Alloc: theirs.Blocks.Device, Shared: theirs.Blocks.Shared, Imported: theirs.Counts.Device(), Copy: theirs.Counts.Copy, Peak: theirs.Peak}
	row.Memc = Cost{Alloc: ours.Counts.Device(), Shared: ours.Counts.Group, Imported: counts.Alloc, Copy: ours.Counts.Copy, Peak: ours.Peak}
	return row
}

// imported counts in a sample as it is imported.
func imported(s Sample, only []*transform.Pass) (c metrics.Counts, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	data, err := os.ReadFile(s.Path)
	if err != nil {
		return c, err
	}
	file := diag.NewFile(s.Path, string(data))
	p, list := driver.Import(file)
	if err := list.Err(); err != nil {
		return c, err
	}
	if _, err := pipeline.Run(p, only, pipeline.Options{}); err != nil {
		return c, err
	}
	_, more := futhark.Allocs(file)
	return metrics.Count(p), more.Err()
}

const tableHead = `| sample | | alloc before | after | memc | copy before | after | memc | peak after | memc |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|
`

// Line is a row as a line of a Markdown table. A number after a plus is how many blocks are in the
// memory of groups of threads. One in parentheses is how many allocations memc needs to run
// Futhark's result. A star marks a program for which memc did not keep all places, so that its
// copies and peak are not Futhark's.
func (r Row) Line() string {
	if r.Err != nil {
		return fmt.Sprintf("| %s | %s | not compared: %s |\n", r.Name, r.Target, firstLine(r.Err))
	}
	star := ""
	if !r.Placed {
		star = "*"
	}
	after, memc := r.After.blocks(), r.Memc.blocks()
	if r.Memc.Alloc > r.After.Alloc {
		memc = "**" + memc + "**"
	}
	if r.After.Imported != r.After.Alloc {
		after += fmt.Sprintf(" (%d)", r.After.Imported)
	}
	return fmt.Sprintf("| %s%s | %s | %d | %s | %s | %d | %d | %s | %d | %s |\n", r.Name, star, r.Target,
		r.Before.Alloc, after, memc,
		r.Before.Copy, r.After.Copy, strong(r.Memc.Copy, r.After.Copy),
		r.After.Peak, strong(r.Memc.Peak, r.After.Peak))
}

// blocks tells how many there are: on the device, and behind a plus those of groups.
func (c Cost) blocks() string {
	if c.Shared == 0 {
		return fmt.Sprint(c.Alloc)
	}
	return fmt.Sprintf("%d+%d", c.Alloc, c.Shared)
}

// strong prints a number that is more than Futhark's in bold type.
func strong[T int | int64](ours, theirs T) string {
	if ours > theirs {
		return fmt.Sprintf("**%d**", ours)
	}
	return fmt.Sprint(ours)
}

func firstLine(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return first
}

// Write writes the table and the sums below it.
func Write(w io.Writer, rows []Row) error {
	var b strings.Builder
	b.WriteString(tableHead)
	var before, after, memc Cost
	var all, alloc, copies, peak [3]int
	for _, r := range rows {
		b.WriteString(r.Line())
		if r.Err != nil {
			continue
		}
		before.add(r.Before)
		after.add(r.After)
		memc.add(r.Memc)
		alloc[order(int64(r.Memc.Alloc), int64(r.After.Alloc))]++
		all[order(int64(r.Memc.Alloc+r.Memc.Shared), int64(r.After.Alloc+r.After.Shared))]++
		copies[order(int64(r.Memc.Copy), int64(r.After.Copy))]++
		peak[order(r.Memc.Peak, r.After.Peak)]++
	}
	fmt.Fprintf(&b, "| sum | | %d | %s (%d) | %s | %d | %d | %d | %d | %d |\n", before.Alloc, after.blocks(), after.Imported, memc.blocks(),
		before.Copy, after.Copy, memc.Copy, after.Peak, memc.Peak)
	fmt.Fprintf(&b, "\n| memc against `after` | fewer | equal | more |\n|---|---:|---:|---:|\n")
	for _, c := range []struct {
		what string
		n    [3]int
	}{{"allocations", all}, {"allocations, without those behind a plus", alloc}, {"copies", copies}, {"peak bytes", peak}} {
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", c.what, c.n[0], c.n[1], c.n[2])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *Cost) add(d Cost) {
	c.Alloc, c.Shared, c.Imported, c.Copy, c.Peak = c.Alloc+d.Alloc, c.Shared+d.Shared, c.Imported+d.Imported, c.Copy+d.Copy, c.Peak+d.Peak
}

// order returns 0, 1 or 2 for less, equal, more.
func order(x, y int64) int {
	switch {
	case x < y:
		return 0
	case x == y:
		return 1
	}
	return 2
}
