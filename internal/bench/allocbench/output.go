package allocbench

import (
	"encoding/csv"
	"fmt"
	"io"
	"sort"
	"strconv"
)

// WriteCSV writes one line per figure.
func WriteCSV(w io.Writer, rows []Row) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"device", "test", "allocator", "x", "at", "metric", "value"}); err != nil {
		return err
	}
	for _, r := range rows {
		if err := out.Write([]string{r.Device, r.Test, r.Allocator, r.X, number(r.At), r.Metric, strconv.FormatFloat(r.Value, 'g', 6, 64)}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// ReadCSV reads what WriteCSV wrote.
func ReadCSV(r io.Reader) ([]Row, error) {
	lines, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, err
	}
	var rows []Row
	for i, l := range lines {
		if i == 0 || len(l) != 7 {
			continue
		}
		at, err1 := strconv.ParseFloat(l[4], 64)
		v, err2 := strconv.ParseFloat(l[6], 64)
		if err1 != nil || err2 != nil {
			return nil, fmt.Errorf("line %d: %q and %q should be numbers", i+1, l[4], l[6])
		}
		rows = append(rows, Row{l[0], l[1], l[2], l[3], at, l[5], v})
	}
	return rows, nil
}

// Merge adds figures to others; those that were there already are replaced, in
// their places.
func Merge(rows, more []Row) []Row {
	index := map[Row]int{}
	key := func(r Row) Row { r.Value = 0; return r }
	for i, r := range rows {
		index[key(r)] = i
	}
	for _, r := range more {
		if i, ok := index[key(r)]; ok {
			rows[i] = r
			continue
		}
		index[key(r)] = len(rows)
		rows = append(rows, r)
	}
	return rows
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// A figure is the values of one test and metric over one quantity.
type figure struct {
	test, x, metric string
	at              []float64
	names           []string // allocators
	value           map[string]map[float64]float64
}

// figures groups rows, in the order in which they first occur. The empty
// launches are left out.
func figures(rows []Row) []*figure {
	var all []*figure
	index := map[[3]string]*figure{}
	for _, r := range rows {
		if r.X == "empty" {
			continue
		}
		k := [3]string{r.Test, r.X, r.Metric}
		c := index[k]
		if c == nil {
			c = &figure{test: r.Test, x: r.X, metric: r.Metric, value: map[string]map[float64]float64{}}
			index[k] = c
			all = append(all, c)
		}
		if c.value[r.Allocator] == nil {
			c.value[r.Allocator] = map[float64]float64{}
			c.names = append(c.names, r.Allocator)
		}
		c.value[r.Allocator][r.At] = r.Value
	}
	for _, c := range all {
		seen := map[float64]bool{}
		for _, n := range c.names {
			for at := range c.value[n] {
				if !seen[at] {
					seen[at] = true
					c.at = append(c.at, at)
				}
			}
		}
		sort.Float64s(c.at)
	}
	sort.SliceStable(all, func(i, j int) bool { return order(all[i].test) < order(all[j].test) })
	return all
}

func order(test string) int {
	for i, t := range Tests() {
		if t.Name == test {
			return i
		}
	}
	return len(Tests())
}

// WriteTables writes a table for each test: a line per point, a column per
// allocator.
func WriteTables(w io.Writer, rows []Row) error {
	var err error
	printf := func(format string, args ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, format, args...)
		}
	}
	for _, c := range figures(rows) {
		printf("%s: %s\n%12s", c.test, c.metric, c.x)
		for _, n := range c.names {
			printf(" %10s", n)
		}
		printf("\n")
		for _, at := range c.at {
			printf("%12s", number(at))
			for _, n := range c.names {
				if v, ok := c.value[n][at]; ok {
					printf(" %10s", short(v))
				} else {
					printf(" %10s", "-")
				}
			}
			printf("\n")
		}
		printf("\n")
	}
	return err
}

// short is a number of about 4 digits.
func short(v float64) string {
	switch {
	case v >= 1000 || v == float64(int64(v)):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}
