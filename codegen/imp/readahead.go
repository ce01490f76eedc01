package imp

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Reads ahead]
//
// A loop of a work-item that reads and writes waits for memory in every turn, since neither memc nor
// the device's compiler moves a read above an earlier turn's write, or above a check that may leave
// the kernel:
//
//	for i < n { check at[i] < m; s = xs[at[i]] - c * s; y[i] = s }
//
// So a work-item first reads what a batch of turns needs (Note [Batches]), and then does these
// turns. The last turns, fewer than a batch, are done as before:
//
//	for batch < n / 8 {
//	  for j < 8 { a = at[8 * batch + j]; if a < m { x[j] = xs[a] } }
//	  for j < 8 { check at[8 * batch + j] < m; s = x[j] - c * s; y[8 * batch + j] = s }
//	}
//	for i, the last n % 8 { .. }
//
// A statement reads ahead if it, and the conditions around it, depend on no earlier turn. Where a
// check stands before it in the turn, the read ahead requires its condition, so it touches only
// memory that the turn would touch; where that condition depends on an earlier turn, the read stays.
// The checks stay where they are, so that the same one fails, after the same writes.
//
// A turn of the batch that comes before must not write the element. Either the loop writes no block
// that may be the element's, or always writes the elements
//
//	offset(read) + step * k,  for a k that is not 1 .. 7,
//
// where step, the way of the offset from turn to turn, is not 0. In the kernel of a point a step such
// as n * m may be unknown: then it is tested before the loop.
//
// A long turn with many branches gained nothing: nw (medium) took 25.1 ms, and 21.2 without (H200).

// A loop may have so many statements in a turn, and a batch read so many bytes ahead.
const (
	aheadWork  = 24
	aheadBytes = 256
)

// readers has the loops of a complete kernel read ahead.
type readers struct {
	b     *block
	total map[string]int // how often the kernel mentions scalars
}

// readAhead has the loops of a complete kernel read ahead.
func (b *block) readAhead(list []Stmt) []Stmt {
	if b.k.arena != nil || b.tasks() || holdsBarrier(list) {
		return list
	}
	r := &readers{b: b, total: mentioned(list)}
	return r.list(list)
}

// mentioned counts how often statements mention scalars.
func mentioned(list []Stmt) map[string]int {
	n := map[string]int{}
	uses(list, func(r *ir.Ref) { n[r.Name]++ }, nil)
	assignments(list, func(name string) { n[name]++ })
	return n
}

func (r *readers) list(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		for _, in := range lists(s) {
			*in = r.list(*in)
		}
		if f, ok := s.(*For); ok {
			out = append(out, r.loop(f)...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// loop returns a loop, which reads ahead if that may gain something.
func (r *readers) loop(f *For) []Stmt {
	n, as := known(f.Bound), []Stmt{f}
	plain := f.Each == 0 && !f.Local && !f.Points && !f.Unroll && !f.Whole && !f.Single
	if !plain || n >= 0 && n <= fewTurns || !stores(f.Body) && !holdsCheck(f.Body) || loops(f.Body) || !plainTurns(f.Body) || turnsOut(f.Body) > aheadWork {
		return as
	}
	c := &reader{batcher: r.b.batcher(f, "", aheadBytes), fixed: map[string]bool{}, passed: map[*Store]bool{}, copies: map[*Set]bool{}}
	for name, n := range mentioned(f.Body) {
		c.fixed[name] = n != r.total[name]
	}
	c.reads, c.rest = c.split(cloned(f.Body))
	for pruned := true; pruned; {
		used := map[string]bool{}
		uses(c.rest, func(r *ir.Ref) { used[r.Name] = true }, nil)
		c.rest, pruned = c.prune(c.rest, used)
	}
	if len(c.read) == 0 || !c.size() {
		return as
	}
	if c.fine != nil {
		c.reads = append([]Stmt{&Set{Dst: c.fine.Name, E: ir.BoolLit(true)}}, c.reads...)
	}
	var conds []ir.Exp
	for _, step := range c.steps {
		conds = append(conds, not(equalTo(step, i64(0))))
	}
	in := r.b.sub()
	count := in.atom(f.Bound, "count")
	done, turn := in.temp("done", ir.I64), in.temp("turn", ir.I64)
	in.set(done.Name, i64(0))
	in.when(and(append([]ir.Exp{several}, conds...)...), func(in *block) {
		// A shift would round a negative count down, and the turns that are left would begin below 0.
		batches := in.atom(index(quotient(count, i64(c.turns))), "batches")
		c.whole(in, batches)
		in.set(done.Name, index(times(batches, i64(c.turns))))
	}, nil)
	in.add(&For{Var: turn.Name, Bound: index(subtract(count, done)), Body: append([]Stmt{&Set{Dst: f.Var, E: index(add(done, turn))}}, f.Body...)})
	return in.stmts
}

// A reader finds what the turns of a loop may read before earlier turns are done.
type reader struct {
	*batcher
	fixed  map[string]bool // variables that are known outside the loop as well
	fine   *ir.Ref         // whether the checks of a turn hold, of those that were met
	checks int             // that were met
	stop   bool            // nothing behind reads ahead
	passed map[*Store]bool // stores that were met
	copies map[*Set]bool   // in reads and rest
	steps  []ir.Exp        // what must not be 0
}

// split returns what statements of a turn read ahead, and what they do then.
func (c *reader) split(list []Stmt) (reads, rest []Stmt) {
	for i, s := range list {
		checks := c.checks
		r, t := c.part(s)
		reads, rest = append(reads, r...), append(rest, t...)
		if c.checks > checks {
			if r, t = c.split(list[i+1:]); len(r) > 0 {
				reads = append(reads, &If{Cond: c.fine, Then: r})
			}
			return reads, append(rest, t...)
		}
	}
	return reads, rest
}

// part is split for one statement.
func (c *reader) part(s Stmt) (reads, rest []Stmt) {
	if ok, depends := c.ready(s); ok && !c.stop {
		switch s := s.(type) {
		case *Set:
			if c.fixed[s.Dst] {
				break
			}
			c.done[s.Dst], c.prims[s.Dst] = true, s.E.Prim()
			if depends {
				c.read[s.Dst] = true
				return []Stmt{s}, nil
			}
			c.copies[s] = true
			return []Stmt{s}, []Stmt{s}
		case *Load:
			if c.fixed[s.Dst] || c.b.k.out.Own[s.Mem] || s.Fresh || !c.keeps(s) {
				break
			}
			c.done[s.Dst], c.prims[s.Dst], c.read[s.Dst] = true, s.Prim, true
			return []Stmt{s}, nil
		case *Check:
			if c.checks++; c.fine == nil {
				c.fine = c.b.temp("fine", ir.Bool)
			}
			return []Stmt{&Set{Dst: c.fine.Name, E: and(c.fine, s.Cond)}}, []Stmt{s}
		case *If:
			before := maps.Clone(c.done)
			then, thenRest := c.split(s.Then)
			behind := c.done
			c.done = before
			els, elseRest := c.split(s.Else)
			maps.DeleteFunc(c.done, func(n string, _ bool) bool { return !behind[n] })
			if len(then)+len(els) > 0 {
				reads = []Stmt{&If{Cond: s.Cond, Then: then, Else: els}}
			}
			if len(thenRest)+len(elseRest) > 0 {
				rest = []Stmt{&If{Cond: s.Cond, Then: thenRest, Else: elseRest}}
			}
			return reads, rest
		}
	}
	Each([]Stmt{s}, func(s *Store) { c.passed[s] = true })
	assignments([]Stmt{s}, func(n string) { delete(c.done, n) })
	c.stop = c.stop || holdsCheck([]Stmt{s})
	return nil, []Stmt{s}
}

// keeps reports whether no turn of the batch that comes before a read writes the element, and notes
// which steps must not be 0.
func (c *reader) keeps(s *Load) bool {
	ok := true
	var steps []ir.Exp
	at := carrier{b: c.b, loop: c.loop, assigned: c.assigned}
	Each(c.loop.Body, func(t *Store) {
		if !ok || c.b.k.out.Own[t.Mem] || c.b.distinct(s.Mem, t.Mem) {
			return
		}
		there, known := at.offset(s.Off)
		here, same := at.offset(t.Off)
		step := slope(there, c.loop.Var)
		if ok = known && same && s.Mem == t.Mem && s.Prim == t.Prim && !step.Is(0) && !step.Has(c.loop.Var); !ok {
			return
		}
		apart, first := here.Sub(there), int64(1)
		if c.passed[t] {
			first = 0
		}
		if ok = slope(apart, c.loop.Var).Is(0) && c.multiple(apart, step, first); ok {
			if _, fixed := step.IsConst(); !fixed {
				steps = append(steps, step.Exp())
			}
		}
	})
	if ok {
		c.steps = append(c.steps, steps...)
	}
	return ok
}

// multiple reports whether a distance is a multiple of a step, by no number from first to 7. Where
// the step is a number, any distance but these will do.
func (c *reader) multiple(apart, step sym.Poly, first int64) bool {
	for k := first; k < batchTurns; k++ {
		if apart.Equal(step.Mul(sym.Const(k))) {
			return false
		}
	}
	_, fixed := step.IsConst()
	_, known := apart.IsConst()
	return fixed && known || slices.ContainsFunc([]int64{0, -1, -2}, func(k int64) bool { return apart.Equal(step.Mul(sym.Const(k))) })
}

// prune drops from the rest copies of statements that only reads need.
func (c *reader) prune(list []Stmt, used map[string]bool) (out []Stmt, pruned bool) {
	for _, s := range list {
		inner := false
		for _, in := range lists(s) {
			var less bool
			*in, less = c.prune(*in, used)
			inner = inner || less
		}
		set, is := s.(*Set)
		branch, empty := s.(*If)
		empty = empty && len(branch.Then)+len(branch.Else) == 0
		drop := empty || is && c.copies[set] && !used[set.Dst]
		if pruned = pruned || inner || drop; !drop {
			out = append(out, s)
		}
	}
	return out, pruned
}
