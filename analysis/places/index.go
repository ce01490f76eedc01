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
	g := gathering{last: f.last, atoms: map[string]bool{}, asked: map[string]bool{}}
	for _, k := range cv.wrapped {
		mention(k.p, g.atoms)
	}
	for _, p := range about {
		mention(p, g.atoms)
	}
	g.follow(cv.axioms)
	g.open()
	for round := range rounds {
		done := len(g.out)
		if !g.round(round > 0) || len(g.out) > maxRelevant {
			break
		}
		for _, k := range g.out[done:] {
			mention(k.p, g.atoms)
			mention(k.lo, g.atoms)
			mention(k.hi, g.atoms)
			g.follow(k.axioms)
		}
	}
	slices.SortFunc(g.out, func(a, b *fact) int { return b.depth - a.depth })
	return g.out
}

// A gathering collects the facts that are relevant for a question, round by round.
type gathering struct {
	last         *fact
	single       []*fact // to be looked at one by one
	tables       []map[string]*named
	atoms, asked map[string]bool // names that occur, and those of earlier rounds
	out          []*fact
	taken        [(maxFacts + 2*segmentSize) / 64]uint64 // by how far a fact is from the last one
}

// follow adds the names in what axioms conclude.
func (g *gathering) follow(axioms []axiom) {
	for _, a := range axioms {
		for _, p := range a.then {
			mention(p, g.atoms)
		}
	}
}

// open finds the tables of the facts, and the facts without one.
func (g *gathering) open() {
	k := g.last
	for ; k != nil && k.segment == nil; k = k.before {
		g.single = append(g.single, k)
	}
	for n := 0; k != nil && n < maxFacts; n += segmentSize {
		next := k.segment.before
		if table := k.segment.table(k); table != nil {
			g.tables = append(g.tables, table)
		} else {
			for ; k != next; k = k.before {
				g.single = append(g.single, k)
			}
		}
		k = next
	}
}

func (g *gathering) take(k *fact) {
	n := g.last.depth - k.depth
	if g.taken[n/64]>>(n%64)&1 == 0 {
		g.taken[n/64] |= 1 << (n % 64)
		g.out = append(g.out, k)
	}
}

// telling reports whether a fact tells something of a common name: not if it defines a name that is
// not asked about.
func (g *gathering) telling(k *fact) bool { return !k.defines() || g.atoms[k.x] }

// round takes the facts about new names, if there are any. Later: the question does not mention them.
func (g *gathering) round(later bool) bool {
	var names []string
	for x := range g.atoms {
		if !g.asked[x] {
			g.asked[x] = true
			names = append(names, x)
		}
	}
	count := make(map[string]int, len(names)) // of the facts about each name
	found := make([][]*named, len(names))
	for n, x := range names {
		count[x] = 0
		for _, table := range g.tables {
			if own := table[x]; own != nil {
				found[n] = append(found[n], own)
				count[x] += len(own.all)
			}
		}
	}
	touched := g.touched(count)
	common := func(x string) bool { return later && count[x] > maxCommon }
	for n, x := range names {
		for _, own := range found[n] {
			facts, all := own.all, true
			if common(x) {
				facts, all = own.others, false
			}
			for _, k := range facts {
				if all || g.telling(k) {
					g.take(k)
				}
			}
		}
	}
	for _, k := range touched {
		near := k.kind == inBounds
		k.about(func(x string) {
			_, new := count[x]
			near = near || new && !common(x)
		})
		if near || g.telling(k) {
			g.take(k)
		}
	}
	return len(names) > 0
}

// touched returns the single facts about names, and counts them: whether a segment has a table must
// not decide.
func (g *gathering) touched(count map[string]int) (out []*fact) {
	for _, k := range g.single {
		touches := false
		k.about(func(x string) {
			if n, new := count[x]; new {
				count[x], touches = n+1, true
			}
		})
		if touches {
			out = append(out, k)
		}
	}
	return out
}
