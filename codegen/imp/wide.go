package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Small elements]
//
// On a GPU an access of one byte is as much work as one of 16 bytes. This concerns a map that only
// moves elements, some of them of one or two bytes, where each point reads and writes elements at
// its own number, or the same ones as all other points. Then a work-item takes as many neighbouring
// points as the largest elements have in 16 bytes:
//
//	ys[i] = f(xs[i])
//
//	from = xs[16 * g .. 16 * g + 15]
//	for k < 16 { to[k] = f(from[k]) }
//	ys[16 * g .. 16 * g + 15] = to
//
// Here from and to are rooms of the work-item. This is a kernel of its own, which the host chooses
// if there are enough points to fill the device nevertheless. After the last point, from contains
// the first element again, and to is not written.

// wideBytes is the most that a work-item moves at once, moveBytes the least of a Move.
const (
	wideBytes = 16
	moveBytes = 4
)

// A wideMap replaces the statements of a point by those of neighbouring points, whose elements are
// moved at once.
type wideMap struct {
	in     *block
	number sym.Poly // of a point, in its indices
	n      int64    // points of a work-item
	// The points have the numbers first+k, for k from 0 below count, which is at most n.
	first, k *ir.Ref
	count    ir.Exp
	varies   func(name string) bool // from point to point
	rest     sym.Poly               // of the places moved first, where point 0 has its element
	headed   bool                   // first + rest is a multiple of n; otherwise first is one
	tile     bool                   // the group moves the elements, in words
	rooms    map[string]string
	before   []Stmt // reads
	behind   []Stmt // writes
}

// wide returns such a kernel for one whose work-items have these statements for each point, and
// the number of points of a work-item, or nil if there is none.
func (b *block) wide(of *block, name, doc string, names []string, sizes []sym.Poly) (in *block, points int64) {
	smallest, largest := movedSizes(of.k.moves)
	if smallest > 2 || largest > 4 {
		return nil, 0
	}
	in = b.kernel(name+"_wide", doc+", several neighbours at once")
	in.k.out.Vars = slices.Clone(of.k.out.Vars)
	for _, v := range of.k.out.Vars {
		in.k.vars[v.Name] = true
	}
	w := in.neighbours(names, sizes, wideBytes/largest)
	total := index(product(sizes).Exp())
	in.set(w.first.Name, index(times(add(times(groupID, groupSize), localID), i64(w.n))))
	w.count = in.atom(minimum(i64(w.n), index(subtract(total, w.first))), "count")
	moves, ok := w.all(of.k.moves)
	if !ok {
		return nil, 0
	}
	point := needed(append([]Stmt{&Set{Dst: numberOf(names), E: index(add(w.first, w.k))}}, moves...))
	in.when(binary(">", w.count, i64(0)), func(in *block) {
		in.add(w.before...)
		in.add(&For{Var: w.k.Name, Bound: i64(w.n), Body: point, Whole: true})
		in.add(w.behind...)
	}, nil)
	return in, w.n
}

// movedSizes returns the sizes of the smallest and the largest elements that statements move.
func movedSizes(list []Stmt) (smallest, largest int64) {
	smallest, largest = wideBytes, 1
	for _, s := range list {
		switch s := s.(type) {
		case *Load:
			smallest, largest = min(smallest, s.Prim.Size()), max(largest, s.Prim.Size())
		case *Store:
			smallest, largest = min(smallest, s.Prim.Size()), max(largest, s.Prim.Size())
		}
	}
	return smallest, largest
}

// neighbours prepares n neighbouring points of a work-item; the caller gives their count.
func (b *block) neighbours(names []string, sizes []sym.Poly, n int64) *wideMap {
	number := sym.Const(0)
	for d, v := range names {
		number = number.Mul(sizes[d]).Add(sym.Var(v))
	}
	w := &wideMap{in: b, number: number, n: n, first: b.temp("first", ir.I64), k: b.temp("k", ir.I64), rooms: map[string]string{}}
	w.varies = func(name string) bool { return b.k.vars[name] }
	return w
}

// all returns statements of the point first+k; false where one reads or writes elsewhere.
func (w *wideMap) all(list []Stmt) (point []Stmt, ok bool) {
	for _, s := range list {
		s, ok := w.stmt(s)
		if !ok {
			return nil, false
		}
		point = append(point, s)
	}
	return point, true
}

func (w *wideMap) stmt(s Stmt) (Stmt, bool) {
	switch s := s.(type) {
	case *Set:
		return &Set{Dst: s.Dst, E: s.E}, true
	case *Load:
		off := indexPoly(s.Off)
		if s.Fresh {
			return nil, false
		}
		if w.uniform(off) {
			return &Load{Dst: s.Dst, Prim: s.Prim, Mem: s.Mem, Off: s.Off}, true
		}
		room, ok := w.room(s.Mem, s.Prim, off, false)
		return &Load{Dst: s.Dst, Prim: s.Prim, Mem: room, Off: w.k}, ok
	case *Store:
		room, ok := w.room(s.Mem, s.Prim, indexPoly(s.Off), true)
		return &Store{Mem: room, Prim: s.Prim, Off: w.k, Val: s.Val}, ok
	}
	return nil, false
}

// uniform reports whether an offset is the same for all points.
func (w *wideMap) uniform(off sym.Poly) bool {
	return !slices.ContainsFunc(off.Names(), w.varies)
}

// room returns the room for the elements that points have at an offset, which are moved there or
// from there at once; false where they aren't neighbours as the points are.
func (w *wideMap) room(mem string, t ir.Prim, off sym.Poly, store bool) (string, bool) {
	rest := off.Sub(w.number)
	if !w.uniform(rest) || w.in.k.ptrs[mem] {
		return "", false
	}
	key, moves := mem+" "+t.String()+" "+rest.String(), &w.before
	if store {
		key, moves = "to "+key, &w.behind
	}
	if w.rooms[key] == "" {
		if len(w.rooms) == 0 {
			w.rest = rest
		}
		name := w.in.f.temp("near_" + mem)
		w.rooms[key] = name
		w.in.k.out.Rooms = append(w.in.k.out.Rooms, Room{name, w.n * t.Size()})
		w.in.k.out.Own[name] = true
		*moves = append(*moves, &Move{Room: name, Mem: mem, Prim: t, Off: w.in.summed(add(w.first, rest.Exp()), rest), Len: w.n, Count: w.count, Even: w.even(rest, t), Store: store})
	}
	return w.rooms[key], true
}

// even is the condition that first + rest is a multiple of the elements that are moved at once: the
// parts of rest that are the same in all work-items are multiples, and so is whatever the others are
// multiplied by. So it is known before the launch, and keeps no read from going first.
func (w *wideMap) even(rest sym.Poly, t ir.Prim) ir.Exp {
	if w.headed {
		rest = rest.Sub(w.rest)
	}
	parts, fixed := []sym.Poly{}, sym.Const(0)
	rest.Terms(func(coef int64, factors []sym.Factor) {
		p, varies := sym.Const(coef), false
		for _, x := range factors {
			if x.Opaque != nil || w.in.k.vars[x.Key] {
				varies = true // whatever it is
				continue
			}
			for range x.Pow {
				p = p.Mul(sym.Var(x.Key))
			}
		}
		if varies {
			parts = append(parts, p)
		} else {
			fixed = fixed.Add(p)
		}
	})
	var conds []ir.Exp
	for _, p := range append(parts, fixed) {
		least := wideBytes / t.Size()
		if !w.tile {
			least = min(least, w.n)
		}
		if !p.Is(0) {
			conds = append(conds, equalTo(binary("&", p.Exp(), i64(least-1)), i64(0)))
		}
	}
	return and(conds...)
}

// moves returns moves of rooms anew; full tells that all points are there.
func (w *wideMap) moves(list []Stmt, full bool) []Stmt {
	out := make([]Stmt, len(list))
	for i, s := range list {
		m := *s.(*Move)
		if full {
			m.Count = i64(w.n)
		}
		out[i] = &m
	}
	return out
}
