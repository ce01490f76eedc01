package imp

import "github.com/memc-lang/memc/ir"

// Note [Reductions by tiles]
//
// If the order of values matters, a work-item takes neighbouring values, so that neighbouring
// work-items read far apart. A group can bring neighbours to local memory first, as a scan does
// (Note [Scans in one pass]). It reduces its part tile by tile:
//
//	whole = neutral
//	for its tiles of 256 * each values {
//	  bring the tile to local memory      // neighbouring work-items read neighbours
//	  own = neutral; for k < each { own = own op tile[each * item + k] }
//	  whole = whole op (the tree of all own)
//	}
//
// On processors a work-item that reads neighbours is as good as any, and needs no local memory.
//
// Only what is read from memory is worth a place in local memory: a value that follows from its
// number alone, as the place of the largest element does, is computed anew.

// A tileReduction is a reduction by tiles, being lowered.
type tileReduction struct {
	*reduction
	scan  *tileScan // its tiles
	again []ir.Exp  // of each value: what it is, if tiles do not hold it
}

// byTiles returns how to reduce by tiles; nil if the order does not matter, or if values are too
// large for local memory, make arrays, or are not read.
func (r *reduction) byTiles(b *block) *tileReduction {
	if r.commutative || !r.scalar || r.bytes() > largest {
		return nil
	}
	own := *r
	own.lanes, own.lanesLog = groupSize, i64(groupLog)
	t := &tileReduction{reduction: &own, scan: &tileScan{combination: r.combination, total: r.n}}
	bytes := t.choose(b)
	if bytes == 0 {
		return nil
	}
	// Values that cost more come in smaller tiles, so that there are tiles for all groups.
	t.scan.e = min(b.f.l.threshold(tileBytes)/bytes-1, r.worth(b, b.f.l.threshold(maxShare))-1)
	t.scan.e = max(t.scan.e, 0) | 1
	return t
}

// choose decides which values tiles hold, and returns their size.
func (t *tileReduction) choose(b *block) (bytes int64) {
	value := b.sub()
	value.declare(t.along, ir.I64)
	made := map[string]bool{}
	vals := t.values(value)
	assignments(value.stmts, func(name string) { made[name] = true })
	t.again = make([]ir.Exp, t.arity)
	for i, v := range vals {
		held := false
		refsOf(v, func(r *ir.Ref) { held = held || made[r.Name] })
		if held {
			bytes += max(t.t[i].Size(), 2)
		} else {
			t.again[i] = v
		}
	}
	return bytes
}

// size is the number of values in a tile.
func (t *tileReduction) size() int64 { return t.scan.e * GroupSize }

// kernel lowers the kernel, which has a group per part.
func (t *tileReduction) kernel(b *block) *block {
	in := b.kernel(kernelName(t.stmt, "reduce_tiles"), t.doc("work-groups reduce, tile by tile,"))
	shared := t.locals(in)
	t.scan.staged = make([]string, t.arity)
	for i, p := range t.t {
		if t.again[i] == nil {
			t.scan.staged[i] = t.scan.local(in, "staged", p, t.size())
		}
	}
	part := ir.Exp(groupID)
	if len(t.segs) > 0 {
		seg := in.atom(index(binary("/", groupID, t.parts)), "seg")
		part = in.atom(index(subtract(groupID, times(seg, t.parts))), "part")
		in.unravel(seg, t.segs, t.segSizes)
	}
	tiles := in.atom(index(ceilDiv(t.n.Exp(), i64(t.size()))), "tiles")
	per := in.atom(index(ceilDiv(tiles, t.parts)), "per")
	first := in.atom(index(times(part, per)), "first")
	count := in.atom(maximum(minimum(per, index(subtract(tiles, first))), i64(0)), "count")
	whole, _ := t.scan.own(in)
	leader := equalTo(localID, i64(0))

	turn := in.temp("tile", ir.I64)
	loop := in.sub()
	base := loop.atom(index(times(add(first, turn), i64(t.size()))), "base")
	t.bring(loop, base)
	mine, _ := t.scan.own(loop)
	t.scan.walk(loop, base, func(in *block, at, _ ir.Exp) {
		p := in.atom(index(add(base, at)), "p")
		in.when(less(p, t.n.Exp()), func(in *block) {
			t.scan.follow(in, nil, mine, func(in *block) []ir.Exp { return t.value(in, at, p) })
		}, nil)
	})
	t.operator.set(loop, t.acc, t.refs(mine))
	t.tree(loop, shared, localID, false)
	loop.when(leader, func(in *block) {
		t.scan.follow(in, nil, whole, func(in *block) []ir.Exp { return t.loadAll(in, shared, localID) })
	}, nil)
	in.add(&For{Var: turn.Name, Bound: count, Body: loop.stmts})

	in.when(leader, func(in *block) {
		t.operator.set(in, t.acc, t.refs(whole))
		t.leave(in, part)
	}, nil)
	if t.joins != nil {
		t.join(in)
	}
	return in
}

// bring brings a tile to local memory.
func (t *tileReduction) bring(b *block, base ir.Exp) {
	t.scan.across(b, base, func(in *block, at, p ir.Exp, inside func(*block, func(*block))) {
		inside(in, func(in *block) {
			in.guarded(func(in *block) {
				t.scan.point(in, p)
				for i, v := range t.values(in) {
					if t.again[i] == nil {
						in.add(&Store{Mem: t.scan.staged[i], Prim: t.t[i], Off: at, Val: v})
					}
				}
			})
		})
	})
	b.barrier()
}

// value returns the value that is at a place of the tile, and has number p in the segment.
func (t *tileReduction) value(b *block, at, p ir.Exp) []ir.Exp {
	out := make([]ir.Exp, t.arity)
	t.scan.point(b, p)
	for i, again := range t.again {
		v := b.temp("x", t.t[i])
		if out[i] = v; again != nil {
			b.set(v.Name, again)
		} else {
			b.add(&Load{Dst: v.Name, Prim: t.t[i], Mem: t.scan.staged[i], Off: at})
		}
	}
	return out
}
