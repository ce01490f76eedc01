package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Reductions by tiles]
//
// If the order of values matters, a work-item takes neighbouring values, so that neighbouring
// work-items read far apart. A wave, of waveItems work-items, can bring neighbours to local memory
// first, as the group of a scan does (Note [Scans in one pass]). The waves of a group share its part.
// Each reduces its share tile by tile:
//
//	whole = neutral
//	for its tiles of 32 * each values {
//	  bring the tile to local memory      // neighbouring work-items read neighbours
//	  own = neutral; for k < each { own = own op tile[each * item + k] }
//	  whole = whole op (the tree of all own)
//	}
//
// Then one work-item combines what the waves of the group come to. In the loop the work-items of a
// wave wait for each other, but not for the other waves of the group: so one wave reads while another
// one computes.
//
// On processors a work-item that reads neighbours is as good as any, and needs no local memory.
//
// Tiles hold what the values are computed from, if that is no more than the values: a pair of values
// of one element costs as much local memory as the element. Otherwise they hold the values that
// depend on memory; one that follows from its number alone, as the place of the largest element does,
// is computed anew.

// waveItems is the number of neighbouring work-items that can wait for each other without the rest of
// their group.
const waveItems = 32

// A tileReduction is a reduction by tiles, being lowered.
type tileReduction struct {
	*reduction
	in    *block    // the kernel
	scan  *tileScan // its tiles
	from  ir.Exp    // the place of the wave's tile in local memory
	again []ir.Exp  // of each value: what it is, if tiles do not hold it
	// Tiles hold the elements that the values are computed from.
	elements bool
	held     []ir.Prim // what tiles hold
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
	t.in = b.kernel(kernelName(t.stmt, "reduce_tiles"), t.doc("work-groups reduce, tile by tile,"))
	bytes := t.choose()
	if bytes == 0 {
		return nil
	}
	// Values that cost more come in smaller tiles, so that there are tiles for all groups.
	t.scan.e = min(r.tileRoom(b)/bytes-1, r.worth(b, b.f.l.threshold(maxShare))-1)
	t.scan.e = max(t.scan.e, 0) | 1
	return t
}

// choose decides what tiles hold, and returns its size per value.
func (t *tileReduction) choose() (bytes int64) {
	value := t.in.sub()
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
			t.held = append(t.held, t.t[i])
		} else {
			t.again[i] = v
		}
	}
	list, elements := elementsOf(value.stmts)
	var prims []ir.Prim
	size := int64(0)
	for _, l := range elements {
		prims, size = append(prims, l.Prim), size+max(l.Prim.Size(), 2)
	}
	if len(list) > 0 && size <= bytes {
		t.elements, t.held, bytes = true, prims, size
	}
	return bytes
}

// elementsOf returns the reads among statements, each element once, and the statements such that
// they read each once; none if they do more than read and compute.
func elementsOf(list []Stmt) (out []Stmt, elements []*Load) {
	for _, s := range list {
		switch s := s.(type) {
		case *Set:
			out = append(out, s)
		case *Load:
			same := func(l *Load) bool {
				return l.Mem == s.Mem && l.Prim == s.Prim && ir.ExpString(l.Off) == ir.ExpString(s.Off)
			}
			if k := slices.IndexFunc(elements, same); k >= 0 {
				out = append(out, &Set{Dst: s.Dst, E: &ir.Ref{Name: elements[k].Dst, T: s.Prim}})
				continue
			}
			out, elements = append(out, s), append(elements, s)
		default:
			return nil, nil
		}
	}
	return out, elements
}

// size is the number of values in the tiles of a group.
func (t *tileReduction) size() int64 { return t.scan.e * GroupSize }

// kernel lowers the kernel, which has a group per part.
func (t *tileReduction) kernel() *block {
	in := t.in
	shared := t.locals(in)
	for _, p := range t.held {
		t.scan.staged = append(t.scan.staged, t.scan.local(in, "staged", p, t.size()))
	}
	part := ir.Exp(groupID)
	if len(t.segs) > 0 {
		seg := in.atom(index(binary("/", groupID, t.parts)), "seg")
		part = in.atom(index(subtract(groupID, times(seg, t.parts))), "part")
		in.unravel(seg, t.segs, t.segSizes)
	}
	const waves = GroupSize / waveItems
	lane := in.atom(index(binary("&", localID, i64(waveItems-1))), "lane")
	wave := in.atom(index(binary("/", localID, i64(waveItems))), "wave")
	t.scan.lane, t.scan.lanes = lane, waveItems
	size := t.scan.e * waveItems
	t.from = in.atom(index(times(wave, i64(size))), "from")
	tiles := in.atom(index(ceilDiv(t.n.Exp(), i64(size))), "tiles")
	// All waves have as many turns, since elsewhere the whole group waits.
	per := in.atom(index(ceilDiv(tiles, times(t.parts, i64(waves)))), "per")
	first := in.atom(index(times(add(times(part, i64(waves)), wave), per)), "first")
	whole, _ := t.scan.own(in)
	leader := equalTo(lane, i64(0))

	turn := in.temp("tile", ir.I64)
	loop := in.sub()
	base := loop.atom(index(times(add(first, turn), i64(size))), "base")
	t.bring(loop, base)
	mine, _ := t.scan.own(loop)
	loop.when(binary("<=", index(add(base, i64(size))), t.n.Exp()),
		func(in *block) { t.walk(in, base, mine, true) }, func(in *block) { t.walk(in, base, mine, false) })
	t.operator.set(loop, t.acc, t.refs(mine))
	t.inWave().tree(loop, shared, lane, false)
	loop.when(leader, func(in *block) {
		t.scan.follow(in, nil, whole, func(in *block) []ir.Exp { return t.loadAll(in, shared, localID) })
	}, nil)
	in.add(&For{Var: turn.Name, Bound: per, Body: loop.stmts})

	in.when(leader, func(in *block) { t.storeAll(in, shared, localID, t.refs(whole)) }, nil)
	in.barrier()
	in.when(equalTo(localID, i64(0)), func(in *block) {
		other, each := in.temp("wave", ir.I64), in.sub()
		t.scan.follow(each, nil, whole, func(in *block) []ir.Exp {
			return t.loadAll(in, shared, index(times(add(other, i64(1)), i64(waveItems))))
		})
		in.add(&For{Var: other.Name, Bound: i64(waves - 1), Body: each.stmts, Whole: true})
		t.operator.set(in, t.acc, t.refs(whole))
		t.leave(in, part)
	}, nil)
	if t.joins != nil {
		t.join(in)
	}
	return in
}

// inWave is the reduction of what the work-items of a wave have.
func (t *tileReduction) inWave() *reduction {
	r := *t.reduction
	r.lanes, r.wave = i64(waveItems), true
	return &r
}

// bring brings a tile to local memory.
func (t *tileReduction) bring(b *block, base ir.Exp) {
	t.scan.across(b, base, func(in *block, at, p ir.Exp, inside func(*block, func(*block))) {
		inside(in, func(in *block) {
			in.guarded(func(in *block) {
				t.scan.point(in, p)
				value, k := in.sub(), 0
				vals := t.values(value)
				hold := func(v ir.Exp) {
					in.add(&Store{Mem: t.scan.staged[k], Prim: t.held[k], Off: index(add(t.from, at)), Val: v})
					k++
				}
				if t.elements {
					list, elements := elementsOf(value.stmts)
					var names []string
					for _, l := range elements {
						names = append(names, l.Dst)
					}
					in.add(needed(list, names...)...)
					for _, l := range elements {
						hold(&ir.Ref{Name: l.Dst, T: l.Prim})
					}
					return
				}
				in.add(value.stmts...)
				for i, v := range vals {
					if t.again[i] == nil {
						hold(v)
					}
				}
			})
		})
	})
	t.inWave().meet(b)
}

// walk combines each work-item's values of a tile; full tells that there are all of them.
func (t *tileReduction) walk(b *block, base ir.Exp, mine []string, full bool) {
	t.scan.walk(b, base, func(in *block, at, _ ir.Exp) {
		p := in.atom(index(add(base, at)), "p")
		follow := func(in *block) {
			t.scan.follow(in, nil, mine, func(in *block) []ir.Exp { return t.value(in, index(add(t.from, at)), p) })
		}
		if full {
			follow(in)
			return
		}
		in.when(less(p, t.n.Exp()), follow, nil)
	})
	loop := b.stmts[len(b.stmts)-1].(*For)
	loop.Whole = full && loop.Unroll
}

// value returns the value that is at a place of local memory, and has number p in the segment.
func (t *tileReduction) value(b *block, at, p ir.Exp) []ir.Exp {
	t.scan.point(b, p)
	k := 0
	hold := func(dst string) {
		b.add(&Load{Dst: dst, Prim: t.held[k], Mem: t.scan.staged[k], Off: at})
		k++
	}
	if t.elements {
		value := b.sub()
		vals := t.values(value)
		list, _ := elementsOf(value.stmts)
		for _, s := range list {
			if l, ok := s.(*Load); ok {
				hold(l.Dst)
			} else {
				b.add(s)
			}
		}
		return vals
	}
	out := make([]ir.Exp, t.arity)
	for i, again := range t.again {
		v := b.temp("x", t.t[i])
		if out[i] = v; again != nil {
			b.set(v.Name, again)
		} else {
			hold(v.Name)
		}
	}
	return out
}
