package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Small columns]
//
// Suppose that neighbouring segments of a reduction lie side by side, and their elements have one
// or two bytes. Then a work-item reduces as many segments as have 8 bytes in a row of memory, and
// reads these at once (Note [Small elements]):
//
//	for k < 8 { own[k] = neutral }
//	for its rows {
//	  from = xs[row][first .. first + 7]
//	  for k < 8 { own[k] = own[k] op f(from[k]) }
//	}
//	for k < 8 { ys[first + k] = own[k] }
//
// With 16 bytes, columns of 16384 x 16384 i8 took 164 us and not 129 (one H100).

// A columns is the reduction of neighbouring segments by one work-item.
type columns struct {
	*reduction
	w     *wideMap
	value []Stmt // of segment p at a row; they assign here
	place func(in *block)
	p     *ir.Ref
	row   *ir.Ref // its index along
	here  []string
	rooms []string // of the segments' accumulators
}

// inColumns lowers the kernel, and gives the number of its groups; nil where elements are
// large, or neighbouring segments have no neighbouring elements.
func (r *reduction) inColumns(b, in *block) (groups ir.Exp) {
	c := r.columnsOf(b, in)
	if c == nil {
		return nil
	}
	w, count := c.w, c.w.count
	r.wide = w.n
	segments := r.segments().Exp()
	across := sym.Of(b.atom(ceilDiv(segments, i64(w.n)), "across"))
	total := sym.Of(r.parts).Mul(across).Exp()
	number, part, at := in.temp("number", ir.I64), in.f.temp("part"), in.f.temp("block")
	in.set(number.Name, index(add(times(groupID, groupSize), localID)))
	in.when(less(number, index(total)), func(in *block) {
		in.unravel(number, []string{part, at}, []sym.Poly{sym.Of(r.parts), across})
		in.set(w.first.Name, index(times(ir.Var(at), i64(w.n))))
		in.set(count.(*ir.Ref).Name, minimum(i64(w.n), index(subtract(segments, w.first))))
		// A block that is full asks for none of its segments whether there is one.
		in.when(equalTo(count, i64(w.n)), func(in *block) { c.reduce(in, ir.Var(part), true) }, func(in *block) { c.reduce(in, ir.Var(part), false) })
	}, nil)
	return ceilDiv(total, groupSize)
}

// columnsOf prepares it; nil where there is none.
func (r *reduction) columnsOf(b, in *block) *columns {
	if !r.scalar {
		return nil
	}
	c := &columns{reduction: r, here: r.heres(b), p: in.temp("p", ir.I64)}
	c.place = func(in *block) { in.unravel(c.p, r.segs, r.segSizes) }
	b.f.bounds[r.along] = bound{r.n}
	c.row = in.declare(r.along, ir.I64)
	value := in.sub()
	c.place(value)
	r.operator.set(value, c.here, r.values(value))
	c.value = value.stmts
	smallest, largest := movedSizes(c.value)
	if smallest > 2 || largest > 2 || len(c.value) > maxMoving || readsWritten(c.value) {
		return nil
	}
	bytes := int64(moveBytes)
	for bytes < wideBytes && 4*bytes <= b.f.l.threshold(movedBytes) {
		bytes *= 2
	}
	c.w = in.neighbours(r.segs, r.segSizes, max(bytes/largest, moveBytes/smallest))
	c.w.count = in.temp("count", ir.I64)
	if _, ok := c.w.ofValue(c.value, map[string]bool{}); !ok {
		return nil
	}
	for i, t := range r.t {
		c.rooms = append(c.rooms, b.f.temp("own_"+r.acc[i]))
		in.k.out.Rooms = append(in.k.out.Rooms, Room{c.rooms[i], c.w.n * t.Size()})
		in.k.out.Own[c.rooms[i]] = true
	}
	return c
}

// reduce does the segments of a work-item; full tells that all are there.
func (c *columns) reduce(in *block, part ir.Exp, full bool) {
	w := c.w
	each := func(b *block, body func(in *block)) {
		in := b.sub()
		if full {
			body(in)
		} else {
			in.when(less(w.k, w.count), body, nil)
		}
		b.add(&For{Var: w.k.Name, Bound: i64(w.n), Body: in.stmts, Whole: true})
	}
	load := func(in *block) { c.operator.set(in, c.acc, c.loadAll(in, c.rooms, w.k)) }
	each(in, func(in *block) {
		c.start(in)
		c.storeAll(in, c.rooms, w.k, c.accumulated())
	})
	position, turns := c.divide(in, c.n, part, c.parts, c.commutative)
	turn := in.temp("turn", ir.I64)
	row := in.sub()
	moved, _ := w.all(c.value)
	row.set(c.row.Name, position(turn))
	row.add(w.moves(w.before, full)...)
	each(row, func(in *block) {
		in.add(needed(append([]Stmt{&Set{Dst: c.p.Name, E: index(add(w.first, w.k))}}, moved...), c.here...)...)
		load(in)
		c.apply(in, c.refs(c.here))
		c.storeAll(in, c.rooms, w.k, c.accumulated())
	})
	row.add(w.moves(w.behind, full)...)
	in.add(&For{Var: turn.Name, Bound: turns, Body: row.stmts})
	c.unroll(in, c.along)
	each(in, func(in *block) {
		in.set(c.p.Name, index(add(w.first, w.k)))
		c.place(in)
		load(in)
		c.leave(in, part)
	})
}

// heres returns variables for the values of a point, beside those that accumulate.
func (r *reduction) heres(b *block) (here []string) {
	for _, v := range r.acc {
		here = append(here, b.f.temp("here_"+v))
	}
	return here
}

// ofValue returns the statements that compute a value from neighbouring elements; false where one is elsewhere, or
// none is moved. Own are variables that differ from point to point, besides those that the statements assign.
func (w *wideMap) ofValue(value []Stmt, own map[string]bool) ([]Stmt, bool) {
	for _, s := range value {
		s.visit(&visitor{set: func(name string, _ Stmt) { own[name] = true }})
	}
	w.varies = func(name string) bool { return own[name] }
	moved, ok := w.all(value)
	return moved, ok && len(w.rooms) > 0
}
