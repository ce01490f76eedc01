package interference

import (
	"math"
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
)

// A tree finds the intervals that meet a given one. They are sorted by their beginnings, with the
// greatest end of every half, quarter and so on.
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

// meets returns the other holders whose wide intervals meet those of a holder,
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

// The numbers of pairs that make a function crowded: of names of blocks that have contents at one
// point, and of real blocks that two such names may stand for, of maxWeight for each at most.
const (
	crowdOfNames = 1 << 19
	crowdOfReals = 1 << 22
	maxWeight    = 64
)

// Crowded reports whether so many pairs of block names have contents at one point, or may so many
// real blocks have under such names, that comparing each pair takes too long.
func (t *Table) Crowded() bool { return t.crowded() }

func (t *Table) isCrowded() bool {
	var names, reals []weighted
	for _, h := range t.holders {
		weight := 1
		if h.comp >= 0 {
			all, _ := t.graph.Reals(h.comp, maxWeight)
			weight = len(all)
		}
		for _, i := range h.wide {
			span := liveness.Span{From: i.From, To: i.To}
			names, reals = append(names, weighted{span, 1}), append(reals, weighted{span, weight})
		}
	}
	return pairsOf(names, crowdOfNames) >= crowdOfNames || pairsOf(reals, crowdOfReals) >= crowdOfReals
}

// weighted is a span that stands for several of the same points.
type weighted struct {
	liveness.Span
	weight int
}

// pairsOf counts the pairs of spans that have a point in common, at least until there are limit.
func pairsOf(spans []weighted, limit int) int {
	ends := slices.Clone(spans)
	slices.SortFunc(spans, func(a, b weighted) int { return a.From - b.From })
	slices.SortFunc(ends, func(a, b weighted) int { return a.To - b.To })
	count, active, ended := 0, 0, 0
	for _, s := range spans {
		for ended < len(ends) && ends[ended].To < s.From {
			active -= ends[ended].weight
			ended++
		}
		if count += s.weight * active; count >= limit {
			break
		}
		active += s.weight
	}
	return count
}

// Alone reports whether only a real block's own name may stand for it.
func (t *Table) Alone(m string) bool { return len(t.holdersOf(m)) <= 1 }

// Beyond reports whether, at some point or in some kernel, a real block has contents and one of
// some others has contents, too, under a name other than except.
func (t *Table) Beyond(m string, others []string, except string) bool {
	left := -1
	if _, known := t.graph.Component(except); known {
		left = t.holder(except)
	}
	own := t.entriesOf(m)
	for _, o := range others {
		k := 0
		for _, e := range t.entriesOf(o) {
			if e.holder == left {
				continue
			}
			for k < len(own) && own[k].To < e.From {
				k++
			}
			if k < len(own) && own[k].From <= e.To {
				return true
			}
		}
	}
	return false
}

// Life returns the first and the last point at which a real block has contents, and whether it ever
// has any. Gaps in between do not matter. If two lives have no point in common, the blocks do not
// interfere, except as a consequence of Repeats.
func (t *Table) Life(m string) (s liveness.Span, ok bool) {
	if t.lives == nil {
		t.findLives()
	}
	s = t.lives[t.blocks.Get(m).comp]
	return s, s.From <= s.To
}

// findLives finds the lives of components. A component lives under its own names, and under those of
// the components that may stand for it, which have greater numbers.
func (t *Table) findLives() {
	t.lives = slices.Repeat([]liveness.Span{{From: math.MaxInt, To: -1}}, t.graph.Len())
	for c := range slices.Backward(t.lives) {
		l := &t.lives[c]
		for _, id := range t.inComp[c] {
			if w := t.holders[id].wide; len(w) > 0 {
				l.From, l.To = min(l.From, w[0].From), max(l.To, w[len(w)-1].To)
			}
		}
		for _, x := range t.graph.Choices(c) {
			below := &t.lives[x]
			below.From, below.To = min(below.From, l.From), max(below.To, l.To)
		}
	}
}
