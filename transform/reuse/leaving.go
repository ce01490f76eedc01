package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// Note [The block of a value that leaves the loop]
//
// A loop that carries its last few values makes a block in every iteration, and drops the oldest:
//
//	loop (prev @ ?m_prev = a, cur @ ?m_cur = b) ...
//	  let m_next = alloc n * 4
//	  let next @ m_next = map (i < n) { in cur[n - 1 - i] - prev[i] }    -- next @ m_prev
//	  in (cur, next)
//
// The next value can be made where the oldest one lies, and the blocks of a and b change roles. No
// name stands for these blocks alone, so the planner cannot place next there: interference does
// not tell iterations apart. The conditions are:
//
//	(1) No result of the body lies in m_prev. The ring of m_prev are the parameters whose blocks become
//	    m_prev in later iterations. The next value of each lies in the block of another one, or in
//	    a block that the body allocates; m_next is one of these. No other result lies there.
//	(2) The initial values of the ring lie in different blocks, all as large as m_next.
//	(3) Nothing else in the loop may lie in these blocks or in those of the ring: no other parameter,
//	    no block from outside that the body mentions, and no name that a statement in the body binds.
//	(4) An initial block holds nothing else that the loop or the code behind it needs
//	    (peak.Replaces).
//	(5) Within an iteration the contents of m_prev and of m_next may share storage.
//	(6) Whenever the body allocates another block, from the last use of m_prev to the alloc of m_next, one as
//	    large as m_next that will be m_prev is held. So no peak rises.
//
// If the initial value of prev or cur is needed elsewhere, such as an argument, its block is spared: the loop has a block
// for it, and blocks that rotate (spares.go).
//
// Arrays that the body makes and stops needing in between can lie in m_prev, too: what next is made of. Their
// blocks have no other name, the body allocates them, and (5) holds for them, too.
//
// By (1) to (3), the blocks of the ring are different in every iteration, and m_prev is the block of
// nothing else. In the first one they are; each next one only passes them on, and m_next in the
// place of m_prev. This comes before planning, and the planner then sees next in the blocks of a and b.

// A leaving are blocks of a loop's body that can be the block of a parameter.
type leaving struct {
	made    []int    // the numbers of the next value's block, and of others
	mem     string   // the parameter's
	members []int    // the ring's parameters, in the order in which their values leave
	first   []string // the names of their initial blocks; "" for one that holds something else
	uses    []string // all blocks that take part
}

// fillLeaving makes values in the blocks of those that leave a loop, and reports whether there were any.
// Of loops that have blocks in common, only the first changes.
func (s *state) fillLeaving() bool {
	if rules.Off("reuse.leaving") || s.meets.Crowded() {
		return false
	}
	renamed, gone, taken := map[string]string{}, map[*ir.Stmt]bool{}, map[string]bool{}
	for _, l := range s.loops() {
		v, ok := ringOf(l).leaves()
		if !ok || slices.ContainsFunc(v.uses, func(m string) bool { return taken[m] }) {
			continue
		}
		if slices.Contains(v.first, "") {
			s.trying()
		}
		var made []int
		for _, m := range v.made {
			b := s.table.Blocks[m]
			if !s.context.Rewrite(b.Stmt.Span, "%s (%s) is `%s`, the block of a value that leaves the loop", block{s, m}, bytes{b.Size}, v.mem) {
				break
			}
			made = append(made, m)
		}
		if len(made) > 0 && slices.Contains(v.first, "") {
			v.mem = l.rotate(v)
		}
		for _, m := range made {
			renamed[s.table.Blocks[m].Name], gone[s.table.Blocks[m].Stmt] = v.mem, true
		}
		for _, m := range v.uses {
			taken[m] = true
		}
	}
	if len(gone) > 0 {
		s.giveWay(renamed, gone)
	}
	return len(gone) > 0
}

// A ring is what a loop passes on from one iteration to the next.
type ring struct {
	hostLoop
	of     map[string]int // the arrays' own blocks, and their parameters
	gives  []string       // the blocks of the body's results
	passed map[string]int // how many results lie in a block
}

func ringOf(l hostLoop) *ring {
	r := &ring{hostLoop: l, of: map[string]int{}, gives: make([]string, len(l.op.Params)), passed: map[string]int{}}
	for k, p := range l.op.Params {
		if t := p.Elem.Type; t.Kind == ir.ArrayKind && t.Place.Exist {
			r.of[t.Place.Mem] = k
		}
		if ref, ok := l.op.Body.Result[k].(*ir.Ref); ok {
			if r.gives[k] = ref.Name; p.Elem.Type.Kind == ir.ArrayKind {
				r.gives[k] = l.table.Aliases.BlockOf(ref.Name)
			}
			r.passed[r.gives[k]]++
		}
	}
	return r
}

// leaves looks for a value that can be made in the block of one that leaves the loop.
func (r *ring) leaves() (leaving, bool) {
	for k := range r.op.Params {
		if v, ok := r.from(k); ok {
			return v, true
		}
	}
	return leaving{}, false
}

// from looks for a value that can be made in the block of parameter k, which leaves the loop.
func (r *ring) from(k int) (v leaving, ok bool) {
	members, next, ok := r.ends(k)
	if !ok || len(members) < 2 { // of one parameter the planner sees it
		return leaving{}, false
	}
	own := map[string]bool{}
	for _, j := range members {
		own[r.op.Params[j].Elem.Type.Place.Mem] = true
	}
	v.mem, v.members = r.op.Params[k].Elem.Type.Place.Mem, members
	made := r.table.Blocks[next]
	if _, bad := r.meets.Between(v.mem, made.Name); bad || !r.alone(own, []string{made.Name}) {
		return leaving{}, false
	}
	v.made, v.uses = r.fills(v.mem, next), []string{made.Name}
	for n, j := range members {
		blocks := r.initial(members[n:], made)
		if blocks == nil || !r.alone(own, blocks) || !r.replaces(members, blocks, made.Name) {
			v.first = append(v.first, "")
			continue
		}
		v.first = append(v.first, r.table.Aliases.BlockOf(r.op.Params[j].Init.(*ir.Ref).Name))
		v.uses = append(v.uses, blocks...)
	}
	if slices.Contains(v.first, "") {
		return v, r.trying != nil && r.spares(v)
	}
	return v, r.holdsNoMore(v.mem, v.made)
}

// fills returns the block of a next value that will be mem, and other blocks of the body that can be it, too.
func (r *ring) fills(mem string, next int) []int {
	out := []int{next}
	for _, b := range r.within(r.region) {
		blk := r.table.Blocks[b]
		if b == next || blk.Kind != peak.Allocated || !r.meets.Alone(blk.Name) || !r.fits(b, next) {
			continue
		}
		_, again := r.meets.Repeats(blk.Name)
		meets := func(name string) bool { _, bad := r.meets.Between(name, blk.Name); return bad }
		if !again && !meets(mem) && !slices.ContainsFunc(out, func(c int) bool { return meets(r.table.Blocks[c].Name) }) {
			out = append(out, b)
		}
	}
	return out
}

// ends returns the ring whose oldest value is parameter k, which leaves the loop, and the block that the body allocates
// for the next value (1).
func (r *ring) ends(k int) (params []int, next int, ok bool) {
	if t := r.op.Params[k].Elem.Type; t.Kind != ir.ArrayKind || !t.Place.Exist || r.passed[t.Place.Mem] > 0 {
		return nil, 0, false
	}
	for {
		params = append(params, k)
		m := r.gives[k]
		if r.passed[m] != 1 {
			return nil, 0, false
		}
		if k, ok = r.of[m]; !ok {
			next, ok = r.allocated(m, r.region)
			return params, next, ok
		}
	}
}

// holdsNoMore reports whether no block is allocated between the last use of a parameter's block and the alloc of
// the first of some blocks, the next value's, but while another one of these is held that is as large (6).
func (r *ring) holdsNoMore(mem string, blocks []int) bool {
	made := r.table.Blocks[blocks[0]]
	span, last := r.table.Liveness.Stmt(r.at), -1
	uses := func(e *ir.Elem) {
		if e.Type.Kind != ir.ArrayKind || e.Type.Place.Mem != mem {
			return
		}
		for _, i := range r.table.Liveness.Array(e.Name) {
			if span.From < i.To && i.To <= span.To {
				last = max(last, i.To)
			}
		}
	}
	for _, p := range r.op.Params {
		uses(p.Elem)
	}
	ir.WalkStmts(r.op.Body, func(st *ir.Stmt) bool {
		for _, e := range st.Pat {
			uses(e)
		}
		return true
	})
	for k, b := range r.table.Blocks {
		if b.Kind == peak.Given || b.Alloc <= last || made.Alloc <= b.Alloc || slices.Contains(blocks, k) {
			continue
		}
		if !slices.ContainsFunc(blocks, func(j int) bool {
			o := r.table.Blocks[j]
			return o.Alloc < b.Alloc && b.Alloc <= o.Last && o.Size.Equal(made.Size)
		}) {
			return false
		}
	}
	return last >= 0
}

// initial returns the blocks in which the initial value of the first of these members may lie, if those of the others lie
// in none of them, and they have the size of the block made (2). That one does not count: it will be one of them.
func (r *ring) initial(members []int, made peak.Block) (all []string) {
	reals := func(j int) ([]string, bool) {
		x, isRef := r.op.Params[j].Init.(*ir.Ref)
		if !isRef {
			return nil, false
		}
		blocks, more := r.table.Aliases.BlocksUpTo(r.table.Aliases.BlockOf(x.Name), maxReals)
		return blocks, !more
	}
	blocks, ok := reals(members[0])
	if !ok {
		return nil
	}
	for _, m := range blocks {
		if m == made.Name {
			continue
		}
		if b, ok := r.table.Block(m); !ok || !asLarge(r.table.Blocks[b], made.Size) {
			return nil
		}
		all = append(all, m)
	}
	for _, j := range members[1:] {
		others, ok := reals(j)
		if !ok || slices.ContainsFunc(all, func(m string) bool { return slices.Contains(others, m) }) {
			return nil
		}
	}
	return all
}
