package plan

import "slices"

// An account holds a plan. In a small problem, and where sizes are too many, it has no sums: a small
// problem computes those that matter anew, and otherwise blocks share only where no sum rises.
type account struct {
	*frame
	all   []*group // nil where one has gone
	sums  []vector // per segment: upper bounds
	looks int      // how many more sums may be looked at
}

// maxLooks bounds the sums that a plan for a large problem looks at.
const maxLooks = 1 << 24

// newAccount returns the account of a plan.
func newAccount(f *frame, groups []*group) *account {
	a := &account{frame: f, looks: maxLooks}
	change := make(changes, len(f.segments)+1)
	for _, g := range groups {
		a.insert(g)
		if !f.few && !f.narrow {
			from, to := f.range_(g.span)
			change.count(from, to, g.top)
		}
	}
	if f.few || f.narrow {
		return a
	}
	a.sums = f.added(change)
	for k := range a.sums {
		a.sums[k] = slices.Clone(a.sums[k])
		if f.extra != nil {
			a.sums[k].add(f.extra[k], 1)
		}
	}
	return a
}

func (a *account) insert(g *group) {
	g.place = len(a.all)
	a.all = append(a.all, g)
}

func (a *account) groups() []*group {
	return slices.DeleteFunc(slices.Clone(a.all), func(g *group) bool { return g == nil })
}

func (a *account) cost() Cost {
	if a.few {
		return a.frame.cost(a.groups())
	}
	return a.costOf(a.groups(), a.extra) // no holder keeps more
}

// swap replaces groups by one of the same blocks, if the peak does not rise. Otherwise it changes
// nothing.
func (a *account) swap(old []*group, u *group) bool {
	if !a.few {
		if a.narrow && len(u.tops) > 1 || a.grown(u) || !a.steps(old, u, a.allows) {
			return false
		}
		a.put(old, u)
		return true
	}
	a.put(old, u)
	if !a.safeAfter(old, u) {
		a.undo(old, u)
		return false
	}
	return true
}

// safeAfter reports whether a plan for a small problem is safe after a put. If the group affects no
// holder, and the sums before are exact, only those that rise matter.
func (a *account) safeAfter(old []*group, u *group) bool {
	groups := a.groups()
	if len(u.kept) > 0 || slices.ContainsFunc(old, func(g *group) bool { return len(g.tops) > 1 }) {
		return a.safeWith(groups, u)
	}
	return a.steps(old, u, func(from, to int, by vector) bool {
		return !a.rises(by) || a.safe(groups, Span{From: a.segments[from].from, To: a.segments[to].from})
	})
}

// rises reports whether a sum may rise if so much is added to it.
func (f *frame) rises(by vector) bool {
	return slices.ContainsFunc(by[:f.monos], func(c int64) bool { return c > 0 })
}

// put replaces groups by one of the same blocks.
func (a *account) put(old []*group, u *group) {
	for _, g := range old {
		a.all[g.place] = nil
	}
	a.insert(u)
	a.steps(old, u, func(from, to int, by vector) bool { return a.add(from, to, by, 1) })
}

// undo takes the last put back.
func (a *account) undo(old []*group, u *group) {
	a.all = a.all[:u.place]
	for _, g := range old {
		a.all[g.place] = g
	}
	a.steps(old, u, func(from, to int, by vector) bool { return a.add(from, to, by, -1) })
}

func (a *account) add(from, to int, by vector, sign int64) bool {
	if a.sums == nil {
		return false
	}
	for k := from; k <= to; k++ {
		a.sums[k].add(by, sign)
	}
	if a.looks -= to - from + 1; a.looks < 0 {
		a.sums = nil
	}
	return true
}

// allows reports whether the sums of some segments may change by so much. If they rise, each must
// still be at most one that the run reaches without sharing.
func (a *account) allows(from, to int, by vector) bool {
	if !a.rises(by) {
		return true
	}
	if a.sums == nil {
		return false
	}
	if a.looks -= to - from + 1; a.looks < 0 {
		a.sums = nil
		return false
	}
	for k := from; k <= to; k++ {
		v := slices.Clone(a.sums[k])
		v.add(by, 1)
		if !a.proven(v, a.segments[k].region, nil) {
			return false
		}
	}
	return true
}

// steps calls f for each range of segments in which the sums change by the same size if groups become
// one, until it returns false.
func (a *account) steps(old []*group, u *group, f func(from, to int, by vector) bool) bool {
	from, to := a.range_(u.span)
	cuts := []int{from, to + 1}
	for _, g := range old {
		from, to := a.range_(g.span)
		cuts = append(cuts, from, to+1)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for k, first := range cuts[:len(cuts)-1] {
		by := a.zero()
		count := func(g *group, sign int64) {
			if from, to := a.range_(g.span); from <= first && first <= to {
				by.add(g.top, sign)
			}
		}
		count(u, 1)
		for _, g := range old {
			count(g, -1)
		}
		if slices.ContainsFunc(by, func(c int64) bool { return c != 0 }) && !f(first, cuts[k+1]-1, by) {
			return false
		}
	}
	return true
}
