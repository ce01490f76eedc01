package reuse

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

// Note [What a loop leaves]
//
// Behind a loop that hands on blocks, its free ones have names, as x_free here, and its value lies in one of them:
//
//	let (x @ ?m_x, x_free: mem) = loop (a @ ?m_a = x0, free: mem = m_1) ...
//	let m_y = alloc n * 4
//	let y @ m_y = map .. x ..              -- y @ x_free
//	let m_2 = alloc n * 4
//	let z @ ?m_z = loop (b @ ?m_b = y, free: mem = m_2) ...   -- free = m_x
//
// An array behind it, or the next loop of the body, gets these blocks. m_x is free once nothing needs x. The conditions are:
//
//	(1) Nothing else is allocated from the loop on until then. So at no point more is held than before.
//	(2) The blocks were allocated whatever happens, and not only if the loop has iterations.
//	(3) A value's block is free if nothing needs the value, nor another array that may lie there, as the result of an if may;
//	    but what a further last value's place binds lies in that one's block.

// A leftover is what the last loop of a body leaves of blocks of one size.
type leftover struct {
	body *ir.Body
	at   *ir.Stmt
	free []string
	held []lodging
	ends map[string]string // the blocks of values that only the next loop needs, where it begins, by their places
}

// A lodging is the block of a last value.
type lodging struct {
	block  string
	places []string // names of blocks that may stand for it; first the one that the value's place binds
}

// A passing is one walk over the loops of a function, and what they leave.
type passing struct {
	*state
	context *transform.Context
	left    map[string]*leftover // of blocks that are alike
	renamed map[string]string
	instead replacements
	last    map[string]int // by names of blocks, the last points that need an array there
	names   *transform.Names
	budget  int  // how many more statements may be threaded
	fewer   bool // a loop has fewer blocks than before, or none of its own
}

// newPassing returns a walk before its first loop.
func newPassing(s *state, c *transform.Context) *passing {
	p := &passing{
		state: s, context: c, left: map[string]*leftover{}, renamed: map[string]string{}, instead: replacements{}, last: map[string]int{},
		names: transform.NewNames(s.f), budget: maxThreaded,
	}
	need := func(e *ir.Elem) {
		if mem := s.table.Aliases.BlockOf(e.Name); mem != "" {
			for _, i := range s.table.Liveness.Array(e.Name) {
				p.last[mem] = max(p.last[mem], i.To)
			}
		}
	}
	ir.WalkStmts(s.f.Body, func(st *ir.Stmt) bool {
		ir.Elems(st.Op, need)
		for _, e := range st.Pat {
			need(e)
		}
		return true
	})
	return p
}

// until gives what was left to the arrays behind, up to a statement of that body, or to its end, and returns it; nil if
// nothing is left. Blocks that the statement gets otherwise are own.
func (p *passing) until(key string, body *ir.Body, st *ir.Stmt, own map[string]bool) *leftover {
	o := p.left[key]
	if o == nil || o.body != body {
		return nil
	}
	delete(p.left, key)
	for _, x := range body.Stmts[slices.Index(body.Stmts, o.at)+1:] {
		if x == st {
			break
		}
		p.follow(o, x)
		if _, alloc := x.Op.(*ir.Alloc); alloc && own[x.Pat[0].Name] || !holds(x) {
			continue
		}
		if !p.gives(o, key, x) {
			return nil
		}
	}
	if st != nil {
		at := p.table.Liveness.Stmt(st).From
		p.release(o, at)
		for _, h := range o.held {
			if p.needed(h) == at {
				o.ends[h.places[0]] = h.block
			}
		}
	}
	return o
}

// gives gives a free block to the arrays of one that a statement allocates, if it can.
func (p *passing) gives(o *leftover, key string, st *ir.Stmt) bool {
	if _, alloc := st.Op.(*ir.Alloc); !alloc {
		return false
	}
	k, ok := p.table.Block(st.Pat[0].Name)
	if p.release(o, p.table.Liveness.Stmt(st).From); !ok || alikeBy(&p.table.Blocks[k]) != key || len(o.free) == 0 ||
		!p.context.Rewrite(st.Span, "%s (%s) lies in a block that is free behind a loop", block{p.state, k}, bytes{p.table.Blocks[k].Size}) {
		return false
	}
	p.renamed[st.Pat[0].Name] = o.free[len(o.free)-1]
	o.free = o.free[:len(o.free)-1]
	p.instead.put(o.body, st, nil)
	return true
}

// follow notes the names of what may lie in the blocks of last values that a statement uses.
func (p *passing) follow(o *leftover, st *ir.Stmt) {
	var bound []string
	for _, e := range st.Pat {
		if e.Type.Kind == ir.ArrayKind && e.Type.Place != nil && e.Type.Place.Exist {
			bound = append(bound, e.Type.Place.Mem)
		}
	}
	if len(bound) == 0 || len(o.held) == 0 || p.mutant == ignoreLeft {
		return
	}
	used := map[string]bool{}
	ir.StmtUses(st, func(n string) { used[n], used[p.table.Aliases.BlockOf(n)] = true, true })
	for k, h := range o.held {
		if slices.ContainsFunc(h.places, func(m string) bool { return used[m] }) {
			o.held[k].places = append(slices.Clip(h.places), bound...)
		}
	}
}

// needed returns the last point that needs what may lie in a value's block.
func (p *passing) needed(h lodging) int {
	last := -1
	for _, m := range h.places {
		last = max(last, p.last[m])
	}
	return last
}

// release frees the blocks of values that are not needed from a point on.
func (p *passing) release(o *leftover, from int) {
	o.held = slices.DeleteFunc(o.held, func(h lodging) bool {
		if p.needed(h) >= from {
			return false
		}
		o.free = append(o.free, h.block)
		return true
	})
}

// leaves returns what a loop leaves that got blocks of an earlier one, if there was one; nil if it leaves nothing.
func (p *passing) leaves(t *threads, before *leftover, body *ir.Body) *leftover {
	if t.maybe {
		return nil
	}
	o := &leftover{body: body, at: t.loop.at, free: t.outside.free, ends: map[string]string{}}
	if before != nil {
		o.held = slices.DeleteFunc(before.held, func(h lodging) bool {
			return slices.ContainsFunc(t.loop.op.Params, func(q ir.Param) bool { return slices.Contains(h.places, t.blockOf(q.Init)) })
		})
		p.follow(o, t.loop.at)
	}
	for _, r := range slices.Sorted(maps.Keys(t.outside.held)) {
		h := lodging{t.own[r], []string{r}}
		for _, e := range t.at.Pat {
			if e.Type.Kind == ir.ArrayKind && e.Type.Place.Exist && e.Type.Place.Mem != r && slices.Contains(t.rootsOf(e.Type.Place.Mem), r) {
				h.places = append(h.places, e.Type.Place.Mem)
			}
		}
		if p.used(r) == 0 {
			o.held = append(o.held, h)
		}
	}
	return o
}

// holds reports whether a statement may hold a block that it did not before.
func holds(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Alloc, *ir.Call:
		return true
	}
	return slices.ContainsFunc(ir.Bodies(s.Op), func(b *ir.Body) bool { return slices.ContainsFunc(b.Stmts, holds) })
}

// used tells how often a name is used.
func (s *state) used(name string) int {
	if s.uses == nil {
		s.uses = peak.Uses(s.f.Body)
	}
	return s.uses[name]
}
