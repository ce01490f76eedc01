package imp

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Batches]
//
// A work-item that combines many values should read several before it waits for the first. If a loop
// has to be unrolled for this, NVIDIA's compiler often reads one value at a time all the same. So
// the turns of several values are written out: first what each reads, then what it does with that.
// Behind the last whole batch, the missing turns read the last value once more:
//
//	for turn < count { x = xs[turn]; own = own op x }
//
//	for batch < count / 8 {
//	  for j < 8 { x[j] = xs[8 * batch + j] }              // all turns written out
//	  for j < 8 { own = own op x[j] }
//	}
//	rest = count % 8
//	if rest > 0 {
//	  for j < 8 { x[j] = xs[min(count - rest + j, count - 1)] }
//	  for j < 8 { if j < rest { own = own op x[j] } }
//	}
//
// Processors have much cache and few work-items, and PoCL takes long to compile what is written out:
// there the loop stays as it is (SeveralFn).
//
// On an H100 sums of rows of 64 took 100 us and not 114, of rows of 1000 103 and not 114. Outer turns
// are not unrolled once more: that costs registers.

// A batch has at most so many turns, and reads at most so many bytes, and an element per 4
// of these.
const (
	batchTurns = 8
	batchBytes = 64
)

// A batcher divides the turns of a loop of a work-item into batches.
type batcher struct {
	b        *block
	loop     *For
	along    string          // the index of the values
	bytes    int64           // that a batch may read
	assigned map[string]bool // in the loop
	done     map[string]bool // of those: assigned by the statements that read, on every way to here
	prims    map[string]ir.Prim
	read     map[string]bool // of those: depends on what was read
	reads    []Stmt          // what a turn reads
	rest     []Stmt          // what it does then
	front    []Stmt          // what follows from the turn alone, for the rest
	kept     []string        // variables that were read, and that the rest needs
	rooms    []string        // for those of a batch
	moves    []*Move
	turns    int64
}

func (b *block) batcher(loop *For, along string, bytes int64) *batcher {
	c := &batcher{b: b, loop: loop, along: along, bytes: bytes, assigned: map[string]bool{}, done: map[string]bool{loop.Var: true}, prims: map[string]ir.Prim{loop.Var: ir.I64}, read: map[string]bool{}}
	assignments(loop.Body, func(n string) { c.assigned[n] = true })
	return c
}

// batches replaces the loop that was added last, which is about an index, by batches of its turns,
// unless it does more than read, compute and check, or reads nothing or too much.
func (b *block) batches(along string) {
	loop := b.stmts[len(b.stmts)-1].(*For)
	if b.k.arena != nil {
		return
	}
	c := b.batcher(loop, along, batchBytes)
	if !c.divide() || !c.size() {
		return
	}
	b.stmts = b.stmts[:len(b.stmts)-1]
	one := *loop
	one.Bound, one.Body, one.Unroll = b.atom(loop.Bound, "count"), cloned(loop.Body), false
	b.when(several, func(in *block) { c.batched(in, one.Bound) }, func(in *block) { in.add(&one) })
}

// batched adds batches of so many turns.
func (c *batcher) batched(b *block, count ir.Exp) {
	c.whole(b, index(&ir.Binary{Op: ">>", X: count, Y: c.log(), T: ir.I64}))
	left := b.atom(index(binary("&", count, i64(c.turns-1))), "left")
	b.when(binary(">", left, i64(0)), func(in *block) {
		c.written(in, func(j ir.Exp) ir.Exp {
			return minimum(index(add(subtract(count, left), j)), index(subtract(count, i64(1))))
		}, left)
	}, nil)
}

// log is the logarithm of the turns of a batch.
func (c *batcher) log() ir.Exp { return i64(int64(bits.TrailingZeros64(uint64(c.turns)))) }

// whole adds the batches that have all their turns.
func (c *batcher) whole(b *block, batches ir.Exp) {
	batch, in := b.temp("batch", ir.I64), b.sub()
	c.written(in, func(j ir.Exp) ir.Exp { return add(times(batch, i64(c.turns)), j) }, nil)
	b.add(&For{Var: batch.Name, Bound: batches, Body: in.stmts, Single: true})
}

// divide finds what a turn reads before anything else: the first statements that depend on no
// earlier turn.
func (c *batcher) divide() bool {
	at := 0
	for at < len(c.loop.Body) && c.first(c.loop.Body[at]) {
		at++
	}
	c.reads, c.rest = c.loop.Body[:at], c.loop.Body[at:]
	for _, s := range c.reads {
		if s, ok := s.(*Set); ok && !c.read[s.Dst] {
			c.front = append(c.front, s)
		}
	}
	return len(c.read)+len(c.moves) > 0 && c.plain(c.rest)
}

// ready reports whether the expressions of a statement depend on no earlier turn, and whether on
// what was read.
func (c *batcher) ready(s Stmt) (ok, depends bool) {
	ok = true
	s.visit(&visitor{exp: func(e ir.Exp) {
		ir.ExpNames(e, func(n string) { ok, depends = ok && (c.done[n] || !c.assigned[n]), depends || c.read[n] })
	}})
	return ok, depends
}

// first reports whether a statement depends on no earlier turn, and notes what it assigns.
func (c *batcher) first(s Stmt) bool {
	ok, depends := c.ready(s)
	if !ok {
		return false
	}
	switch s := s.(type) {
	case *Set:
		c.done[s.Dst], c.prims[s.Dst] = true, s.E.Prim()
		if depends {
			c.read[s.Dst] = true
		}
		return true
	case *Load:
		// What rooms hold may come from earlier turns. The few values that other groups left are
		// not worth the registers, which the whole kernel would have fewer work-items for.
		if !c.b.k.out.Own[s.Mem] && !s.Fresh {
			c.done[s.Dst], c.prims[s.Dst], c.read[s.Dst] = true, s.Prim, true
			return true
		}
	case *Move:
		if !s.Store && !s.Near && !s.Group {
			c.moves = append(c.moves, s)
			return true
		}
	}
	return false
}

// plain reports whether statements, and those in branches and in loops that are written out, only
// compute, read and check, and write nothing but rooms.
func (c *batcher) plain(list []Stmt) bool {
	return !slices.ContainsFunc(list, func(s Stmt) bool {
		switch s := s.(type) {
		case *Set, *Load, *Check:
			return false
		case *Store:
			return !c.b.k.out.Own[s.Mem]
		case *If:
			return !c.plain(s.Then) || !c.plain(s.Else)
		case *For:
			return !s.Whole || !c.plain(s.Body)
		}
		return true
	})
}

// size chooses the turns of a batch, and makes rooms for what they read; false if that is too much.
func (c *batcher) size() bool {
	uses(c.rest, func(r *ir.Ref) {
		if c.read[r.Name] && !slices.Contains(c.kept, r.Name) {
			c.kept = append(c.kept, r.Name)
		}
	}, nil)
	bytes, reads := int64(0), int64(0)
	for _, n := range c.kept {
		if t := c.prims[n]; t == ir.F16 || t == ir.Bool {
			return false
		}
		bytes += c.prims[n].Size()
	}
	for _, m := range c.moves {
		bytes += m.Len * m.Prim.Size()
	}
	Each(c.reads, func(s Stmt) {
		if isA[*Load](s) || isA[*Move](s) {
			reads++
		}
	})
	for c.turns = batchTurns; c.turns*bytes > c.bytes || c.turns*reads > c.bytes/4; c.turns /= 2 {
	}
	if c.turns < 2 {
		return false
	}
	out := c.b.k.out
	for _, n := range c.kept {
		room := c.b.f.temp("batch_" + n)
		c.rooms = append(c.rooms, room)
		out.Rooms = append(out.Rooms, Room{room, c.turns * c.prims[n].Size()})
		out.Own[room] = true
	}
	for _, m := range c.moves {
		for i, r := range out.Rooms {
			if r.Name == m.Room {
				out.Rooms[i].Bytes = max(r.Bytes, c.turns*m.Len*m.Prim.Size())
			}
		}
	}
	return true
}

// written adds the turns of a batch, which turn gives; only the first ones if left is set.
func (c *batcher) written(b *block, turn func(j ir.Exp) ir.Exp, left ir.Exp) {
	whole := func(body func(j ir.Exp) []Stmt) {
		j := b.temp("j", ir.I64)
		b.add(&For{Var: j.Name, Bound: i64(c.turns), Body: body(j), Whole: true})
	}
	whole(func(j ir.Exp) []Stmt { return c.reading(j, turn(j)) })
	whole(func(j ir.Exp) []Stmt {
		list := c.using(j, turn(j))
		if left != nil {
			list = []Stmt{&If{Cond: less(j, left), Then: list}}
		}
		return list
	})
}

// reading returns what turn number j of a batch reads.
func (c *batcher) reading(j, turn ir.Exp) []Stmt {
	list := append([]Stmt{&Set{Dst: c.loop.Var, E: index(turn)}}, c.reads...)
	for i, n := range c.kept {
		list = append(list, &Store{Mem: c.rooms[i], Prim: c.prims[n], Off: j, Val: &ir.Ref{Name: n, T: c.prims[n]}})
	}
	list = c.copied(list)
	Each(list, func(s *Move) { s.Behind = times(j, i64(s.Len)) })
	return list
}

// using returns what turn number j does with what it read. What follows from the turn alone is
// computed once more.
func (c *batcher) using(j, turn ir.Exp) []Stmt {
	list := append([]Stmt{&Set{Dst: c.loop.Var, E: index(turn)}}, c.front...)
	var used []string
	uses(c.rest, func(r *ir.Ref) { used = append(used, r.Name) }, nil)
	list = needed(list, used...)
	for i, n := range c.kept {
		list = append(list, &Load{Dst: n, Prim: c.prims[n], Mem: c.rooms[i], Off: j})
	}
	list = c.copied(append(list, c.rest...))
	for _, m := range c.moves {
		Each(list, func(s *Load) {
			if s.Mem == m.Room {
				s.Off = add(times(j, i64(m.Len)), s.Off)
			}
		})
	}
	return list
}

// copied copies statements. Variables that only the statements that read assign get other names, so
// that they can be declared where they are assigned.
//
// The index that the loop is about keeps its name (nearer).
func (c *batcher) copied(list []Stmt) []Stmt {
	names := map[string]string{}
	for _, n := range slices.Sorted(maps.Keys(c.done)) {
		if n != c.along && !assigns(c.rest, n) && mentions(list, n) {
			names[n] = c.b.temp(n, c.prims[n]).Name
		}
	}
	return renamed(list, names)
}
