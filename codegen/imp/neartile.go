package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Tiles in words]
//
// Where neighbouring values come from neighbouring elements, the group brings the elements to local
// memory, not the values (Note [Scans in one pass]), and 16 bytes at a time. A work-item computes its
// values twice from them: first for their total, then once more after the total of all earlier tiles:
//
//	near = xs[base .. base + 256 * each - 1]                // the group
//	own = neutral
//	for w < units { from = near[word w of the work-item]; for k < n { own = own op f(from[k]) } }
//	...                                                     // 2 to 5, which give `before`
//	for w < units {
//		from = near[word w of the work-item]
//		for k < n { before = before op f(from[k]); to[k] = before }
//		near[word w of the work-item] = to
//	}
//	ys[base .. base + 256 * each - 1] = near
//
// Here n elements of the largest type make a word of 16 bytes, and each = units * n. The number of
// units is odd, so that neighbouring work-items use several banks of local memory.

// maxTwice is the most statements of a value that is computed twice.
const maxTwice = 16

// A nearTile is the code of a work-item whose elements lie in local memory.
type nearTile struct {
	*wideMap
	units               int64    // words of a work-item
	own                 *ir.Ref  // the place of the work-item's present word in the tile
	here                []string // variables of the present value
	value, again, store []Stmt   // of a point: its value; that, and its mapped results; its results
	writes              bool     // in this pass
	bring, leave        []Stmt   // the group moves elements between blocks and local memory
	from, to            []Stmt   // a work-item moves a word between local memory and its rooms
}

// wordTile returns the tile in words of a scan, or nil if neighbouring values have no neighbouring elements.
func (s *tileScan) wordTile(b *block) *nearTile {
	if s.totals() || !s.scalar {
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
	if smallest*wideBytes < largest*moveBytes || readsWritten(lists[1]) {
		return nil
	}
	names, sizes := s.row()
	w := b.neighbours(names, sizes, wideBytes/largest)
	w.tile, w.count = true, b.temp("left", ir.I64)
	near := &nearTile{wideMap: w, own: b.temp("own", ir.I64), here: here}
	for i, list := range lists {
		moved, ok := w.all(list)
		if !ok {
			return nil
		}
		place := &Set{Dst: p.Name, E: index(add(add(w.first, near.own), w.k))}
		lists[i] = needed(append([]Stmt{place}, moved...), here...)
	}
	near.value, near.again, near.store = lists[0], lists[1], lists[2]
	if weight(near.again) > maxTwice || !near.stage(s.tileRoom(b)) {
		return nil
	}
	return near
}

// stage gives the elements of each room a place in local memory. Results take that of elements of
// their size, which the work-item has read by then. It returns false if that is too much.
func (w *nearTile) stage(most int64) bool {
	moves := slices.Concat(w.before, w.behind)
	names, taken, bytes := make([]string, len(moves)), make([]bool, len(moves)), int64(0)
	for i, s := range moves {
		m := s.(*Move)
		for j, s := range moves[:i] {
			if f := s.(*Move); m.Store && !f.Store && !taken[j] && f.Prim.Size() == m.Prim.Size() {
				names[i], taken[j] = names[j], true
				break
			}
		}
		if names[i] == "" {
			names[i] = w.in.f.temp("tile_" + m.Mem)
			bytes += w.n * m.Prim.Size()
		}
	}
	if bytes == 0 || bytes > most { // nothing moves if all values are one, and only their total stays
		return false
	}
	w.units = (most/bytes - 1) | 1
	points := w.units * w.n * GroupSize
	for i, s := range moves {
		m := s.(*Move)
		if !slices.Contains(names[:i], names[i]) {
			w.in.k.out.Locals = append(w.in.k.out.Locals, Local{Name: names[i], Prim: m.Prim, Len: int(points)})
		}
		of := &Move{Room: names[i], Mem: m.Mem, Prim: m.Prim, Off: m.Off, Len: points, Count: m.Count, Even: m.Even, Group: true, Store: m.Store}
		word := &Move{Room: m.Room, Mem: names[i], Prim: m.Prim, Off: w.own, Len: w.n, Near: true, Store: m.Store}
		if m.Store {
			w.leave, w.to = append(w.leave, of), append(w.to, word)
		} else {
			w.bring, w.from = append(w.bring, of), append(w.from, word)
		}
	}
	return true
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

// inWords lowers the scan with a tile in words.
func (s *tileScan) inWords(b *block) {
	near := s.near
	tile := s.ticket(b)
	base := b.atom(index(times(tile, i64(s.e*GroupSize))), "base")
	b.set(near.first.Name, base)
	b.set(near.count.(*ir.Ref).Name, minimum(i64(s.e*GroupSize), index(subtract(s.total.Exp(), base))))
	b.add(near.bring...)
	b.barrier()

	mine, marked := s.own(b)
	s.walk(b, base, func(in *block, _, begins ir.Exp) {
		in.add(near.value...)
		s.followOwn(in, begins, mine, marked, func(*block) []ir.Exp { return s.refs(near.here) })
	})
	s.offer(b, mine, marked)
	s.scanShared(b, mine, marked, func() { s.publish(b, tile, mine, marked) })
	before := s.lookBack(b, tile, mine, marked)
	s.earlier(b, before)
	near.writes = true
	s.walk(b, base, func(in *block, _, begins ir.Exp) {
		in.add(near.again...)
		s.follow(in, begins, before, func(*block) []ir.Exp { return s.refs(near.here) })
		s.operator.set(in, near.here, s.refs(before))
		in.add(near.store...)
	})
	b.barrier()
	b.add(near.leave...)
}

// turns loops over the words of a work-item, and the values of each. Behind the last value it computes
// with other elements of the array: no value that is written comes after these, and kernels divide by 0
// without harm.
func (w *nearTile) turns(b *block, body func(in *block, turn ir.Exp)) {
	word := b.temp("word", ir.I64)
	in, each := b.sub(), b.sub()
	in.set(w.own.Name, index(times(add(times(localID, i64(w.units)), word), i64(w.n))))
	in.add(w.from...)
	body(each, w.k)
	in.add(&For{Var: w.k.Name, Bound: i64(w.n), Body: each.stmts, Whole: true})
	if w.writes {
		in.add(w.to...)
	}
	b.add(&For{Var: word.Name, Bound: i64(w.units), Body: in.stmts})
	unroll(b)
}
