package coalesce

import (
	"slices"
	"sort"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Never more memory]
//
// What is made in its destination's block needs that block from then on, all of
// it:
//
//	let a = map (i < n) { .. }         -- holds c's 2 * n elements, not a's n
//	let t = map (i < k) { .. a[i] .. } -- and k
//	let b = map (i < n) { .. t[i] .. }
//	let c = concat@0 (a, b)            -- held a, b and c: 4 * n
//
// So at each point p where the destination would be held in addition, what is held
// after the move must be no more than what a run holds that comes there: at the copy,
// as things are or when the round began, or at p itself, without the blocks that the
// move lets go of. The former is most often so: source and destination are held at the
// copy, too. All that is held both at p and at the copy cancels; what is left are
// blocks that are let go of in between, those of parameters that the function consumes
// among them, and blocks that are held later only. Sums are greatest where something is
// let go of, so these are the points to look at.
//
// What is held and when is what package peak says. Of an existential name it counts
// what it may hold besides blocks that are held under their own names; what a call
// holds is an unknown size, which can only cancel.

// A trial is a move that is asked to hold no more.
type trial struct {
	*state
	m       *move
	dst     *life
	early   []*life // that would begin with the move, too
	leaving map[string]int
	lives   []*life // whose states differ between the points looked at
	first   int     // from where the destination is held
	last    int
	began   bool // lives are all that is needed to compare with when the round began
}

// holds checks that a move does not make the function hold more memory at a time
// than it held before this round.
func (s *state) holds(m *move) refusal { return s.holdsWith(m, nil) }

// holdsWith checks it for a move before which the making of some blocks moves up, too.
func (s *state) holdsWith(m *move, early []*life) refusal {
	if s.opt.off[peak] || s.opt.skip["peak"] {
		return refusal{}
	}
	dst := s.held.all[m.block]
	if dst == nil {
		return refusal{} // the caller's: it is held anyway
	}
	t := &trial{state: s, m: m, dst: dst, leaving: map[string]int{}}
	for _, l := range early {
		if l != dst && l.from > m.first {
			t.early = append(t.early, l)
		}
	}
	t.first, t.last = s.needs(m, dst)
	if len(t.early) == 0 && dst.from <= t.first && t.last <= dst.now {
		return refusal{} // it is held anyway
	}
	for _, x := range m.members {
		t.leaving[s.block(x.name)]++
	}
	if !t.collect() {
		return refuse("bound", "too many blocks are let go of between the making of `%s` and the copy", m.src)
	}
	facts := s.ac.Facts(m.point)
	for _, p := range t.points() {
		if r := t.at(facts, p); r.refused() {
			return r
		}
	}
	return refusal{}
}

// needs gives from where to where a move needs its destination.
func (s *state) needs(m *move, dst *life) (first, last int) {
	names := make([]string, len(m.members))
	for k, x := range m.members {
		names[k] = x.name
	}
	first, last = s.span(dst, names)
	return min(first, s.around(dst.body, m.first).From), last
}

// vacates tells whether nothing lies in a block if the move is made, and its name is
// for nothing else.
func (t *trial) vacates(l *life) bool {
	return l.left > 0 && t.leaving[l.block] == l.left && !t.values[l.block]
}

// collect finds the lives that are not held all along, or not at all.
func (t *trial) collect() bool {
	h := t.held
	from, to := min(t.first, t.m.point), max(t.last, t.m.point)
	for _, l := range t.early {
		from, to = min(from, t.m.first), max(to, l.from)
	}
	met := map[*life]bool{t.dst: true}
	add := func(l *life) {
		if l != nil && !met[l] {
			met[l] = true
			t.lives = append(t.lives, l)
		}
	}
	between := func(list []*life, lo, hi int, at func(*life) int) bool {
		k := sort.Search(len(list), func(k int) bool { return at(list[k]) >= lo })
		for ; k < len(list) && at(list[k]) <= hi; k++ {
			add(list[k])
			if t.m.work--; t.m.work < 0 {
				return false
			}
		}
		return true
	}
	for _, x := range t.m.members {
		add(h.all[t.block(x.name)])
	}
	for _, l := range t.early {
		add(l)
	}
	fromOf, nowOf := func(l *life) int { return l.from }, func(l *life) int { return l.now }
	if !between(h.begins, from+1, to, fromOf) || !between(h.ends, from, to-1, nowOf) {
		return false
	}
	// What was held at other points when the round began.
	t.began = between(h.began, from+1, to, func(l *life) int { return l.was }) && between(h.ended, from, to-1, func(l *life) int { return l.low }) &&
		between(h.grown, from-h.reach, to, fromOf)
	for _, l := range h.longer {
		add(l)
	}
	t.m.work -= len(h.longer)
	t.began = t.began && t.m.work >= 0
	t.m.work = max(t.m.work, 0)
	for _, l := range slices.Clone(t.lives) {
		for _, e := range l.by { // it may hold the block when the name does no more
			add(e)
		}
	}
	return true
}

// points gives the points where the destination, or what comes with it, would be held
// in addition, and the sums may be greatest.
func (t *trial) points() []int {
	type span struct{ from, to int }
	var spans []span
	if t.first < t.dst.from {
		spans = append(spans, span{t.first, min(t.dst.from-1, max(t.last, t.m.point))})
	}
	if t.last > t.dst.now {
		spans = append(spans, span{max(t.dst.now+1, t.first), t.last})
	}
	for _, l := range t.early {
		spans = append(spans, span{t.m.first, l.from - 1})
	}
	var out []int
	for _, x := range spans {
		note := func(p int) {
			if x.from <= p && p <= x.to {
				out = append(out, p)
			}
		}
		note(x.to)
		for _, l := range t.lives {
			note(l.now)
			if t.vacates(l) {
				note(x.from)
				note(l.from - 1)
				note(l.from)
				note(l.now + 1)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// after tells whether a block is held at a point if the move is made.
func (t *trial) after(l *life, p int) bool {
	switch {
	case l == t.dst:
		return min(l.from, t.first) <= p && p <= max(l.now, t.last)
	case t.vacates(l):
		return false
	case !l.holder:
		return l.own(p) || t.m.first <= p && p <= l.now && slices.Contains(t.early, l)
	}
	if !l.own(p) {
		return false
	}
	for _, c := range l.of {
		if t.vacates(c) {
			c = t.dst
		}
		if l.older[c] || !t.after(c, p) {
			return true
		}
	}
	return len(l.of) == 0
}

// The sums that a trial compares with.
type baseline uint8

const (
	asThingsAre baseline = iota
	asTheyWere
)

func (l *life) held(p int, b baseline) bool {
	if b == asTheyWere {
		return l.began(p)
	}
	return l.own(p)
}

// at compares what is held at a point after the move.
func (t *trial) at(facts places.Facts, p int) refusal {
	type comparison struct {
		at int
		baseline
	}
	with := []comparison{{t.m.point, asThingsAre}, {p, asThingsAre}}
	if t.began {
		with = append(with, comparison{t.m.point, asTheyWere})
	}
	for _, c := range with {
		if t.enough(facts, p, c.at, c.baseline) {
			return refusal{}
		}
	}
	at := t.dst
	for _, l := range t.lives {
		switch {
		case !t.after(l, p):
		case l.called:
			return refuse("peak", "`%s` would be held during a call, and what that needs is not known", t.m.block)
		case !l.own(t.m.point):
			at = l
		}
	}
	if at == t.dst {
		return refuse("peak", "`%s` would be held longer, and more memory with it, as far as can be seen", t.m.block)
	}
	return refuse("peak", "`%s` would be held while `%s` is, and more memory with it than at the copy, as far as can be seen", t.m.block, at.block)
}

// enough tells whether what is held at p after the move is at most what is held at q.
func (t *trial) enough(facts places.Facts, p, q int, b baseline) bool {
	more := map[int]int64{} // of each class of sizes, how many are held at q only
	credited := map[*life]bool{}
	for k := -1; k < len(t.lives); k++ {
		l := t.dst
		if k >= 0 {
			l = t.lives[k]
		}
		after := t.after(l, p)
		if after {
			more[l.class]--
		}
		switch {
		case !l.held(q, b):
		case !l.holder, after && p <= q: // what it holds besides other names becomes more with time
			more[l.class]++
		case !l.unknown && t.alone(l, q, b, credited):
			more[l.class]++
		}
	}
	var d sym.Poly
	lacks := false
	for class, n := range more {
		if n > 0 && t.held.unknownSizes[class] {
			continue
		}
		lacks = lacks || n < 0
		d = d.Add(t.held.sizes[class].Mul(sym.Const(n)))
	}
	return !lacks || t.covers(facts, d)
}

// alone tells whether an existential name holds a block at a point that no other name
// does that counts.
func (t *trial) alone(l *life, p int, b baseline, credited map[*life]bool) bool {
	if len(l.of) == 0 || l.free {
		return false
	}
	for _, c := range l.of {
		if credited[c] || !l.older[c] && c.held(p, b) {
			return false
		}
	}
	for _, c := range l.of {
		credited[c] = true
	}
	return true
}
