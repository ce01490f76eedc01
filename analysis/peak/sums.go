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
			sums = append(sums, sum{Vec: plus(s.sum, s.kept())})
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
		out = append(out, Segment{s.from, s.to, slices.Sorted(maps.Keys(s.holders)), vecOf(s.kept())})
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
	*Table
	from, to int
	// top: a life has begun since the last top, and one ends after this segment. A sum can shrink
	// only where a life ends, so the greatest sum is at a top.
	top             bool
	sum             map[int]int64
	blocks, holders map[int]bool
	parts           []part
	changed         map[int]bool  // parts of which a life has begun or ended since kept
	total           map[int]int64 // the bytes of all parts then
}

// A part is some holders that may keep the same blocks (held.Parts), with the bytes that they keep
// besides the blocks held under their own names.
type part struct {
	holders []int
	bytes   map[int]int64
}

// segments goes through the points once, and visits every segment.
func (t *Table) segments(visit func(*segment)) {
	cuts := t.cuts()
	starts, ends := map[int][]int{}, map[int][]int{} // blocks, and holders as -1-h
	add := func(from, to, what int) {
		if from <= to {
			starts[from] = append(starts[from], what)
			ends[to+1] = append(ends[to+1], what)
		}
	}
	for k, life := range t.Lives() {
		add(life.From, life.To, k)
	}
	for k, h := range t.Holders {
		add(h.Span.From, h.Span.To, -1-k)
	}
	s := &segment{Table: t, sum: map[int]int64{}, blocks: map[int]bool{}, holders: map[int]bool{}, changed: map[int]bool{}, total: map[int]int64{}}
	partOf := map[int]int{} // of what can change
	for k, holders := range held.Parts(t.keepers, func(b int) int { return b }) {
		s.parts = append(s.parts, part{holders: holders})
		for _, h := range holders {
			partOf[-1-h] = k
			for _, b := range t.Holders[h].Blocks {
				partOf[b] = k
			}
		}
	}
	change := func(what int, sign int64) {
		if k, ok := partOf[what]; ok {
			s.changed[k] = true
		}
		if what < 0 {
			if s.holders[-1-what] = sign > 0; sign < 0 {
				delete(s.holders, -1-what)
			}
			return
		}
		if s.blocks[what] = sign > 0; sign < 0 {
			delete(s.blocks, what)
		}
		for _, x := range t.Blocks[what].Terms {
			if s.sum[x.Mono] += sign * x.Coef; s.sum[x.Mono] == 0 {
				delete(s.sum, x.Mono)
			}
		}
	}
	more := false
	for k, p := range cuts[:max(0, len(cuts)-1)] { // nothing is held at the last cut
		for _, x := range ends[p] {
			change(x, -1)
		}
		for _, x := range starts[p] {
			change(x, 1)
			more = true
		}
		next := cuts[k+1]
		s.from, s.to, s.top = p, next-1, more && len(ends[next]) > 0
		visit(s)
		more = more && !s.top
	}
}

// cuts returns the points at which a life begins or has ended, ascending.
func (t *Table) cuts() []int {
	var cuts []int
	for _, b := range t.Blocks {
		cuts = append(cuts, b.Alloc, b.Last+1)
		if b.Handed > 0 {
			cuts = append(cuts, b.Handed)
		}
	}
	for _, h := range t.Holders {
		cuts = append(cuts, h.Span.From, h.Span.To+1)
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

// kept returns the bytes that holders keep besides the blocks held under their own names.
func (s *segment) kept() map[int]int64 {
	for k := range s.changed {
		p := &s.parts[k]
		for m, c := range p.bytes {
			s.total[m] -= c
		}
		p.bytes = s.keptBy(p.holders)
		for m, c := range p.bytes {
			s.total[m] += c
		}
	}
	clear(s.changed)
	return s.total
}

// keptBy returns the bytes that some holders keep, as far as they are held.
func (s *segment) keptBy(holders []int) map[int]int64 {
	var active []int
	for _, h := range holders {
		if s.holders[h] {
			active = append(active, h)
		}
	}
	if len(active) == 0 {
		return nil
	}
	t, total := s.Table, map[int]int64{}
	for _, k := range held.Keep(t.keepers, active, func(b int) held.State[int] { return held.State[int]{In: b, Held: s.blocks[b]} }) {
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
	return total
}

func plus(a, b map[int]int64) Vec {
	out := make(map[int]int64, len(a)+len(b))
	for m, c := range a {
		out[m] += c
	}
	for m, c := range b {
		out[m] += c
	}
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
