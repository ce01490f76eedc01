package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/fits"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// A state is one round over one function: what is known of it, where its arrays lie by now, and what
// is still to be tried.
type state struct {
	*attempt
	facts
	layout
	search
}

// facts are about the function as the round found it. No move changes them; the maps hold answers
// that were asked for before.
type facts struct {
	opt      options
	file     *diag.File
	buffered bool // the second phase of an attempt (Note [Order])
	al       *aliases.Table
	lv       *liveness.Table
	ac       *accesses.Table
	rooms    *fits.Table
	// closed and defined replace names so that sizes can be compared: closed by definitions that
	// neither fail nor read memory, defined by any definition.
	closed, defined *index.Expansion
	// called holds arrays that are passed to calls: their index functions are agreed with the
	// callee.
	called   map[string]bool
	lengths  map[*ir.Concat]sym.Poly // what the parts of a concat come to
	crossing map[*ir.Stmt][]string   // arrays from before a loop that are needed when it has begun
	inLoop   map[*ir.Stmt][]string   // see arraysIn
	failing  map[*ir.Stmt]bool       // which statements may fail
	near     map[string]int          // blocks in a group's memory
}

// A layout is where arrays lie after the moves made so far, and what follows from it.
type layout struct {
	arrays index.Names[*array]
	blocks index.Names[block]
	// mentions maps names without a definition of their own (blocks and scalars that places bind,
	// sizes, indices) to the arrays whose places use them.
	mentions map[string][]string
	// everywhere and anywhere are like a block's accesses: all of them, and those to blocks that may be
	// any block.
	everywhere, anywhere []int
	alike                map[string][]string     // results of mayBe
	differ               map[[2]string]bool      // names that may be the same blocks, but never are at a time
	around               map[*array][]*candidate // copies in place, by the class of src
	forks                int                     // classes with several of them
	walks                int                     // of s.past so far
	placedFor            map[string]*candidate   // that sources lie in place for
	checkedFrom          map[*candidate]int      // the earliest point at which a check is known to be possible
	spans                *peak.Account           // see account
}

// A search is which moves are still to be tried, and what they may cost.
type search struct {
	listed []*candidate    // see candidates
	seen   map[string]bool // loop parameters that were looked at
	wishes []wish
	// copiesOfClass holds the candidates that are not in place, by the class of src.
	copiesOfClass map[string][]*candidate
	spent         int              // on webs that were refused
	done          bool             // no more rewrites are allowed
	used          *transform.Names // see fresh
}

// A block is what a state knows of a name of a block.
type block struct {
	// uses counts how often the name is used as a value: passed to calls, carried by loops, aliased.
	// Then it must stay bound.
	uses     int
	arrays   []string // placed in it
	accesses filing
	standFor []string // of a real block: the existential names that may stand for it
	any      bool     // it may be any block
}

// array reports whether a name is one of an array.
func (s *state) array(name string) bool {
	d := s.lv.Def(name)
	return d != nil && d.Elem != nil && d.Elem.Type.Kind == ir.ArrayKind
}

// place returns the index function of an array as it lies now.
func (s *state) place(name string) lmad.Fun {
	x := s.of(name)
	if x.place.Parts == nil {
		x.place = lmad.OfType(x.def.Elem.Type)
	}
	return x.place
}

// block returns the name of the block that an array lies in now.
func (s *state) block(name string) string { return s.of(name).def.Elem.Type.Place.Mem }

// statement returns the point of the statement of a body that a point belongs to.
func (s *state) statement(b *ir.Body, point int) int {
	_, span, _ := s.lv.Enclosing(b, point)
	return span.From
}

// samePlace reports whether two arrays lie in one place already.
func (s *state) samePlace(x, y string) bool {
	return s.block(x) == s.block(y) && s.place(x).Equal(s.place(y))
}

// parameter reports whether a name is a parameter of a loop.
func (s *state) parameter(d *index.Def) (*ir.Loop, bool) {
	if d.Stmt == nil || d.Elem == nil {
		return nil, false
	}
	loop, ok := d.Stmt.Op.(*ir.Loop)
	return loop, ok && !slices.Contains(d.Stmt.Pat, d.Elem)
}

// placeIn returns the place of an index function in a block.
func placeIn(block string, f lmad.Fun) *ir.Place {
	p := &ir.Place{Mem: block}
	if !f.IsRowMajor() {
		p.Ix = f.Chain()
	}
	return p
}

// mention records the names that an array's place refers to.
func (s *state) mention(x string) {
	p := s.lv.Def(x).Elem.Type.Place
	ir.PlaceNames(p, func(n string) {
		if d := s.lv.Def(n); d == nil || d.Elem == nil {
			s.mentions[n] = append(s.mentions[n], x)
		}
	})
}

// outermost returns the statement of a body that a point belongs to.
func (s *state) outermost(b *ir.Body, point int) *ir.Stmt {
	st, _, _ := s.lv.Enclosing(b, point)
	return st
}

// unaliased follows other names of an array to the first.
func (s *state) unaliased(x string) string {
	for {
		d := s.lv.Def(x)
		if d.Stmt == nil {
			return x
		}
		a, ok := d.Stmt.Op.(*ir.Alias)
		if !ok {
			return x
		}
		x = a.X
	}
}

func (s *state) bytes(array string) int64 { return int64(s.of(array).def.Elem.Type.Prim.Size()) }
