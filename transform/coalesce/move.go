package coalesce

import (
	"math"
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
)

// Bounds of what is tried for one candidate.
const (
	maxWeb     = 20000   // arrays that move together
	maxSpent   = 1 << 20 // arrays looked at for a function, and 64 for each name
	maxWork    = 600     // accesses that are held against the part
	maxOrigins = 16      // arrays made anew among those that move
	maxPairs   = 4096    // of arrays that come to lie in one place
)

// try plans the move of a candidate. It gives nil and no refusal where src is
// where it should be already; with a refusal, the move as far as it was planned.
func (s *state) try(c *candidate) (*move, refusal) {
	block := s.block(c.dst)
	region := c.part(s.place(c.dst))
	if s.block(c.src) == block {
		if s.inPlace(c) {
			return nil, refusal{}
		}
		return nil, refuse("place", "`%s` lies elsewhere in the block of `%s` already", c.src, c.dst)
	}
	if !s.better(c) {
		return nil, refuse("place", "`%s` lies where it would be copied to `%s`, which saves as much", c.src, s.settledAt[c.src].dst)
	}
	fitted, ok := s.fit(c, region)
	if !ok && c.kind == updates { // its guard can compare the sizes
		fitted, ok = withLengths(region, s.place(c.src).Shape())
	}
	if region = fitted; !ok {
		return nil, refuse("sizes", "the sizes of `%s` and of the part of `%s` are not provably equal", c.src, c.dst)
	}
	if s.opt.off[c.kind] {
		return nil, refuse("switch", "this kind is switched off")
	}
	if s.without[c.key()] {
		return nil, refuse("choice", "it would keep others from moving that save more")
	}
	for _, l := range region.Parts {
		for _, d := range l.Dims {
			if d.Stride.Is(0) && !d.Len.Is(1) {
				return nil, refuse("place", "all elements would lie in one place, as far as can be seen")
			}
		}
	}
	members, relied, r := s.web(c.src, region)
	if r.refused() {
		return nil, r
	}
	m := &move{candidate: c, region: region, block: block, members: members, relied: relied, funs: map[string]lmad.Fun{}, work: maxWork}
	for _, x := range members {
		m.funs[x.name] = x.fun
	}
	for _, check := range []func(*move) refusal{s.within, s.sizes, s.settles} {
		if r := check(m); r.refused() {
			return nil, r // wherever the destination is made
		}
	}
	for _, check := range []func(*move) refusal{s.reach, s.room, s.weigh, s.origins, s.guard, s.holds, s.conflicts} {
		if r := check(m); r.refused() {
			return m, r
		}
	}
	return m, refusal{}
}

// within checks that the whole web is made and used where the copy is: in its
// body, before it (conditions C1, C2 and C4), and collects its writes.
func (s *state) within(m *move) refusal {
	span := s.lv.Body(m.body)
	m.first, m.last = math.MaxInt, m.point
	for _, x := range m.members {
		d := s.defs[x.name]
		if d.body.From < span.From || d.body.To > span.To {
			return refuse("C2", "`%s` is made outside of the body that the copy is in", x.name)
		}
		if m.kind != buffers && d.at >= m.point && d.origin {
			return refuse("C1", "`%s` is made after the copy", x.name)
		}
		if s.called[x.name] && !x.fun.Equal(s.place(x.name)) {
			return refuse("call", "`%s` is given to a call, which expects it as it lies", x.name)
		}
		for _, k := range s.ofArray[x.name] {
			a := &s.ac.All[k]
			if !a.Write {
				continue
			}
			if a.Point >= m.point && m.kind != buffers {
				return s.because("C1", a, "`%s` is written after the copy", x.name)
			}
			m.writes = append(m.writes, a)
			m.first = min(m.first, a.Point)
		}
		if d.origin { // a scratch array is there before it is written
			m.first = min(m.first, d.at)
		}
		if !s.opt.skip["C1"] {
			for _, i := range s.lv.Elements(x.name) {
				m.last = max(m.last, i.To)
			}
		}
		for _, n := range ir.ExistNames(d.elem.Type.Place) {
			if s.values[n] {
				return refuse("C4", "`%s`, where `%s` lies, is used as a value", n, x.name)
			}
			for _, y := range s.mentions[n] {
				if _, ours := m.funs[y]; !ours {
					return refuse("C4", "`%s` lies in `%s`, too, and cannot move along", y, n)
				}
			}
		}
	}
	if len(m.writes) == 0 {
		return refuse("C4", "`%s` is not made here", m.src)
	}
	for _, e := range s.f.Body.Result {
		if r, ok := e.(*ir.Ref); ok && m.kind != buffers {
			if _, ours := m.funs[r.Name]; ours {
				return refuse("C1", "`%s` is a result of the function", r.Name)
			}
		}
	}
	if m.last > m.point && m.kind == results {
		return refuse("C1", "`%s` is used after the copy", m.src)
	}
	// From the beginning of the statement of the body that makes it first.
	m.first = s.statement(m.body, m.first)
	return refusal{}
}

// statement gives the point of the statement of a body that a point belongs to.
func (s *state) statement(b *ir.Body, point int) int {
	return s.lv.Stmt(b.Stmts[s.statementIndex(b, point)]).From
}

func (s *state) statementIndex(b *ir.Body, point int) int {
	k, _ := slices.BinarySearchFunc(b.Stmts, point, func(st *ir.Stmt, p int) int {
		if s.lv.Stmt(st).To < p {
			return -1
		}
		return 1
	})
	return k
}

// reach checks that every new place can be named where it is needed (conditions
// C2 and C5), and rewrites places to names that are defined earlier.
func (s *state) reach(m *move) refusal {
	for k := range m.members {
		x := &m.members[k]
		d := s.defs[x.name]
		if !s.visible(m.block, d.at) && !s.opt.skip["C2"] {
			return refuse("C2", "`%s` is not allocated where `%s` is made", m.block, x.name)
		}
		f, bad := s.earlierFun(x.fun, d.at)
		if bad != "" && !s.opt.skip["C5"] {
			return refuse("C5", "the place needs `%s`, which is not known where `%s` is made", bad, x.name)
		}
		x.fun = f
		m.funs[x.name] = f
	}
	m.region = m.funs[m.src]
	return refusal{}
}

// origins checks that of arrays that lay in different places, and will lie in
// one, no two are needed at a time.
func (s *state) origins(m *move) refusal {
	made := map[int][]string{} // by group
	for _, x := range m.members {
		if s.defs[x.name].origin {
			made[x.group] = append(made[x.group], x.name)
			if len(made[x.group]) > maxOrigins {
				return refuse("bound", "`%s` may be any of more than %d arrays", m.src, maxOrigins)
			}
		}
	}
	if s.opt.skip["origins"] {
		return refusal{}
	}
	for _, x := range m.members {
		d := s.defs[x.name]
		if loop, ok := s.parameter(d); ok && !s.settling(m, x.name) {
			in := s.lv.Body(loop.Body)
			for _, o := range made[x.group] {
				if od := s.defs[o]; in.From < od.at && od.at < in.To && !s.together(o, x.name) && s.shares(x.name, o) {
					return refuse("C3", "`%s` is made in each iteration while `%s` may be needed", o, x.name)
				}
			}
		}
	}
	return s.pairs(m)
}

// pairs checks what comes to lie in one place from different ones. Arrays of one
// block stay apart as they are, if they are not of one group: parts move along.
func (s *state) pairs(m *move) refusal {
	byBlock := map[string][]member{}
	var blocks []string
	for _, x := range m.members {
		if s.defs[x.name].origin {
			b := s.block(x.name)
			if byBlock[b] == nil {
				blocks = append(blocks, b)
			}
			byBlock[b] = append(byBlock[b], x)
		}
	}
	work := maxPairs
	check := func(o, p member) refusal {
		if work--; work < 0 {
			return refuse("bound", "too many arrays would come to lie in one place with `%s`", m.src)
		}
		return s.apart(m, o.name, p.name)
	}
	for _, b := range blocks {
		for _, c := range blocks {
			if b != c {
				for _, o := range byBlock[b] {
					for _, p := range byBlock[c] {
						if r := check(o, p); r.refused() {
							return r
						}
					}
				}
				continue
			}
			groups := map[int][]member{}
			for _, x := range byBlock[b] {
				for _, y := range groups[x.group] {
					if s.together(x.name, y.name) {
						continue
					}
					for _, pair := range [][2]member{{x, y}, {y, x}} {
						if r := check(pair[0], pair[1]); r.refused() {
							return r
						}
					}
				}
				groups[x.group] = append(groups[x.group], x)
			}
		}
	}
	return refusal{}
}

// settling tells whether a parameter is the one that a candidate of kind buffers
// is about: then its next value was found to be made over it without harm.
func (s *state) settling(m *move, param string) bool {
	return m.kind == buffers && m.param == param
}

// together tells whether two arrays lie in one place already.
func (s *state) together(x, y string) bool {
	return s.block(x) == s.block(y) && s.place(x).Equal(s.place(y))
}

// parameter tells whether a name is a parameter of a loop.
func (s *state) parameter(d *def) (*ir.Loop, bool) {
	if d.stmt == nil || d.elem == nil {
		return nil, false
	}
	loop, ok := d.stmt.Op.(*ir.Loop)
	return loop, ok && !slices.Contains(d.stmt.Pat, d.elem)
}

func (s *state) shares(x, o string) bool { return s.al.MayShare(x, o) }

// A maker is a statement that writes an array.
type maker struct {
	array string
	span  liveSpan
}

// maxMakers bounds the statements that are looked at for an array.
const maxMakers = 16

// makers gives the statements that make an array: its own, or, where that leaves the
// contents undefined, those of the same body that write there.
func (s *state) makers(m *move, p string) []maker {
	d := s.defs[p]
	own := []maker{{p, s.lv.Stmt(d.stmt)}}
	if _, scratch := d.stmt.Op.(*ir.Scratch); !scratch {
		return own
	}
	var out []maker
	for _, y := range m.members {
		if !s.shares(y.name, p) {
			continue
		}
		for _, k := range s.ofArray[y.name] {
			a := &s.ac.All[k]
			if !a.Write {
				continue
			}
			if a.Point <= d.body.From || a.Point >= d.body.To || len(out) == maxMakers {
				return own
			}
			if w := (maker{y.name, s.lv.Stmt(s.outermost(d.scope.Body, a.Point))}); !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// apart checks that making p does not destroy o.
func (s *state) apart(m *move, o, p string) refusal {
	for _, by := range s.makers(m, p) {
		if r := s.spares(m, o, p, by); r.refused() {
			return r
		}
	}
	return refusal{}
}

// spares checks that a statement that makes p does not destroy o.
func (s *state) spares(m *move, o, p string, by maker) refusal {
	span := by.span
	for _, x := range m.members {
		if !s.shares(x.name, o) || s.shares(x.name, p) {
			continue
		}
		for _, i := range s.lv.Array(x.name) {
			if i.From > span.To || i.To < span.From {
				continue
			}
			if i.To > span.To {
				return refuse("C3", "`%s` is made while `%s` lives, and both would lie in one place", p, x.name)
			}
			// It is used last in the statement that makes p.
			if !s.sameElements(m, x.name, by.array, span) {
				return refuse("C3", "`%s` is made from other elements of `%s`, and both would lie in one place", p, x.name)
			}
		}
	}
	return refusal{}
}

// sameElements tells whether the statement at span may make p over x: each part of
// it is read before it is written, and by the same thread.
func (s *state) sameElements(m *move, x, p string, span liveSpan) bool {
	var writes []*accesses.Access
	for _, k := range s.ofArray[p] {
		if a := &s.ac.All[k]; a.Write && span.From <= a.Point && a.Point <= span.To {
			writes = append(writes, a)
		}
	}
	for _, k := range s.ofArray[x] {
		a := &s.ac.All[k]
		if a.Point < span.From || a.Point > span.To {
			continue
		}
		region := a.Region(s.funOf(m, x))
		for _, w := range writes {
			if !s.compatible(m, a, w, region) {
				return false
			}
		}
	}
	return true
}

// apply makes the move.
func (s *state) apply(m *move) {
	for _, x := range m.members {
		e := s.defs[x.name].elem
		old := e.Type.Place
		e.Type.Place = placeIn(m.block, x.fun)
		if s.defs[x.name].origin || old != nil && old.Exist {
			e.Written = true
		}
		s.mention(x.name)
		s.byBlock[m.block] = merged(s.byBlock[m.block], s.ofArray[x.name])
		if s.anyBlock[m.block] {
			s.anywhere = merged(s.anywhere, s.ofArray[x.name])
		}
		for _, k := range s.ofArray[x.name] {
			s.ac.All[k].Block = m.block
		}
	}
	m.memory.Commit()
	s.keep(m)
	s.follows(m.candidate)
}

// placeIn gives the place of an index function in a block.
func placeIn(block string, f lmad.Fun) *ir.Place {
	p := &ir.Place{Mem: block}
	if !f.IsRowMajor() {
		p.Ix = f.Chain()
	}
	return p
}

// follows notes that src lies in dst's part from now on.
func (s *state) follows(c *candidate) {
	s.edges[c.dst] = append(s.edges[c.dst], edge{to: c.src, part: true, follow: func(f lmad.Fun) (lmad.Fun, bool) {
		return s.fit(c, c.part(f))
	}})
}

// mention notes the names that an array's place refers to.
func (s *state) mention(x string) {
	p := s.defs[x].elem.Type.Place
	ir.PlaceNames(p, func(n string) {
		if d := s.defs[n]; d == nil || d.elem == nil {
			s.mentions[n] = append(s.mentions[n], x)
		}
	})
}

// merged merges two ascending lists; the cost is that of the shorter one where
// they do not interleave.
func merged(a, b []int) []int {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 || a[len(a)-1] < b[0] {
		return append(a, b...)
	}
	if len(b) < 8 && len(a) > 64 {
		for _, k := range b {
			at, _ := slices.BinarySearch(a, k)
			a = slices.Insert(a, at, k)
		}
		return a
	}
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}
