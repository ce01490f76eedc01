package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Scans]
//
// A segment of n values is scanned by G work-groups, in three kernels:
//
//   1. Each group scans `chunk` neighbouring values, tile by tile of 256: the work-items scan a
//      tile in local memory (as Hillis and Steele do, but `fan` values at a time, see Note [Scans
//      in one pass]; on a processor one work-item alone), then combine it with the total of the
//      tiles before, the carry. The group keeps its last value.
//   2. One group per segment scans the G values kept, in the same way.
//   3. Every element after the first chunk is combined with the value of the chunks before it.
//
// With G = 1 the first kernel suffices. If there are many segments, or short ones, each gets one
// work-item. The order of operands is kept throughout.
//
// If only the last one of some values is requested, the values are not stored, so step 3 has
// nothing to combine. Then the first kernel only computes the total of each chunk. A third kernel
// scans the chunks once more, each starting from the total of those before it, and stores; the body
// runs twice. If not even the last one is, the values are stored for as long as the scan runs. A scan
// in one pass needs neither.

func (b *block) scan(s *ir.Stmt, op *ir.Scan) {
	c, dsts, temps := b.combine(s, op.Space, &op.Op, op.Body, true)
	if c.values == nil {
		return
	}
	switch {
	case b.tasks():
		b.strategy(c, c.scanItems, c.scanTasks)
	default:
		c.byGroups(b, c.scanDevice, c.scanItems, c.scanTasks)
	}
	b.finish(c, dsts, temps)
}

// scanDevice chooses by device and sizes. A work-item per segment is best where
// neighbouring segments lie side by side, and there are enough of them.
func (c *combination) scanDevice(b *block) {
	slow := c.scanGroups
	if c.totals() {
		slow = c.scanAgain
	} else if c.last != nil {
		slow = func(b *block) { c.stored(b, (*combination).scanGroups) }
	}
	total := c.segments().Mul(c.n).Exp()
	waits := ir.Exp(ir.BoolLit(false))
	grouped := slow
	if c.bytes() <= largest && !c.works {
		waits = and(equalTo(b.query(DeviceWaits), i64(1)), binary(">", total, i64(b.f.l.threshold(tileWork))), not(b.lacks(localBytes)))
		grouped = func(b *block) { b.when(waits, c.scanTiles, slow) }
	}
	if len(c.segs) == 0 {
		grouped(b)
		return
	}
	in, groups := c.scanItem(b)
	many := not(less(c.segments().Exp(), i64(b.f.l.threshold(manySegments))))
	if nearer(in.stmts, c.segs[len(c.segs)-1], c.along) <= 0 {
		many = and(not(waits), many)
	}
	short := atMost(c.n, b.f.l.threshold(fewElements))
	if known(short) < 0 {
		short = and(not(waits), short)
	}
	if c.works {
		many = not(less(times(c.segments().Exp(), i64(minLanes)), b.query(DeviceItems)))
	}
	b.when(or(many, short), func(b *block) { b.launch(in, groups) }, grouped)
}

// stored scans with temporary arrays for the totals that nothing reads: to scan the values once more
// would take longer than to read back what they came to.
func (c *combination) stored(b *block, scan func(*combination, *block)) {
	all := *c
	all.dsts, all.last = slices.Clone(c.dsts), nil
	var temps []string
	for i, d := range all.dsts {
		if d == nil {
			all.dsts[i] = b.rowMajor("unread", c.t[i], []sym.Poly{c.n})
			temps = append(temps, all.dsts[i].mem)
		}
	}
	scan(&all, b)
	for _, m := range temps {
		b.add(&Free{Mem: m})
	}
}

// scanItems gives each segment to one work-item.
func (c *combination) scanItems(b *block) {
	in, groups := c.scanItem(b)
	b.launch(in, groups)
}

func (c *combination) scanItem(b *block) (in *block, groups ir.Exp) {
	in = b.kernel(kernelName(c.stmt, "scan_items"), c.doc("one work-item per segment scans"))
	groups = b.points(in, c.segs, c.segSizes, func(in *block, _ []sym.Poly) {
		c.start(in)
		in.over(c.along, c.n.Exp(), c.n, nil, func(in *block) {
			c.apply(in, c.values(in))
			c.store(in, c.accumulated())
		})
	})
	return in, groups
}

// scanGroups gives each segment to G work-groups.
func (c *combination) scanGroups(b *block) {
	groups := b.groupsPer(c, b.f.l.threshold(scanWork))
	// Rounding up to whole tiles can make the last groups empty: their value is
	// the neutral one.
	tiles := b.atom(ceilDiv(c.n.Exp(), times(groups, groupSize)), "tiles")
	sums, at := c.partials(b, groups)

	in := b.kernel(kernelName(c.stmt, "scan"), c.doc("work-groups scan"))
	part := in.segment(c, groups)
	carry := c.scanChunk(in, c.values, c.store, c.start, part, tiles)
	in.when(and(binary(">", groups, i64(1)), equalTo(localID, i64(0))), func(in *block) {
		c.storeAll(in, sums, groupID, carry)
	}, nil)
	b.launch(in, c.segments().Mul(sym.Of(groups)).Exp())

	b.when(binary(">", groups, i64(1)), func(b *block) {
		c.scanSums(b, groups, sums, at)
		c.addSums(b, tiles, sums, at)
	}, nil)
	for _, m := range slices.Compact(slices.Sorted(slices.Values(sums))) {
		b.add(&Free{Mem: m})
	}
}

// scanAgain scans a single segment with G work-groups, of which the first kernel
// computes the totals of their chunks and the last one stores.
func (c *combination) scanAgain(b *block) {
	groups := b.groupsPer(c, b.f.l.threshold(scanWork))
	tiles := b.atom(ceilDiv(c.n.Exp(), times(groups, groupSize)), "tiles")
	sums, at := c.partials(b, groups)
	several := binary(">", groups, i64(1))
	b.when(several, func(b *block) {
		in := b.kernel(kernelName(c.stmt, "scan_chunks"), c.doc("work-groups find what their chunks come to of"))
		part := in.segment(c, groups)
		carry := c.scanChunk(in, c.pure, func(*block, []ir.Exp) {}, c.start, part, tiles)
		in.when(equalTo(localID, i64(0)), func(in *block) { c.storeAll(in, sums, groupID, carry) }, nil)
		b.launch(in, groups)
		c.scanSums(b, groups, sums, at)
	}, nil)

	in := b.kernel(kernelName(c.stmt, "scan"), c.doc("work-groups scan"))
	part := in.segment(c, groups)
	start := func(in *block) {
		c.start(in)
		in.when(binary(">", part, i64(0)), func(in *block) {
			c.operator.set(in, c.acc, c.loadAll(in, sums, subtract(part, i64(1))))
		}, nil)
	}
	carry := c.scanChunk(in, c.values, c.store, start, part, tiles)
	in.when(and(equalTo(part, subtract(groups, i64(1))), equalTo(localID, i64(0))), func(in *block) {
		c.storeLast(in, carry)
	}, nil)
	b.launch(in, groups)
	for _, m := range slices.Compact(slices.Sorted(slices.Values(sums))) {
		b.add(&Free{Mem: m})
	}
}

// scanChunk scans the group's chunk, from what start leaves accumulated, and gives
// what it comes to.
func (c *combination) scanChunk(b *block, values func(*block) []ir.Exp, store func(*block, []ir.Exp), start func(*block), part, tiles ir.Exp) (carry []ir.Exp) {
	shared := c.locals(b)
	var carried, current []string
	for _, n := range c.acc {
		carried = append(carried, b.f.temp("carry_"+n))
		current = append(current, b.f.temp("here_"+n))
	}
	carry = c.refs(carried)
	b.guarded(func(in *block) {
		start(in)
		c.operator.set(in, carried, c.accumulated())
	})
	b.f.bounds[c.along] = bound{c.n}
	in := b.sub()
	tile := in.temp("tile", ir.I64)
	in.declare(c.along, ir.I64)
	in.set(c.along, index(add(times(add(times(part, tiles), tile), groupSize), localID)))
	inside := less(ir.Var(c.along), c.n.Exp())
	in.guarded(func(in *block) {
		c.start(in)
		c.operator.set(in, current, c.accumulated())
		in.when(inside, func(in *block) { c.operator.set(in, current, values(in)) }, nil)
	})
	here := c.refs(current)
	c.storeAll(in, shared, localID, here)
	c.scanShared(in, shared, current)
	in.guarded(func(in *block) {
		c.operator.set(in, c.acc, carry)
		c.apply(in, here)
	})
	in.when(inside, func(in *block) { store(in, c.accumulated()) }, nil)
	in.guarded(func(in *block) {
		c.operator.set(in, c.acc, carry)
		c.apply(in, c.loadAll(in, shared, i64(GroupSize-1)))
		c.operator.set(in, carried, c.accumulated())
	})
	in.barrier()
	b.add(&For{Var: tile.Name, Bound: tiles, Body: in.stmts})
	return carry
}

// scanShared scans the values of the work-items, which are in current and in shared. On a processor one work-item
// scans them all: between barriers the others only take turns with it, and PoCL compiles that in half the time.
func (c *combination) scanShared(b *block, shared, current []string) {
	b.when(several, func(in *block) {
		(&tileScan{combination: c, shared: shared}).scanShared(in, current, nil, func() {})
	}, func(in *block) {
		in.barrier()
		in.when(equalTo(localID, i64(0)), func(in *block) {
			in.guarded(func(in *block) { c.scanAlone(in, shared) })
		}, nil)
		in.barrier()
		c.operator.set(in, current, c.loadAll(in, shared, localID))
	})
}

// scanAlone scans what the work-items have left in shared.
func (c *combination) scanAlone(b *block, shared []string) {
	c.operator.set(b, c.acc, c.loadAll(b, shared, i64(0)))
	k, in := b.temp("item", ir.I64), b.sub()
	at := in.atom(index(add(k, i64(1))), "at")
	c.apply(in, c.loadAll(in, shared, at))
	c.storeAll(in, shared, at, c.accumulated())
	b.add(&For{Var: k.Name, Bound: i64(GroupSize - 1), Body: in.stmts})
}

// scanRuns scans in one group: each work-item scans a run of neighbouring values and leaves them in
// the results, the work-items scan the totals of the runs, and each combines what comes before its
// run with the values there. A tile at a time would take as many barriers for every 256 values.
//
// The runs are of odd length, so that the values that neighbouring work-items scan lie in several
// banks of local memory.
func (c *combination) scanRuns(b *block) {
	shared := c.locals(b)
	each := b.atom(index(binary("|", ceilDiv(c.n.Exp(), groupSize), i64(1))), "each")
	first := b.atom(index(times(localID, each)), "first")
	count := b.atom(maximum(minimum(each, subtract(c.n.Exp(), first)), i64(0)), "count")
	position := func(turn ir.Exp) ir.Exp { return index(add(first, turn)) }
	var own []string
	for _, n := range c.acc {
		own = append(own, b.f.temp("own_"+n))
	}
	b.guarded(func(in *block) {
		c.start(in)
		in.over(c.along, count, c.n, position, func(in *block) {
			c.apply(in, c.values(in))
			c.store(in, c.accumulated())
		})
	})
	c.operator.set(b, own, c.accumulated())
	c.storeAll(b, shared, localID, c.refs(own))
	c.scanShared(b, shared, own)
	b.when(binary(">", localID, i64(0)), func(in *block) {
		in.guarded(func(in *block) {
			before := c.loadAll(in, shared, subtract(localID, i64(1)))
			in.over(c.along, count, c.n, position, func(in *block) {
				c.operator.set(in, c.acc, before)
				c.apply(in, c.load(in))
				c.store(in, c.accumulated())
			})
		})
	}, nil)
	b.barrier() // in a branch, PoCL 3.1 loses what stands behind its last barrier
}

// scanSums scans the groups' values in place.
func (c *combination) scanSums(b *block, groups ir.Exp, sums []string, at *array) {
	tiles := b.atom(ceilDiv(groups, groupSize), "tiles")
	in := b.kernel(kernelName(c.stmt, "scan_sums"), c.doc("scans the groups' values of"))
	in.segment(c, i64(1))
	second := *c
	second.along, second.n = b.f.temp("part"), sym.Of(groups)
	off, _ := at.fun.FlatOffset(append(vars(c.segs), sym.Var(second.along)))
	second.scanChunk(in,
		func(in *block) []ir.Exp { return c.loadAll(in, sums, off.Exp()) },
		func(in *block, vals []ir.Exp) { c.storeAll(in, sums, off.Exp(), vals) },
		c.start, i64(0), tiles)
	b.launch(in, c.segments().Exp())
}

// addSums combines each element with the total of the chunks before it.
func (c *combination) addSums(b *block, tiles ir.Exp, sums []string, at *array) {
	names := append(c.segs[:len(c.segs):len(c.segs)], c.along)
	sizes := append(c.segSizes[:len(c.segSizes):len(c.segSizes)], c.n)
	b.grid(kernelName(c.stmt, "scan_add"), c.doc("adds the groups' values to"), names, sizes, func(in *block, ix []sym.Poly) {
		part := in.atom(index(binary("/", ir.Var(c.along), times(tiles, groupSize))), "part")
		in.when(binary(">", part, i64(0)), func(in *block) {
			off, _ := at.fun.FlatOffset(append(vars(c.segs), sym.Of(part).Sub(sym.Const(1))))
			c.operator.set(in, c.acc, c.loadAll(in, sums, off.Exp()))
			c.apply(in, c.load(in))
			c.store(in, c.accumulated())
		}, nil)
	})
}
