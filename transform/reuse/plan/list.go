package plan

import "slices"

// An account holds the sums of a plan.
type account interface {
	// swap replaces groups by others of the same blocks, if the peak does not rise. Otherwise it
	// changes nothing.
	swap(old, new []*group) bool
	// put replaces them without a question, as the way back from a swap.
	put(old, new []*group)
	groups() []*group
	cost() Cost
}

// A list is an account for small problems: it looks at every sum anew.
type list struct {
	*frame
	all []*group
}

func newList(f *frame) *list {
	l := &list{frame: f}
	for b := range f.Blocks {
		l.all = append(l.all, f.single(b))
	}
	return l
}

func (l *list) groups() []*group { return l.all }

func (l *list) put(old, new []*group) {
	after := make([]*group, 0, len(l.all))
	for _, g := range l.all {
		if !slices.Contains(old, g) {
			after = append(after, g)
		}
	}
	l.all = append(after, new...)
}

func (l *list) swap(old, new []*group) bool {
	before := l.all
	l.put(old, new)
	for _, g := range new {
		if !l.safeWith(l.all, g) {
			l.all = before
			return false
		}
	}
	return true
}

func (l *list) cost() Cost {
	if len(l.holders) == 0 {
		return l.costOf(l.all, nil)
	}
	return l.costOf(l.all, l.kept(l.heldIn(l.all)))
}

// costOf returns the cost of groups under the samples. extra is added to the sums of segments, for
// holders.
func (f *frame) costOf(groups []*group, extra []vector) Cost {
	c := Cost{}
	change := make([]int64, len(f.segments)+1)
	for j := f.monos; j < f.monos+f.samples; j++ {
		clear(change)
		for k, v := range extra {
			if v != nil {
				change[k] += v[j]
				change[k+1] -= v[j]
			}
		}
		for _, g := range groups {
			from, to := f.range_(g.span)
			change[from] += g.top[j]
			change[to+1] -= g.top[j]
		}
		var now, peak int64
		for _, d := range change {
			now += d
			peak = max(peak, now)
		}
		c.Peak += peak
	}
	for _, g := range groups {
		if g.fixed >= 0 || f.Blocks[g.first].Pinned {
			continue // not the plan's to allocate
		}
		c.Blocks++
		for _, s := range g.top[f.monos:] {
			c.Bytes += s
		}
	}
	return c
}
