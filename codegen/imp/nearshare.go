package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Small shares]
//
// If the values of a reduction come from neighbouring elements of one or two bytes, a work-item
// reads 16 bytes of them at once (Note [Small elements]). It then shares not single values with
// others but blocks of them, which begin at multiples of 16 bytes:
//
//	head                                    // values before the first block
//	for its blocks {
//	  from = xs[first .. first + 15]
//	  for k < 16 { own = own op f(from[k]) }
//	}
//	tail                                    // values behind the last block
//
// The first sharer takes the head and the last one the tail, so that the order is kept. If the
// order does not matter, head and tail are shared as well, behind the blocks.
//
// If the order matters, a sharer reads neighbours in any case, so that neighbouring work-items read
// far apart. Then elements of 4 bytes gain from blocks as well, above all if a share is short.

// shareNear is share for values of small neighbouring elements; false for others.
func (r *reduction) shareNear(b *block, values func(*block) []ir.Exp, along string, n sym.Poly, number, sharers ir.Exp, commutative bool) bool {
	// Alone, a work-item reads neighbours one after the other as well.
	if b.k.arena != nil || known(sharers) == 1 || !r.scalar {
		return false
	}
	here := r.heres(b)
	b.f.bounds[along] = bound{n}
	value := b.sub()
	value.declare(along, ir.I64)
	r.operator.set(value, here, values(value))
	smallest, largest := movedSizes(value.stmts)
	if largest > 4 || smallest > 2 && commutative || len(value.stmts) > maxMoving || readsWritten(value.stmts) {
		return false
	}
	w := b.neighbours([]string{along}, []sym.Poly{n}, wideBytes/largest)
	w.count, w.headed = i64(w.n), true
	moved, ok := w.ofValue(value.stmts, map[string]bool{along: true})
	if !ok {
		return false
	}
	r.wide = w.n

	mask := func(x ir.Exp) ir.Exp { return binary("&", x, i64(w.n-1)) }
	head := b.atom(minimum(b.summed(mask(subtract(i64(0), w.rest.Exp())), w.rest), index(n.Exp())), "head")
	rest := b.atom(index(subtract(n.Exp(), head)), "rest")
	blocks := b.atom(index(binary("/", rest, i64(w.n))), "blocks")
	inside := index(times(blocks, i64(w.n)))
	one := func(count ir.Exp, position func(i ir.Exp) ir.Exp) {
		b.over(along, count, n, position, func(in *block) { r.apply(in, values(in)) })
	}
	of := func(sharer, count ir.Exp) ir.Exp {
		return b.atom(choose(equalTo(number, sharer), count, i64(0)), "count")
	}
	if !commutative {
		one(of(i64(0), head), nil)
	}

	position, count := r.divide(b, sym.Of(blocks), number, sharers, commutative)
	turn := b.temp("turn", ir.I64)
	in := b.sub()
	in.set(w.first.Name, index(add(head, times(position(turn), i64(w.n)))))
	in.add(w.before...)
	each := in.sub()
	each.add(needed(append([]Stmt{&Set{Dst: along, E: index(add(w.first, w.k))}}, moved...), here...)...)
	r.apply(each, r.refs(here))
	in.add(&For{Var: w.k.Name, Bound: i64(w.n), Body: each.stmts, Whole: true})
	in.add(w.behind...)
	b.add(&For{Var: turn.Name, Bound: count, Body: in.stmts})
	r.unroll(b, along)

	if commutative {
		// They come last: by then blocks have brought their lines to the cache.
		border := b.atom(index(subtract(n.Exp(), inside)), "border")
		position, count := r.divide(b, sym.Of(border), number, sharers, true)
		one(count, func(i ir.Exp) ir.Exp {
			at := position(i)
			return index(add(at, choose(less(at, head), i64(0), inside)))
		})
		return true
	}
	done := add(head, inside)
	one(of(index(subtract(sharers, i64(1))), index(mask(rest))), func(i ir.Exp) ir.Exp { return index(add(done, i)) })
	return true
}
