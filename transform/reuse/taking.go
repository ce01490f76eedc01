package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// Note [A value that takes the block of another one]
//
// If each of two values of a loop alternates between two blocks (Note [The initial value's block takes
// turns]), and the one is needed no longer when the next one of the other is made, three blocks are enough:
//
//	loop (x @ ?m = x0, y @ ?l = y0, nx: mem = m_1, ox: mem = m_2, ny: mem = m_3, oy: mem = m_4) ...
//	  let x1 @ nx = ... x ... y ...
//	  let y1 @ ny = ... y ...                  -- y1 @ ox
//	  in (x1, y1, ox, nx, oy, ny)              -- in (x1, y1, oy, nx, ox), without ny
//
// From the second iteration on, ox is the block of x; in the first one it is empty. So y1 can be made there. Then
// ox is y's block in the next iteration, and x1 is made in the one that y leaves, oy. More generally, ox is the block
// of x if it becomes the one in which x1 is made; where it is passed on to be written in the next iteration (here to
// nx), the block goes that ny would have got. Then a third value can take the block of y.
//
// The conditions are:
//
//	(1) The body names ox only where it passes the block on, and ny only as y1's place and y's next block.
//	    ny's last name is not used behind the loop.
//	(2) The four blocks have one size, and stand for these parameters only. In the loop, only values with two
//	    blocks in turn may lie in them, and none of these begins there. The block of x is in no result.
//	(3) Within an iteration the contents of m and of ny may share storage.
//
// By (1) and (2) the loop still writes to each block only when nothing needs its contents, and m_3 is not held.

// maxTakers bounds the values of a loop that may take blocks of one another.
const maxTakers = 32

// A taker is a parameter of a loop with its blocks: the one in which the next value is made, and its own from the second
// iteration on.
type taker struct{ param, next, own int }

// takeBlocks makes values of loops in the blocks of others, at most one of each loop, and reports whether there were any.
func (s *state) takeBlocks() bool {
	if rules.Off("reuse.taking") || s.meets.Crowded() {
		return false
	}
	renamed, gone := map[string]string{}, map[*ir.Stmt]bool{}
	changed := map[int]bool{} // regions of loops
	for _, l := range s.loops() {
		if !s.around(l.region, changed) && l.take(renamed, gone) { // else it comes when the loop around has been analysed again
			changed[l.region] = true
		}
	}
	if len(gone) > 0 {
		s.giveWay(renamed, gone)
	}
	return len(gone) > 0
}

// take makes one value of a loop in the block of another one, if that can be.
func (l hostLoop) take(renamed map[string]string, gone map[*ir.Stmt]bool) bool {
	all := l.takers()
	all = all[:min(len(all), maxTakers)]
	for _, x := range all {
		for _, y := range all {
			if l.takes(x, y, all, renamed, gone) {
				return true
			}
		}
	}
	return false
}

// takers returns the parameters of a loop whose next values are made in block parameters.
func (l hostLoop) takers() (out []taker) {
	for k, p := range l.op.Params {
		value, ok := l.op.Body.Result[k].(*ir.Ref)
		if !ok || p.Elem.Type.Kind != ir.ArrayKind || !p.Elem.Type.Place.Exist {
			continue
		}
		made := l.table.Aliases.BlockOf(value.Name)
		next := slices.IndexFunc(l.op.Params, func(p ir.Param) bool { return p.Elem.Name == made && p.Elem.Type.Kind == ir.MemKind })
		if own := l.gets(made); next >= 0 && own >= 0 && own != next {
			out = append(out, taker{k, next, own})
		}
	}
	return out
}

// gets returns the number of the one parameter of a loop that gets a block next; -1 if that is not one.
func (l hostLoop) gets(mem string) int {
	k := slices.IndexFunc(l.op.Body.Result, func(e ir.Exp) bool { return ir.IsRef(e, mem) })
	if k >= 0 && slices.ContainsFunc(l.op.Body.Result[k+1:], func(e ir.Exp) bool { return ir.IsRef(e, mem) }) {
		return -1
	}
	return k
}

// takes makes the next value of y in the block of x, if that can be; all are the parameters with blocks in turn.
func (l hostLoop) takes(x, y taker, all []taker, renamed map[string]string, gone map[*ir.Stmt]bool) bool {
	params, mem := l.op.Params, l.op.Params[x.param].Elem.Type.Place.Mem
	own, next := params[x.own].Elem.Name, params[y.next].Elem.Name
	passed := l.gets(own)
	taken := slices.ContainsFunc(all, func(t taker) bool { return t.own == y.next }) // y has taken a block already
	if x.param == y.param || taken || passed < 0 || passed == y.next || l.used(own) != 1 || l.used(l.at.Pat[y.next].Name) > 0 || !l.placesOnly(next) {
		return false
	}
	if _, bad := l.meets.Between(mem, next); bad || !l.apartFrom(x, y, all) {
		return false
	}
	if l.trying(); !l.context.Rewrite(l.at.Span, "the next value of `%s` is made in the block of `%s`", params[y.param].Elem.Name, params[x.param].Elem.Name) {
		return false
	}
	init := params[y.next].Init.(*ir.Ref).Name
	b, _ := l.table.Block(init)
	l.op.Body.Result[passed] = l.op.Body.Result[y.next]
	l.op.Params = slices.Delete(l.op.Params, y.next, y.next+1)
	l.op.Body.Result = slices.Delete(l.op.Body.Result, y.next, y.next+1)
	l.at.Pat = slices.Delete(l.at.Pat, y.next, y.next+1)
	renamed[next], gone[l.table.Blocks[b].Stmt] = own, true
	return true
}

// placesOnly reports whether a block is named in the body of a loop only by places, and once as a result.
func (l hostLoop) placesOnly(mem string) bool {
	found := false
	ir.WalkStmts(l.op.Body, func(st *ir.Stmt) bool {
		ir.Uses(st.Op, func(n string) { found = found || n == mem })
		for _, b := range ir.Bodies(st.Op) {
			found = found || slices.ContainsFunc(b.Result, func(e ir.Exp) bool { return ir.IsRef(e, mem) })
		}
		return !found
	})
	return !found
}

// apartFrom is condition (2).
func (l hostLoop) apartFrom(x, y taker, all []taker) bool {
	params, a := l.op.Params, l.table.Aliases
	names, around := map[string]bool{}, l.table.Regions[l.region].Parent
	var blocks []string
	var first peak.Block
	for _, k := range []int{x.next, x.own, y.next, y.own} {
		init, ok := params[k].Init.(*ir.Ref)
		if !ok || l.used(init.Name) != 1 {
			return false
		}
		b, ok := l.allocated(init.Name, around)
		if !ok || len(blocks) > 0 && !l.table.Blocks[b].Size.Equal(first.Size) {
			return false
		}
		first = l.table.Blocks[b]
		blocks = append(blocks, init.Name)
	}
	for _, t := range all {
		name(names, l.at, t.param, t.next, t.own)
		init, ok := params[t.param].Init.(*ir.Ref)
		if !ok || slices.ContainsFunc(blocks, func(m string) bool { return a.MayBeOne(a.BlockOf(init.Name), m) }) {
			return false
		}
	}
	mem := params[x.param].Elem.Type.Place.Mem
	return l.alone(names, blocks) && !slices.ContainsFunc(l.op.Body.Result, func(e ir.Exp) bool {
		r, ok := e.(*ir.Ref)
		return ok && (r.Name == mem || a.BlockOf(r.Name) == mem)
	})
}
