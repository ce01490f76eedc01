package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Scans in one pass]
//
// On some devices a group may wait for one that began before it. There a scan reads each value once
// and writes each result once (Merrill and Garland). All values of all segments form one row, which
// is divided into tiles of 256 * each values. A group takes the next tile's number from a counter,
// so every tile before it is done or in progress. It
//
//   1. brings the tile to local memory, where neighbouring work-items read neighbours;
//   2. scans it: every work-item scans `each` neighbouring values, and the group scans the totals
//      of these;
//   3. publishes the tile's total, and raises the tile's flag to 1;
//   4. looks back: its work-items await the flags of the 256 tiles before. They combine the totals
//      of those tiles, beginning with the last one whose flag is 2, which has the combination of
//      all tiles up to it; if there is none, the group goes on with the 256 tiles before;
//   5. publishes the combination of all tiles up to its own, and raises its flag to 2;
//   6. combines the total of all earlier tiles with its values, and stores them.
//
// A segment that begins in a tile cuts off everything before: values carry a mark that says whether
// they contain the beginning of a segment. If x comes before y, and y is marked, only y counts.
// `each` is odd, so that the values that neighbouring work-items scan lie in several banks of local
// memory.
//
// A tile's total shares words with its flag (Note [Flags that carry values]). So a tile that looks
// back waits for one access, and a tile that raises its flag waits for none. In 2 and 4, waves
// combine their values first, for which only their own work-items have to meet, and `fan` values at a
// time, which takes fewer meetings than pairs.

// bytes is the size of a value.
func (c *combination) bytes() (n int64) {
	for _, t := range c.t {
		n += t.Size()
	}
	return n
}

// tileRoom is how many bytes of a tile are a work-item's in local memory. With the values and the
// marks that work-items tell each other, a group takes no more than localBytes.
func (c *combination) tileRoom(b *block) int64 {
	return min(b.f.l.threshold(tileBytes), localBytes/GroupSize-2*c.bytes()-12)
}

// localBytes is the local memory without which no group scans tiles; GPUs have it.
const localBytes = 48 << 10

// each is the number of values that a work-item scans.
func (c *combination) each(b *block) int64 {
	bytes := c.bytes()
	return max(c.tileRoom(b)/max(bytes, 2)-1, 0) | 1
}

// largest is the size of the largest values: larger ones leave no room for the tile and the
// window in the local memory that every GPU has.
const largest = 32

// fan is the number of values that a work-item combines between two barriers.
const fan = 4

// A tileScan is a scan in one pass, being lowered.
type tileScan struct {
	*combination
	e     int64  // values per work-item
	lane  ir.Exp // a work-item's number among those that share a tile
	lanes int64  // so many do
	total sym.Poly
	flags string // of the tiles, with their totals, and after them the counter
	tiles ir.Exp

	staged, shared []string // local: the tile's values; one value per work-item
	marks          string   // local: the marks of shared
	segmented      bool
	near           *nearTile // set if a tile is in words; then no values are staged
}

func (c *combination) scanTiles(b *block) {
	s := &tileScan{combination: c, e: c.each(b), lane: localID, lanes: GroupSize, segmented: len(c.segs) > 0}
	s.total = sym.Of(b.atom(c.segments().Mul(c.n).Exp(), "total"))
	in := b.kernel(kernelName(c.stmt, "scan_tiles"), c.doc("one pass over tiles scans"))
	if s.near = s.wordTile(in); s.near != nil {
		s.e = s.near.units * s.near.n
	}
	s.tiles = b.atom(maximum(ceilDiv(s.total.Exp(), i64(s.e*GroupSize)), i64(1)), "tiles")
	flags := b.rowMajor("flags", ir.U64, []sym.Poly{sym.Of(s.firstWord(s.tiles)).Add(sym.Const(1))})
	s.flags = flags.mem
	b.fill(c.stmt, flags, "flags", "lowers the flags of tiles", func(*block, []sym.Poly) ir.Exp { return wordLit(0) })
	s.lower(in)
	if in.k.out.LocalBytes() > localBytes {
		panic("imp: a scan in one pass takes more local memory than its tiles may")
	}
	b.launch(in, s.tiles)
	b.add(&Free{Mem: s.flags})
}

func flagLit(v string) ir.Exp { return &ir.Lit{Text: v, T: ir.I32, Bits: uint64(v[0] - '0')} }

func (s *tileScan) local(b *block, base string, t ir.Prim, n int64) string {
	name := b.f.temp(base)
	b.k.out.Locals = append(b.k.out.Locals, Local{Name: name, Prim: t, Len: int(n)})
	return name
}

func (s *tileScan) lower(b *block) {
	s.shared = s.locals(b)
	if s.segmented {
		s.marks = s.local(b, "marks", ir.I32, GroupSize)
	}
	if s.near != nil {
		s.inWords(b)
		return
	}
	for _, t := range s.t {
		s.staged = append(s.staged, s.local(b, "staged", t, s.e*GroupSize))
	}
	tile := s.ticket(b)
	base := b.atom(index(times(tile, i64(s.e*GroupSize))), "base")
	s.stage(b, base)
	mine, marked := s.scanOwn(b, base)
	s.scanShared(b, mine, marked, func() { s.publish(b, tile, mine, marked) })
	before := s.lookBack(b, tile, mine, marked)
	s.putBefore(b, base, before)
	s.deliver(b, base)
}

// ticket returns the number of the group's tile.
func (s *tileScan) ticket(b *block) ir.Exp {
	ticket := s.local(b, "ticket", ir.I32, 1)
	b.when(equalTo(localID, i64(0)), func(in *block) {
		v := in.temp("next", ir.I32)
		behind := times(s.firstWord(s.tiles), i64(2)) // in i32
		in.add(&Ticket{Dst: v.Name, Mem: s.flags, Off: behind})
		in.add(&Store{Mem: ticket, Prim: ir.I32, Off: i64(0), Val: v})
	}, nil)
	b.barrier()
	v := b.temp("number", ir.I32)
	b.add(&Load{Dst: v.Name, Prim: ir.I32, Mem: ticket, Off: i64(0)})
	return b.atom(&ir.Convert{X: v, T: ir.I64}, "tile")
}

// turns loops over the values of a work-item.
func (s *tileScan) turns(b *block, body func(in *block, turn ir.Exp)) {
	if s.near != nil {
		s.near.turns(b, body)
		return
	}
	in, turn := b.sub(), b.temp("turn", ir.I64)
	body(in, turn)
	b.add(&For{Var: turn.Name, Bound: i64(s.e), Body: in.stmts})
	unroll(b)
}

// across visits the values of the tile such that neighbouring work-items have neighbours. inside is
// for values that there are: a tile that is full asks for none of them, and so reads many at once.
func (s *tileScan) across(b *block, base ir.Exp, body func(in *block, at, p ir.Exp, inside func(in *block, body func(*block)))) {
	visit := func(b *block, full bool) {
		s.turns(b, func(in *block, turn ir.Exp) {
			at := in.atom(index(add(times(turn, i64(s.lanes)), s.lane)), "at")
			p := in.atom(index(add(base, at)), "p")
			body(in, at, p, func(in *block, body func(*block)) {
				if full {
					body(in)
					return
				}
				in.when(less(p, s.total.Exp()), body, nil)
			})
		})
	}
	full := b.sub()
	if s.scalar {
		visit(full, true)
	}
	if len(full.stmts) == 0 || !full.stmts[len(full.stmts)-1].(*For).Unroll {
		visit(b, false)
		return
	}
	full.stmts[len(full.stmts)-1].(*For).Whole = !s.segmented
	behind := index(add(base, i64(s.e*s.lanes)))
	b.when(binary("<=", behind, s.total.Exp()), func(in *block) { in.add(full.stmts...) }, func(in *block) { visit(in, false) })
}

// point declares the indices of value p of the row.
func (s *tileScan) point(b *block, p ir.Exp) {
	if !s.segmented {
		b.f.bounds[s.along] = bound{s.n}
		b.declare(s.along, ir.I64)
		b.set(s.along, p)
		return
	}
	names, sizes := s.row()
	b.unravel(p, names, sizes)
}

// row is the space of all values, which stand in a row.
func (s *tileScan) row() (names []string, sizes []sym.Poly) {
	return append(s.segs[:len(s.segs):len(s.segs)], s.along), append(s.segSizes[:len(s.segSizes):len(s.segSizes)], s.n)
}

// stage brings the tile to local memory. Behind the last value stand neutral ones.
func (s *tileScan) stage(b *block, base ir.Exp) {
	var current []string
	for _, n := range s.acc {
		current = append(current, b.f.temp("here_"+n))
	}
	s.across(b, base, func(in *block, at, p ir.Exp, inside func(*block, func(*block))) {
		in.guarded(func(in *block) {
			s.start(in)
			s.operator.set(in, current, s.accumulated())
			inside(in, func(in *block) {
				s.point(in, p)
				s.operator.set(in, current, s.values(in))
			})
		})
		s.storeAll(in, s.staged, at, s.refs(current))
	})
	b.barrier()
}

// walk visits the work-item's own values in order, with their places in the tile if that is
// staged; in a segmented scan with the condition that one begins a segment.
func (s *tileScan) walk(b *block, base ir.Exp, body func(in *block, at, begins ir.Exp)) {
	first := index(times(s.lane, i64(s.e)))
	if s.near == nil {
		first = b.atom(first, "own")
	}
	var rest *ir.Ref
	if s.segmented {
		rest = b.temp("rest", ir.I64)
		b.set(rest.Name, index(binary("%", add(base, first), maximum(s.n.Exp(), i64(1)))))
	}
	s.turns(b, func(in *block, turn ir.Exp) {
		var at ir.Exp
		if s.near == nil {
			at = in.atom(index(add(first, turn)), "at")
		}
		if !s.segmented {
			body(in, at, nil)
			return
		}
		body(in, at, equalTo(rest, i64(0)))
		next := index(add(rest, i64(1)))
		in.set(rest.Name, choose(binary(">=", next, s.n.Exp()), i64(0), next))
	})
}

// own declares variables for what each work-item's own values come to, so far that of none,
// and whether a segment begins among them.
func (s *tileScan) own(b *block) (mine []string, marked *ir.Ref) {
	for _, n := range s.acc {
		mine = append(mine, b.f.temp("own_"+n))
	}
	if s.segmented {
		marked = b.temp("marked", ir.I32)
		b.set(marked.Name, flagLit("0"))
	}
	b.guarded(func(in *block) {
		s.start(in)
		s.operator.set(in, mine, s.accumulated())
	})
	return mine, marked
}

// scanOwn scans each work-item's own values.
func (s *tileScan) scanOwn(b *block, base ir.Exp) (mine []string, marked *ir.Ref) {
	mine, marked = s.own(b)
	s.walk(b, base, func(in *block, at, begins ir.Exp) {
		s.followOwn(in, begins, mine, marked, func(in *block) []ir.Exp { return s.loadAll(in, s.staged, at) })
		s.storeAll(in, s.staged, at, s.refs(mine))
	})
	s.offer(b, mine, marked)
	return mine, marked
}

// offer stores what a work-item's values come to where others read it.
func (s *tileScan) offer(b *block, mine []string, marked *ir.Ref) {
	s.storeAll(b, s.shared, localID, s.refs(mine))
	if s.segmented {
		b.add(&Store{Mem: s.marks, Prim: ir.I32, Off: localID, Val: marked})
	}
}

// followOwn is follow, and notes that a segment begins.
func (s *tileScan) followOwn(b *block, begins ir.Exp, mine []string, marked *ir.Ref, next func(in *block) []ir.Exp) {
	if begins != nil {
		b.when(begins, func(in *block) { in.set(marked.Name, flagLit("1")) }, nil)
	}
	s.follow(b, begins, mine, next)
}

// follow combines variables with new values behind them; where a segment begins it combines
// the neutral ones. They matter: max(-inf, nan) is -inf.
func (s *tileScan) follow(b *block, begins ir.Exp, names []string, next func(in *block) []ir.Exp) {
	b.guarded(func(in *block) {
		vals := next(in)
		before := func(in *block) { s.operator.set(in, s.acc, s.refs(names)) }
		if begins == nil {
			before(in)
		} else {
			in.when(begins, s.start, before)
		}
		s.apply(in, vals)
		s.operator.set(in, names, s.accumulated())
	})
}

// precede combines variables with values before them.
func (s *tileScan) precede(b *block, names []string, before func(in *block) []ir.Exp) {
	b.guarded(func(in *block) {
		s.operator.set(in, s.acc, before(in))
		s.apply(in, s.refs(names))
		s.operator.set(in, names, s.accumulated())
	})
}

// unmarked is the condition that no segment begins among the values that a mark stands for.
func unmarked(mark ir.Exp) ir.Exp { return equalTo(mark, flagLit("0")) }

// markAt reads a mark.
func (s *tileScan) markAt(b *block, at ir.Exp) ir.Exp {
	v := b.temp("mark", ir.I32)
	b.add(&Load{Dst: v.Name, Prim: ir.I32, Mem: s.marks, Off: at})
	return v
}

// scanShared scans the totals of the work-items' values: first within each wave, where each has the
// combination of the last fan*r of them after the step r, and then with the totals of the waves before.
// After done they tell each other what they have.
func (s *tileScan) scanShared(b *block, mine []string, marked *ir.Ref, done func()) {
	precede := func(in *block, from, reached ir.Exp) {
		if s.segmented {
			reached = and(reached, unmarked(marked))
		}
		in.when(reached, func(in *block) {
			s.precede(in, mine, func(in *block) []ir.Exp { return s.loadAll(in, s.shared, from) })
			if s.segmented {
				in.set(marked.Name, s.markAt(in, from))
			}
		}, nil)
	}
	reach := b.temp("reach", ir.I64)
	b.set(reach.Name, i64(1))
	in := b.sub()
	in.meet(true)
	fanned(in, reach, func(in *block, far ir.Exp) {
		precede(in, in.atom(index(subtract(localID, far)), "from"), not(less(ofWave, far)))
	})
	in.meet(true)
	s.offer(in, mine, marked)
	in.set(reach.Name, index(times(reach, i64(fan))))
	b.add(&While{Cond: less(reach, i64(waveItems)), Body: in.stmts})
	b.barrier()
	k, each := b.temp("wave", ir.I64), b.sub()
	from := each.atom(index(subtract(localID, add(add(ofWave, times(k, i64(waveItems))), i64(1)))), "from")
	precede(each, from, ir.BoolLit(true))
	b.add(&For{Var: k.Name, Bound: index(quotient(localID, i64(waveItems))), Body: each.stmts})
	done()
	b.barrier()
	s.offer(b, mine, marked)
	b.barrier()
}

// ofWave is the number of a work-item in its wave.
var ofWave = index(binary("&", localID, i64(waveItems-1)))

// fanned gives body the distances reach, 2*reach, .. below fan*reach, one after the other.
func fanned(b *block, reach ir.Exp, body func(in *block, far ir.Exp)) {
	k := b.temp("branch", ir.I64)
	in := b.sub()
	body(in, in.atom(index(times(add(k, i64(1)), reach)), "far"))
	b.add(&For{Var: k.Name, Bound: i64(fan - 1), Body: in.stmts, Whole: true})
}

// leader is the condition of the group's last work-item, whose sum is the total of the tile.
var leader = equalTo(localID, i64(GroupSize-1))

// alone is the leader's condition that its tile needs no other: the first one, or one in which a segment
// begins.
func (s *tileScan) alone(tile ir.Exp, marked *ir.Ref) ir.Exp {
	first := equalTo(tile, i64(0))
	if !s.segmented {
		return first
	}
	return &ir.Binary{Op: "||", X: first, Y: not(unmarked(marked)), T: ir.Bool}
}

// publish raises the tile's flag.
func (s *tileScan) publish(b *block, tile ir.Exp, mine []string, marked *ir.Ref) {
	b.when(leader, func(in *block) {
		in.when(s.alone(tile, marked), func(in *block) {
			s.raise(in, tile, 2, s.refs(mine))
		}, func(in *block) {
			s.raise(in, tile, 1, s.refs(mine))
		})
	}, nil)
}

// lookBack returns variables with the combination of all that comes before the tile, which
// is the neutral value for the first one.
func (s *tileScan) lookBack(b *block, tile ir.Exp, mine []string, marked *ir.Ref) []string {
	var before, seen []string
	for _, n := range s.acc {
		before = append(before, b.f.temp("before_"+n))
		seen = append(seen, b.f.temp("seen_"+n))
	}
	// What the work-items' values come to is read again in putBefore, so the window has
	// local memory of its own.
	var window []string
	for _, t := range s.t {
		window = append(window, s.local(b, "window", t, GroupSize))
	}
	closed := s.local(b, "closed", ir.I32, GroupSize)
	b.guarded(func(in *block) {
		s.start(in)
		s.operator.set(in, before, s.accumulated())
	})
	at := b.temp("back", ir.I64)
	b.set(at.Name, tile)
	in := b.sub()
	// The window's last entry is the tile just before.
	p := in.atom(index(add(subtract(at, groupSize), localID)), "p")
	flag := in.temp("flag", ir.I32)
	in.set(flag.Name, flagLit("2"))
	in.guarded(func(in *block) {
		s.start(in)
		s.operator.set(in, seen, s.accumulated())
	})
	in.when(binary(">=", p, i64(0)), func(in *block) { s.await(in, p, flag, seen) }, nil)
	s.storeAll(in, window, localID, s.refs(seen))
	in.add(&Store{Mem: closed, Prim: ir.I32, Off: localID, Val: flag})
	s.windowTree(in, window, closed, seen)
	s.precede(in, before, func(in *block) []ir.Exp { return s.loadAll(in, window, i64(0)) })
	shut := in.temp("shut", ir.I32)
	in.add(&Load{Dst: shut.Name, Prim: ir.I32, Mem: closed, Off: i64(0)})
	in.set(at.Name, choose(equalTo(shut, flagLit("2")), i64(0), index(subtract(at, groupSize))))
	in.barrier()
	b.add(&While{Cond: binary(">", at, i64(0)), Body: in.stmts})
	b.when(and(leader, not(s.alone(tile, marked))), func(in *block) {
		s.precede(in, mine, func(*block) []ir.Exp { return s.refs(before) })
		s.raise(in, tile, 2, s.refs(mine))
	}, nil)
	return before
}

// windowTree combines the totals of a window's tiles, neighbours first: within each wave, and then
// those of the waves. A tile that is closed, having all tiles up to it, cuts those before.
func (s *tileScan) windowTree(b *block, window []string, closed string, seen []string) {
	combine := func(in *block, next ir.Exp) {
		shut := in.temp("shut", ir.I32)
		in.add(&Load{Dst: shut.Name, Prim: ir.I32, Mem: closed, Off: next})
		in.when(equalTo(shut, flagLit("2")), func(in *block) {
			s.operator.set(in, seen, s.loadAll(in, window, next))
			in.add(&Store{Mem: closed, Prim: ir.I32, Off: localID, Val: shut})
		}, func(in *block) {
			in.guarded(func(in *block) {
				s.operator.set(in, s.acc, s.refs(seen))
				s.apply(in, s.loadAll(in, window, next))
				s.operator.set(in, seen, s.accumulated())
			})
		})
	}
	step := func(in *block, active ir.Exp, body func(in *block)) {
		in.when(active, func(in *block) {
			s.operator.set(in, seen, s.loadAll(in, window, localID))
			body(in)
			s.storeAll(in, window, localID, s.refs(seen))
		}, nil)
	}
	reach := b.temp("span", ir.I64)
	b.set(reach.Name, i64(1))
	in := b.sub()
	in.meet(true)
	step(in, equalTo(index(binary("&", ofWave, subtract(times(reach, i64(fan)), i64(1)))), i64(0)), func(in *block) {
		fanned(in, reach, func(in *block, far ir.Exp) {
			in.when(less(add(ofWave, far), i64(waveItems)), func(in *block) { combine(in, in.atom(index(add(localID, far)), "later")) }, nil)
		})
	})
	in.set(reach.Name, index(times(reach, i64(fan))))
	b.add(&While{Cond: less(reach, i64(waveItems)), Body: in.stmts})
	b.barrier()
	step(b, equalTo(localID, i64(0)), func(in *block) {
		k, each := in.temp("wave", ir.I64), in.sub()
		combine(each, each.atom(index(times(add(k, i64(1)), i64(waveItems))), "later"))
		in.add(&For{Var: k.Name, Bound: i64(GroupSize/waveItems - 1), Body: each.stmts})
	})
	b.barrier()
}

// earlier combines the total of all earlier tiles with the values of earlier work-items.
func (s *tileScan) earlier(b *block, before []string) {
	b.when(binary(">", localID, i64(0)), func(in *block) {
		from := in.atom(index(subtract(localID, i64(1))), "from")
		earlier := func(in *block) {
			in.guarded(func(in *block) {
				s.operator.set(in, s.acc, s.refs(before))
				s.apply(in, s.loadAll(in, s.shared, from))
				s.operator.set(in, before, s.accumulated())
			})
		}
		if s.segmented {
			in.when(unmarked(s.markAt(in, from)), earlier, func(in *block) {
				s.operator.set(in, before, s.loadAll(in, s.shared, from))
			})
			return
		}
		earlier(in)
	}, nil)
}

// putBefore combines the total of all earlier values with a work-item's own.
func (s *tileScan) putBefore(b *block, base ir.Exp, before []string) {
	s.earlier(b, before)
	var current []string
	for _, n := range s.acc {
		current = append(current, b.f.temp("out_"+n))
	}
	var isOpen *ir.Ref
	if s.segmented {
		isOpen = b.temp("reached", ir.Bool)
		b.set(isOpen.Name, ir.BoolLit(true))
	}
	s.walk(b, base, func(in *block, at, begins ir.Exp) {
		put := func(in *block) {
			s.operator.set(in, current, s.loadAll(in, s.staged, at))
			s.precede(in, current, func(*block) []ir.Exp { return s.refs(before) })
			s.storeAll(in, s.staged, at, s.refs(current))
		}
		if begins == nil {
			put(in)
			return
		}
		in.when(begins, func(in *block) { in.set(isOpen.Name, ir.BoolLit(false)) }, nil)
		in.when(isOpen, put, nil)
	})
	b.barrier()
}

// deliver stores the tile's results.
func (s *tileScan) deliver(b *block, base ir.Exp) {
	s.across(b, base, func(in *block, at, p ir.Exp, inside func(*block, func(*block))) {
		inside(in, func(in *block) {
			s.point(in, p)
			s.store(in, s.loadAll(in, s.staged, at))
		})
		if !s.totals() {
			return
		}
		// A total alone; of no values it is the neutral one.
		in.when(equalTo(p, index(subtract(maximum(s.total.Exp(), i64(1)), i64(1)))), func(in *block) {
			s.storeLast(in, s.loadAll(in, s.staged, at))
		}, nil)
	})
}
