package interference

import "slices"

// A tree finds the intervals that meet a given one: sorted by their beginnings,
// with the greatest end of every half, quarter and so on.
type tree struct {
	items []treeItem
	ends  []int
}

type treeItem struct {
	from, to int
	holder   int
}

func newTree(items []treeItem) *tree {
	slices.SortStableFunc(items, func(a, b treeItem) int { return a.from - b.from })
	t := &tree{items, make([]int, 4*len(items)+1)}
	t.build(1, 0, len(items))
	return t
}

func (t *tree) build(node, lo, hi int) int {
	end := -1
	switch {
	case lo == hi:
	case lo+1 == hi:
		end = t.items[lo].to
	default:
		mid := (lo + hi) / 2
		end = max(t.build(2*node, lo, mid), t.build(2*node+1, mid, hi))
	}
	t.ends[node] = end
	return end
}

// meeting calls f for the holder of every interval that has a point in from..to.
func (t *tree) meeting(from, to int, f func(holder int)) { t.search(1, 0, len(t.items), from, to, f) }

func (t *tree) search(node, lo, hi, from, to int, f func(int)) {
	if lo == hi || t.ends[node] < from || t.items[lo].from > to {
		return
	}
	if lo+1 == hi {
		f(t.items[lo].holder)
		return
	}
	mid := (lo + hi) / 2
	t.search(2*node, lo, mid, from, to, f)
	t.search(2*node+1, mid, hi, from, to, f)
}

// meets gives the other holders whose wide intervals meet those of a holder,
// ascending.
func (t *Table) meets(u int) []int {
	if t.index == nil {
		var items []treeItem
		for id, h := range t.holders {
			for _, i := range h.wide {
				items = append(items, treeItem{i.From, i.To, id})
			}
		}
		t.index = newTree(items)
	}
	var found []int
	for _, i := range t.holders[u].wide {
		t.index.meeting(i.From, i.To, func(v int) { found = append(found, v) })
	}
	slices.Sort(found)
	found = slices.Compact(found)
	return slices.DeleteFunc(found, func(v int) bool { return v == u })
}
