package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A reduction is a combination being reduced on a device (Note [Reductions]).
type reduction struct {
	*combination
	commutative bool
	plain       bool     // a work-item reads its values one by one
	partial     []string // blocks of the parts' values, element part * segments + seg
	parts       ir.Exp   // of a segment
	lanes       ir.Exp   // of a part
	lanesLog    ir.Exp
	wave        bool  // the lanes of a part are a wave
	apart       bool  // neighbouring work-items are lanes of neighbouring segments, not of one
	columns     bool  // neighbouring segments lie side by side
	wide        int64 // values that a work-item reads at once (nearshare.go, columns.go); 0: one
	// Of one segment, whose last group to end may reduce the parts' values itself: whether it
	// does, and the count of groups that have left theirs.
	joins *ir.Ref
	left  *array
}

func (r *reduction) lower(b *block) {
	parts, items := b.temp("parts", ir.I64), ir.Exp(b.query(DeviceItems))
	if r.works {
		items = b.atom(b.busyItems(), "busy")
	}
	r.parts, r.lanes, r.lanesLog = parts, groupSize, i64(groupLog)
	for range r.t {
		r.partial = append(r.partial, b.declareMem(b.f.temp("partial_mem")))
		b.f.own[r.partial[len(r.partial)-1]] = true
	}
	if len(r.segs) == 0 {
		r.joins, r.left = b.temp("joins", ir.I64), b.slot("left", ir.I32)
		in := r.inLanes(b)
		in.k.points = r.n.Exp() // a work-item whose number is not below that gets no value
		b.set(parts.Name, r.partsOf(b, quotient(items, groupSize), GroupSize))
		b.set(r.joins.Name, choose(binary(">", parts, i64(1)), b.query(DeviceWaits), i64(0)))
		r.alloc(b)
		lanes := func(b *block) { b.launch(in, parts) }
		if t := r.byTiles(b); t != nil {
			tiles := t.kernel()
			b.when(or(equalTo(b.query(DeviceWave), i64(1)), b.lacks(tiles.k.out.LocalBytes())), lanes, func(b *block) { b.launch(tiles, parts) })
		} else {
			lanes(b)
		}
	} else {
		r.segmented(b, parts, items)
	}
	r.combineParts(b)
	for _, m := range r.partial {
		b.add(&Free{Mem: m})
	}
}

// segmented chooses between work-items and groups of them for each segment.
func (r *reduction) segmented(b *block, parts *ir.Ref, items ir.Exp) {
	r.lanes, r.lanesLog = b.temp("lanes", ir.I64), b.temp("lanes_log", ir.I64)
	segments := b.atom(r.segments().Exp(), "segments")
	grouped := r.inLanes(b)
	near := nearer(grouped.stmts, r.segs[len(r.segs)-1], r.along)

	single := *r
	single.parts, single.lanesLog, single.columns = i64(1), nil, near > 0
	alone, aloneGroups := single.inItems(b)
	point := alone
	if point.k.point == nil {
		plain := single
		plain.plain = true
		point, _ = plain.inItems(b)
	}
	j := b.jammed(point, r.segs, r.segSizes)
	byItems := func(b *block) {
		b.set(parts.Name, i64(1))
		r.alloc(b)
		j.launch(b, kernelName(r.stmt, "reduce"), r.doc("reduces"), func(b *block) { b.launch(alone, aloneGroups) })
	}
	if r.works {
		byItems = r.reduceItems
	}
	if near > 0 {
		r.neighbouring(b, parts, items, segments, single.wide, byItems)
		return
	}
	// A lane has the fewer values the more each costs; then short segments have lanes, too.
	lane := b.f.l.threshold(laneShare)
	share := r.worth(b, lane)
	// On processors a work-item that reads neighbours is as good as any.
	wave := b.query(DeviceWave)
	few := or(atMost(r.n, shortest*share/lane), and(equalTo(wave, i64(1)), not(less(times(segments, i64(fewItems)), items))))
	if near == 0 {
		few = or(few, or(atMost(r.n, b.f.l.threshold(fewElements)*share/lane), not(less(times(segments, i64(farItems)), items))))
	}
	if j != nil && len(j.staged) > 0 {
		few = or(few, and(j.enough(b), j.high(b))) // then groups read neighbours, whoever uses them
	}
	if r.works {
		few = or(few, not(less(times(segments, i64(minLanes)), items)))
	}
	inLanes := func(b *block) { r.launchLanes(b, grouped, parts, items, segments, share) }
	if t := r.byTiles(b); t != nil {
		short, tiles := inLanes, t.kernel()
		inLanes = func(b *block) {
			b.when(or(or(equalTo(wave, i64(1)), b.lacks(tiles.k.out.LocalBytes())), less(r.n.Exp(), i64(t.size()))), short, func(b *block) {
				enough := quotient(quotient(items, groupSize), maximum(segments, i64(1)))
				b.set(parts.Name, r.partsOf(b, enough, GroupSize))
				r.alloc(b)
				b.launch(tiles, times(segments, parts))
			})
		}
	}
	b.when(few, byItems, func(b *block) { r.byLongSums(b, parts, items, segments, inLanes) })
}

// neighbouring chooses where the elements of neighbouring segments are neighbours. A work-item reads so many of them at
// once (wide; 0: one by one).
func (r *reduction) neighbouring(b *block, parts *ir.Ref, items, segments ir.Exp, wide int64, byItems func(*block)) {
	each := *r
	each.lanesLog, each.columns, each.wide = nil, true, wide
	// A work-item of small columns reads so much at once that a quarter of the work-items keep memory busy.
	b.set(parts.Name, each.partsOf(b, quotient(times(items, i64(max(each.wide/4, 1))), maximum(segments, i64(1))), 1))
	divided, dividedGroups := each.inItems(b)
	whole := func(b *block) {
		r.alloc(b)
		b.launch(divided, dividedGroups)
	}
	if each.wide == 0 {
		inItems := whole
		whole = func(b *block) { r.byBands(b, parts, segments, inItems) }
	}
	b.when(equalTo(parts, i64(1)), byItems, func(b *block) { r.byLongSums(b, parts, items, segments, whole) })
}

// launchLanes launches the kernel whose groups have lanes, each with about that share of a segment's values.
func (r *reduction) launchLanes(b, grouped *block, parts *ir.Ref, items, segments ir.Exp, share int64) {
	// A power of two: as many lanes as have their share each, or as fill the device.
	many := quotient(r.n.Exp(), i64(share))
	if r.commutative { // then a lane reads no neighbours, and may have more values
		fill := quotient(items, maximum(segments, i64(1)))
		if !r.works {
			fill = maximum(fill, quotient(r.n.Exp(), i64(fullShare*share)))
		}
		many = minimum(many, fill)
	}
	lanes, lanesLog := r.lanes.(*ir.Ref), r.lanesLog.(*ir.Ref)
	b.set(lanesLog.Name, logOf(minimum(maximum(many, i64(minLanes)), groupSize)))
	b.set(lanes.Name, &ir.Binary{Op: "<<", X: i64(1), Y: lanesLog, T: ir.I64})
	slots := b.atom(quotient(groupSize, lanes), "slots")
	enough := ceilDiv(quotient(items, groupSize), maximum(ceilDiv(segments, slots), i64(1)))
	b.set(parts.Name, r.partsOf(b, enough, GroupSize))
	r.alloc(b)
	grouped.k.points = times(times(segments, parts), lanes)
	b.launch(grouped, ceilDiv(times(segments, parts), slots))
}

// query asks the device.
func (b *block) query(what Property) *ir.Ref {
	v := b.temp("device_"+string(what), ir.I64)
	b.add(&Query{Dst: v.Name, What: what})
	return v
}

// groupLog is the logarithm of GroupSize.
const groupLog = 8

// logOf returns the logarithm of a positive number to base 2, rounded down.
func logOf(x ir.Exp) ir.Exp {
	zeros := &ir.Builtin{Fn: "clz", Args: []ir.Exp{x}, T: ir.I32}
	return subtract(i64(63), &ir.Convert{X: zeros, T: ir.I64})
}

// worth is the number of values that are worth a work-item, by what each costs; of small
// elements as many as have as many bytes as those of four.
func (r *reduction) worth(b *block, most int64) int64 {
	return min(max(b.f.l.threshold(shareWork)/max(r.cost, 1), 1), most) * max(r.wide/4, 1)
}

// partsOf returns the number of parts of a segment, for lanes work-items each: at most limit.
func (r *reduction) partsOf(b *block, limit ir.Exp, lanes int64) ir.Exp {
	share := r.worth(b, b.f.l.threshold(maxShare))
	return maximum(minimum(ceilDiv(r.n.Exp(), i64(share*lanes)), limit), i64(1))
}

// alloc makes room for the parts' values; none if each segment is one part.
func (r *reduction) alloc(b *block) {
	count := r.segments().Mul(sym.Of(r.parts))
	for i, t := range r.t {
		bytes := choose(binary(">", r.parts, i64(1)), count.Mul(sym.Const(t.Size())).Exp(), i64(0))
		b.add(&Alloc{Mem: r.partial[i], Bytes: bytes, Site: b.f.l.site(), Span: b.f.at})
	}
}

// leave writes the value of a part: the result, or a partial value.
func (r *reduction) leave(b *block, part ir.Exp) {
	if known(r.parts) == 1 {
		r.store(b, r.accumulated())
		return
	}
	b.when(equalTo(r.parts, i64(1)),
		func(b *block) { r.store(b, r.accumulated()) },
		func(b *block) { r.storeAll(b, r.partial, r.partialAt(part), r.accumulated()) })
}

// partialAt is the offset of the value of a part of the segment.
func (r *reduction) partialAt(part ir.Exp) ir.Exp {
	if len(r.segs) == 0 {
		return part
	}
	return add(times(part, r.segments().Exp()), r.segment())
}

// segment is the number of the segment.
func (r *reduction) segment() ir.Exp {
	p := sym.Const(0)
	for i, s := range r.segs {
		p = p.Mul(r.segSizes[i]).Add(sym.Var(s))
	}
	return p.Exp()
}

// inItems has a work-item per part.
func (r *reduction) inItems(b *block) (in *block, groups ir.Exp) {
	in = b.kernel(kernelName(r.stmt, "reduce_items"), r.doc("one work-item per part of a segment reduces"))
	if r.columns && !r.plain {
		if groups = r.inColumns(b, in); groups != nil {
			return in, groups
		}
	}
	names, sizes, part := r.points(b)
	return in, r.inPoints(b, in, names, sizes, part)
}

// inPoints lowers a kernel with a work-item per point.
func (r *reduction) inPoints(b, in *block, names []string, sizes []sym.Poly, part ir.Exp) (groups ir.Exp) {
	return b.points(in, names, sizes, func(in *block, _ []sym.Poly) {
		r.start(in)
		r.share(in, r.values, r.along, r.n, part, r.parts, r.commutative)
		r.leave(in, part)
	})
}

// share combines the values of one of several sharers.
func (r *reduction) share(b *block, values func(*block) []ir.Exp, along string, n sym.Poly, number, sharers ir.Exp, commutative bool) {
	if !r.plain && r.shareNear(b, values, along, n, number, sharers, commutative) {
		return
	}
	if known(sharers) == 1 {
		b.over(along, n.Exp(), n, nil, func(in *block) { r.apply(in, values(in)) })
		return
	}
	position, count := r.divide(b, n, number, sharers, commutative)
	b.over(along, count, n, position, func(in *block) { r.apply(in, values(in)) })
	if !r.plain {
		r.unroll(b, along)
	}
}

// unroll has a sharer read several values at once in the loop that was added last (Note [Batches]), or
// has the compiler unroll it.
func (r *reduction) unroll(b *block, along string) {
	if unroll(b); b.stmts[len(b.stmts)-1].(*For).Unroll {
		b.batches(along)
	}
}

// divide returns the positions of the values of one of several sharers, and their count. Neighbouring sharers of
// a GPU read neighbours in each turn, if the order does not matter. A processor reads from the same cache line in
// the next turn.
func (r *reduction) divide(b *block, n sym.Poly, number, sharers ir.Exp, commutative bool) (position func(i ir.Exp) ir.Exp, count ir.Exp) {
	per := b.atom(index(ceilDiv(n.Exp(), sharers)), "per")
	first, stride := ir.Exp(index(times(number, per))), ir.Exp(i64(1))
	count = maximum(minimum(per, index(subtract(n.Exp(), first))), i64(0))
	if commutative {
		gpu := func(x, y ir.Exp) ir.Exp { return choose(several, x, y) }
		first, stride, count = gpu(number, first), gpu(sharers, stride), gpu(r.strided(n, number, sharers), count)
	}
	first, stride, count = b.atom(first, "first"), b.atom(stride, "stride"), b.atom(count, "count")
	return func(i ir.Exp) ir.Exp { return index(add(first, times(i, stride))) }, count
}

// strided counts the values first, first+stride, ... below n.
func (r *reduction) strided(n sym.Poly, first, stride ir.Exp) ir.Exp {
	rest := subtract(add(n.Exp(), subtract(stride, i64(1))), first)
	turns := ir.Exp(index(binary("/", rest, stride)))
	if r.lanesLog != nil && known(r.lanes) != GroupSize { // a shift costs less
		shifted := &ir.Binary{Op: ">>", X: index(rest), Y: r.lanesLog, T: ir.I64}
		turns = shifted
		if known(r.parts) != 1 {
			turns = choose(equalTo(r.parts, i64(1)), shifted, index(binary("/", rest, stride)))
		}
	}
	return choose(less(first, n.Exp()), turns, i64(0))
}

// unroll has the compiler unroll the loop that was added last, if it is simple: so it
// reads several values before it waits for the first.
func unroll(b *block) {
	loop := b.stmts[len(b.stmts)-1].(*For)
	if len(loop.Body) > 24 {
		return
	}
	for _, s := range loop.Body {
		switch s := s.(type) {
		case *For:
			if !s.Whole {
				return
			}
		case *While, *KRegion:
			return
		}
	}
	loop.Unroll = true
}

// inLanes has lanes per part.
func (r *reduction) inLanes(b *block) *block {
	in := b.kernel(kernelName(r.stmt, "reduce"), r.doc("work-groups reduce"))
	r.lanesOf(in, r.values, r.along, r.n, r.parts, r.commutative, func(in *block, part ir.Exp) { r.leave(in, part) })
	if r.joins != nil {
		r.join(in)
	}
	return in
}

// join lets the group that is the last to leave its part's value reduce them all. It requires a
// device on which groups see each other's writes after a fence; on such a device they may also wait
// for each other, but here none waits. A loop with at most one turn keeps barriers out of branches,
// in which PoCL 3.1 loses private variables. For a processor the whole is left out, since PoCL would
// take half of the kernel's time for it.
func (r *reduction) join(b *block) {
	b.when(several, r.joined, nil)
}

func (r *reduction) joined(b *block) {
	ticket := b.f.temp("ticket")
	b.k.out.Locals = append(b.k.out.Locals, Local{Name: ticket, Prim: ir.I32, Len: 1})
	at := b.offset(r.left, nil)
	b.when(equalTo(localID, i64(0)), func(in *block) {
		v := in.temp("number", ir.I32)
		in.set(v.Name, &ir.Lit{Text: "-1", Bits: ^uint64(0), T: ir.I32})
		in.when(equalTo(r.joins, i64(1)), func(in *block) {
			in.add(&Ticket{Dst: v.Name, Mem: r.left.mem, Off: at, Behind: true})
		}, nil)
		in.add(&Store{Mem: ticket, Prim: ir.I32, Off: i64(0), Val: v})
	}, nil)
	b.barrier()
	v := b.temp("number", ir.I32)
	b.add(&Load{Dst: v.Name, Prim: ir.I32, Mem: ticket, Off: i64(0)})
	last := equalTo(&ir.Convert{X: v, T: ir.I64}, subtract(r.parts, i64(1)))
	again := b.atom(choose(last, i64(1), i64(0)), "again")

	second := *r
	second.parts = i64(1)
	in := b.sub()
	along := b.f.temp("part")
	values := func(in *block) []ir.Exp { return r.fresh(in, r.partial, ir.Var(along)) }
	in.guarded(func(in *block) {
		second.start(in)
		second.share(in, values, along, sym.Of(r.parts), localID, groupSize, r.commutative)
	})
	second.tree(in, r.locals(in), localID, r.commutative)
	in.when(equalTo(localID, i64(0)), func(in *block) {
		r.store(in, r.accumulated())
		in.add(&Store{Mem: r.left.mem, Prim: ir.I32, Off: at, Val: &ir.Lit{Text: "0", T: ir.I32}})
	}, nil)
	b.add(&For{Var: in.temp("round", ir.I64).Name, Bound: again, Body: in.stmts})
}

// lanesOf lowers a kernel in which lanes reduce the parts of segments, and done gets what
// each comes to.
func (r *reduction) lanesOf(b *block, values func(*block) []ir.Exp, along string, n sym.Poly, parts ir.Exp, commutative bool, done func(b *block, part ir.Exp)) {
	shared := r.locals(b)
	lane, part, inside := ir.Exp(localID), ir.Exp(groupID), ir.Exp(ir.BoolLit(true))
	if len(r.segs) > 0 {
		shift := func(x ir.Exp) ir.Exp { return &ir.Binary{Op: ">>", X: x, Y: r.lanesLog, T: ir.I64} }
		low := func(n ir.Exp) ir.Exp { return binary("&", localID, subtract(n, i64(1))) }
		number, own := low(r.lanes), shift(localID)
		if r.apart {
			number, own = binary(">>", localID, subtract(i64(groupLog), r.lanesLog)), low(shift(groupSize))
		}
		lane = b.atom(index(number), "lane")
		slot := b.atom(index(add(times(groupID, shift(groupSize)), own)), "slot")
		part = i64(0)
		seg := slot
		segments := r.segments().Exp()
		if known(parts) != 1 {
			// Neighbouring groups work at one segment.
			several := binary(">", parts, i64(1))
			seg = b.atom(choose(several, index(binary("/", slot, parts)), slot), "seg")
			part = b.atom(index(subtract(slot, times(seg, parts))), "part")
		}
		inside = b.atom(less(seg, index(segments)), "inside")
		b.unravel(seg, r.segs, r.segSizes)
	} else if known(parts) == 1 {
		part = i64(0)
	}
	b.guarded(func(b *block) {
		r.start(b)
		b.when(inside, func(b *block) {
			number := b.atom(index(add(times(part, r.lanes), lane)), "item")
			sharers := ir.Exp(r.lanes)
			if known(parts) != 1 {
				sharers = b.atom(index(times(parts, r.lanes)), "items")
			}
			r.share(b, values, along, n, number, sharers, commutative)
		}, nil)
	})
	r.tree(b, shared, lane, commutative)
	b.when(and(equalTo(lane, i64(0)), inside), func(b *block) { done(b, part) }, nil)
}

// inGroup makes the group reduce its present part, and leaves the value in the first elements of
// the arrays that it returns.
func (r *reduction) inGroup(b *block) (shared []string) {
	shared = r.locals(b)
	b.guarded(func(b *block) {
		r.start(b)
		r.share(b, r.values, r.along, r.n, localID, groupSize, r.commutative)
	})
	r.tree(b, shared, localID, r.commutative)
	return shared
}

// between is the distance of neighbouring lanes of a part.
func (r *reduction) between() ir.Exp {
	if !r.apart {
		return i64(1)
	}
	return &ir.Binary{Op: ">>", X: groupSize, Y: r.lanesLog, T: ir.I64}
}

// tree combines the accumulators of the lanes of a part. If the order matters, neighbours come
// first, and `fan` of them between two barriers; otherwise those far apart, so that the remaining
// lanes are neighbours.
//
// After a barrier they are read from where they were stored: if a loop assigns constants to a
// private variable, PoCL 3.1 treats the variable as the same in all work-items, however often each
// runs the loop (testdata/fixedbugs/ reduce-of-constant.ir).
func (r *reduction) tree(b *block, shared []string, lane ir.Exp, commutative bool) {
	reload := func(in *block) { r.operator.set(in, r.acc, r.loadAll(in, shared, localID)) }
	r.storeAll(b, shared, localID, r.accumulated())
	r.meet(b)
	reach := b.temp("reach", ir.I64)
	in := b.sub()
	active, next, again := less(lane, reach), index(binary("/", reach, i64(2))), binary(">", reach, i64(0))
	first := index(quotient(r.lanes, i64(2)))
	if known(r.lanes) == GroupSize {
		first = i64(GroupSize / 2)
	}
	later := func(far ir.Exp) ir.Exp { return index(add(localID, times(far, r.between()))) }
	follow := func(in *block) { r.apply(in, r.loadAll(in, shared, later(reach))) }
	if !commutative {
		active = equalTo(index(binary("&", lane, subtract(times(reach, i64(fan)), i64(1)))), i64(0))
		first, next, again = i64(1), index(times(reach, i64(fan))), less(reach, r.lanes)
		follow = func(in *block) {
			fanned(in, reach, func(in *block, far ir.Exp) {
				next := func(in *block) { r.apply(in, r.loadAll(in, shared, later(far))) }
				if known(r.lanes) == GroupSize { // a power of fan
					next(in)
					return
				}
				in.when(less(index(add(lane, far)), r.lanes), next, nil)
			})
		}
	}
	b.set(reach.Name, first)
	in.when(active, func(in *block) {
		in.guarded(func(in *block) {
			reload(in)
			follow(in)
		})
		r.storeAll(in, shared, localID, r.accumulated())
	}, nil)
	r.meet(in)
	in.set(reach.Name, next)
	b.add(&While{Cond: again, Body: in.stmts})
	reload(b)
}

// meet has the lanes of a part wait for each other.
func (r *reduction) meet(b *block) { b.meet(r.wave) }

// combineParts reduces the parts' values of every segment. Those of neighbouring segments are
// neighbours in memory.
func (r *reduction) combineParts(b *block) {
	several := binary(">", r.parts, i64(1))
	if r.joins != nil {
		several = and(several, equalTo(r.joins, i64(0)))
	}
	b.when(several, func(b *block) {
		second := *r
		second.joins = nil
		second.parts = i64(1)
		along := b.f.temp("part")
		count := sym.Of(r.parts)
		if len(r.segs) > 0 {
			lanes, lanesLog := b.temp("lanes", ir.I64), b.temp("lanes_log", ir.I64)
			second.lanes, second.lanesLog, second.apart = lanes, lanesLog, true
			b.set(lanesLog.Name, logOf(minimum(maximum(quotient(r.parts, i64(b.f.l.threshold(laneShare))), i64(1)), groupSize)))
			b.set(lanes.Name, &ir.Binary{Op: "<<", X: i64(1), Y: lanesLog, T: ir.I64})
		}
		in := b.kernel(kernelName(r.stmt, "reduce_partial"), r.doc("reduces the parts' values of"))
		values := func(in *block) []ir.Exp { return r.loadAll(in, r.partial, r.partialAt(ir.Var(along))) }
		second.lanesOf(in, values, along, count, i64(1), r.commutative, func(in *block, _ ir.Exp) { r.store(in, r.accumulated()) })
		groups := ir.Exp(i64(1))
		if len(r.segs) > 0 {
			groups = ceilDiv(r.segments().Exp(), quotient(groupSize, second.lanes))
		}
		b.launch(in, groups)
	}, nil)
}
