package peak

import (
	"cmp"
	"math"
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A Range is the live range of a block, or of an existential name that keeps one: the points at
// which a run holds it, both ends included. A range with From > To is empty. A block is held from
// the first statement that mentions it, because `lower` moves its alloc there.
type Range struct {
	Block string
	liveness.Span
	body  *ir.Body // of the alloc, or that binds the name
	size  sym.Poly
	class int // of ranges of one size
	// unknown: the size is one of several, or the unknown size of a call.
	unknown bool
	called  bool     // held by a callee while it runs, or by threads
	arrays  []string // that lie there
	// For an existential name: the blocks that it may keep, and those of them of which it may keep
	// an instance that an earlier iteration made.
	holder bool
	of     []*Range
	older  map[*Range]bool
	free   bool     // to the sum: the caller keeps one of these blocks
	by     []*Range // the holders of a block

	met, leaves int // the last search that visited this range, and how many arrays it saw leave
}

func holds(s liveness.Span, p int) bool { return s.From <= p && p <= s.To }

// over is the empty range: the block is not held.
var over = liveness.Span{From: math.MaxInt, To: -1}

// An Account records at which points a function holds its blocks, while arrays move from one block
// to another. Transactions change it.
type Account struct {
	table *Table
	all   map[string]*Range
	lies  map[string]string // arrays to the blocks that they lie in
	// The ranges by their first points, and by their last ones.
	byFrom, byTo *ordered
	classes      classes
	searches     int // so far
	work         int // how many ranges may still be looked at
	// Comparisons reuse these: the ranges that one looks at, how many there are of each class, and
	// their sizes.
	room  []*Range
	more  []int64
	sizes []multiple
}

// search begins a new search: no range has been visited yet.
func (a *Account) search() { a.searches++ }

// meets reports whether the current search visits a range for the first time.
func (a *Account) meets(r *Range) bool {
	first := r.met != a.searches
	r.met = a.searches
	return first
}

// Open opens the account of a function; spans comes from Spans. All transactions together may look at so many
// ranges of blocks.
func Open(spans *Table, work int) *Account {
	names, ranges := spans.Aliases.Names(), len(spans.Blocks)+len(spans.Holders)
	a := &Account{
		table: spans, all: make(map[string]*Range, ranges), lies: make(map[string]string, len(names)),
		classes: newClasses(), work: work,
	}
	in := make(map[string][]string, ranges) // arrays, by block
	for _, name := range names {
		if m := spans.root(name); m != name {
			a.lies[name] = m
			in[m] = append(in[m], name)
		}
	}
	opened := make([]*Range, 0, ranges)
	open := func(r *Range) {
		r.arrays = in[r.Block]
		r.class = a.classes.of(r)
		a.all[r.Block] = r
		opened = append(opened, r)
	}
	byNumber := make([]*Range, len(spans.Blocks))
	for k, b := range spans.Blocks {
		if b.Kept {
			continue // held whatever is done
		}
		r := &Range{Block: b.Name, body: b.Body, Span: liveness.Span{From: b.First, To: b.Last}, size: b.Size, unknown: b.Unknown}
		r.called = b.Kind == Called && b.Alloc <= b.Last
		if b.Kind == Given {
			r.body = spans.Func.Body
			r.unknown = len(spans.Func.Params[b.Param].Type.Place.Ix) > 0 // it may be larger
		}
		if b.Handed > 0 {
			r.To = b.Handed - 1
		}
		byNumber[k] = r
		open(r)
	}
	for _, h := range spans.Holders {
		r := &Range{Block: h.Name, body: spans.Regions[h.region].IR, Span: liveness.Span(h.Span), holder: true, unknown: h.Many}
		for _, b := range h.Blocks {
			c := byNumber[b]
			if c == nil {
				r.free = true
				continue
			}
			r.mayKeep(c, h.MayBeOlder(b))
		}
		if len(r.of) > 0 || h.Many {
			open(r)
		}
	}
	a.threads(in, open)
	a.byFrom = newOrdered(opened, func(r *Range) int { return r.From })
	a.byTo = newOrdered(opened, func(r *Range) int { return r.To })
	return a
}

// threads opens the ranges of blocks that threads or groups allocate outside of registers, and of the
// existential names that may keep them. in lists the arrays of each block.
func (a *Account) threads(in map[string][]string, open func(*Range)) {
	inLoop := map[string]bool{}
	var holders []*Range
	bind := func(e *ir.Elem, b *ir.Body, born int) {
		if n, ok := owns(e); ok && a.table.Aliases.Existential(n) {
			h := &Range{Block: n, body: b, holder: true, Span: union(a.span(b, in[n]), a.mentioned(b, n))}
			h.From = max(h.From, born)
			holders = append(holders, h)
		}
	}
	var visit func(b *ir.Body, kernel, loop bool)
	visit = func(b *ir.Body, kernel, loop bool) {
		for _, s := range b.Stmts {
			op, again := s.Op.(*ir.Loop)
			if again && kernel {
				for _, p := range op.Params {
					bind(p.Elem, op.Body, a.table.Liveness.Body(op.Body).From)
				}
			}
			space := ir.IsKernel(s.Op)
			for _, inner := range ir.Bodies(s.Op) {
				visit(inner, kernel || space, kernel && (loop || again))
			}
			if alloc, ok := s.Op.(*ir.Alloc); ok && kernel && alloc.Space != ir.ThreadSpace {
				name := s.Pat[0].Name
				inLoop[name] = loop
				open(&Range{Block: name, body: b, size: a.table.Expand(sym.Of(alloc.Size)),
					Span: union(a.span(b, in[name]), a.mentioned(b, name))})
			}
			for _, e := range s.Pat {
				if kernel && !renames(s) {
					bind(e, b, a.table.Liveness.Stmt(s).To)
				}
			}
		}
	}
	visit(a.table.Func.Body, false, false)
	for _, h := range holders {
		reals, more := a.table.Aliases.BlocksUpTo(h.Block, maxHeld)
		h.unknown = more
		for _, r := range reals {
			if loop, inside := inLoop[r]; inside {
				h.mayKeep(a.all[r], loop)
			} else {
				h.free = true
			}
		}
		if len(h.of) > 0 {
			open(h)
		}
	}
}

// mayKeep records that an existential name may keep a block, and maybe an instance of an earlier iteration.
func (r *Range) mayKeep(c *Range, older bool) {
	r.of, c.by = append(r.of, c), append(c.by, r)
	if older {
		if r.older == nil {
			r.older = map[*Range]bool{}
		}
		r.older[c] = true
	}
	r.unknown = r.unknown || c.unknown || !c.size.Equal(r.of[0].size)
	r.size = r.of[0].size
}

// mentioned returns the points of a body at which the name of a block itself is mentioned.
func (a *Account) mentioned(b *ir.Body, name string) liveness.Span {
	if m := a.table.mentionOf(name); m != nil {
		if s, _, ok := a.table.within(b, m); ok {
			return s
		}
	}
	return over
}

// union returns the points from the first to the last of two spans.
func union(s, t liveness.Span) liveness.Span {
	return liveness.Span{From: min(s.From, t.From), To: max(s.To, t.To)}
}

// span returns the points of a body at which a block is held for some arrays in it.
func (a *Account) span(body *ir.Body, arrays []string) liveness.Span {
	out := over
	for _, x := range arrays {
		if m := a.table.mentionOf(x); m != nil {
			if s, _, ok := a.table.within(body, m); ok {
				out = union(out, s)
			}
		}
	}
	return out
}

// Range returns the live range of a block, or of an existential name. It is nil if the block is
// held in any case.
func (a *Account) Range(block string) *Range { return a.all[a.table.root(block)] }

// Begin returns the ranges that begin with one of some statements.
func (a *Account) Begin(stmts []*ir.Stmt) []*Range {
	var out []*Range
	for _, s := range stmts {
		span := a.table.Liveness.Stmt(s)
		out = slices.AppendSeq(out, a.byFrom.between(span.From, span.To))
	}
	return out
}

// set gives a range other ends.
func (a *Account) set(r *Range, s liveness.Span) {
	if s == r.Span {
		return
	}
	a.byFrom.drop(r)
	a.byTo.drop(r)
	r.Span = s
	a.byFrom.put(r)
	a.byTo.put(r)
}

// vacated reports whether a block stays empty once the leaving arrays have left, and its name has
// no other use.
func (a *Account) vacated(r *Range, leaving int) bool {
	return len(r.arrays) > 0 && leaving == len(r.arrays) && a.table.mentionOf(r.Block) == nil
}

// move records that arrays lie in another block now, and returns the blocks that they left.
func (a *Account) move(arrays []string, to string) []*Range {
	var left []*Range
	a.search()
	for _, x := range arrays {
		from := a.lies[x]
		if from == to {
			continue
		}
		if r := a.all[from]; r != nil && a.meets(r) {
			left = append(left, r)
		}
		a.lies[x] = to
		if r := a.all[to]; r != nil {
			r.arrays = append(r.arrays, x)
		}
	}
	for _, r := range left {
		r.arrays = slices.DeleteFunc(r.arrays, func(x string) bool { return a.lies[x] != r.Block })
	}
	slices.SortFunc(left, func(a, b *Range) int { return cmp.Compare(a.Block, b.Block) })
	return left
}

// Expand returns a size over names that are not computed from others, as far as nothing wraps.
func (a *Account) Expand(p sym.Poly) sym.Poly { return a.table.Expand(p) }

// AtMost reports whether one expanded size is provably at most another, given some facts.
func (a *Account) AtMost(facts places.Facts, x, y sym.Poly) bool {
	return a.table.notNegative(facts, y.Sub(x))
}
