package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
)

// A chain is the way of a value through the body of a loop: from a parameter to its next value.
type chain struct {
	links []link
	made  []int // the numbers of all links' blocks
}

// A link makes the value's next one: an array in a block of its own, or a loop with blocks of its own.
type link struct {
	hostLoop
	param int    // of the loop, which begins with the value
	own   []int  // the loop's block parameters: the free one, and perhaps the value's
	array string // the array's block; "" for a loop
	made  []int  // the numbers of the blocks
}

// loops reports whether a link is a loop.
func (c *chain) loops() bool {
	return slices.ContainsFunc(c.links, func(l link) bool { return l.array == "" })
}

// pairs returns the blocks that loops alone have.
func (c *chain) pairs(t *peak.Table) (names []string) {
	for _, l := range c.links {
		if l.array == "" {
			for _, b := range l.made {
				names = append(names, t.Blocks[b].Name)
			}
		}
	}
	return names
}

// chainOf follows parameter k of a loop, by the blocks in which the value lies; nil if it comes back in another way. An
// array may lie in the block mine, which the loop has.
func (l hostLoop) chainOf(k int, mine string) *chain {
	value, ok := l.op.Body.Result[k].(*ir.Ref)
	if p := l.op.Params[k].Elem.Type; !ok || p.Kind != ir.ArrayKind || !p.Place.Exist {
		return nil
	}
	c, lv, free, own := &chain{}, l.table.Liveness, "", ""
	at, since := l.op.Params[k].Elem.Type.Place.Mem, lv.Stmt(l.at).From
	for _, st := range l.op.Body.Stmts {
		next, ok := l.loopFrom(st, at, free, own)
		if span := lv.Stmt(st); ok && l.dead(at, span.From) {
			at, free, own = st.Pat[next.param].Type.Place.Mem, st.Pat[next.own[0]].Name, ""
			if len(next.own) > 1 {
				own = st.Pat[next.own[1]].Name
			}
		} else if next, ok = l.arrayAt(st, since, free, mine); ok && next.array != at && l.dead(at, span.To) {
			if at = next.array; at == free {
				free, own = own, free
			}
		} else {
			continue
		}
		since = lv.Stmt(st).To
		c.links, c.made = append(c.links, next), append(c.made, next.made...)
	}
	if l.table.Aliases.BlockOf(value.Name) != at {
		return nil
	}
	return c
}

// loopFrom returns a loop in the body of l that begins with the value in a block, and has blocks of its own, or goes on in
// those with these names, which the loop before it leaves.
func (l hostLoop) loopFrom(st *ir.Stmt, at, free, own string) (next link, ok bool) {
	in, ok := l.inner()[st]
	if !ok {
		return next, false
	}
	for k, p := range in.op.Params {
		x, isRef := p.Init.(*ir.Ref)
		if !isRef || p.Elem.Type.Kind != ir.ArrayKind || l.table.Aliases.BlockOf(x.Name) != at {
			continue
		}
		next = link{hostLoop: in, param: k, own: l.ownBlocks(st, k, map[string]bool{})}
		for n, j := range next.own {
			first, ok := in.op.Params[j].Init.(*ir.Ref)
			if ok && own != "" && first.Name == []string{free, own}[n] {
				continue
			}
			if !ok || l.used(first.Name) != 1 {
				return next, false
			}
			b, ok := l.allocated(first.Name, l.region)
			if !ok {
				return next, false
			}
			next.made = append(next.made, b)
		}
		return next, len(next.own) > 0
	}
	return next, false
}

// inner returns the loops that stand in the body of l, by their statements.
func (l hostLoop) inner() map[*ir.Stmt]hostLoop {
	if l.state.inners == nil {
		l.state.inners = map[int]map[*ir.Stmt]hostLoop{}
		for _, in := range l.loops() {
			around := l.table.Regions[in.region].Parent
			if l.state.inners[around] == nil {
				l.state.inners[around] = map[*ir.Stmt]hostLoop{}
			}
			l.state.inners[around][in.at] = in
		}
	}
	return l.state.inners[l.region]
}

// arrayAt returns an array that a statement makes in a block that is only the loop's, in which nothing was made before a
// point.
func (l hostLoop) arrayAt(st *ir.Stmt, since int, free, mine string) (next link, ok bool) {
	if !ir.Fresh(st.Op) {
		return next, false
	}
	for _, e := range st.Pat {
		if e.Type.Kind != ir.ArrayKind || e.Type.Place.Exist {
			continue
		}
		m := e.Type.Place.Mem
		b, ok := l.allocated(m, l.region)
		if !ok {
			b, ok = l.allocated(m, l.table.Regions[l.region].Parent)
			ok = ok && l.used(m) == peak.Uses(l.op.Body)[m]
		}
		if ok {
			next.made = []int{b}
		} else if m != free && m != mine {
			continue
		}
		next.array = m
		return next, l.begins(m) >= since
	}
	return next, false
}

// dead reports whether no array is needed behind a point that lies in a block by that name.
func (s *state) dead(mem string, point int) bool { return s.lives()[mem].To <= point }

// begins returns the first point at which an array is needed that lies in a block by that name.
func (s *state) begins(mem string) int { return s.lives()[mem].From }

// lives returns the first and the last points at which arrays are needed, by the names of their blocks.
func (s *state) lives() map[string]liveness.Span {
	if s.spans != nil {
		return s.spans
	}
	s.spans = map[string]liveness.Span{}
	use := func(e *ir.Elem) {
		if e.Type.Kind != ir.ArrayKind {
			return
		}
		m := s.table.Aliases.BlockOf(e.Name)
		for _, i := range s.table.Liveness.Array(e.Name) {
			span, known := s.spans[m]
			if !known {
				span.From = i.From
			}
			s.spans[m] = liveness.Span{From: min(span.From, i.From), To: max(span.To, i.To)}
		}
	}
	ir.WalkStmts(s.f.Body, func(st *ir.Stmt) bool {
		ir.Elems(st.Op, use)
		for _, e := range st.Pat {
			use(e)
		}
		return true
	})
	return s.spans
}

// ownBlocks returns the block parameters of a loop that parameter k alone has: the free one, and perhaps one for the
// block of the present value, or of the last one. In every iteration these, with the block of k, stay or change roles.
// It adds the names by which inner loops know them.
func (s *state) ownBlocks(at *ir.Stmt, k int, names map[string]bool) []int {
	op := at.Op.(*ir.Loop)
	if value, ok := op.Body.Result[k].(*ir.Ref); !ok || value == nil || !op.Params[k].Elem.Type.Place.Exist {
		return nil
	}
	if n, o, ok := s.swapping(op, k); ok {
		if s.used(op.Params[o].Elem.Name) != 1 {
			return nil
		}
		return []int{n, o}
	}
	var mems []int
	for j, p := range op.Params {
		if p.Elem.Type.Kind == ir.MemKind {
			mems = append(mems, j)
		}
	}
	if len(mems) > maxMems {
		return nil
	}
	for _, j := range mems {
		if s.returns(op, k, j, -1, names) {
			return []int{j}
		}
		for _, o := range mems {
			if o != j && s.returns(op, k, j, o, names) {
				return []int{j, o}
			}
		}
	}
	return nil
}

// maxMems bounds the block parameters of a loop that are tried in pairs.
const maxMems = 8

// returns follows parameter k of a loop through links whose blocks are the free one, parameter j, and the value's:
// parameter o, or without one the place of k. It reports whether they come back so.
func (s *state) returns(op *ir.Loop, k, j, o int, names map[string]bool) bool {
	at, free := op.Params[k].Elem.Type.Place.Mem, op.Params[j].Elem.Name
	own := at
	if o >= 0 {
		own = op.Params[o].Elem.Name
	}
	for _, st := range op.Body.Stmts {
		in, loop := st.Op.(*ir.Loop)
		if !loop {
			if slices.ContainsFunc(st.Pat, func(e *ir.Elem) bool { return e.Type.Kind == ir.ArrayKind && e.Type.Place.Mem == free }) && ir.Fresh(st.Op) {
				at, free, own = free, own, free
			}
			continue
		}
		p := slices.IndexFunc(in.Params, func(p ir.Param) bool {
			x, ok := p.Init.(*ir.Ref)
			return ok && p.Elem.Type.Kind == ir.ArrayKind && s.table.Aliases.BlockOf(x.Name) == at
		})
		if p < 0 {
			continue
		}
		blocks := s.ownBlocks(st, p, names)
		if len(blocks) == 0 || o >= 0 && len(blocks) == 1 || !ir.IsRef(in.Params[blocks[0]].Init, free) || len(blocks) > 1 && !ir.IsRef(in.Params[blocks[1]].Init, own) {
			return false
		}
		name(names, st, append(blocks, p)...)
		at = st.Pat[p].Type.Place.Mem
		if free, own = st.Pat[blocks[0]].Name, at; o >= 0 {
			own = st.Pat[blocks[1]].Name
		}
	}
	return s.table.Aliases.BlockOf(op.Body.Result[k].(*ir.Ref).Name) == at && ir.IsRef(op.Body.Result[j], free) &&
		(o < 0 || ir.IsRef(op.Body.Result[o], own))
}
