package reuse

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// Note [Two blocks for a nest of loops]
//
// A loop in a loop begins with the outer loop's value and gives its next one. In every iteration
// of the outer loop it gets two new blocks that take turns:
//
//	loop (a @ ?m_a = a0) for t < steps {
//	  let m_x = alloc n * 4
//	  let m_y = alloc n * 4
//	  let (c @ ?m_c, ..) = loop (b @ ?m_b = a, next: mem = m_x, other: mem = m_y) for r < turns {
//	    let d @ next = map (i < n) { in b[n - 1 - i] + 1 }
//	    in (d, other, next)
//	  }
//	  in c
//	}
//
// The block of the present value and one spare block suffice for the whole nest. The next value is
// made in the spare block, and the block of the present one is then the spare one:
//
//	let m_x = alloc if steps > 0 then n * 4 else 0
//	loop (a @ ?m_a = a0, spare: mem = m_x) for t < steps {
//	  let (c @ ?m_c, spare_c) = loop (b @ ?m_b = a, next: mem = spare) for r < turns {
//	    let d @ next = map (i < n) { in b[n - 1 - i] + 1 }
//	    in (d, m_b)
//	  }
//	  in (c, spare_c)
//	}
//
// If a0 is needed elsewhere, such as an argument, both blocks m_x and m_y pass through the nest: the outer loop carries
// them, and the inner one goes on in them (next: mem = next, other: mem = other).
//
// Further loops may go on in the two blocks (Note [Two blocks for loops in sequence]) before the outer
// iteration ends; then the last one's value is the outer loop's.
//
// In every iteration of both loops, the block of the value and the spare one are the two blocks that
// the nest began with, and differ. The conditions are:
//
//	(1) The inner loop is a pair as here: it has two blocks that take turns, or, as a nest that has
//	    changed already, a spare one. The blocks m_x and m_y are for that only.
//	(2) a0 lies in a block of the size of m_x, or m_x and m_y both stay.
//	(3) Nothing else in the nest may lie in one of the blocks.
//	(4) The blocks hold nothing else that the inner loop or code behind it needs: not a by another
//	    name, and not a0 (peak.Replaces, for both loops).
//	(5) The outer loop allocates nothing behind the inner loop, and before m_x only what it holds there, too. So with
//	    m_x, it holds no more at any point than before where it came to m_x.

// A nest is a loop whose value an inner loop carries on.
type nest struct {
	outer, inner hostLoop
	value        int    // the outer loop's parameter
	param        int    // the inner loop's parameter that begins with it
	next, other  int    // the inner loop's blocks; other is -1 if next is the spare one
	more         []link // the loops behind the inner one that go on in these blocks
	both         bool   // m_x and m_y stay
	spare, gone  int    // the numbers of m_x and m_y; gone is -1 if there is none
	names        map[string]bool
	blocks       []string // all that take part
}

// A link is a loop of a sequence, with its value's parameter and those of its blocks.
type link struct {
	hostLoop
	param, next, other int
}

// carrySpares changes nests of the function, and reports whether there were any. Of nests that have a loop
// or a block in common, only the first changes: what is known of the others is out of date then.
func (s *state) carrySpares() bool {
	if rules.Off("reuse.nests") || s.meets.Crowded() {
		return false
	}
	bodies, changed, taken := map[int]hostLoop{}, map[*ir.Stmt]bool{}, map[string]bool{}
	for _, inner := range s.loops() {
		bodies[inner.region] = inner
		outer, ok := bodies[s.table.Regions[inner.region].Parent]
		if !ok || changed[outer.at] || changed[inner.at] {
			continue
		}
		n := &nest{outer: outer, inner: inner, names: map[string]bool{}}
		if !n.finds() || !n.pairs() || !n.places() || !n.holdsNoMore() || slices.ContainsFunc(n.blocks, func(m string) bool { return taken[m] }) {
			continue
		}
		text := "`%s` and the loop in this one need two blocks together: %s is the spare one"
		if n.both {
			text = "`%s` and the loop in this one have two blocks together: %s and another one"
		}
		if !s.context.Rewrite(outer.at.Span, text, outer.op.Params[n.value].Elem.Name, block{s, n.spare}) {
			continue
		}
		n.rewrite()
		changed[outer.at], changed[inner.at] = true, true
		for _, m := range n.blocks {
			taken[m] = true
		}
	}
	return len(changed) > 0
}

// finds looks for the parameters by which the value passes through both loops.
func (n *nest) finds() bool {
	for k, p := range n.inner.op.Params {
		ref, ok := p.Init.(*ir.Ref)
		if !ok || p.Elem.Type.Kind != ir.ArrayKind || !p.Elem.Type.Place.Exist {
			continue
		}
		n.param = k
		n.value = slices.IndexFunc(n.outer.op.Params, func(q ir.Param) bool { return q.Elem.Name == ref.Name })
		if n.value < 0 || !n.outer.op.Params[n.value].Elem.Type.Place.Exist {
			continue
		}
		if r, ok := n.outer.op.Body.Result[n.value].(*ir.Ref); ok && n.leads(r.Name) {
			return true
		}
	}
	return false
}

// leads follows the value to the last loop in sequence, and reports whether that gives a value of that name.
func (n *nest) leads(result string) bool {
	n.more = nil
	for at, k := n.inner.at, n.param; at.Pat[k].Name != result; {
		l, param, ok := n.inner.follower(at, k)
		if !ok {
			return false
		}
		next, other, _ := n.inner.swapping(l.op, param)
		n.more = append(n.more, link{l, param, next, other})
		at, k = l.at, param
	}
	return true
}

// last returns the last loop that goes on in the nest's blocks.
func (n *nest) last() link {
	if len(n.more) == 0 {
		return link{n.inner, n.param, n.next, n.other}
	}
	return n.more[len(n.more)-1]
}

// left binds the spare block behind a loop.
func (l link) left() *ir.Elem { return l.at.Pat[l.next] }

// pairs finds the blocks of the inner loop (1).
func (n *nest) pairs() bool {
	s, at := n.inner.state, n.inner.at
	own := s.ownBlocks(at, n.param, map[string]bool{})
	if len(own) == 0 {
		return false // a branch may keep the value, for example
	}
	n.next, n.other, n.gone = own[0], -1, -1
	if len(own) > 1 {
		n.other = own[1]
		uses := s.usedOnlyHere(at, n.param)
		if n.gone = n.allocated(n.other); n.gone < 0 || s.used(n.inner.op.Params[n.other].Elem.Name) != 1 || uses(at.Pat[n.other].Name) > 0 {
			return false
		}
	}
	n.spare = n.allocated(n.next)
	return n.spare >= 0 && s.used(n.last().at.Pat[n.last().next].Name) == 0 && (len(n.more) == 0 || n.other >= 0) &&
		(n.gone < 0 || s.table.Blocks[n.gone].Size.Equal(s.table.Blocks[n.spare].Size))
}

// allocated returns the number of the block that the outer loop allocates for the inner one's parameter k alone, or -1.
func (n *nest) allocated(k int) int {
	if first, ok := n.inner.op.Params[k].Init.(*ir.Ref); ok && n.inner.used(first.Name) == 1 {
		if b, ok := n.inner.allocated(first.Name, n.outer.region); ok {
			return b
		}
	}
	return -1
}

// allocated returns the number of a block that the body of a region allocates.
func (s *state) allocated(name string, region int) (int, bool) {
	b, ok := s.table.Block(name)
	return b, ok && s.table.Blocks[b].Kind == peak.Allocated && s.table.Blocks[b].Region == region
}

// ownBlocks returns the block parameters of a loop that parameter k alone has: the spare block, by this note, or the
// one for the next value and the other one. In every iteration the block of k and these stay or change roles. It adds
// the names by which inner loops know them.
func (s *state) ownBlocks(at *ir.Stmt, k int, names map[string]bool) []int {
	op := at.Op.(*ir.Loop)
	value, ok := op.Body.Result[k].(*ir.Ref)
	if !ok || !op.Params[k].Elem.Type.Place.Exist {
		return nil
	}
	if n, o, ok := s.swapping(op, k); ok {
		return []int{n, o}
	}
	made := s.table.Aliases.BlockOf(value.Name)
	for j, p := range op.Params {
		if p.Elem.Name == made && ir.IsRef(op.Body.Result[j], op.Params[k].Elem.Type.Place.Mem) {
			return []int{j}
		}
	}
	for _, st := range op.Body.Stmts {
		in, loop := st.Op.(*ir.Loop)
		of := slices.IndexFunc(st.Pat, func(e *ir.Elem) bool { return e.Name == value.Name })
		if !loop || of < 0 || !ir.IsRef(in.Params[of].Init, op.Params[k].Elem.Name) {
			continue
		}
		var out []int
		own := s.ownBlocks(st, of, names)
		for _, b := range own {
			out = append(out, slices.IndexFunc(op.Params, func(p ir.Param) bool { return ir.IsRef(in.Params[b].Init, p.Elem.Name) }))
			if j := out[len(out)-1]; j < 0 || !ir.IsRef(op.Body.Result[j], st.Pat[b].Name) {
				return nil
			}
		}
		name(names, st, append(own, of)...)
		return out
	}
	return nil
}

// name adds the names of blocks that a loop binds for some of its parameters.
func name(names map[string]bool, at *ir.Stmt, params ...int) {
	op := at.Op.(*ir.Loop)
	for _, k := range params {
		for _, e := range []*ir.Elem{op.Params[k].Elem, at.Pat[k]} {
			if names[e.Name] = true; e.Type.Kind == ir.ArrayKind {
				names[e.Type.Place.Mem] = true
			}
		}
	}
}

// places chooses the blocks of the nest: that of the initial value and m_x, or m_x and m_y.
func (n *nest) places() bool {
	t := n.inner.table
	if !n.outer.known(t.Blocks[n.spare].Size) {
		return false
	}
	made := []string{t.Blocks[n.spare].Name}
	if n.gone >= 0 {
		made = append(made, t.Blocks[n.gone].Name)
	}
	_, _, drops := n.inner.swapping(n.inner.op, n.param)
	if initial, ok := n.initial(made); ok && (drops || n.other < 0) && n.apart(made, slices.Concat(made, initial)) {
		return true
	}
	n.both = n.gone >= 0 && n.inner.used(n.last().at.Pat[n.last().other].Name) == 0
	return n.both && n.apart(made, made)
}

// apart checks that the blocks are the nest's own (3), (4); it allocates those made.
func (n *nest) apart(made, blocks []string) bool {
	n.blocks, n.names = blocks, map[string]bool{}
	name(n.names, n.inner.at, append(n.inner.ownBlocks(n.inner.at, n.param, n.names), n.param)...)
	if !n.inner.alone(n.names, n.blocks) {
		return false
	}
	for _, l := range n.more {
		names := map[string]bool{}
		if name(names, l.at, l.param, l.next, l.other); !l.alone(names, n.blocks) {
			return false
		}
		maps.Copy(n.names, names)
	}
	name(n.names, n.outer.at, n.value)
	return n.outer.alone(n.names, n.blocks) && !slices.ContainsFunc(made, func(mb string) bool {
		return !n.inner.replaces([]int{n.param}, n.blocks, mb) || !n.outer.replaces([]int{n.value}, n.blocks, mb) ||
			slices.ContainsFunc(n.more, func(l link) bool { return !l.replaces([]int{l.param}, n.blocks, mb) })
	})
}

// initial returns the blocks in which the nest's first value may lie, if they have the spare block's size
// (2). Those that the nest makes do not count: they are of an earlier iteration of a loop around it.
func (n *nest) initial(made []string) (all []string, ok bool) {
	t := n.outer.table
	ref, ok := n.outer.op.Params[n.value].Init.(*ir.Ref)
	if !ok {
		return nil, false
	}
	reals, more := t.Aliases.BlocksUpTo(t.Aliases.BlockOf(ref.Name), maxReals)
	all = slices.DeleteFunc(slices.Clone(reals), func(m string) bool { return slices.Contains(made, m) })
	return all, !more && len(reals) > 0 && !slices.ContainsFunc(all, func(m string) bool {
		b, ok := t.Block(m)
		return !ok || !asLarge(t.Blocks[b], n.size())
	})
}

// size returns the spare block's size where it is needed: a nest that has changed already allocates it
// only if an iteration needs it.
func (n *nest) size() sym.Poly {
	b := n.inner.table.Blocks[n.spare]
	if c, ok := b.Stmt.Op.(*ir.Alloc).Size.(*ir.Cond); ok && n.gone < 0 {
		return n.inner.table.Expand(sym.Of(c.X))
	}
	return b.Size
}

// holdsNoMore is condition (5).
func (n *nest) holdsNoMore() bool {
	t := n.outer.table
	around, last := t.Liveness.Stmt(n.outer.at), t.Liveness.Stmt(n.last().at)
	first := t.Blocks[n.spare].Alloc
	if n.gone >= 0 {
		first = min(first, t.Blocks[n.gone].Alloc)
	}
	return !slices.ContainsFunc(t.Blocks, func(b peak.Block) bool {
		return b.Kind != peak.Given && around.From < b.Alloc && b.Alloc < around.To && (b.Alloc < first && b.Last < first || b.Alloc > last.To)
	})
}

func (n *nest) rewrite() {
	s, outer := n.outer.state, n.outer
	names := transform.NewNames(s.f)
	alloc := s.table.Blocks[n.spare].Stmt
	gone := []*ir.Stmt{alloc}
	if n.gone >= 0 {
		gone = append(gone, s.table.Blocks[n.gone].Stmt)
	}
	if n.other >= 0 && !n.both {
		n.drop()
	}
	last := n.last()
	n.carry(alloc, n.next, last.at.Pat[last.next], names)
	if n.both {
		n.carry(s.table.Blocks[n.gone].Stmt, n.other, last.at.Pat[last.other], names)
	}
	outer.op.Body.Stmts = slices.DeleteFunc(outer.op.Body.Stmts, func(st *ir.Stmt) bool { return slices.Contains(gone, st) })
}

// drop removes the second block of the inner loop, which then goes on in its value's own.
func (n *nest) drop() {
	inner := n.inner
	if len(n.more) > 0 { // its other block is that of the value with which it begins
		l := n.more[0]
		j := slices.IndexFunc(l.op.Params, func(p ir.Param) bool { return ir.IsRef(p.Init, inner.at.Pat[n.other].Name) })
		l.op.Params[j].Init = &ir.Ref{Name: inner.at.Pat[n.param].Type.Place.Mem}
	}
	inner.op.Body.Result[n.next] = &ir.Ref{Name: inner.op.Params[n.param].Elem.Type.Place.Mem}
	inner.op.Params = slices.Delete(inner.op.Params, n.other, n.other+1)
	inner.op.Body.Result = slices.Delete(inner.op.Body.Result, n.other, n.other+1)
	inner.at.Pat = slices.Delete(inner.at.Pat, n.other, n.other+1)
	if n.other < n.next {
		n.next--
	}
}

// carry gives the outer loop the inner one's block parameter k, which leaves a block with another name.
func (n *nest) carry(alloc *ir.Stmt, k int, left *ir.Elem, names *transform.Names) {
	outer, own := n.outer, &n.inner.op.Params[k]
	param, last := *own.Elem, *left
	param.Name, last.Name = names.Fresh(own.Elem.Name), names.Fresh(left.Name)
	own.Init = &ir.Ref{Name: param.Name}
	first := outer.spare(alloc, alloc.Pat[0].Name, n.size(), 0)
	outer.op.Params = append(outer.op.Params, ir.Param{Elem: &param, Init: first})
	outer.op.Body.Result = append(outer.op.Body.Result, &ir.Ref{Name: left.Name})
	outer.at.Pat = append(outer.at.Pat, &last)
}
