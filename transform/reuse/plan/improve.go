package plan

import (
	"cmp"
	"slices"
)

const (
	improveBlocks = 3000  // larger problems are not improved
	improveTries  = 20000 // unions looked at
	rounds        = 3
)

// improve moves blocks: it tries to empty groups, smallest first, by moving each of their members
// to another group, and keeps changes that lower the cost.
func (f *frame) improve(l account, conflicts []map[int]bool) {
	if len(f.Blocks) > improveBlocks || f.few && f.counted > smallBlocks {
		return
	}
	tries := improveTries
	for range rounds {
		moved := false
		groups := l.groups()
		slices.SortStableFunc(groups, func(g, h *group) int { return cmp.Compare(f.weight(g.top), f.weight(h.top)) })
		gone := map[*group]bool{}
		for _, g := range groups {
			if gone[g] || g.fixed >= 0 || f.Blocks[g.first].Pinned {
				continue
			}
			for _, h := range groups {
				if h == g || gone[h] || f.weight(h.top) < f.weight(g.top) {
					continue
				}
				if tries--; tries < 0 {
					return
				}
				u, ok := f.union(g, h, conflicts)
				if !ok || u.unknown || !l.swap([]*group{g, h}, []*group{u}) {
					continue
				}
				gone[g], gone[h], moved = true, true, true
				break
			}
			if !gone[g] && f.empty(l, g, conflicts, &tries) {
				moved = true
				break // groups changed
			}
		}
		if !moved {
			return
		}
	}
}

// union returns the union of two groups, if no member conflicts.
func (f *frame) union(g, h *group, conflicts []map[int]bool) (*group, bool) {
	for _, a := range g.members() {
		for _, b := range h.members() {
			if conflicts[a][b] {
				return nil, false
			}
		}
	}
	return f.join(g, h)
}

// empty moves all members of a group to others, if that is possible and lowers the cost.
func (f *frame) empty(l account, g *group, conflicts []map[int]bool, tries *int) bool {
	if g.count < 2 {
		return false
	}
	into := map[*group]*group{} // the new group for each old one
	var touched []*group
	for _, b := range g.members() {
		placed := false
		for _, h := range l.groups() {
			if h == g || f.weight(h.top) < f.weight(f.size[b]) {
				continue
			}
			if *tries--; *tries < 0 {
				return false
			}
			now := h
			if u, ok := into[h]; ok {
				now = u
			}
			if u, ok := f.union(f.single(b), now, conflicts); ok {
				if _, ok := into[h]; !ok {
					touched = append(touched, h)
				}
				into[h] = u
				placed = true
				break
			}
		}
		if !placed {
			return false
		}
	}
	before := l.cost()
	old := append([]*group{g}, touched...)
	var new []*group
	for _, h := range touched {
		if into[h].unknown {
			return false
		}
		new = append(new, into[h])
	}
	if !l.swap(old, new) {
		return false
	}
	if l.cost().Less(before) {
		return true
	}
	l.put(new, old)
	return false
}
