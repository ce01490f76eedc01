package benchdoc

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// A Thesis is one line of the thesis's appendix B: what memory merging did to one
// benchmark on one data set.
type Thesis struct {
	Program   string // memc's port; "": there is none
	Benchmark string
	Pipeline  string // GPU or CPU
	Data      string
	// Bytes and microseconds; times are 0 where they were not measured.
	PeakBefore, PeakAfter float64
	TimeBefore, TimeAfter float64
}

// A Futhark is what today's Futhark needs for one program and data set.
type Futhark struct {
	Program string
	Data    string
	Set     string // memc's data set of the same size; "": there is none
	Peak    int64
	Allocs  int64
	Time    float64 // microseconds
}

// ReadThesis reads the table of the thesis's figures.
func ReadThesis(r io.Reader) ([]Thesis, error) {
	var all []Thesis
	err := readTable(r, 8, func(f []string, num func(int) float64) {
		all = append(all, Thesis{f[0], f[1], f[2], f[3], 1000 * num(4), 1000 * num(5), 1000 * num(6), 1000 * num(7)})
	})
	return all, err
}

// ReadFuthark reads the table of Futhark's figures.
func ReadFuthark(r io.Reader) ([]Futhark, error) {
	var all []Futhark
	err := readTable(r, 6, func(f []string, num func(int) float64) {
		all = append(all, Futhark{f[0], f[1], f[2], int64(num(3)), int64(num(4)), num(5)})
	})
	return all, err
}

// readTable reads lines of n fields behind a line of names; # begins a comment.
func readTable(r io.Reader, n int, line func(fields []string, num func(int) float64)) error {
	in := csv.NewReader(r)
	in.Comment, in.FieldsPerRecord = '#', n
	lines, err := in.ReadAll()
	if err != nil {
		return err
	}
	for i, f := range lines {
		if i == 0 {
			continue
		}
		var bad error
		line(f, func(k int) float64 {
			if f[k] == "" {
				return 0
			}
			v, err := strconv.ParseFloat(f[k], 64)
			if err != nil {
				bad = fmt.Errorf("record %d: %q in column %s is not a number", i+1, f[k], lines[0][k])
			}
			return v
		})
		if bad != nil {
			return bad
		}
	}
	return nil
}

// A Saving is what the thesis saved for one benchmark in one pipeline, averaged
// over its data sets as the thesis does, as shares.
type Saving struct {
	Benchmark, Pipeline string
	Peak                float64
	Time                float64 // negative: slower
	Timed               bool
	After               float64 // the peak on the last data set
	Data                string  // which that is
}

// savings returns those of a program, in the order of the table.
func savings(all []Thesis, program string) []Saving {
	var out []Saving
	type sum struct{ sets, timed int }
	sums := map[string]*sum{}
	at := map[string]int{}
	for _, t := range all {
		if t.Program != program || program == "" {
			continue
		}
		k := t.Benchmark + " " + t.Pipeline
		if sums[k] == nil {
			sums[k] = &sum{}
			at[k] = len(out)
			out = append(out, Saving{Benchmark: t.Benchmark, Pipeline: t.Pipeline})
		}
		s := &out[at[k]]
		if t.PeakBefore > 0 {
			s.Peak += 1 - t.PeakAfter/t.PeakBefore
			sums[k].sets++
			s.After, s.Data = t.PeakAfter, t.Data
		}
		if t.TimeBefore > 0 {
			s.Time += 1 - t.TimeAfter/t.TimeBefore
			sums[k].timed++
		}
	}
	for i := range out {
		n := sums[out[i].Benchmark+" "+out[i].Pipeline]
		if n.sets > 0 {
			out[i].Peak /= float64(n.sets)
		}
		if n.timed > 0 {
			out[i].Time /= float64(n.timed)
			out[i].Timed = true
		}
	}
	return out
}
