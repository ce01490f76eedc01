package plan

import (
	"cmp"
	"slices"
)

// cover records the greatest sums of each region.
func (f *frame) cover() {
	sums := f.unshared()
	f.covers = make([][]vector, len(f.Regions))
	byRegion := make([][]vector, len(f.Regions))
	for k, s := range f.segments {
		r := s.region
		for f.Regions[r].Sure && r > 0 {
			r = f.Regions[r].Parent
		}
		byRegion[r] = append(byRegion[r], sums[k])
	}
	for r, all := range byRegion {
		slices.SortStableFunc(all, func(v, w vector) int {
			return cmp.Or(cmp.Compare(f.weight(w), f.weight(v)), slices.Compare(w, v))
		})
		for _, v := range all {
			if len(f.covers[r]) == maxCovers {
				break
			}
			if !f.dominated(v, r) {
				f.covers[r] = append(f.covers[r], v)
			}
		}
	}
}

// weight is the sum of a vector's samples, or of its coefficients.
func (f *frame) weight(v vector) int64 {
	part := v[f.monos:]
	if f.samples == 0 {
		part = v
	}
	var sum int64
	for _, c := range part {
		sum += c
	}
	return sum
}

// unshared returns the sums of all segments without any sharing.
func (f *frame) unshared() []vector {
	change := make(changes, len(f.segments)+1)
	for b := range f.Blocks {
		from, to := f.own(b)
		change.count(from, to, f.size[b])
	}
	if f.few { // only then sums are looked at one by one
		f.named = f.added(change)
	}
	for b, blk := range f.Blocks {
		if blk.Handed == 0 {
			continue
		}
		// From there on only the first iteration holds it: a branch in the loop may be one that
		// only later iterations take.
		first, to := f.range_(Span{From: blk.Handed, To: blk.Last})
		for k := first; k <= to; k++ {
			if f.surely(f.segments[k].region, f.segments[first].region) {
				change.count(k, k, f.size[b])
			}
		}
	}
	f.countHolders(change.count)
	if len(f.holders) > 0 {
		in := map[int]*group{}
		for b := range f.Blocks {
			if f.mayKeep[b] {
				in[b] = f.single(b)
			}
		}
		f.extra = f.kept(in)
	}
	return f.added(change)
}

// own returns the segments in which a block is held under its own name, before any sharing.
func (f *frame) own(b int) (from, to int) {
	blk := &f.Blocks[b]
	from, to = f.range_(Span{From: blk.Alloc, To: blk.Last})
	if blk.Handed > 0 {
		to = f.segmentAt(blk.Handed) - 1
	}
	return from, to
}

// changes are those of a sum from each segment to the next; nil is none.
type changes []vector

// count adds a size to the sums of segments.
func (c changes) count(from, to int, v vector) {
	at := func(k int) vector {
		if c[k] == nil {
			c[k] = make(vector, len(v))
		}
		return c[k]
	}
	at(from).add(v, 1)
	at(to+1).add(v, -1)
}

// added returns the sums of segments, given the changes from one to the next.
func (f *frame) added(change changes) []vector {
	sums := make([]vector, len(f.segments))
	now := f.zero()
	for k := range sums {
		if change[k] != nil {
			now = slices.Clone(now)
			now.add(change[k], 1)
		}
		sums[k] = now
	}
	return sums
}

// surely reports whether a run that enters a region enters another one in it each time.
func (f *frame) surely(inner, region int) bool {
	for inner != region {
		if inner <= 0 || !f.Regions[inner].Sure {
			return false
		}
		inner = f.Regions[inner].Parent
	}
	return true
}

// range_ returns the first and the last segment of a span.
func (f *frame) range_(s Span) (from, to int) { return f.segmentAt(s.From), f.segmentAt(s.To) }

// cost returns the cost of groups under the samples.
func (f *frame) cost(groups []*group) Cost {
	if len(f.holders) == 0 {
		return f.costOf(groups, nil)
	}
	return f.costOf(groups, f.kept(f.heldIn(groups)))
}

// costOf is cost, given the bytes that holders add to the sums of segments.
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
