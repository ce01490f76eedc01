package liveness

import "slices"

// An Interval is a range of points, both ends included. Born: the contents are made at From;
// otherwise they come from another name there.
type Interval struct {
	From, To int
	Born     bool
}

// maxInherited bounds the intervals that one component hands to another.
const maxInherited = 64

// normal sorts intervals and joins those that meet, and those that control flow connects.
func (t *Table) normal(is []Interval) []Interval {
	slices.SortFunc(is, func(a, b Interval) int {
		if a.From != b.From {
			return a.From - b.From
		}
		if a.Born != b.Born { // contents that flow in count
			if a.Born {
				return 1
			}
			return -1
		}
		return a.To - b.To
	})
	var out []Interval
	for _, i := range is {
		if k := len(out) - 1; k >= 0 {
			last := &out[k]
			if i.From <= last.To || i.From == last.To+1 && !i.Born && t.follows(last.To) {
				last.To = max(last.To, i.To)
				continue
			}
		}
		out = append(out, i)
	}
	return out
}

// bounded closes the narrowest gaps of normal intervals until at most limit intervals are left.
func bounded(is []Interval, limit int) []Interval {
	if len(is) <= limit {
		return is
	}
	gaps := make([]int, 0, len(is)-1)
	for k := 1; k < len(is); k++ {
		gaps = append(gaps, k)
	}
	slices.SortStableFunc(gaps, func(a, b int) int { return (is[a].From - is[a-1].To) - (is[b].From - is[b-1].To) })
	keep := make([]bool, len(is))
	for _, k := range gaps[len(is)-limit:] {
		keep[k] = true
	}
	out := []Interval{is[0]}
	for k := 1; k < len(is); k++ {
		if keep[k] {
			out = append(out, is[k])
		} else {
			out[len(out)-1].To = is[k].To
		}
	}
	return out
}

// holding returns the interval that contains p.
func holding(is []Interval, p int) (Interval, bool) {
	k, _ := slices.BinarySearchFunc(is, p, func(i Interval, p int) int {
		switch {
		case i.To < p:
			return -1
		case i.From > p:
			return 1
		}
		return 0
	})
	if k < len(is) && is[k].From <= p && p <= is[k].To {
		return is[k], true
	}
	return Interval{}, false
}

// liveInto reports whether contents from before p are needed at p or later.
func liveInto(is []Interval, p int) bool {
	i, ok := holding(is, p)
	return ok && (i.From < p || !i.Born)
}

// diesAt reports whether p is a last use, given the intervals: the contents are needed at no point
// that follows. For the beginning of a branch it reports whether contents needed before are dead on
// entry.
func (t *Table) diesAt(is []Interval, p int) bool {
	if pt := t.Points[p]; pt.Kind == Begin && pt.Stmt != nil {
		if _, here := holding(is, p); !here {
			_, before := holding(is, t.Stmt(pt.Stmt).From)
			return before
		}
	}
	if _, here := holding(is, p); !here {
		return false
	}
	dead := true
	t.successors(p, func(q int) { dead = dead && !liveInto(is, q) })
	return dead
}

// Common returns the ranges of points that two ascending lists have in common.
func Common(as, bs []Interval) []Span {
	var out []Span
	for len(as) > 0 && len(bs) > 0 {
		if from, to := max(as[0].From, bs[0].From), min(as[0].To, bs[0].To); from <= to {
			out = append(out, Span{From: from, To: to})
		}
		if as[0].To < bs[0].To {
			as = as[1:]
		} else {
			bs = bs[1:]
		}
	}
	return out
}
