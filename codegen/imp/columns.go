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

// inColumns lowers the kernel, and gives the number of its groups; nil where elements are
// large, or neighbouring segments have no neighbouring elements.
func (r *reduction) inColumns(b, in *block) (groups ir.Exp) {
	if !r.scalar {
		return nil
	}
	var here, rooms []string
	for _, v := range r.acc {
		here = append(here, b.f.temp("here_"+v))
	}
	p := in.temp("p", ir.I64)
	place := func(in *block) { in.unravel(p, r.segs, r.segSizes) }
	b.f.bounds[r.along] = bound{r.n}
	along := in.declare(r.along, ir.I64)
	value := in.sub()
	place(value)
	r.operator.set(value, here, r.values(value))
	smallest, largest := movedSizes(value.stmts)
	if smallest > 2 || largest > 2 || len(value.stmts) > maxMoving || readsWritten(value.stmts) {
		return nil
	}
	bytes := int64(moveBytes)
	for bytes < wideBytes && 4*bytes <= b.f.l.threshold(movedBytes) {
		bytes *= 2
	}
	w := in.neighbours(r.segs, r.segSizes, max(bytes/largest, moveBytes/smallest))
	own := map[string]bool{}
	for _, s := range value.stmts {
		s.visit(&visitor{set: func(name string, _ Stmt) { own[name] = true }})
	}
	w.varies = func(name string) bool { return own[name] }
	count := in.temp("count", ir.I64)
	w.count = count
	if _, ok := w.all(value.stmts); !ok || len(w.rooms) == 0 {
		return nil
	}
	r.wide = w.n
	for i, t := range r.t {
		rooms = append(rooms, b.f.temp("own_"+r.acc[i]))
		in.k.out.Rooms = append(in.k.out.Rooms, Room{rooms[i], w.n * t.Size()})
		in.k.out.Own[rooms[i]] = true
	}
	segments := r.segments().Exp()
	across := sym.Of(b.atom(ceilDiv(segments, i64(w.n)), "across"))
	total := sym.Of(r.parts).Mul(across).Exp()
	number, part, at := in.temp("number", ir.I64), in.f.temp("part"), in.f.temp("block")
	in.set(number.Name, index(add(times(groupID, groupSize), localID)))
	in.when(less(number, index(total)), func(in *block) {
		in.unravel(number, []string{part, at}, []sym.Poly{sym.Of(r.parts), across})
		in.set(w.first.Name, index(times(ir.Var(at), i64(w.n))))
		in.set(count.Name, minimum(i64(w.n), index(subtract(segments, w.first))))
		// A block that is full asks for none of its segments whether there is one.
		reduce := func(in *block, full bool) {
			each := func(b *block, body func(in *block)) {
				in := b.sub()
				if full {
					body(in)
				} else {
					in.when(less(w.k, count), body, nil)
				}
				b.add(&For{Var: w.k.Name, Bound: i64(w.n), Body: in.stmts, Whole: true})
			}
			each(in, func(in *block) {
				r.start(in)
				r.storeAll(in, rooms, w.k, r.accumulated())
			})
			position, turns := r.divide(in, r.n, ir.Var(part), r.parts, r.commutative)
			turn := in.temp("turn", ir.I64)
			row := in.sub()
			moved, _ := w.all(value.stmts)
			row.set(along.Name, position(turn))
			row.add(w.moves(w.before, full)...)
			each(row, func(in *block) {
				in.add(needed(append([]Stmt{&Set{Dst: p.Name, E: index(add(w.first, w.k))}}, moved...), here...)...)
				r.operator.set(in, r.acc, r.loadAll(in, rooms, w.k))
				r.apply(in, r.refs(here))
				r.storeAll(in, rooms, w.k, r.accumulated())
			})
			row.add(w.moves(w.behind, full)...)
			in.add(&For{Var: turn.Name, Bound: turns, Body: row.stmts})
			r.unroll(in, r.along)
			each(in, func(in *block) {
				in.set(p.Name, index(add(w.first, w.k)))
				place(in)
				r.operator.set(in, r.acc, r.loadAll(in, rooms, w.k))
				r.leave(in, ir.Var(part))
			})
		}
		in.when(equalTo(count, i64(w.n)), func(in *block) { reduce(in, true) }, func(in *block) { reduce(in, false) })
	}, nil)
	return ceilDiv(total, groupSize)
}
