package places

import (
	"slices"
	"sync"
)

// Note [Finding facts]
// ~~~~~~~~~~~~~~~~~~~~
// A question needs the facts that are connected to it by names, among thousands. Facts form a list.
// Every segmentSize-th fact has a table, which looks up by name that fact and those since the
// previous such fact, and a link to that one. So a search looks at fewer than segmentSize single
// facts, and at one table per segment and name. A table is made when its segment is met for the
// second time: for facts that are added for a single question a table would not pay.

// maxFacts is how many facts, newest first, one question looks through.
const maxFacts = 2048

const segmentSize = 64

// A segment belongs to a fact whose depth is a multiple of segmentSize.
type segment struct {
	before *fact // the fact of the segment before, or nil

	mu     sync.Mutex
	met    bool
	byName map[string]*named
}

// named is the facts of a segment that are about one name. others are those without facts that
// define another name, and are found by that name, too.
type named struct{ all, others []*fact }

// newSegment returns the segment of a fact that has been linked.
func newSegment(k *fact) *segment {
	last := k.before
	for last != nil && last.segment == nil {
		last = last.before
	}
	return &segment{before: last}
}

// table returns the segment's facts by the names that they are about. It returns nil when the
// segment is met for the first time. last is the segment's fact.
func (s *segment) table(last *fact) map[string]*named {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.met {
		s.met = true
		return nil
	}
	if s.byName == nil {
		s.byName = map[string]*named{}
		for k := last; k != s.before; k = k.before {
			definition := k.defines() && k.p.Has(k.x)
			k.about(func(x string) {
				own := s.byName[x]
				if own == nil {
					own = &named{}
					s.byName[x] = own
				}
				if n := len(own.all); n > 0 && own.all[n-1] == k {
					return
				}
				own.all = append(own.all, k)
				if !definition || x == k.x {
					own.others = append(own.others, k)
				}
			})
		}
	}
	return s.byName
}

// about calls f for the names by which a fact is found. A bound is found only by the name that it
// bounds.
func (k *fact) about(f func(string)) {
	if k.kind == inBounds {
		f(k.x)
		return
	}
	for _, t := range k.p.Terms {
		for _, x := range t.Atoms {
			f(x)
		}
	}
}

// defines reports whether a fact defines a name.
func (k *fact) defines() bool { return k.kind == isZero && k.x != "" }

const (
	// rounds is over how many facts a connection by names may go.
	rounds = 4
	// maxRelevant facts are enough: the search then adds no facts that are connected only through
	// these.
	maxRelevant = 96
	// maxCommon concerns a name that the question does not mention. If it has more facts than this,
	// facts that only define other names by it do not count.
	maxCommon = 24
)

// relevant returns the facts, newest first, that are connected to the polynomials by names.
func (f Facts) relevant(cv *converter, about []poly) []*fact {
	atoms := map[string]bool{}
	for _, k := range cv.wrapped {
		mention(k.p, atoms)
	}
	for _, p := range about {
		mention(p, atoms)
	}
	follow := func(axioms []axiom) {
		for _, a := range axioms {
			for _, p := range a.then {
				mention(p, atoms)
			}
		}
	}
	follow(cv.axioms)
	var single []*fact // to be looked at one by one
	var tables []map[string]*named
	k := f.last
	for ; k != nil && k.segment == nil; k = k.before {
		single = append(single, k)
	}
	for n := 0; k != nil && n < maxFacts; n += segmentSize {
		next := k.segment.before
		if table := k.segment.table(k); table != nil {
			tables = append(tables, table)
		} else {
			for ; k != next; k = k.before {
				single = append(single, k)
			}
		}
		k = next
	}
	var out []*fact
	asked := map[string]bool{}
	var taken [(maxFacts + 2*segmentSize) / 64]uint64 // by how far a fact is from the last one
	take := func(k *fact) {
		n := f.last.depth - k.depth
		if taken[n/64]>>(n%64)&1 == 0 {
			taken[n/64] |= 1 << (n % 64)
			out = append(out, k)
		}
	}
	for round := range rounds {
		var names []string
		for x := range atoms {
			if !asked[x] {
				asked[x] = true
				names = append(names, x)
			}
		}
		if len(names) == 0 {
			break
		}
		// What defines a name that is not asked about tells nothing of a common one.
		telling := func(k *fact) bool { return !k.defines() || atoms[k.x] }
		done := len(out)
		count := make(map[string]int, len(names)) // of the facts about each name
		found := make([][]*named, len(names))
		for n, x := range names {
			count[x] = 0
			for _, table := range tables {
				if own := table[x]; own != nil {
					found[n] = append(found[n], own)
					count[x] += len(own.all)
				}
			}
		}
		var touched []*fact
		for _, k := range single { // whether a segment has a table must not decide
			touches := false
			k.about(func(x string) {
				if n, new := count[x]; new {
					count[x], touches = n+1, true
				}
			})
			if touches {
				touched = append(touched, k)
			}
		}
		far := func(x string) bool { return round > 0 && count[x] > maxCommon }
		for n, x := range names {
			far := far(x)
			for _, own := range found[n] {
				if !far {
					for _, k := range own.all {
						take(k)
					}
					continue
				}
				for _, k := range own.others {
					if telling(k) {
						take(k)
					}
				}
			}
		}
		for _, k := range touched {
			near := k.kind == inBounds
			k.about(func(x string) {
				if _, new := count[x]; new {
					near = near || !far(x)
				}
			})
			if near || telling(k) {
				take(k)
			}
		}
		if len(out) > maxRelevant {
			break
		}
		for _, k := range out[done:] {
			mention(k.p, atoms)
			mention(k.lo, atoms)
			mention(k.hi, atoms)
			follow(k.axioms)
		}
	}
	slices.SortFunc(out, func(a, b *fact) int { return b.depth - a.depth })
	return out
}
