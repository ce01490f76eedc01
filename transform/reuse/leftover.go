package reuse

import (
	"maps"
	"math"
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
// The next loop of the body, or an array behind, gets these blocks. m_x is free once nothing needs x. The conditions are:
//
//	(1) Nothing else is allocated from the loop on until then. So at no point more is held than before.
//	(2) The blocks were allocated whatever happens, and not only if the loop has iterations.
//	(3) The block of a last value is free once nothing needs the value. An if, a call or a loop that uses the value may
//	    return it, and bind another name for its block (walk.alias); nothing may need an array by that name, either.

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

// A walk goes over the outermost loops of a function in order, with what the loops before left.
type walk struct {
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

// newWalk returns a walk before its first loop.
func newWalk(s *state, c *transform.Context) *walk {
	w := &walk{
		state: s, context: c, left: map[string]*leftover{}, renamed: map[string]string{}, instead: replacements{}, last: map[string]int{},
		names: transform.NewNames(s.f), budget: maxThreaded,
	}
	need := func(e *ir.Elem) {
		if mem := s.table.Aliases.BlockOf(e.Name); mem != "" {
			for _, i := range s.table.Liveness.Array(e.Name) {
				w.last[mem] = max(w.last[mem], i.To)
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
	return w
}

// until gives what was left to the arrays behind, up to a statement of that body, or to its end, and returns it; nil if
// nothing is left. Blocks that the statement gets otherwise are own.
func (w *walk) until(key string, body *ir.Body, st *ir.Stmt, own map[string]bool) *leftover {
	o := w.left[key]
	if o == nil || o.body != body {
		return nil
	}
	delete(w.left, key)
	lv := w.table.Liveness
	for at := lv.Stmt(o.at).To + 1; ; {
		x, span, ok := lv.Enclosing(body, at)
		if !ok || x == st {
			break
		}
		at = span.To + 1
		w.alias(o, x)
		if _, alloc := x.Op.(*ir.Alloc); alloc && own[x.Pat[0].Name] || !holds(x) {
			continue
		}
		if !w.gives(o, key, x) {
			return nil
		}
	}
	if st != nil {
		at := lv.Stmt(st).From
		w.release(o, at)
		for _, h := range o.held {
			if w.needed(h) == at {
				o.ends[h.places[0]] = h.block
			}
		}
	}
	return o
}

// gives gives the arrays of a block that a statement allocates a free one, if it can.
func (w *walk) gives(o *leftover, key string, st *ir.Stmt) bool {
	if _, alloc := st.Op.(*ir.Alloc); !alloc {
		return false
	}
	k, ok := w.table.Block(st.Pat[0].Name)
	if w.release(o, w.table.Liveness.Stmt(st).From); !ok || alikeBy(&w.table.Blocks[k]) != key || len(o.free) == 0 ||
		!w.context.Rewrite(st.Span, "%s (%s) lies in a block that is free behind a loop", block{w.state, k}, bytes{w.table.Blocks[k].Size}) {
		return false
	}
	w.renamed[st.Pat[0].Name] = o.free[len(o.free)-1]
	o.free = o.free[:len(o.free)-1]
	w.instead.put(o.body, st, nil)
	return true
}

// alias notes the names that a statement binds for blocks of last values, if it uses the values (3).
func (w *walk) alias(o *leftover, st *ir.Stmt) {
	var bound []string
	for _, e := range st.Pat {
		if e.Type.Kind == ir.ArrayKind && e.Type.Place != nil && e.Type.Place.Exist {
			bound = append(bound, e.Type.Place.Mem)
		}
	}
	if len(bound) == 0 || len(o.held) == 0 || w.mutant == ignoreLeft {
		return
	}
	used := map[string]bool{}
	ir.StmtUses(st, func(n string) { used[n], used[w.table.Aliases.BlockOf(n)] = true, true })
	for k, h := range o.held {
		if slices.ContainsFunc(h.places, func(m string) bool { return used[m] }) {
			o.held[k].places = append(slices.Clip(h.places), bound...)
		}
	}
}

// needed returns the last point that needs a value, or another array by a name for its block.
func (w *walk) needed(h lodging) int {
	last := -1
	for _, m := range h.places {
		if last = max(last, w.last[m]); w.used(m) > 0 { // the block is handed on, as an earlier run of the pass left it
			return math.MaxInt
		}
	}
	return last
}

// release frees the blocks of values that are not needed from a point on.
func (w *walk) release(o *leftover, from int) {
	o.held = slices.DeleteFunc(o.held, func(h lodging) bool {
		if w.needed(h) >= from {
			return false
		}
		o.free = append(o.free, h.block)
		return true
	})
}

// leave notes what a loop leaves that got blocks of the one before, if that left any.
func (w *walk) leave(t *threads, before *leftover, body *ir.Body) {
	if t.maybe {
		return
	}
	o := &leftover{body: body, at: t.loop.at, free: t.outside.free, ends: map[string]string{}}
	if before != nil {
		o.held = slices.DeleteFunc(before.held, func(h lodging) bool {
			return slices.ContainsFunc(t.loop.op.Params, func(q ir.Param) bool { return slices.Contains(h.places, t.blockOf(q.Init)) })
		})
		w.alias(o, t.loop.at)
		if holds(t.loop.at) { // so it must not hold what it was handed and does not use (1)
			o.free = slices.DeleteFunc(o.free, func(m string) bool { return slices.Contains(before.free, m) })
		}
	}
	for _, r := range slices.Sorted(maps.Keys(t.outside.held)) {
		h := lodging{t.own[r], []string{r}}
		for _, e := range t.at.Pat {
			if e.Type.Kind == ir.ArrayKind && e.Type.Place.Exist && e.Type.Place.Mem != r && slices.Contains(t.rootsOf(e.Type.Place.Mem), r) {
				h.places = append(h.places, e.Type.Place.Mem)
			}
		}
		o.held = append(o.held, h)
	}
	w.left[t.key] = o
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
