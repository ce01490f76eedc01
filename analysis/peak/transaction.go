package peak

import (
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak/held"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
)

// Note [No worse]
//
// An array that moves to its destination's block needs that whole block from then on:
//
//	let a = map (i < n) { .. }         -- holds c's 2 * n elements, not a's n
//	let t = map (i < k) { .. a[i] .. } -- and k
//	let b = map (i < n) { .. t[i] .. }
//	let c = concat@0 (a, b)            -- held a, b and c: 4 * n
//
// A transaction is no worse (docs/account.md) if the following holds at each point p at which it
// holds more than before. The new sum at p is at most an old sum that every run through p reaches:
// the one at the point At (the copy), or the one at p itself. At the copy both source and
// destination are held, so the sum at At is usually the one that suffices.
//
// A range that is held both at p and at the other point cancels. What remains are ranges that begin
// or end in between. A sum is greatest just before a range ends, so only such points are checked.

// A Transaction is a change of placement: blocks are held at other points, are no longer held, or
// are new. NoWorse judges it, and Commit carries it out.
type Transaction struct {
	*Account
	// Every run that reaches a point at which more is held also reaches At, and Facts hold there.
	At    int
	Facts places.Facts
	edits map[*Range]liveness.Span
	to    string          // the block that arrays move to
	into  *Range          // its range; nil: the block is held in any case
	gains []liveness.Span // where more may be held than before
	// ranges are those that may differ between two of the points to check; the others cancel.
	ranges []*Range
	moved  []string
}

// Propose begins a transaction.
func (a *Account) Propose(at int, facts places.Facts) *Transaction {
	return &Transaction{Account: a, At: at, Facts: facts, edits: map[*Range]liveness.Span{}}
}

// Move moves arrays to another block, from the point first on at the latest. body is the body in
// which they are made and copied.
func (t *Transaction) Move(arrays []string, to string, first int) {
	to = t.table.root(to)
	t.moved, t.to = arrays, to
	t.search()
	for _, x := range arrays {
		if r := t.all[t.lies[x]]; r != nil && r.Block != to {
			if t.meets(r) {
				r.leaves = 0
			}
			if r.leaves++; t.vacated(r, r.leaves) {
				t.edits[r] = over
			}
		}
	}
	if t.into = t.all[to]; t.into == nil {
		return // the caller's: it is held in any case
	}
	s := t.span(t.into.body, arrays)
	s.From = min(s.From, t.table.Liveness.Around(t.into.body, first).From)
	t.Hold(t.into, s)
}

// Hold makes a block held also at the points of a span.
func (t *Transaction) Hold(r *Range, s liveness.Span) {
	if s.From > s.To || r.From <= s.From && s.To <= r.To {
		return
	}
	if s.From < r.From {
		t.gains = append(t.gains, liveness.Span{From: s.From, To: min(r.From-1, max(s.To, t.At))})
	}
	if s.To > r.To {
		t.gains = append(t.gains, liveness.Span{From: max(r.To+1, s.From), To: s.To})
	}
	t.edits[r] = liveness.Span{From: min(r.From, s.From), To: max(r.To, s.To)}
}

// After Drop a block is no longer held under its own name.
func (t *Transaction) Drop(block string) {
	if r := t.all[block]; r != nil {
		t.edits[r] = over
	}
}

// Add makes a new block held that is as large as another.
func (t *Transaction) Add(like *Range, s liveness.Span) {
	t.into = &Range{Block: like.Block, Span: over, body: like.body, size: like.size, class: like.class, unknown: like.unknown}
	t.Hold(t.into, s)
}

// A Verdict says whether a transaction is no worse, and if not, why.
type Verdict struct {
	NoWorse bool
	Bound   bool   // no more ranges may be looked at
	Called  bool   // the size that a call holds is unknown
	Beside  string // a block that would be held at the same time as the new one, but is not held at At
}

// NoWorse judges the transaction.
func (t *Transaction) NoWorse() Verdict {
	if len(t.gains) == 0 {
		return Verdict{NoWorse: true}
	}
	defer func() { t.room, t.ranges = t.ranges, nil }()
	if !t.collect() {
		return Verdict{Bound: true}
	}
	atCopy := t.enough
	if t.plain() {
		atCopy = t.sweep()
	} else if len(t.ranges) > maxWithHolders {
		return Verdict{Bound: true}
	}
	for _, p := range t.points() {
		if !atCopy(p, t.At) && (rules.Off("peak.samePoint") || !t.enough(p, p)) {
			return t.blame(p)
		}
	}
	return Verdict{NoWorse: true}
}

// maxWithHolders bounds the ranges of a transaction among which there are holders: each point looks at all.
const maxWithHolders = 600

// plain reports that no range is a holder.
func (t *Transaction) plain() bool {
	return !slices.ContainsFunc(t.ranges, func(r *Range) bool { return r.holder })
}

// sweep is enough for plain ranges and one q. The points p have to ascend; each takes the ranges that
// begin or end since the one before.
func (t *Transaction) sweep() func(p, q int) bool {
	for len(t.more) < len(t.classes.size) {
		t.more = append(t.more, 0)
	}
	type event struct{ at, class, held int }
	var events []event
	more := make([]int64, len(t.classes.size))
	classes := make([]int, 0, len(t.ranges))
	for _, r := range t.ranges {
		s, edited := t.edits[r]
		if !edited {
			s = r.Span
		}
		if s.From <= s.To {
			events = append(events, event{s.From, r.class, 1}, event{s.To + 1, r.class, -1})
		}
		if holds(r.Span, t.At) {
			more[r.class]++
		}
		classes = append(classes, r.class)
	}
	slices.SortFunc(events, func(x, y event) int { return x.at - y.at })
	slices.Sort(classes)
	classes = slices.Compact(classes)
	return func(p, _ int) bool {
		for len(events) > 0 && events[0].at <= p {
			more[events[0].class] -= int64(events[0].held)
			events = events[1:]
		}
		for _, k := range classes {
			t.more[k] = more[k]
		}
		return t.covers(classes)
	}
}

func (t *Transaction) blame(p int) Verdict {
	v := Verdict{}
	for _, r := range t.ranges {
		switch {
		case r == t.into || !t.after(r, p):
		case r.called:
			return Verdict{Called: true}
		case !holds(r.Span, t.At):
			v.Beside = r.Block
		}
	}
	return v
}

// collect finds the ranges that may differ between two of the points to check: those that arrays
// leave, those that the transaction edits, those that begin or end in between, and their holders.
func (t *Transaction) collect() bool {
	from, to := t.At, t.At
	for _, g := range t.gains {
		from, to = min(from, g.From), max(to, g.To)
	}
	t.search()
	t.ranges = t.room[:0]
	add := func(r *Range) {
		if t.meets(r) {
			t.ranges = append(t.ranges, r)
		}
	}
	between := func(in *ordered, lo, hi int) bool {
		for r := range in.between(lo, hi) {
			add(r)
			if t.work--; t.work < 0 {
				return false
			}
		}
		return true
	}
	if t.into != nil {
		add(t.into)
	}
	edited := make([]*Range, 0, len(t.edits))
	for r := range t.edits {
		edited = append(edited, r)
	}
	slices.SortFunc(edited, t.byFrom.compare)
	for _, r := range edited {
		add(r)
	}
	for _, x := range t.moved {
		if r := t.all[t.lies[x]]; r != nil {
			add(r)
		}
	}
	if !between(t.byFrom, from+1, to) || !between(t.byTo, from, to-1) {
		return false
	}
	for _, r := range t.ranges { // the ranges found so far
		for _, h := range r.by { // it may keep the block after the name has released it
			add(h)
		}
	}
	return true
}

// points returns the points at which more may be held and a sum may be greatest.
func (t *Transaction) points() []int {
	var out []int
	for _, g := range t.gains {
		note := func(p int) {
			if holds(g, p) {
				out = append(out, p)
			}
		}
		note(g.To)
		for _, r := range t.ranges {
			if r == t.into {
				continue
			}
			note(r.To)
			if s, edited := t.edits[r]; edited && s == over { // the old sums fall where it ended
				note(g.From)
				note(r.From - 1)
				note(r.From)
				note(r.To + 1)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// after reports whether a range is held at a point after the transaction. A holder counts if it may
// keep an instance that is held under no other name.
func (t *Transaction) after(r *Range, p int) bool {
	s, edited := t.edits[r]
	if !edited {
		s = r.Span
	}
	if !holds(s, p) || !r.holder || r == t.into {
		return holds(s, p)
	}
	for _, c := range r.of {
		if s, edited := t.edits[c]; t.into != nil && edited && s == over {
			c = t.into
		}
		if r.older[c] || !t.after(c, p) {
			return true
		}
	}
	return len(r.of) == 0
}

// enough reports whether the new sum at p is at most the old sum at q.
func (t *Transaction) enough(p, q int) bool {
	for len(t.more) < len(t.classes.size) {
		t.more = append(t.more, 0)
	}
	more := t.more // per class: how many are held at q before, less those held at p after
	var met []int  // the classes
	add := func(class int, n int64) {
		if more[class] == 0 {
			met = append(met, class)
		}
		more[class] += n
	}
	credited := map[*Range]bool{}
	var rest []*Range
	for _, r := range t.ranges {
		after := t.after(r, p)
		if after {
			add(r.class, -1)
		}
		switch {
		case !holds(r.Span, q):
		case !r.holder:
			add(r.class, 1)
		case after && p <= q && !rules.Off("peak.credit"): // names end with time, so the holder adds no less at q
			add(r.class, 1)
			for _, c := range r.of { // no other holder may count these blocks again
				credited[c] = true
			}
		default:
			rest = append(rest, r)
		}
	}
	for _, r := range rest {
		if !r.unknown && t.alone(r, q, credited) {
			add(r.class, 1)
		}
	}
	return t.covers(met)
}

// covers reports whether the counts in more add up to a sum that is provably not negative. It
// resets the counts to 0.
func (t *Transaction) covers(classes []int) bool {
	sizes, ok := t.sizes[:0], true
	slices.Sort(classes)
	for _, k := range slices.Compact(classes) {
		n, unknown := t.more[k], t.classes.unknown[k]
		t.more[k] = 0
		switch {
		case n < 0 && unknown:
			ok = false
		case n != 0 && !unknown:
			sizes = append(sizes, multiple{of: t.classes.size[k], n: n})
		}
	}
	t.sizes = sizes
	return ok && t.table.covers(t.Facts, sizes)
}

// alone reports whether a holder surely keeps, at a point, a block that no other counted name
// holds.
func (t *Transaction) alone(r *Range, p int, credited map[*Range]bool) bool {
	return len(r.of) > 0 && !r.free && held.Surely(r.of, func(c *Range) bool {
		return holds(c.Span, p) && !held.Another(r.older[c], r.From, c.From)
	}, credited)
}

// Commit carries the transaction out.
func (t *Transaction) Commit() {
	a := t.Account
	for r, s := range t.edits {
		a.set(r, s)
	}
	for _, r := range a.move(t.moved, t.to) {
		switch {
		case a.table.mentionOf(r.Block) != nil:
		case len(r.arrays) == 0:
			a.set(r, over)
		default:
			rest := a.span(r.body, r.arrays)
			a.set(r, liveness.Span{From: max(r.From, rest.From), To: min(r.To, rest.To)})
		}
		for _, h := range r.by { // a holder of the old block may now keep the new one
			if t.into != nil && !t.into.holder && !slices.Contains(h.of, t.into) {
				h.of = append(h.of, t.into)
				t.into.by = append(t.into.by, h)
				if h.class != t.into.class && !h.unknown {
					h.unknown = true
					h.class = a.classes.of(h)
				}
			}
		}
	}
}
