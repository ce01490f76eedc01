package plan

import (
	"cmp"
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

const (
	improveTries = 20000 // unions looked at
	rounds       = 3
)

// improve joins groups, smallest first, with groups that are at least as large.
func (f *frame) improve(l *account, conflicts []map[int]bool) {
	if rules.Off("reuse.improve") || conflicts == nil {
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
				if !ok || u.unknown || !l.swap([]*group{g, h}, u) {
					continue
				}
				gone[g], gone[h], moved = true, true, true
				break
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
