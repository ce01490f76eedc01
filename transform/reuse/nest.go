package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// Note [Two blocks for a nest of loops]
//
// A loop in a loop begins with the outer loop's value, or with what is made of that, and gives its next one. In every
// iteration of the outer loop it gets two new blocks that take turns:
//
//	loop (a @ ?m_a = a0) for t < steps {
//	  let m_x = alloc n * 4
//	  let m_y = alloc n * 4
//	  let (c @ ?m_c, ..) = loop (b @ ?m_b = a, next: mem = m_x, other: mem = m_y) for r < turns {
//	    let d @ next = map (i < n) { in b[n - 1 - i] + 1 }
//	    in (d, other, next)
//	  }
//	  let m_z = alloc n * 4
//	  let z @ m_z = map (i < n) { in c[n - 1 - i] * 2 }
//	  in z
//	}
//
// The block of the present value and a free one suffice for the whole nest. The next value is always made in the free
// block, and the block of the present one is then free:
//
//	let m_x = alloc if steps > 0 then n * 4 else 0
//	loop (a @ ?m_a = a0, free: mem = m_x) for t < steps {
//	  let (c @ ?m_c, free_c, ..) = loop (b @ ?m_b = a, next: mem = free, other: mem = m_a) for r < turns {
//	    let d @ next = map (i < n) { in b[n - 1 - i] + 1 }
//	    in (d, other, next)
//	  }
//	  let z @ free_c = map (i < n) { in c[n - 1 - i] * 2 }
//	  in (z, m_c)
//	}
//
// If the outer loop has two blocks that take turns already, since z is made afresh, the inner one goes on in these.
//
// If a0 is needed elsewhere, such as an argument, both blocks m_x and m_y pass through the nest: the outer loop carries
// a second one, which is the present value's from the first one on that the nest makes.
//
// In every iteration of all loops, the block of the value and the free one are two of those that the nest began with,
// and differ. The conditions are:
//
//	(1) The value passes through links (chain.go): inner loops with two blocks that take turns, or that are such
//	    nests themselves, and arrays. Each link's own blocks are allocated in the outer loop. The present value is
//	    needed no longer when the next one has been made, or when a loop begins with it.
//	(2) a0 lies in a block of the same size, or there are two free blocks.
//	(3) Nothing else in the nest may lie in one of the blocks.
//	(4) The blocks hold nothing else that the outer loop or code behind it needs: not a0 by another name (peak.Replaces).
//	(5) The outer loop has the two blocks already. Or each other block that it allocates is held where an inner
//	    loop gets its two blocks, or is allocated in that loop. So the nest holds no more at any point than it held
//	    there.

// A nest is a loop whose value passes through others.
type nest struct {
	outer  hostLoop
	value  int // the outer loop's parameter
	chain  *chain
	own    []int // the block parameters that the outer loop has already
	first  []int // the numbers of their blocks
	both   bool  // it carries the block of the present value, too
	blocks []string
}

// carrySpares changes nests of the function, and reports whether there were any. Of nests that have a loop
// or a block in common, only the first changes: what is known of the others is out of date then.
func (s *state) carrySpares() bool {
	if rules.Off("reuse.nests") || s.meets.Crowded() {
		return false
	}
	renamed, gone := map[string]string{}, map[*ir.Stmt]bool{}
	changed, taken := map[int]bool{}, map[string]bool{}
	for _, outer := range s.loops() {
		for k := range outer.op.Params {
			n := &nest{outer: outer, value: k}
			if s.around(outer.region, changed) || !n.finds() || slices.ContainsFunc(n.blocks, func(m string) bool { return taken[m] }) {
				continue
			}
			if n.costs() {
				s.trying()
			}
			text := "`%s` and the loops in this one need two blocks together: %s is the free one"
			if n.both {
				text = "`%s` and the loops in this one have two blocks together: %s and another one"
			}
			if !s.context.Rewrite(outer.at.Span, text, outer.op.Params[k].Elem.Name, block{s, n.made()[0]}) {
				continue
			}
			n.rewrite(renamed, gone)
			changed[outer.region] = true
			for _, m := range n.blocks {
				taken[m] = true
			}
		}
	}
	if len(gone) > 0 {
		s.giveWay(renamed, gone)
	}
	return len(gone) > 0
}

// finds looks for the way of the value through the nest, and for its blocks.
func (n *nest) finds() bool {
	n.has()
	free := ""
	if len(n.own) > 0 {
		free = n.outer.op.Params[n.own[0]].Elem.Name
	}
	n.chain = n.outer.chainOf(n.value, free)
	if n.chain == nil || !n.chain.loops() || !n.outer.known(n.size()) || len(n.own) == 0 && !n.holdsNoMore() {
		return false
	}
	if n.outer.trying == nil && n.costs() {
		return false
	}
	t := n.outer.table
	var made []string
	for _, b := range n.made() {
		if made = append(made, t.Blocks[b].Name); !t.Blocks[b].Size.Equal(t.Blocks[n.made()[0]].Size) {
			return false
		}
	}
	if initial, ok := n.initial(made); ok && n.apart(made, initial) {
		return len(n.own) == 0 || n.outer.used(n.outer.at.Pat[n.own[1]].Name) == 0
	}
	n.both = len(made) > 1 && !slices.ContainsFunc(n.chain.links, func(l link) bool { return len(l.own) == 1 })
	return n.both && n.outer.trying != nil && n.apart(made, nil)
}

// costs reports whether the planner may find more without the nest (Note [Rewrites on trial]): blocks of arrays, blocks
// that the outer loop has, or its argument's.
func (n *nest) costs() bool {
	return n.both || len(n.own) > 0 || slices.ContainsFunc(n.chain.links, func(l link) bool { return l.array != "" })
}

// has finds two blocks that take turns in the outer loop.
func (n *nest) has() {
	free, own, ok := n.outer.swapping(n.outer.op, n.value)
	if !ok || n.outer.used(n.outer.op.Params[own].Elem.Name) != 1 {
		return
	}
	for _, k := range []int{free, own} {
		first, ok := n.outer.op.Params[k].Init.(*ir.Ref)
		if !ok || n.outer.used(first.Name) != 1 {
			return
		}
		b, ok := n.outer.allocated(first.Name, n.outer.table.Regions[n.outer.region].Parent)
		if !ok {
			return
		}
		n.first = append(n.first, b)
	}
	n.own = []int{free, own}
}

// made returns the numbers of the blocks that the nest has now.
func (n *nest) made() []int { return append(slices.Clip(n.first), n.chain.made...) }

// apart checks that the blocks are the nest's own (3), (4): those made, and those of the initial value.
func (n *nest) apart(made, initial []string) bool {
	t := n.outer.table
	n.blocks = slices.Concat(made, initial)
	names := map[string]bool{}
	for _, l := range n.chain.links {
		if l.array != "" {
			names[l.array] = true
			continue
		}
		own := map[string]bool{}
		if name(own, l.at, append(n.outer.ownBlocks(l.at, l.param, own), l.param)...); !l.alone(own, n.blocks) {
			return false
		}
		for m := range own {
			names[m] = true
		}
	}
	name(names, n.outer.at, append(n.own, n.value)...)
	pairs := append(n.chain.pairs(t), initial...)
	for _, b := range n.first {
		pairs = append(pairs, t.Blocks[b].Name)
	}
	return n.outer.alone(names, n.blocks) && !slices.ContainsFunc(made, func(mb string) bool {
		return !n.outer.replaces([]int{n.value}, pairs, mb)
	})
}

// initial returns the blocks in which the nest's first value may lie, if they have the free block's size
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

// size returns the free block's size where it is needed: a nest that has changed already allocates it
// only if an iteration needs it.
func (n *nest) size() sym.Poly {
	b := n.outer.table.Blocks[n.made()[0]]
	if c, ok := b.Stmt.Op.(*ir.Alloc).Size.(*ir.Cond); ok && len(n.made()) == 1 {
		return n.outer.table.Expand(sym.Of(c.X))
	}
	return b.Size
}

// holdsNoMore is condition (5).
func (n *nest) holdsNoMore() bool {
	t := n.outer.table
	around := t.Liveness.Stmt(n.outer.at)
	in := func(b peak.Block) bool {
		return slices.ContainsFunc(n.chain.links, func(l link) bool { return l.array == "" && n.outer.inside(b.Region, l.region) })
	}
	return slices.ContainsFunc(n.chain.links, func(l link) bool {
		if l.array != "" {
			return false
		}
		at := t.Liveness.Stmt(l.at).From // it has its blocks
		for k, b := range t.Blocks {
			if b.Kind != peak.Given && around.From < b.Alloc && b.Alloc < around.To && !slices.Contains(n.chain.made, k) &&
				!in(b) && (b.Alloc > at || b.Last < at) {
				return false
			}
		}
		return true
	})
}

func (n *nest) rewrite(renamed map[string]string, gone map[*ir.Stmt]bool) {
	s, outer := n.outer.state, n.outer
	names := transform.NewNames(s.f)
	if len(n.own) == 0 {
		n.own = []int{n.carry(n.made()[0], names)}
		if n.both {
			n.own = append(n.own, n.carry(n.made()[1], names))
		}
	} else {
		e := outer.op.Params[n.own[0]].Elem // its name will be that of the block that is free where an array is made in it
		e.Name = names.Fresh(e.Name)
	}
	free, own := outer.op.Params[n.own[0]].Elem.Name, outer.op.Params[n.value].Elem.Type.Place.Mem
	if n.both {
		own = outer.op.Params[n.own[1]].Elem.Name
	}
	for _, l := range n.chain.links {
		for _, b := range l.made {
			gone[s.table.Blocks[b].Stmt] = true
		}
		if l.array != "" {
			renamed[l.array] = free
			free, own = own, free
			continue
		}
		for j, name := range []string{free, own}[:len(l.own)] {
			l.op.Params[l.own[j]].Init = &ir.Ref{Name: name}
		}
		if free, own = l.at.Pat[l.own[0]].Name, l.at.Pat[l.param].Type.Place.Mem; n.both {
			own = l.at.Pat[l.own[1]].Name
		}
	}
	outer.op.Body.Result[n.own[0]] = &ir.Ref{Name: free}
	switch {
	case n.both:
		outer.op.Body.Result[n.own[1]] = &ir.Ref{Name: own}
	case len(n.own) > 1: // the value's own block takes its place
		gone[s.table.Blocks[n.first[1]].Stmt] = true
		dropResult(outer.at, n.own[1])
	}
}

// carry gives the outer loop a parameter for a block like that with this number, and returns its number.
func (n *nest) carry(like int, names *transform.Names) int {
	outer, alloc := n.outer, n.outer.table.Blocks[like].Stmt
	param, last := *alloc.Pat[0], *alloc.Pat[0]
	param.Written, last.Written = true, true
	first := outer.spare(alloc, names, n.size(), 0)
	param.Name, last.Name = names.Fresh(param.Name), names.Fresh(param.Name)
	outer.op.Params = append(outer.op.Params, ir.Param{Elem: &param, Init: first})
	outer.op.Body.Result = append(outer.op.Body.Result, first) // until the chain's end is known
	outer.at.Pat = append(outer.at.Pat, &last)
	return len(outer.op.Params) - 1
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

// allocated returns the number of a block that the body of a region allocates.
func (s *state) allocated(name string, region int) (int, bool) {
	b, ok := s.table.Block(name)
	return b, ok && s.table.Blocks[b].Kind == peak.Allocated && s.table.Blocks[b].Region == region
}
