package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Small tiles]
//
// Values from elements of one or two bytes need no local memory to be read by neighbours (Note
// [Scans in one pass]): the elements of a work-item lie in a few words, which it reads at once
// (Note [Small elements]) and keeps. It computes its values twice from them: first for their total,
// then once more after the total of all earlier tiles:
//
//	from = xs[first .. first + each - 1]
//	own = neutral; for k < each { own = own op f(from[k]) }
//	...                                    // 2 to 5, which give `before`
//	for k < each { before = before op f(from[k]); to[k] = before }
//	ys[first .. first + each - 1] = to

// nearBytes is the most that a work-item keeps of one array, in registers.
const nearBytes = 64

// A nearTile is the code of a work-item that keeps its values.
type nearTile struct {
	*wideMap
	here                []string // variables of the present value
	value, again, store []Stmt   // of a point: its value; that, and its mapped results; its results
}

// keeps returns the near tile of a scan, or nil if elements are large, or if neighbouring
// values have no neighbouring elements.
func (s *tileScan) keeps(b *block) *nearTile {
	if s.last != nil || !s.scalar {
		return nil
	}
	var here []string
	for _, n := range s.acc {
		here = append(here, b.f.temp("here_"+n))
	}
	p := b.temp("p", ir.I64)
	point := func(body func(in *block)) []Stmt {
		in := b.sub()
		s.point(in, p)
		body(in)
		return in.stmts
	}
	lists := [][]Stmt{
		point(func(in *block) { s.operator.set(in, here, s.pure(in)) }),
		point(func(in *block) { s.operator.set(in, here, s.values(in)) }),
		point(func(in *block) { s.store(in, s.refs(here)) }),
	}
	smallest, largest := movedSizes(slices.Concat(lists...))
	for _, t := range s.t {
		largest = max(largest, t.Size())
	}
	if smallest > 2 || largest > 4 || readsWritten(lists[1]) {
		return nil
	}
	bytes := int64(wideBytes)
	for bytes < nearBytes && 4*bytes <= b.f.l.threshold(tileBytes) {
		bytes *= 2
	}
	names, sizes := s.row()
	w := b.neighbours(names, sizes, bytes/largest)
	w.count = b.temp("count", ir.I64)
	for i, list := range lists {
		moved, ok := w.all(list)
		if !ok {
			return nil
		}
		place := &Set{Dst: p.Name, E: index(add(w.first, w.k))}
		lists[i] = needed(append([]Stmt{place}, moved...), here...)
	}
	return &nearTile{wideMap: w, here: here, value: lists[0], again: lists[1], store: lists[2]}
}

// readsWritten reports whether a list may read elements that it wrote before.
func readsWritten(list []Stmt) bool {
	written := false
	for _, s := range list {
		switch s.(type) {
		case *Store:
			written = true
		case *Load:
			if written {
				return true
			}
		}
	}
	return false
}

// small lowers the scan with values that work-items keep.
func (s *tileScan) small(b *block) {
	near := s.near
	tile := s.ticket(b)
	base := b.atom(index(times(tile, i64(s.e*GroupSize))), "base")
	first := b.atom(index(add(base, times(localID, i64(s.e)))), "first")
	some := less(first, s.total.Exp())
	b.set(near.first.Name, minimum(first, index(subtract(s.total.Exp(), i64(1)))))
	b.set(near.count.(*ir.Ref).Name, minimum(i64(s.e), index(subtract(s.total.Exp(), near.first))))
	b.add(near.before...)

	mine, marked := s.own(b)
	s.kept(b, base, near.value, func(in *block, begins ir.Exp) {
		s.followOwn(in, begins, mine, marked, func(*block) []ir.Exp { return s.refs(near.here) })
	})
	s.offer(b, mine, marked)
	s.scanShared(b, mine, marked)
	before := s.lookBack(b, tile)
	s.earlier(b, before)
	s.kept(b, base, near.again, func(in *block, begins ir.Exp) {
		s.follow(in, begins, before, func(*block) []ir.Exp { return s.refs(near.here) })
		s.operator.set(in, near.here, s.refs(before))
		in.add(near.store...)
	})
	b.when(some, func(in *block) { in.add(near.behind...) }, nil)
}

// kept visits the work-item's values in order, behind the statements that give each. Behind the last
// value it computes with other elements of the array: no value that is written comes after these, and
// kernels divide by 0 without harm.
func (s *tileScan) kept(b *block, base ir.Exp, value []Stmt, body func(in *block, begins ir.Exp)) {
	s.walk(b, base, func(in *block, at, begins ir.Exp) {
		in.add(value...)
		body(in, begins)
	})
}
