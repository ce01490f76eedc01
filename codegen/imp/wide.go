package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Small elements]
//
// For a GPU an access of one byte is as much work as one of 16 bytes. Where a map only moves
// elements, some of them of one or two bytes, and each point reads and writes what lies at its
// number, or the same as all others, a work-item takes as many neighbouring points as make 16
// bytes of the largest elements:
//
//	ys[i] = f(xs[i])
//
//	from = xs[16 * g .. 16 * g + 15]
//	for k < 16 { to[k] = f(from[k]) }
//	ys[16 * g .. 16 * g + 15] = to
//
// There from and to are rooms of the work-item. That is a kernel of its own, which the host
// chooses where there are points enough to fill the device all the same. Behind the last
// point, from has the first one's elements again, and of to nothing is written.

// wideBytes is the most that a work-item moves at once.
const wideBytes = 16

// A wideMap is a kernel that moves neighbouring elements at once, being made of the statements
// of a point of another one.
type wideMap struct {
	in     *block
	number sym.Poly // of a point, in its indices
	n      int64    // points of a work-item
	rooms  map[string]string
	before []Stmt // reads
	behind []Stmt // writes
}

// wide gives such a kernel for one whose work-items have these statements for each point, and
// the number of points of a work-item; nil where there is none.
func (b *block) wide(of *block, name, doc string, names []string, sizes []sym.Poly) (in *block, points int64) {
	smallest, largest := int64(wideBytes), int64(1)
	for _, s := range of.k.moves {
		switch s := s.(type) {
		case *Load:
			smallest, largest = min(smallest, s.Prim.Size()), max(largest, s.Prim.Size())
		case *Store:
			smallest, largest = min(smallest, s.Prim.Size()), max(largest, s.Prim.Size())
		}
	}
	if smallest > 2 || largest > 4 {
		return nil, 0
	}
	number := sym.Const(0)
	for d, n := range names {
		number = number.Mul(sizes[d]).Add(sym.Var(n))
	}
	w := &wideMap{in: b.kernel(name+"_wide", doc+", several neighbours at once"), number: number, n: wideBytes / largest, rooms: map[string]string{}}
	w.in.k.out.Vars = slices.Clone(of.k.out.Vars)
	for _, v := range of.k.out.Vars {
		w.in.k.vars[v.Name] = true
	}
	first, k := w.in.temp("first", ir.I64), w.in.temp("k", ir.I64)
	total := index(product(sizes).Exp())
	w.in.set(first.Name, index(times(add(times(groupID, groupSize), localID), i64(w.n))))
	count := w.in.atom(minimum(i64(w.n), index(subtract(total, first))), "count")
	point := []Stmt{&Set{Dst: numberOf(names), E: index(add(first, k))}}
	for _, s := range of.k.moves {
		s, ok := w.stmt(s, first, k, count)
		if !ok {
			return nil, 0
		}
		point = append(point, s)
	}
	point = needed(point, nil)
	w.in.when(binary(">", count, i64(0)), func(in *block) {
		in.add(w.before...)
		in.add(&For{Var: k.Name, Bound: i64(w.n), Body: point, Whole: true})
		in.add(w.behind...)
	}, nil)
	return w.in, w.n
}

// stmt gives a statement of the point first+k; false where it reads or writes elsewhere.
func (w *wideMap) stmt(s Stmt, first, k, count ir.Exp) (Stmt, bool) {
	switch s := s.(type) {
	case *Set:
		return &Set{Dst: s.Dst, E: s.E}, true
	case *Load:
		off := indexPoly(s.Off)
		if w.uniform(off) {
			return &Load{Dst: s.Dst, Prim: s.Prim, Mem: s.Mem, Off: s.Off}, true
		}
		room, ok := w.room(s.Mem, s.Prim, off, first, count, &w.before, false)
		return &Load{Dst: s.Dst, Prim: s.Prim, Mem: room, Off: k}, ok
	case *Store:
		room, ok := w.room(s.Mem, s.Prim, indexPoly(s.Off), first, count, &w.behind, true)
		return &Store{Mem: room, Prim: s.Prim, Off: k, Val: s.Val}, ok
	}
	return nil, false
}

// uniform tells whether an offset is the same for all points.
func (w *wideMap) uniform(off sym.Poly) bool {
	return !slices.ContainsFunc(off.Names(), func(n string) bool { return w.in.k.vars[n] })
}

// room gives the room for the elements that points have at an offset, which are moved there or
// from there at once; false where they aren't neighbours as the points are.
func (w *wideMap) room(mem string, t ir.Prim, off sym.Poly, first, count ir.Exp, moves *[]Stmt, store bool) (string, bool) {
	rest := off.Sub(w.number)
	if !w.uniform(rest) {
		return "", false
	}
	key := mem + " " + t.String() + " " + rest.String()
	if w.rooms[key] == "" {
		name := w.in.f.temp("near_" + mem)
		w.rooms[key] = name
		w.in.k.out.Rooms = append(w.in.k.out.Rooms, Room{name, w.n * t.Size()})
		w.in.k.out.Own[name] = true
		*moves = append(*moves, &Move{Room: name, Mem: mem, Prim: t, Off: index(add(first, rest.Exp())), Len: w.n, Count: count, Store: store})
	}
	return w.rooms[key], true
}
