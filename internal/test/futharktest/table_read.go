package futharktest

import (
	"fmt"
	"strconv"
	"strings"
)

// Read returns the rows of a table that Write wrote, wherever in the text it
// stands.
func Read(text string) ([]Row, error) {
	_, body, ok := strings.Cut(text, tableHead)
	if !ok {
		return nil, fmt.Errorf("there is no table")
	}
	var rows []Row
	for _, line := range strings.Split(body, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), "|")
		for i := range cells {
			cells[i] = strings.Trim(cells[i], " *")
		}
		if line == "" || cells[0] == "sum" {
			break
		}
		name := strings.Trim(strings.SplitN(line, "|", 3)[1], " ")
		r := Row{Name: cells[0], Target: cells[1], Placed: !strings.HasSuffix(name, "*")}
		if len(cells) != 10 {
			r.Err = fmt.Errorf("%s", strings.TrimPrefix(cells[len(cells)-1], "not compared: "))
			rows = append(rows, r)
			continue
		}
		after, imported, two := strings.Cut(strings.TrimSuffix(cells[3], ")"), " (")
		var shared, own string
		cells[3], shared = groupsOf(after)
		if !two {
			imported = cells[3]
		}
		cells[4], own = groupsOf(cells[4])
		var n []int
		for _, c := range append(cells[2:], imported, shared, own) {
			v, err := strconv.Atoi(c)
			if err != nil {
				return nil, fmt.Errorf("%q in the row of %s", c, r.Name)
			}
			n = append(n, v)
		}
		r.Before = Cost{Alloc: n[0], Copy: n[3]}
		r.After = Cost{Alloc: n[1], Shared: n[9], Imported: n[8], Copy: n[4], Peak: int64(n[6])}
		r.Memc = Cost{Alloc: n[2], Shared: n[10], Copy: n[5], Peak: int64(n[7])}
		rows = append(rows, r)
	}
	return rows, nil
}

// groupsOf reads "9+16", or "9".
func groupsOf(cell string) (device, groups string) {
	device, groups, some := strings.Cut(cell, "+")
	if !some {
		groups = "0"
	}
	return device, groups
}
