package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
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
//	(6) From the last use of m_prev to the alloc of m_next the body allocates nothing, so no peak rises.
//
// By (1) to (3), the blocks of the ring are different in every iteration, and m_prev is the block of
// nothing else. In the first one they are; each next one only passes them on, and m_next in the
// place of m_prev. This comes before planning, and the planner then sees next in the blocks of a and b.

// A leaving is a block of a loop's body that can be the block of a parameter.
type leaving struct {
	made int      // the number of the block
	mem  string   // the parameter's
	uses []string // all blocks that take part
}

// fillLeaving makes values in the blocks of those that leave a loop, and reports whether there were any.
// Of loops that have blocks in common, only the first changes.
func (s *state) fillLeaving() bool {
	if rules.Off("reuse.leaving") || s.meets.Crowded() {
		return false
	}
	renamed := map[string]string{}
	gone := map[*ir.Stmt]bool{}
	taken := map[string]bool{}
	for number, region := range s.table.Regions {
		if !region.Loop {
			continue
		}
		at := s.table.Liveness.Points[region.Stmt.From].Stmt
		if _, loop := at.Op.(*ir.Loop); !loop {
			continue
		}
		v, ok := s.ring(at, number).leaves()
		if !ok || slices.ContainsFunc(v.uses, func(m string) bool { return taken[m] }) {
			continue
		}
		b := s.table.Blocks[v.made]
		if !s.context.Rewrite(b.Stmt.Span, "%s (%s) is `%s`, the block of a value that leaves the loop", block{s, v.made}, bytes{b.Size}, v.mem) {
			continue
		}
		renamed[b.Name] = v.mem
		gone[b.Stmt] = true
		for _, m := range v.uses {
			taken[m] = true
		}
	}
	if len(gone) == 0 {
		return false
	}
	rename(s.f, renamed)
	for _, region := range s.table.Regions {
		region.IR.Stmts = slices.DeleteFunc(region.IR.Stmts, func(st *ir.Stmt) bool { return gone[st] })
	}
	return true
}

// A ring is some parameters of a loop that pass their blocks on to each other.
type ring struct {
	*state
	at     *ir.Stmt
	op     *ir.Loop
	region int
	of     map[string]int // the arrays' own blocks, and their parameters
	gives  []string       // the blocks of the body's results
	passed map[string]int // how many results lie in a block
}

// ring returns what a loop passes on from one iteration to the next.
func (s *state) ring(at *ir.Stmt, region int) *ring {
	op := at.Op.(*ir.Loop)
	r := &ring{state: s, at: at, op: op, region: region, of: map[string]int{}, gives: make([]string, len(op.Params)), passed: map[string]int{}}
	for k, p := range op.Params {
		if t := p.Elem.Type; t.Kind == ir.ArrayKind && t.Place.Exist {
			r.of[t.Place.Mem] = k
		}
		if ref, ok := op.Body.Result[k].(*ir.Ref); ok {
			if p.Elem.Type.Kind == ir.ArrayKind {
				r.gives[k] = s.table.Aliases.BlockOf(ref.Name)
			} else {
				r.gives[k] = ref.Name
			}
			r.passed[r.gives[k]]++
		}
	}
	return r
}

// leaves looks for a value that can be made in the block of one that leaves the loop.
func (r *ring) leaves() (leaving, bool) {
	for k, p := range r.op.Params {
		if p.Elem.Type.Kind != ir.ArrayKind || !p.Elem.Type.Place.Exist || r.passed[p.Elem.Type.Place.Mem] > 0 {
			continue
		}
		if v, ok := r.from(k); ok {
			return v, true
		}
	}
	return leaving{}, false
}

// from looks for a value that can be made in the block of parameter k, which leaves the loop.
func (r *ring) from(k int) (v leaving, ok bool) {
	v.mem = r.op.Params[k].Elem.Type.Place.Mem
	members, fresh := []int{k}, []int{}
	for j := 0; j < len(members); j++ {
		m := r.gives[members[j]]
		if r.passed[m] != 1 {
			return v, false
		}
		if p, ok := r.of[m]; ok {
			members = append(members, p)
		} else if b, ok := r.table.Block(m); ok && r.table.Blocks[b].Kind == peak.Allocated && r.table.Blocks[b].Region == r.region {
			fresh = append(fresh, b)
		} else {
			return v, false
		}
	}
	if len(members) < 2 {
		return v, false // the planner sees these
	}
	own := map[string]bool{}
	for _, j := range members {
		own[r.op.Params[j].Elem.Type.Place.Mem] = true
	}
	for _, v.made = range fresh {
		made := r.table.Blocks[v.made]
		if _, bad := r.meets.Between(v.mem, made.Name); bad || !r.holdsNoMore(v.mem, made) {
			continue
		}
		if first, ok := r.initial(members, made); ok {
			v.uses = append(first, made.Name)
			for _, b := range fresh {
				v.uses = append(v.uses, r.table.Blocks[b].Name)
			}
			return v, r.alone(own, v.uses) && r.replaces(members, first, made.Name)
		}
	}
	return v, false
}

// holdsNoMore reports whether the body allocates nothing from the last use of a parameter's block to
// the alloc of another one (6).
func (r *ring) holdsNoMore(mem string, made peak.Block) bool {
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
	return last >= 0 && !slices.ContainsFunc(r.table.Blocks, func(b peak.Block) bool {
		return b.Kind != peak.Given && last < b.Alloc && b.Alloc < made.Alloc
	})
}

// initial returns the blocks in which the members' initial values may lie, if they are different blocks
// of the size of another one (2). That one does not count: it will be one of them.
func (r *ring) initial(members []int, made peak.Block) (all []string, ok bool) {
	for _, j := range members {
		x, isRef := r.op.Params[j].Init.(*ir.Ref)
		if !isRef {
			return nil, false
		}
		reals, more := r.table.Aliases.BlocksUpTo(r.table.Aliases.BlockOf(x.Name), maxReals)
		if more {
			return nil, false
		}
		for _, m := range reals {
			if m == made.Name {
				continue
			}
			b, ok := r.table.Block(m)
			if !ok || slices.Contains(all, m) || !r.asLarge(r.table.Blocks[b], made.Size) {
				return nil, false
			}
			all = append(all, m)
		}
	}
	return all, len(all) > 0
}

// asLarge reports whether a block has a size, and may be overwritten.
func (r *ring) asLarge(b peak.Block, size sym.Poly) bool {
	switch {
	case b.Kind == peak.Allocated:
		return b.Size.Equal(size)
	case b.Kind == peak.Given && b.Takes && !b.Kept:
		return b.Room.Equal(size)
	}
	return false
}

// alone reports whether nothing else in the loop may lie in some blocks (3). own are the names of the
// ring.
func (r *ring) alone(own map[string]bool, blocks []string) bool {
	a := r.table.Aliases
	mayBe := func(mem string) bool {
		return slices.ContainsFunc(blocks, func(b string) bool { return a.MayBeOne(mem, b) })
	}
	elem := func(e *ir.Elem) bool {
		switch {
		case e.Type.Kind == ir.MemKind:
			return !own[e.Name] && !slices.Contains(blocks, e.Name) && mayBe(e.Name)
		case e.Type.Kind == ir.ArrayKind:
			m := e.Type.Place.Mem
			return !own[m] && !slices.Contains(blocks, m) && mayBe(m)
		}
		return false
	}
	found := slices.ContainsFunc(ir.ParamElems(r.op.Params), elem) ||
		slices.ContainsFunc(peak.OuterBlocks(a, r.op), func(m string) bool { return mayBe(m) })
	ir.WalkStmts(r.op.Body, func(st *ir.Stmt) bool {
		found = found || slices.ContainsFunc(st.Pat, elem)
		ir.Elems(st.Op, func(e *ir.Elem) { found = found || elem(e) })
		return !found
	})
	return !found
}

// replaces reports whether every initial block can be the block that is made (4).
func (r *ring) replaces(members []int, initial []string, made string) bool {
	return r.mutant == ignoreStarts || !slices.ContainsFunc(initial, func(m string) bool {
		return !peak.Replaces(r.table.Aliases, r.table.Liveness, r.at, members, m, made)
	})
}
