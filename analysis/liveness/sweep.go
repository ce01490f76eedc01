package liveness

import (
	"cmp"
	"slices"
)

// Sweep calls f for every point, ascending, with the real blocks whose contents
// from before are needed there, sorted. The slice is valid during the call.
func (t *Table) Sweep(f func(point int, live []string)) {
	type event struct {
		at    int
		start bool
		block string
	}
	var events []event
	g := t.Aliases.BlockGraph()
	for c := range g.Len() {
		if g.Real(c) == "" {
			continue
		}
		for _, i := range t.blocks().live[c] {
			from := i.From
			if i.Born {
				from++
			}
			if from <= i.To {
				events = append(events, event{from, true, g.Real(c)}, event{i.To + 1, false, g.Real(c)})
			}
		}
	}
	slices.SortFunc(events, func(a, b event) int {
		if a.at != b.at {
			return a.at - b.at
		}
		if a.start != b.start { // ends first: another interval may begin at the same point
			if b.start {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.block, b.block)
	})
	var live []string
	for p := range t.Points {
		for ; len(events) > 0 && events[0].at == p; events = events[1:] {
			e := events[0]
			k, _ := slices.BinarySearch(live, e.block)
			if e.start {
				live = slices.Insert(live, k, e.block)
			} else {
				live = slices.Delete(live, k, k+1)
			}
		}
		f(p, live)
	}
}
