package peak

import (
	"cmp"
	"iter"
	"slices"
)

// ordered holds ranges in the order of their first points, or of their last ones, and of their
// names. Those of neighbouring points lie in one list, so a change moves few others.
type ordered struct {
	point func(*Range) int
	lists [][]*Range // by point / neighbours
}

const neighbours = 256

func newOrdered(ranges []*Range, point func(*Range) int) *ordered {
	o := &ordered{point: point}
	for _, r := range ranges {
		if list := o.list(r); list != nil {
			*list = append(*list, r)
		}
	}
	for _, list := range o.lists {
		slices.SortFunc(list, o.compare)
	}
	return o
}

func (o *ordered) compare(a, b *Range) int {
	return cmp.Or(cmp.Compare(o.point(a), o.point(b)), cmp.Compare(a.Block, b.Block))
}

// list returns the list that a range belongs to, or nil for a range without that point.
func (o *ordered) list(r *Range) *[]*Range {
	p := o.point(r)
	if p == over.From || p == over.To {
		return nil
	}
	for len(o.lists) <= p/neighbours {
		o.lists = append(o.lists, nil)
	}
	return &o.lists[p/neighbours]
}

func (o *ordered) put(r *Range) {
	if list := o.list(r); list != nil {
		k, _ := slices.BinarySearchFunc(*list, r, o.compare)
		*list = slices.Insert(*list, k, r)
	}
}

func (o *ordered) drop(r *Range) {
	if list := o.list(r); list != nil {
		if k, found := slices.BinarySearchFunc(*list, r, o.compare); found {
			*list = slices.Delete(*list, k, k+1)
		}
	}
}

// between returns the ranges of the points from lo to hi, both included, in order.
func (o *ordered) between(lo, hi int) iter.Seq[*Range] {
	return func(yield func(*Range) bool) {
		for k := max(lo, 0) / neighbours; k < len(o.lists) && k*neighbours <= hi; k++ {
			for _, r := range o.lists[k] {
				if p := o.point(r); p > hi || p >= lo && !yield(r) {
					return
				}
			}
		}
	}
}
