package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Two blocks for loops in sequence]
//
// Behind a loop whose value alternates between two blocks (Note [The initial value's block takes turns]),
// a second one goes on with the value, in two blocks of its own:
//
//	let (x @ ?m_x, next_x, other_x) = loop (a @ ?m_a = x0, next: mem = m_1, other: mem = m_2) ...
//	let m_3 = alloc n * 4
//	let m_4 = alloc n * 4
//	let (y @ ?m_y, ..) = loop (b @ ?m_b = x, next: mem = m_3, other: mem = m_4) ...
//
// It can go on in the blocks of the first: next = next_x, other = other_x. In the first iteration b is x,
// which lies in other_x, or still in x0's block; in neither case in next_x. The second iteration writes to
// other_x, when x is not needed any more. If the first loop has a spare block instead (Note [Two blocks for
// a nest of loops]), the other one is x's own. If the second loop begins with another array y, that can be made
// in next_x, and the two change roles: next = other_x, other = next_x. The conditions are:
//
//	(1) Both loops stand in one body. Only the second takes the two blocks over; m_3 and m_4 are for that
//	    loop only, y's block is allocated between the loops, and all of these blocks have one size.
//	(2) Nothing else in the second loop may lie in the first one's blocks, or in y's. The body allocates these, so
//	    each of its iterations has new ones. What is made in them before the second loop is not needed
//	    behind its beginning, and nothing is made in them behind it, but through its value. With y, the
//	    same holds from the end of the first loop on, and x alone is needed until the second one begins.
//	(3) Between the loops nothing else is allocated. So at no point more is held than before.
//
// If x is needed longer, or the second loop begins with an argument, it takes only the block that waits, next_x, in the
// place of its own first one: next = next_x, other = m_4. The conditions are the same, but for x.

// A handing is what a loop leaves to the next one.
type handing struct {
	at     *ir.Stmt
	value  string    // the name of the value's block
	waits  string    // the name of the block that waits
	names  [2]string // of the block that the next loop writes to first, and of the other one; "" if a branch chooses them
	blocks []string  // those that the names may stand for
	size   sym.Poly
}

// A passing is one walk over the loops of a function.
type passing struct {
	*state
	left    map[string]handing // by the name of the block in which the next loop's first value lies
	last    map[int]handing    // in a region, for a next loop that begins with another array
	gone    map[*ir.Stmt]bool
	renamed map[string]string
}

// passBlocks lets loops go on in the blocks of the loops before them, and reports whether any does.
func (s *state) passBlocks() bool {
	if rules.Off("reuse.sequence") || s.meets.Crowded() {
		return false
	}
	p := passing{s, map[string]handing{}, map[int]handing{}, map[*ir.Stmt]bool{}, map[string]string{}}
	for _, l := range s.loops() {
		for k, param := range l.op.Params {
			init, ok := param.Init.(*ir.Ref)
			if !ok || param.Elem.Type.Kind != ir.ArrayKind || !param.Elem.Type.Place.Exist {
				continue
			}
			h, ok := p.passes(l, k, s.table.Aliases.BlockOf(init.Name))
			if !ok {
				continue
			}
			p.left[h.value] = h
			h.names[0], h.names[1] = h.names[1], h.names[0]
			p.left[h.waits], p.last[s.table.Regions[l.region].Parent] = h, h
		}
	}
	if len(p.gone) > 0 {
		s.giveWay(p.renamed, p.gone)
	}
	return len(p.gone) > 0
}

// passes returns what a loop leaves for parameter k, whose first value lies in a block called start. It takes over what
// the loop before left, if it can.
func (p *passing) passes(l hostLoop, k int, start string) (handing, bool) {
	h := handing{at: l.at, value: l.at.Pat[k].Type.Place.Mem}
	n, o, swap := p.swapping(l.op, k)
	if turn, ok := p.table.Turn(peak.TurnsOf(l.at, p.table.Aliases.BlockOf), k); ok && turn.Stays {
		if before, ok := p.last[p.table.Regions[l.region].Parent]; ok && p.takesOne(l, k, turn.Waits, before) {
			return h, false
		}
		x, y := p.table.Blocks[turn.Blocks[0]], p.table.Blocks[turn.Blocks[1]]
		h.waits, h.blocks, h.size = l.at.Pat[turn.Waits].Name, []string{x.Name, y.Name}, x.Size
		return h, x.Size.Equal(y.Size)
	}
	if !swap {
		return h, false
	}
	h.waits, h.names = l.at.Pat[n].Name, [2]string{l.at.Pat[n].Name, l.at.Pat[o].Name}
	before, ok := p.left[start]
	if ok && ir.IsRef(l.op.Params[n].Init, before.names[0]) && ir.IsRef(l.op.Params[o].Init, before.names[1]) {
		h.blocks, h.size = before.blocks, before.size
		return h, true
	}
	own := []int{n, o}
	if !ok {
		before, ok = p.last[p.table.Regions[l.region].Parent]
	} else {
		start = ""
	}
	if ok {
		if names, ok := p.takesOver(l, k, own, start, before); ok {
			// Until all is analysed anew, the names of the loop's own blocks count as the others.
			h.blocks, h.size = append(slices.Clip(before.blocks), names...), before.size
			return h, true
		}
		if p.takesOne(l, k, n, before) {
			return h, false
		}
	}
	x, y, ok := p.turns(l, k, n, o)
	h.blocks, h.size = []string{x.Name, y.Name}, x.Size
	return h, ok && x.Size.Equal(y.Size)
}

// turns returns the two blocks that take turns for parameter k of a loop, where the first value lies in neither: it is
// known not to, or was made before both.
func (s *state) turns(l hostLoop, k, n, o int) (x, y peak.Block, ok bool) {
	if turn, ok := s.table.Turn(peak.TurnsOf(l.at, s.table.Aliases.BlockOf), k); ok {
		return s.table.Blocks[turn.Blocks[0]], s.table.Blocks[turn.Blocks[1]], true
	}
	var blocks [2]peak.Block
	for j, p := range []int{n, o} {
		init, ok := l.op.Params[p].Init.(*ir.Ref)
		if !ok {
			return x, y, false
		}
		b, ok := s.allocated(init.Name, s.table.Regions[l.region].Parent)
		if !ok {
			return x, y, false
		}
		blocks[j] = s.table.Blocks[b]
	}
	first, ok := l.op.Params[k].Init.(*ir.Ref)
	if !ok {
		return x, y, false
	}
	def := s.table.Liveness.Def(first.Name)
	before := func(b peak.Block) bool { return def == nil || def.Point < b.Alloc }
	return blocks[0], blocks[1], blocks[0].Name != blocks[1].Name && before(blocks[0]) && before(blocks[1])
}

// takesOver lets a loop go on in the blocks of the loop before it, if it can, and returns the names of the blocks that
// it does not need any more: those of the block parameters own, and start, unless that is "".
func (p *passing) takesOver(l hostLoop, k int, own []int, start string, before handing) (names []string, ok bool) {
	t := p.table
	body := func(st *ir.Stmt) *ir.Body { return t.Liveness.Points[t.Liveness.Stmt(st).From].Body }
	if body(l.at) != body(before.at) || before.names[1] == "" || p.used(before.names[0]) > 0 || p.used(l.op.Params[own[1]].Elem.Name) != 1 {
		return nil, false
	}
	for _, j := range own {
		init, ok := l.op.Params[j].Init.(*ir.Ref)
		if !ok || p.used(init.Name) != 1 {
			return nil, false
		}
		names = append(names, init.Name)
	}
	quiet := t.Liveness.Stmt(l.at).From
	if start != "" {
		names, quiet = append(names, start), t.Liveness.Stmt(before.at).To
	}
	var allocs []*ir.Stmt
	for _, m := range names {
		b, ok := p.allocated(m, t.Regions[l.region].Parent)
		if !ok || !t.Blocks[b].Size.Equal(before.size) || m == start && t.Blocks[b].Alloc < quiet {
			return nil, false
		}
		allocs = append(allocs, t.Blocks[b].Stmt)
	}
	bound := map[string]bool{}
	name(bound, l.at, append(own, k)...)
	if st := p.holdsNext(before.at, allocs); st != nil && t.Liveness.Stmt(st).From < t.Liveness.Stmt(l.at).From ||
		!l.alone(bound, append(slices.Clip(before.blocks), names...)) || p.mutant != ignoreLeft && !l.settled(before, quiet, start, false) {
		return nil, false
	}
	if !p.context.Rewrite(l.at.Span, "`%s` goes on in the two blocks of the loop before", l.op.Params[k].Elem.Name) {
		return nil, false
	}
	for k, j := range own {
		l.op.Params[j].Init = &ir.Ref{Name: before.names[k]}
	}
	if start != "" {
		p.renamed[start] = before.names[1]
	}
	for _, st := range allocs {
		p.gone[st] = true
	}
	return names, true
}

// takesOne lets a loop take the block that waits behind the loop before it, in the place of that of parameter n.
func (p *passing) takesOne(l hostLoop, k, n int, before handing) bool {
	t, waits := p.table, before.waits
	init, ok := l.op.Params[n].Init.(*ir.Ref)
	if !ok || p.trying == nil || p.used(waits) > 0 || p.used(init.Name) != 1 || rules.Off("reuse.left") {
		return false
	}
	bound := map[string]bool{}
	name(bound, l.at, k)
	b, ok := p.allocated(init.Name, t.Regions[l.region].Parent)
	if !ok || !t.Blocks[b].Size.Equal(before.size) || !p.quiet(l, before) || !l.alone(bound, before.blocks) ||
		p.mutant != ignoreLeft && !l.settled(before, t.Liveness.Stmt(before.at).To, "", true) {
		return false
	}
	if p.trying(); !p.context.Rewrite(l.at.Span, "`%s` takes the one of two blocks that waits behind the loop before", l.op.Params[k].Elem.Name) {
		return false
	}
	l.op.Params[n].Init = &ir.Ref{Name: waits}
	p.gone[t.Blocks[b].Stmt] = true
	p.uses[waits]++
	return true
}

// quiet reports whether two loops stand in one body, and nothing between them allocates but the blocks with which the
// second one begins.
func (p *passing) quiet(l hostLoop, before handing) bool {
	lv := p.table.Liveness
	var own []*ir.Stmt
	for _, param := range l.op.Params {
		if init, ok := param.Init.(*ir.Ref); ok && param.Elem.Type.Kind == ir.MemKind {
			if b, ok := p.table.Block(init.Name); ok {
				own = append(own, p.table.Blocks[b].Stmt)
			}
		}
	}
	if lv.Points[lv.Stmt(l.at).From].Body != lv.Points[lv.Stmt(before.at).From].Body {
		return false
	}
	st := p.holdsNext(before.at, own)
	return st == nil || lv.Stmt(st).From >= lv.Stmt(l.at).From
}

// swapping returns the block parameter in which a loop makes the next value of parameter k, and the one that it swaps
// with, if the loop has two such.
func (s *state) swapping(op *ir.Loop, k int) (n, o int, ok bool) {
	value, ok := op.Body.Result[k].(*ir.Ref)
	if !ok {
		return 0, 0, false
	}
	return peak.Swapping(op, s.table.Aliases.BlockOf(value.Name))
}

// follower returns the loop that goes on in the two blocks that a loop at `at` leaves for parameter k, and the number
// of its parameter, if the names of these blocks have no other use.
func (s *state) follower(at *ir.Stmt, k int) (next hostLoop, param int, ok bool) {
	n, o, ok := s.swapping(at.Op.(*ir.Loop), k)
	if !ok || s.used(at.Pat[o].Name) != 1 {
		return next, 0, false
	}
	if s.starts == nil {
		s.starts = map[string]hostLoop{}
		for _, l := range s.loops() {
			for _, p := range l.op.Params {
				if init, ok := p.Init.(*ir.Ref); ok && p.Elem.Type.Kind == ir.MemKind {
					s.starts[init.Name] = l
				}
			}
		}
	}
	if next, ok = s.starts[at.Pat[o].Name]; !ok {
		return next, 0, false
	}
	for k2, p := range next.op.Params {
		init, ok := p.Init.(*ir.Ref)
		a, b, swap := s.swapping(next.op, k2)
		if !ok || !swap || p.Elem.Type.Kind != ir.ArrayKind {
			continue
		}
		switch s.table.Aliases.BlockOf(init.Name) {
		case at.Pat[n].Name: // made there of the value
			a, b = b, a
		case at.Pat[k].Type.Place.Mem:
			if s.used(at.Pat[n].Name) != 1 {
				continue
			}
		default:
			continue
		}
		if ir.IsRef(next.op.Params[a].Init, at.Pat[n].Name) && ir.IsRef(next.op.Params[b].Init, at.Pat[o].Name) {
			return next, k2, true
		}
	}
	return next, 0, false
}

// usedOnlyHere counts the uses of names as used does, but for those behind a loop that another one goes on in the
// blocks that it leaves for parameter k.
func (s *state) usedOnlyHere(at *ir.Stmt, k int) func(name string) int {
	if _, _, ok := s.follower(at, k); !ok {
		return s.used
	}
	n, o, _ := s.swapping(at.Op.(*ir.Loop), k)
	return func(name string) int {
		if name == at.Pat[n].Name || name == at.Pat[o].Name {
			return 0
		}
		return s.used(name)
	}
}

// settled is the second half of condition (2): from the point quiet on, of the blocks that the loop before left only its
// value is needed, and unless it stays, only until this loop begins. So is what lies in start, which will be one of
// these, or "".
func (l hostLoop) settled(before handing, quiet int, start string, stays bool) bool {
	t, begins := l.table, l.table.Liveness.Stmt(l.at).From
	parent := t.Regions[l.region].Parent
	own := append(slices.Clip(before.blocks), before.names[0], before.names[1], before.value, start)
	blocks := slices.DeleteFunc(append(slices.Clip(before.blocks), start), func(m string) bool { return m == "" })
	return !slices.ContainsFunc(blocks, func(block string) bool {
		b, ok := t.Block(block)
		if !ok || t.Blocks[b].Region != parent {
			return true
		}
		arrays, more := t.Aliases.MayLieInUpTo(block, maxNames)
		return more || slices.ContainsFunc(arrays, func(x string) bool {
			m, until := t.Aliases.BlockOf(x), quiet
			if def := t.Liveness.Def(x); def != nil && def.Point >= begins {
				return slices.Contains(own, m)
			}
			switch {
			case m == before.value && stays:
				return false
			case m == before.value || block == start:
				until = begins
			}
			return slices.ContainsFunc(t.Liveness.Array(x), func(i liveness.Interval) bool { return i.To > until })
		})
	})
}

// maxNames bounds the arrays that may lie in a block that loops pass on.
const maxNames = 256
