package plan

import "slices"

// widest is the number of coefficients and samples up to which sums are kept.
const widest = 40

// A tree is an account for large problems: the sums of all segments, with the maximum of every
// range, separately for each coefficient and sample. Adding to a range and reading its maximum take
// logarithmic time.
//
// For a group's size and for a range's sums it uses the greatest coefficients. This is safe, and
// accepts fewer plans than a list does.
type tree struct {
	*frame
	all   []*group
	width int
	size  int // of the leaves' level
	most  []int64
	added []int64
	sum   vector // the last result of over and at
	above vector // all 0 between two questions
	// high are segments at which sums rose too far, the last one first. If groups are tried in
	// turn, the next one usually fails there, too.
	high []int
}

// maxHigh bounds the segments that are looked at before a union is tried.
const maxHigh = 4

func newTree(f *frame) *tree {
	t := &tree{frame: f, width: f.monos + f.samples, size: 1}
	for t.size < len(f.segments) {
		t.size *= 2
	}
	if !f.narrow {
		t.most = make([]int64, 2*t.size*t.width)
		t.added = make([]int64, 2*t.size*t.width)
		t.sum, t.above = t.zero(), t.zero()
	}
	for b := range f.Blocks {
		t.insert(f.single(b))
	}
	for k, v := range f.extra {
		if v != nil && t.most != nil {
			t.add(1, 0, t.size-1, k, k, v, 1)
		}
	}
	return t
}

func (t *tree) groups() []*group {
	out := make([]*group, 0, len(t.all))
	for _, g := range t.all {
		if g != nil {
			out = append(out, g)
		}
	}
	return out
}

func (t *tree) cost() Cost { return t.costOf(t.groups(), t.extra) }

func (t *tree) insert(g *group) {
	g.place = len(t.all)
	t.all = append(t.all, g)
	t.count(g, 1)
}

func (t *tree) remove(g *group) {
	t.all[g.place] = nil
	t.count(g, -1)
}

// count adds a group's size to the sums of the points at which it is held.
func (t *tree) count(g *group, sign int64) {
	if t.most == nil {
		return
	}
	from, to := t.range_(g.span)
	t.add(1, 0, t.size-1, from, to, g.top, sign)
}

func (t *tree) add(node, lo, hi, from, to int, v vector, sign int64) {
	if to < lo || hi < from {
		return
	}
	at := node * t.width
	if from <= lo && hi <= to {
		for k, c := range v {
			t.most[at+k] += sign * c
			t.added[at+k] += sign * c
		}
		return
	}
	mid := (lo + hi) / 2
	t.add(2*node, lo, mid, from, to, v, sign)
	t.add(2*node+1, mid+1, hi, from, to, v, sign)
	left, right := 2*node*t.width, (2*node+1)*t.width
	for k := range t.width {
		t.most[at+k] = t.added[at+k] + max(t.most[left+k], t.most[right+k])
	}
}

// greatestIn raises v to the greatest sums of a range; above is the sum added further up.
func (t *tree) greatestIn(node, lo, hi, from, to int, above, v vector) {
	if to < lo || hi < from {
		return
	}
	at := node * t.width
	if from <= lo && hi <= to {
		for k := range v {
			v[k] = max(v[k], t.most[at+k]+above[k])
		}
		return
	}
	added := vector(t.added[at : at+t.width])
	above.add(added, 1)
	mid := (lo + hi) / 2
	t.greatestIn(2*node, lo, mid, from, to, above, v)
	t.greatestIn(2*node+1, mid+1, hi, from, to, above, v)
	above.add(added, -1)
}

// over returns the greatest sums of segments, until the next question.
func (t *tree) over(from, to int) vector {
	for k := range t.sum {
		t.sum[k] = -1 << 62
	}
	t.greatestIn(1, 0, t.size-1, from, to, t.above, t.sum)
	return t.sum
}

// at returns the sum of one segment, until the next question.
func (t *tree) at(segment int) vector {
	node := t.size + segment
	copy(t.sum, t.most[node*t.width:])
	for node /= 2; node > 0; node /= 2 {
		t.sum.add(t.added[node*t.width:(node+1)*t.width], 1)
	}
	return t.sum
}

func (t *tree) put(old, new []*group) {
	for _, g := range old {
		t.remove(g)
	}
	for _, g := range new {
		t.insert(g)
	}
}

func (t *tree) swap(old, new []*group) bool {
	if t.most == nil {
		if !t.alike(old, new) {
			return false
		}
		t.put(old, new)
		return true
	}
	if slices.ContainsFunc(new, t.grown) || t.rises(old, new) {
		return false
	}
	t.put(old, new)
	looks := 256
	for _, g := range new {
		if !t.safeIn(g.span, &looks) {
			t.put(new, old)
			return false
		}
	}
	return true
}

// rises reports whether at one of the segments in high, no region around dominates the new sum.
func (t *tree) rises(old, new []*group) bool {
	for _, g := range new {
		from, to := t.range_(g.span)
		for _, k := range t.high {
			if k < from || k > to {
				continue
			}
			v := t.at(k)
			t.held(v, k, old, -1)
			t.held(v, k, new, 1)
			if !t.proven(v, t.segments[k].region, nil) {
				return true
			}
		}
	}
	return false
}

// held adds up the groups that are held at a segment.
func (t *tree) held(v vector, segment int, groups []*group, sign int64) {
	for _, g := range groups {
		if from, to := t.range_(g.span); from <= segment && segment <= to {
			v.add(g.top, sign)
		}
	}
}

// safeIn reports whether the sums within a span are dominated. If one sum does not cover the whole
// span, it examines each run of segments in one region, and halves that as long as it helps.
func (t *tree) safeIn(span Span, looks *int) bool {
	from, to := t.range_(span)
	outer := t.segments[from].region
	for k := from; k <= to && t.depth[outer] > 0; k++ {
		outer = t.common(outer, t.segments[k].region)
	}
	return t.safeWithin(from, to, outer, looks)
}

func (t *tree) safeWithin(from, to, outer int, looks *int) bool {
	if *looks == 0 {
		return false
	}
	*looks--
	v := t.over(from, to)
	if t.dominated(v, outer) {
		return true
	}
	if from == to {
		if t.proven(v, t.segments[from].region, nil) {
			return true
		}
		if t.high = slices.DeleteFunc(t.high, func(k int) bool { return k == from }); len(t.high) == maxHigh {
			t.high = t.high[:maxHigh-1]
		}
		t.high = slices.Insert(t.high, 0, from)
		return false
	}
	mid := (from + to) / 2
	return t.safeWithin(from, mid, outer, looks) && t.safeWithin(mid+1, to, outer, looks)
}

// alike reports whether groups can become one without raising a sum: all have one size, and there
// is no gap between them. This remains possible with too many different sizes to keep their sums.
func (t *tree) alike(old, new []*group) bool {
	if len(new) != 1 {
		return false
	}
	slices.SortFunc(old, func(a, b *group) int { return a.span.From - b.span.From })
	end := new[0].span.From - 1
	for _, g := range old {
		if g.span.From > end+1 || len(g.tops) > 1 || t.class[g.tops[0]] != t.class[new[0].tops[0]] {
			return false
		}
		end = max(end, g.span.To)
	}
	return end >= new[0].span.To
}
