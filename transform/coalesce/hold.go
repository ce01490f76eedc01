package coalesce

import (
	"math"
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
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
// Where all that is held in between is still held at the copy, the copy was the
// worse moment: source and destination were held, too. So only blocks matter that
// are let go of in between. As many of them as are held at a time must take no more
// than what was held at the copy and is not held then: the source's block, and what
// is made later. Or the blocks that the move lets go of, and that were held then,
// take as much as the destination's. What calls hold in between is not known.

// A life is how long a block is held by itself: from its first mention to its
// last use, or longer (high) where other names may keep it.
type life struct {
	block           string
	from, low, high int
	was             int // from, when the round began
	now             int // low, with what was moved there
	size            sym.Poly
}

// lives finds the life of every block that the function allocates, and the calls.
func (s *state) lives() {
	s.life = map[string]*life{}
	ir.WalkStmts(s.f.Body, func(st *ir.Stmt) bool {
		switch op := st.Op.(type) {
		case *ir.Call:
			s.calls = append(s.calls, s.lv.Stmt(st).From)
		case *ir.Alloc:
			b := st.Pat[0].Name
			l := &life{block: b, from: math.MaxInt, size: s.closed(sym.Of(op.Size))}
			names := append([]string{b}, s.standFor[b]...)
			for k, n := range names {
				for _, x := range s.inBlock[n] {
					d := s.defs[x]
					from, to := d.at, d.point
					for _, i := range s.lv.Array(x) {
						to = max(to, i.To)
					}
					for _, a := range s.ofArray[x] {
						to = max(to, s.ac.All[a].Point)
					}
					l.high = max(l.high, to)
					if k == 0 { // a loop's parameter may hold the block of the iteration before
						l.from, l.low = min(l.from, from), max(l.low, to)
					}
				}
			}
			if s.values[b] {
				l.high = math.MaxInt
				l.from = min(l.from, s.lv.Stmt(st).From)
			}
			l.was, l.now = l.from, l.low
			s.life[b] = l
			s.dying = append(s.dying, l)
		}
		return true
	})
	slices.SortFunc(s.dying, func(a, b *life) int { return a.low - b.low })
	s.starting = slices.Clone(s.dying)
	slices.SortFunc(s.starting, func(a, b *life) int { return a.was - b.was })
	slices.Sort(s.calls)
}

// closed replaces scalars by what they are computed from, as far as that is
// arithmetic, so that sizes can be compared.
func (s *state) closed(p sym.Poly) sym.Poly {
	for range 8 {
		next := p.Subst(func(n string) (sym.Poly, bool) {
			d := s.defs[n]
			if d == nil || d.exp == nil || d.exp.Prim() != ir.I64 || !arithmetic(d.exp) {
				return sym.Poly{}, false
			}
			return sym.Of(d.exp), true
		})
		if next.Equal(p) {
			break
		}
		p = next
	}
	return p
}

// holds checks that a move does not make the function hold more memory at a time
// than it held before this round.
func (s *state) holds(m *move) refusal {
	if s.opt.off[peak] || s.opt.skip["peak"] {
		return refusal{}
	}
	dst := s.life[m.block]
	if dst == nil || dst.from <= m.first && m.last <= dst.now {
		return refusal{} // it is held anyway
	}
	facts := s.ac.Facts(m.point)
	if a := s.life[s.block(m.src)]; a != nil && s.vacates(m, a.block) && s.covers(facts, a.size, dst.size) {
		return refusal{}
	}
	if m.last > dst.now {
		return refuse("peak", "`%s` is used when `%s` is not needed for anything else", m.src, m.block)
	}
	until := min(m.point, dst.from)
	if k, _ := slices.BinarySearch(s.calls, m.first); k < len(s.calls) && s.calls[k] <= until {
		return refuse("peak", "`%s` would be held during a call, and what that needs is not known", m.block)
	}
	gone, ok := s.gone(m, dst, until)
	credit, ok1 := s.credit(m, dst)
	if !ok || !ok1 {
		return refuse("bound", "too many blocks are let go of between the making of `%s` and the copy", m.src)
	}
	from := s.webBlocks(m)
	for _, at := range gone { // what is held is most where one begins
		begin := max(at.from, m.first)
		sum, before, back, spare := sym.Const(0), sym.Const(0), sym.Const(0), sym.Const(0)
		for _, l := range gone {
			if m.work--; m.work < 0 {
				return refuse("bound", "too many blocks are let go of between the making of `%s` and the copy", m.src)
			}
			if l.from <= begin && begin <= l.high {
				sum = sum.Add(l.size)
			}
		}
		for _, l := range credit {
			left := s.vacated[l.block] || s.vacates(m, l.block) || l.from > begin
			if left && l.was <= m.point && m.point <= l.low {
				before = before.Add(l.size)
			}
			if left && !s.vacated[l.block] && l.from <= m.point && m.point <= l.now {
				back = back.Add(l.size)
			}
		}
		if dst.was <= m.point { // the destination itself
			before = before.Add(dst.size)
		}
		if dst.from <= m.point {
			back = back.Add(dst.size)
		}
		for _, b := range from {
			if l := s.life[b]; l != nil && s.vacates(m, b) && l.from <= begin && begin <= l.now {
				spare = spare.Add(l.size)
			}
		}
		if with := sum.Add(dst.size); !s.covers(facts, back, with) && !s.covers(facts, before, with) && !s.covers(facts, spare, dst.size) {
			return refuse("peak", "`%s` would be held while `%s` is, and more memory with it than at the copy, as far as can be seen", m.block, at.block)
		}
	}
	return refusal{}
}

// gone gives the blocks that are let go of between the first write of a move and
// its copy.
func (s *state) gone(m *move, dst *life, until int) ([]*life, bool) {
	var out []*life
	add := func(l *life) bool {
		if l != dst && l.from <= until && !s.vacated[l.block] && !s.vacates(m, l.block) {
			out = append(out, l)
		}
		m.work--
		return m.work >= 0
	}
	k, _ := slices.BinarySearchFunc(s.dying, m.first, func(l *life, p int) int { return l.low - p })
	for ; k < len(s.dying) && s.dying[k].low < m.point; k++ {
		if !add(s.dying[k]) {
			return nil, false
		}
	}
	for _, l := range s.kept() {
		if l.low < m.first && l.high >= m.first && !add(l) {
			return nil, false
		}
	}
	return out, true
}

// credit gives blocks that may have been held at the copy, when the round began or
// as things are, and are not held, or not yet, where the move makes its destination
// be held.
func (s *state) credit(m *move, dst *life) ([]*life, bool) {
	met := map[string]bool{m.block: true}
	var out []*life
	add := func(l *life) {
		if l != nil && !met[l.block] {
			met[l.block] = true
			out = append(out, l)
		}
	}
	for _, b := range append(s.webBlocks(m), s.into[m.block]...) {
		add(s.life[b])
	}
	k, _ := slices.BinarySearchFunc(s.starting, m.first, func(l *life, p int) int { return l.was - p })
	for ; k < len(s.starting) && s.starting[k].was <= m.point; k++ {
		if m.work--; m.work < 0 {
			return nil, false
		}
		add(s.starting[k])
	}
	return out, true
}

// webBlocks gives the blocks that the arrays of a move lie in now.
func (s *state) webBlocks(m *move) []string {
	var out []string
	for _, x := range m.members {
		if b := s.block(x.name); !slices.Contains(out, b) && len(out) < maxOrigins {
			out = append(out, b)
		}
	}
	return out
}

// covers tells whether one size is provably no smaller than another. A size name
// is 0 or at least 1: n <= n * n holds, but not for all numbers.
func (s *state) covers(facts places.Facts, large, small sym.Poly) bool {
	d := large.Sub(small)
	if facts.AtLeast(d, 0) {
		return true
	}
	names := d.Names()
	if len(names) == 0 || len(names) > 2 {
		return false
	}
	var split func(f places.Facts, d sym.Poly, names []string) bool
	split = func(f places.Facts, d sym.Poly, names []string) bool {
		if len(names) == 0 {
			return f.AtLeast(d, 0)
		}
		n := names[0]
		if !f.AtLeast(sym.Var(n), 0) {
			return false
		}
		zero := d.Subst(func(x string) (sym.Poly, bool) { return sym.Const(0), x == n })
		return split(f.Positive(sym.Var(n)), d, names[1:]) && split(f, zero, names[1:])
	}
	return split(facts, d, names)
}

// kept gives the blocks that other names may keep beyond their last use.
func (s *state) kept() []*life {
	if s.keepers == nil {
		s.keepers = []*life{}
		for _, l := range s.dying {
			if l.high > l.low {
				s.keepers = append(s.keepers, l)
			}
		}
	}
	return s.keepers
}

// vacates tells whether nothing lies in a block if the move is made.
func (s *state) vacates(m *move, block string) bool {
	for _, x := range s.inBlock[block] {
		if _, ours := m.funs[x]; !ours && s.block(x) == block {
			return false
		}
	}
	return !s.values[block]
}

// moved notes what a move changes about the lives of blocks.
func (s *state) moved(m *move, from []string) {
	if dst := s.life[m.block]; dst != nil {
		dst.from, dst.now = min(dst.from, m.first), max(dst.now, m.last)
	}
	for _, b := range from {
		if s.vacates(m, b) {
			s.vacated[b] = true
			s.into[m.block] = append(s.into[m.block], b)
		}
	}
}
