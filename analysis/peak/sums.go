package peak

import (
	"cmp"
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/peak/held"
	"github.com/memc-lang/memc/ir/index"
)

// Peak returns the greatest sum of blocks that are held at one point. A holder adds the greatest
// block that it may keep and that is held under no other name. Holders that may keep the same
// blocks together add each block at most once, except for instances of earlier iterations.
func (t *Table) Peak() Formula {
	var sums []sum
	t.segments(func(s *segment) {
		if s.top {
			sums = append(sums, sum{Vec: plus(s.sum, s.extra)})
		}
	})
	return t.formula(sums)
}

// A Segment is a range of points at which the same blocks are held (Lives).
type Segment struct {
	From, To int
	Holders  []int // of Table.Holders
	Kept     Vec   // bytes that the holders add to the blocks
}

// Profile returns the segments from the function's first point to its last. The greatest sum of a
// segment is Peak.
func (t *Table) Profile() []Segment {
	var out []Segment
	t.segments(func(s *segment) {
		out = append(out, Segment{s.from, s.to, slices.Sorted(maps.Keys(s.holders)), vecOf(s.extra)})
	})
	return out
}

// Lives returns the points at which each block is held under its own name: To is below From where
// that is nowhere. A block that a loop's parameter has taken over counts as the parameter's.
func (t *Table) Lives() []index.Span {
	listed := !slices.ContainsFunc(t.Holders, func(h Holder) bool { return h.Many })
	out := make([]index.Span, len(t.Blocks))
	for k, b := range t.Blocks {
		out[k] = index.Span{From: b.Alloc, To: b.Last}
		if b.Handed > 0 && listed {
			out[k].To = b.Handed - 1
		}
	}
	return out
}

// segment is the sweep's own view of a Segment. Its maps change from one segment to the next.
type segment struct {
	from, to int
	// top: a life has begun since the last top, and one ends after this segment. A sum can shrink
	// only where a life ends, so the greatest sum is at a top.
	top        bool
	sum, extra map[int]int64 // under the blocks' own names, and by holders
	holders    map[int]bool
}

// A change is what a point has that the point before had not.
type change struct {
	begins, ends bool // a life
	sum, extra   map[int]int64
	come, gone   []int // holders
}

// add counts terms.
func add(sum map[int]int64, v Vec, sign int64) {
	for _, x := range v {
		if sum[x.Mono] += sign * x.Coef; sum[x.Mono] == 0 {
			delete(sum, x.Mono)
		}
	}
}

// segments goes through the points once, and visits every segment.
func (t *Table) segments(visit func(*segment)) {
	changes := t.changes()
	points := slices.Sorted(maps.Keys(changes))
	s := &segment{sum: map[int]int64{}, extra: map[int]int64{}, holders: map[int]bool{}}
	more := false
	for k, p := range points[:max(0, len(points)-1)] { // nothing is held at the last point
		c, next := changes[p], points[k+1]
		add(s.sum, vecOf(c.sum), 1)
		add(s.extra, vecOf(c.extra), 1)
		for _, h := range c.gone {
			delete(s.holders, h)
		}
		for _, h := range c.come {
			s.holders[h] = true
		}
		more = more || c.begins
		s.from, s.to, s.top = p, next-1, more && changes[next].ends
		visit(s)
		more = more && !s.top
	}
}

// changes returns the points at which what is held changes.
func (t *Table) changes() map[int]*change {
	changes := map[int]*change{}
	at := func(p int) *change {
		if changes[p] == nil {
			changes[p] = &change{sum: map[int]int64{}, extra: map[int]int64{}}
		}
		return changes[p]
	}
	lives := t.Lives()
	for k, life := range lives {
		if from, end := at(life.From), at(max(life.From, life.To+1)); from != end {
			from.begins, end.ends = true, true
			add(from.sum, t.Blocks[k].Terms, 1)
			add(end.sum, t.Blocks[k].Terms, -1)
		}
	}
	for k, h := range t.Holders {
		if from, end := at(h.Span.From), at(max(h.Span.From, h.Span.To+1)); from != end {
			from.begins, end.ends = true, true
			from.come, end.gone = append(from.come, k), append(end.gone, k)
		}
	}
	held.Spells(t.keepers, func(b int) int { return b }, func(b int) held.Span { return held.Span(lives[b]) }, func(s held.Span, active []int) {
		v := t.keptBy(active, func(b int) bool { return held.Span(lives[b]).Has(s.From) })
		add(at(s.From).extra, v, 1)
		add(at(s.To+1).extra, v, -1)
	})
	return changes
}

// keptBy returns the bytes that some holders keep besides the blocks held under their own names.
func (t *Table) keptBy(holders []int, named func(b int) bool) Vec {
	total := map[int]int64{}
	for _, k := range held.Keep(t.keepers, holders, func(b int) held.State[int] { return held.State[int]{In: b, Held: named(b)} }) {
		monos := map[int]bool{}
		for _, b := range k.Blocks {
			for _, x := range t.Blocks[b].Terms {
				monos[x.Mono] = true
			}
		}
		for m := range monos {
			total[m] += k.Most(func(b int) int64 { return t.Blocks[b].Terms.Of(m) })
		}
	}
	return vecOf(total)
}

func plus(a, b map[int]int64) Vec {
	out := maps.Clone(a)
	add(out, vecOf(b), 1)
	return vecOf(out)
}

func vecOf(m map[int]int64) Vec {
	var v Vec
	for k, c := range m {
		if c != 0 {
			v = append(v, Term{Mono: k, Coef: c})
		}
	}
	slices.SortFunc(v, func(a, b Term) int { return a.Mono - b.Mono })
	return v
}

// dedup removes repeated sums.
func dedup(sums []sum) []sum {
	slices.SortStableFunc(sums, func(v, w sum) int {
		return -slices.CompareFunc(v.Vec, w.Vec, func(a, b Term) int { return cmp.Or(a.Mono-b.Mono, cmp.Compare(a.Coef, b.Coef)) })
	})
	return slices.CompactFunc(sums, func(v, w sum) bool { return v.given == w.given && slices.Equal(v.Vec, w.Vec) })
}

// least returns, for each monomial, the least coefficient among some blocks.
func (t *Table) least(reals []string) Vec {
	v := map[int]int64{}
	for k, r := range reals {
		var own Vec
		if b, ok := t.Block(r); ok {
			own = t.Blocks[b].Terms
		}
		for _, x := range own {
			if _, known := v[x.Mono]; !known && (k == 0 || x.Coef < 0) {
				v[x.Mono] = x.Coef
			}
		}
		for m, c := range v {
			v[m] = min(c, own.Of(m))
		}
	}
	return vecOf(v)
}
