package reuse

import (
	"math"
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/sym"
)

// fits reports whether the contents of block a have room in block b in every run that makes them.
// It uses only facts at a's allocation, so that no write leaves the block before a later check
// fails.
func (s *state) fits(a, b int) bool {
	x, y := s.table.Blocks[a], s.table.Blocks[b]
	if rules.Off("reuse.fits") {
		r := y.Size
		if y.Takes {
			r = y.Room
		}
		return r.Sub(x.Size).Is(0)
	}
	room := y.Size
	if y.Takes {
		room = y.Room
	}
	diff := room.Sub(x.Size)
	if c, ok := diff.IsConst(); ok {
		return c >= 0
	}
	if peak.Multiple(x.Size, room) > 0 {
		return true // if the sizes are negative, both blocks are empty
	}
	// The contents of a are made at points where its alloc is visible. Conditions of branches that
	// contain only a do not count: the independent checker need not see them, and a block that is
	// large enough only by such a condition reads like a mistake.
	at, region := s.seenFrom(x, y.Region)
	if x.Kind != peak.Allocated || y.Kind != peak.Allocated { // it is there already
		atX, _ := s.seenFrom(x, 0)
		atY, _ := s.seenFrom(y, 0)
		at, region = max(atX, atY), 0
	}
	old := s.compared(diff, region)
	switch {
	case at >= old.covered:
		return true
	case old.refused == maxCompared:
		return false
	}
	facts := s.table.Accesses.Facts(at)
	if s.table.Covers(facts, room, x.Size) {
		old.covered = at
		return true
	}
	if s.existsWithin(x, facts, room) {
		return true
	}
	old.refused++
	return false
}

// maxCompared bounds how often the room for one size in another is looked for in vain in a region.
const maxCompared = 16

// A comparison is what is known of the difference of two sizes in a region.
type comparison struct {
	covered int // from this point on, it is at least 0
	refused int // how often that was not proven
}

type compared struct {
	difference string
	region     int
}

func (s *state) compared(difference sym.Poly, region int) *comparison {
	key := compared{difference.String(), region}
	c := s.comparisons[key]
	if c == nil {
		c = &comparison{covered: math.MaxInt}
		if s.comparisons == nil {
			s.comparisons = map[compared]*comparison{}
		}
		s.comparisons[key] = c
	}
	return c
}

// existsWithin reports whether the arrays of a block have room, where they exist.
func (s *state) existsWithin(x peak.Block, facts places.Facts, room sym.Poly) bool {
	if rules.Off("reuse.exists") {
		return false
	}
	// Where arrays are made, their sizes are not negative.
	arrays := s.table.Aliases.MayLieIn(x.Name)
	return len(arrays) > 0 && !slices.ContainsFunc(arrays, func(name string) bool {
		t := s.table.Accesses.Type(name)
		return t == nil || !s.table.Covers(facts.Exists(t.Shape), room, x.Size)
	})
}

// seenFrom returns the point after a block's alloc, and its region. If the innermost body around the alloc and a
// region is further out, it returns the point of the statement there that contains the alloc.
func (s *state) seenFrom(b peak.Block, region int) (at, r int) {
	at, r = b.Alloc, b.Region
	if b.Kind == peak.Allocated {
		at++ // it has been
	}
	for r != region { // regions around another have smaller numbers
		if r > region {
			at, r = s.table.Regions[r].Stmt.From, s.table.Regions[r].Parent
		} else {
			region = s.table.Regions[region].Parent
		}
	}
	return at, r
}
