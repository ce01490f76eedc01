package imp

import "github.com/memc-lang/memc/ir"

// Note [Bands]
//
// If few segments lie side by side, as the columns of a narrow matrix do, each needs many parts to
// fill a device. Then a group takes as many neighbouring parts of all segments as it has work-items
// for, a band, and combines them in local memory. Otherwise the second kernel, which has few
// segments as well, would have many values to combine for each: of 4 columns of 16777216 rows it
// took 35 of 134 us (H100).
//
//	w = 256 / segments                    // parts of a segment in a band
//	work-item: segment item % segments, part item / segments of the band

// Bands are for at most so many segments, and at least so many parts of each.
const (
	bandSegments = GroupSize / 4
	bandParts    = GroupSize
)

// byBands reduces in bands if segments are few and have many parts, and otherwise as told.
func (r *reduction) byBands(b *block, parts *ir.Ref, segments ir.Exp, otherwise func(*block)) {
	few := and(binary(">", segments, i64(0)), and(not(less(i64(bandSegments), segments)), not(less(parts, i64(bandParts)))))
	band := *r
	band.lanesLog = nil
	in, per := band.inBands(b, segments)
	b.when(few, func(b *block) {
		b.set(parts.Name, ceilDiv(parts, per))
		r.alloc(b)
		b.launch(in, parts)
	}, otherwise)
}

// inBands lowers the kernel, which has a group per band, and gives the number of a segment's parts
// in a band.
func (r *reduction) inBands(b *block, segments ir.Exp) (in *block, per ir.Exp) {
	per = b.atom(quotient(groupSize, maximum(segments, i64(1))), "per_band")
	in = b.kernel(kernelName(r.stmt, "reduce_bands"), r.doc("work-groups reduce bands of"))
	shared := r.locals(in)
	mine := in.atom(index(binary("/", localID, maximum(segments, i64(1)))), "row")
	in.unravel(in.atom(index(subtract(localID, times(mine, segments))), "seg"), r.segs, r.segSizes)
	inside := in.atom(less(mine, per), "inside")
	in.guarded(func(in *block) {
		r.start(in)
		in.when(inside, func(in *block) {
			number := in.atom(index(add(times(groupID, per), mine)), "item")
			sharers := in.atom(index(times(r.parts, per)), "items")
			r.share(in, r.values, r.along, r.n, number, sharers, r.commutative)
		}, nil)
	})
	r.storeAll(in, shared, localID, r.accumulated())
	in.barrier()
	reach := in.temp("reach", ir.I64)
	in.set(reach.Name, i64(1))
	turn := in.sub()
	first := equalTo(index(binary("&", mine, subtract(times(reach, i64(2)), i64(1)))), i64(0))
	turn.when(and(first, less(index(add(mine, reach)), per)), func(in *block) {
		in.guarded(func(in *block) {
			r.operator.set(in, r.acc, r.loadAll(in, shared, localID))
			r.apply(in, r.loadAll(in, shared, index(add(localID, times(reach, segments)))))
		})
		r.storeAll(in, shared, localID, r.accumulated())
	}, nil)
	turn.barrier()
	turn.set(reach.Name, index(times(reach, i64(2))))
	in.add(&While{Cond: less(reach, per), Body: turn.stmts})
	in.when(less(localID, segments), func(in *block) {
		r.operator.set(in, r.acc, r.loadAll(in, shared, localID))
		r.leave(in, groupID)
	}, nil)
	return in, per
}
