package imp

import (
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A transfer is one of several copies that happen at once.
type transfer struct{ dst, src *array }

// Note [Copies at once]
//
// The parts of a concat, and the array results of a thread, are all read before any is written. If
// a target overlaps the source of another copy, as in a swap of places, copying one after another
// is wrong. So a copy waits until no remaining copy reads data that it may write. If copies wait
// for each other, the host tests, by extents, whether their order matters at all. If it does, they
// go through temporary blocks. A kernel moves element by element if the targets are the sources in
// another order. Otherwise it tests as the host does, and goes through a workspace that the host
// allocates for all its work-items.

// copyAll copies as if all were read before any is written. The targets must not
// overlap each other.
func (b *block) copyAll(ts []transfer) {
	var left []transfer
	for _, t := range ts {
		if !b.f.coincide(t.dst, t.src) {
			left = append(left, t)
		}
	}
	if left = b.copyFree(left); len(left) == 0 {
		return
	}
	if b.team {
		b.alone(func(in *block) { in.copyCycle(left) })
		return
	}
	if !b.host() {
		b.copyCycle(left)
		return
	}
	b.when(b.orderMatters(left), func(b *block) {
		b.copySaved(left)
	}, func(b *block) {
		for _, t := range left {
			b.copy(t.dst, t.src)
		}
	})
}

// copyFree makes the copies that no other stops, and gives those that are left:
// each of them has a target that another one's source may overlap.
func (b *block) copyFree(ts []transfer) []transfer {
	left := slices.Clone(ts)
	for k := 0; k < len(left); {
		t := left[k]
		stopped := false
		last := k // the copy whose source was asked about last
		for j, o := range left {
			if before := left[last].src; j == k || last != k && before.mem == o.src.mem && before.prim == o.src.prim && before.fun.Equal(o.src.fun) {
				continue // a concat may have one part many times
			}
			last = j
			if stopped = !b.separate(t.dst, o.src); stopped {
				break
			}
		}
		if stopped {
			k++
			continue
		}
		b.copy(t.dst, t.src)
		left = slices.Delete(left, k, k+1)
		k = 0
	}
	return left
}

// copySaved saves sources in temporary blocks until no copy stops another.
func (b *block) copySaved(ts []transfer) {
	var saved []string
	for left := slices.Clone(ts); len(left) > 0; left = b.copyFree(left) {
		k := slices.IndexFunc(left, func(t transfer) bool { return !b.f.own[t.src.mem] })
		src := left[k].src
		tmp := b.rowMajor("copy", src.prim, src.shape())
		b.copy(tmp, src)
		left[k].src = tmp
		saved = append(saved, tmp.mem)
	}
	for _, m := range saved {
		b.add(&Free{Mem: m})
	}
}

// orderMatters is the condition that copying in the order of the list could be
// wrong.
func (b *block) orderMatters(ts []transfer) ir.Exp {
	cond := ir.Exp(ir.BoolLit(false))
	for i, t := range ts {
		for _, o := range ts[i+1:] {
			if !b.separate(t.dst, o.src) {
				cond = or(cond, b.overlapping(t.dst, o.src))
			}
		}
	}
	return cond
}

// copyCycle makes copies that stop each other, in a kernel.
func (b *block) copyCycle(ts []transfer) {
	shape, exchange := ts[0].dst.shape(), true
	for i, t := range ts {
		exchange = exchange && sameShape(shape, t.dst.shape()) && b.separate(t.dst, t.src)
		for j, o := range ts {
			exchange = exchange && (i == j || b.separate(t.dst, o.src) || b.f.coincide(t.dst, o.src) && t.dst.prim == o.src.prim)
		}
	}
	if exchange {
		b.nest(shape, func(in *block, ix []sym.Poly) {
			vals := make([]ir.Exp, len(ts))
			for k, t := range ts {
				vals[k] = in.load(t.src, ix)
			}
			for k, t := range ts {
				in.store(t.dst, ix, vals[k])
			}
		})
		return
	}
	b.when(b.orderMatters(ts), func(b *block) {
		b.copyWorkspace(ts)
	}, func(b *block) {
		for _, t := range ts {
			b.copy(t.dst, t.src)
		}
	})
}

func sameShape(x, y []sym.Poly) bool {
	return slices.EqualFunc(x, y, func(p, q sym.Poly) bool { return p.Equal(q) })
}

// separate reports whether two arrays provably have no byte in common.
func (b *block) separate(x, y *array) bool {
	if b.distinct(x.mem, y.mem) {
		return true
	}
	p, q := x.fun.Subst(b.f.definition), y.fun.Subst(b.f.definition)
	return places.Disjoint(b.known(p.Names(), q.Names()), p, q, x.prim.Size(), y.prim.Size())
}

// known returns the facts about names, and about the sizes that bound them.
func (b *block) known(lists ...[]string) places.Facts {
	var facts places.Facts
	seen := map[string]bool{}
	var add func(names []string)
	add = func(names []string) {
		for _, n := range names {
			if seen[n] {
				continue
			}
			seen[n] = true
			if b.nonnegative(sym.Var(n)) {
				facts = facts.NonNegative(sym.Var(n))
			}
			if r, ok := b.f.bounds[n]; ok {
				size := r.size.Subst(b.f.definition)
				facts = facts.WithBound(n, sym.Const(0), size)
				add(size.Names())
			}
		}
	}
	for _, names := range lists {
		add(names)
	}
	return facts
}

// overlapping is the condition that the bytes between the first and the last of
// two arrays overlap, which both have elements.
func (b *block) overlapping(x, y *array) ir.Exp {
	xlo, xhi := b.extent(x)
	ylo, yhi := b.extent(y)
	if x.prim != y.prim {
		bytes := func(a *array, from, to ir.Exp) (lo, hi ir.Exp) {
			n := i64(a.prim.Size())
			return b.atom(b.plain(times(from, n)), "first"), b.atom(b.plain(subtract(times(add(to, i64(1)), n), i64(1))), "last")
		}
		xlo, xhi = bytes(x, xlo, xhi)
		ylo, yhi = bytes(y, ylo, yhi)
	}
	cond := and(binary("<=", ylo, xhi), binary("<=", xlo, yhi))
	for _, shape := range [][]sym.Poly{x.shape(), y.shape()} {
		for _, n := range shape {
			cond = and(cond, someOf(n))
		}
	}
	return cond
}

// someOf is the condition that a size is not 0.
func someOf(n sym.Poly) ir.Exp {
	if c, ok := n.IsConst(); ok {
		return ir.BoolLit(c > 0)
	}
	return binary(">", n.Exp(), i64(0))
}
