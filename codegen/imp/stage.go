package imp

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Staged reads]
//
// The work-items of a box that do several points together (Note [Points that share reads]) still read
// each element as often as the box has columns, or rows, of work-items. On a GPU the group brings what
// they share to local memory first, for several turns of the loop at once:
//
//	next = a[rows of the box][0 .. 15], b[0 .. 15][columns of the box]
//	for t < m / 16 {
//	  tile = next; barrier
//	  next = the same of the turns from 16 * (t + 1)
//	  for u < 16 { e0 = tile a[u][r0]; e1 = tile a[u][r1]; f0 = tile b[u][c0]; ..; s00 = s00 + e0 * f0; .. }
//	  barrier
//	}
//	for the other turns, read a and b themselves
//
// So elements of the next tile are on their way while this one is used. The last tile is read once more.
// Neighbouring work-items bring neighbours in memory, whichever way an array lies: so a product with
// b[j * m + k] is as fast. A read can be staged if all points execute the loop equally often, and its
// offset depends on the turn, on what is the same for all work-items, and on the indices of the row
// alone, or of the column alone. The loop may have been a nest (Note [Flat loops]).
//
// In a space of one dimension all points may read the same elements, as the bodies of nbody do those of all
// others. Then a work-item has one point, and the group brings the elements of as many turns as it has
// work-items. The host chooses this if the loop has so many turns, and the device's units a group each:
// forces among 100,000 bodies took 15.5 ms in place of 19.4 (one H200).

// A stage is a read whose elements the group brings to local memory.
type stage struct {
	along int    // its axis
	far   bool   // neighbours in memory are neighbours along the axis, not in the loop
	span  int64  // points of the box along the axis
	turns []Stmt // assignments that the offset needs, by the turn alone
	pitch int64  // element u * pitch + p of the tile is of turn u and point p
}

// stageDepth is how many turns of a loop are staged at once; any power of two is right.
const stageDepth = 16

// depth is how many turns of a loop are staged at once: where all points read the same element of a turn, as
// many as the group has work-items.
func (j *jam) depth() int64 {
	if j.line() {
		return GroupSize
	}
	return stageDepth
}

// stagedRows lists the logarithms of the columns of work-items that boxes with staged reads may have: boxes of
// 128 rows of 64 columns, or, where fewer rows are left over, 64 of 128, or 32 of 256. A convolution with 64
// outputs took 295 us in boxes of 64 rows, and 354 in those of 32; one with 32 outputs 240 us in boxes of 32
// rows, and 379 in those of 64 (one H200).
var stagedRows = []int64{squareRow, 5, 6}

// launchStaged launches the kernel of the first shape whose boxes are no emptier than those of the next.
func (j *jam) launchStaged(b *block, name, doc string, shapes []*jam) {
	first := func(b *block) {
		b.launch(shapes[0].kernel(b, name+"_staged", doc+", several points at once, from local memory"))
	}
	if len(shapes) == 1 {
		first(b)
		return
	}
	b.when(less(shapes[1].covered(), shapes[0].covered()), func(b *block) { j.launchStaged(b, name, doc, shapes[1:]) }, first)
}

// covered is the number of points that the boxes of a layer have room for.
func (j *jam) covered() ir.Exp {
	last := len(j.sizes) - 1
	whole := func(size sym.Poly, box int64) ir.Exp { return times(ceilDiv(size.Exp(), i64(box)), i64(box)) }
	return times(whole(product(j.sizes[j.layers:last]), j.box(0)), whole(j.sizes[last], j.box(1)))
}

// box is how many points a box has along an axis.
func (j *jam) box(along int) int64 {
	if along == 0 {
		return j.axes[0].each << (groupLog - j.row)
	}
	return j.axes[1].each << j.row
}

// stage returns a jam with staged reads, in boxes with so many columns of work-items; nil if none can be
// staged, or they need more local memory than any device has.
func (j *jam) stage(f *fn, row int64) *jam {
	if !j.again || j.axes[1].each == 1 && !j.line() || holds(j.point, isA[*Check]) {
		return nil
	}
	out := *j
	out.point, out.row, out.stages = cloned(j.point), row, map[*For]map[*Load]*stage{}
	out.flatten(f)
	out.mark(out.point)
	bytes := int64(slack)
	for _, s := range out.point {
		loop, ok := s.(*For)
		if !ok || changes(loop.Body, loop.Bound) || !j.axes[0].shared(loop) || !j.axes[1].shared(loop) {
			continue
		}
		known, n := out.bound(loop)
		if c, literal := n.IsConst(); j.line() && (!known || literal && c < j.depth() || loops(loop.Body)) {
			continue
		}
		stages := map[*Load]*stage{}
		for _, s := range loop.Body {
			if read, ok := s.(*Load); ok {
				if st := out.stageOf(loop, read); st != nil {
					stages[read] = st
					bytes += st.pitch * j.depth() * read.Prim.Size()
				}
			}
		}
		if len(stages) > 0 {
			out.stages[loop] = stages
			if j.line() {
				out.fits = append(slices.Clip(out.fits), not(less(n.Exp(), i64(j.depth()))))
			}
		}
	}
	if len(out.stages) == 0 || bytes > leastLocal {
		return nil
	}
	return &out
}

// bound returns how often a loop turns, and whether the host knows that.
func (j *jam) bound(loop *For) (known bool, n sym.Poly) {
	n = indexPoly(loop.Bound)
	return polynomial(n.Exp()) && !changes(j.point, loop.Bound) && !slices.ContainsFunc(j.indices, n.Has), n
}

// changes reports whether statements assign a name of an expression.
func changes(list []Stmt, e ir.Exp) (found bool) {
	ir.ExpNames(e, func(name string) { found = found || assigns(list, name) })
	return found
}

// stageOf returns how to stage a read in a loop; nil if it cannot be.
func (j *jam) stageOf(loop *For, read *Load) *stage {
	st := &stage{}
	if j.axes[0].shared(read) {
		st.along = 1
	}
	if j.line() {
		st.along = 0
	}
	axis := j.axes[st.along]
	if axis.shared(read) != j.line() || !j.axes[1-st.along].shared(read) || read.Fresh {
		return nil
	}
	ok := map[string]bool{}
	assignments(j.point, func(name string) { ok[name] = name == loop.Var })
	for d, name := range j.indices {
		ok[name] = d < j.layers || (d == len(j.indices)-1) == (st.along == 1)
	}
	uses := func(e ir.Exp) bool {
		found := true
		ir.ExpNames(e, func(name string) {
			known, own := ok[name]
			found = found && (known || !own)
		})
		return found
	}
	for _, s := range j.point[:slices.Index(j.point, Stmt(loop))] { // as the first turn of a part of a long sum
		if set, isSet := s.(*Set); isSet && j.ofTurn(set) && uses(set.E) {
			ok[set.Dst] = true
		}
	}
	for _, s := range loop.Body[:slices.Index(loop.Body, Stmt(read))] {
		if set, isSet := s.(*Set); isSet && j.ofTurn(set) && uses(set.E) {
			ok[set.Dst] = true
			st.turns = append(st.turns, set)
		}
	}
	if !uses(read.Off) {
		return nil
	}
	st.span = j.box(st.along)
	st.pitch = st.span
	off := indexPoly(read.Off)
	if st.far = slope(off, axis.turn).Is(1) || !slope(off, loop.Var).Is(1); !st.far && st.span > 1 {
		st.pitch += 16 / read.Prim.Size() // neighbouring turns in other banks
	}
	return st
}

// ofTurn reports whether an assignment is the only one of its scalar, and the same for all points.
func (j *jam) ofTurn(set *Set) bool {
	n := 0
	assignments(j.point, func(name string) {
		if name == set.Dst {
			n++
		}
	})
	return n == 1 && j.axes[0].shared(set) && j.axes[1].shared(set)
}

// stagedLoop returns the statements of all points for a loop, whose reads are staged.
func (j *jam) stagedLoop(loop *For) []Stmt {
	all, stages := corner{-1, -1}, j.stages[loop]
	b := j.in.sub()
	b.declare(loop.Var, ir.I64)
	depth := j.depth()
	full := b.atom(index(quotient(loop.Bound, i64(depth))), "full")
	t, u := b.temp("tile", ir.I64), b.temp("turn", ir.I64)
	first := func(tile ir.Exp) ir.Exp { return index(times(tile, i64(depth))) }

	var tiles []*tile
	near := []Stmt{&Set{Dst: loop.Var, E: index(add(first(t), u))}}
	for _, s := range loop.Body {
		read, ok := s.(*Load)
		if !ok || stages[read] == nil {
			near = append(near, j.all([]Stmt{s}, all)...)
			continue
		}
		to := j.tile(b, stages[read], read)
		tiles = append(tiles, to)
		near = append(near, to.get(u)...)
	}
	fetch := func(b *block, turn ir.Exp) {
		for _, to := range tiles {
			to.fetch(b, loop.Var, turn)
		}
	}
	b.when(binary(">", full, i64(0)), func(b *block) { fetch(b, i64(0)) }, nil)
	in := b.sub()
	for _, to := range tiles {
		to.put(in)
	}
	in.barrier()
	fetch(in, first(minimum(add(t, i64(1)), subtract(full, i64(1)))))
	in.add(&For{Var: u.Name, Bound: i64(depth), Body: near, Unroll: depth > stageDepth, Waves: depth == stageDepth})
	in.barrier()
	b.add(&For{Var: t.Name, Bound: full, Body: in.stmts})
	rest := b.temp("rest", ir.I64)
	b.add(&For{Var: rest.Name, Bound: index(subtract(loop.Bound, first(full))),
		Body: append([]Stmt{&Set{Dst: loop.Var, E: index(add(first(full), rest))}}, j.all(loop.Body, all)...)})
	return b.stmts
}

// A tile holds the elements of a staged read in some turns, in local memory.
type tile struct {
	*jam
	*stage
	read    *Load
	mem     string
	fetched []*ir.Ref // elements that the work-item has read for the next tile
}

func (j *jam) tile(b *block, st *stage, read *Load) *tile {
	t := &tile{jam: j, stage: st, read: read, mem: b.f.temp("tile_" + read.Mem)}
	b.k.out.Locals = append(b.k.out.Locals, Local{Name: t.mem, Prim: read.Prim, Len: int(st.pitch * j.depth())})
	for range st.span * j.depth() / GroupSize {
		t.fetched = append(t.fetched, b.temp("next_"+read.Mem, read.Prim))
	}
	return t
}

// place is where one of the elements that a work-item brings lies: its turn, and its point along the axis.
func (t *tile) place(k int) (turn, point ir.Exp) {
	inner := t.depth()
	if t.far {
		inner = t.span
	}
	log, from := i64(int64(bits.TrailingZeros64(uint64(inner)))), i64(int64(k)*GroupSize)
	low, high := binary("&", add(localID, from), i64(inner-1)), binary(">>", add(localID, from), log)
	if inner <= GroupSize { // then low is the same for all k, and compilers see it
		low, high = binary("&", localID, i64(inner-1)), add(binary(">>", localID, log), i64(int64(k)*GroupSize/inner))
	}
	if t.far {
		return high, low
	}
	return low, high
}

// fetch has a work-item read its elements of the turns from first.
func (t *tile) fetch(b *block, turn string, first ir.Exp) {
	axis := t.axes[t.along]
	for k, to := range t.fetched {
		u, p := t.place(k)
		list := append([]Stmt{
			&Set{Dst: axis.turn, E: index(minimum(add(axis.span.base, p), subtract(axis.span.count, i64(1))))},
			&Set{Dst: turn, E: index(add(first, u))},
		}, t.turns...)
		if t.along == 0 {
			list = append(list, t.locate...)
		}
		// The row or column of the element, and its turn, have names of their own.
		names := map[string]string{}
		assignments(list, func(name string) { names[name] = "" })
		for _, name := range slices.Sorted(maps.Keys(names)) {
			names[name] = b.temp(name, ir.I64).Name
		}
		names[t.read.Dst] = to.Name
		b.add(needed(renamed(append(list, t.read), names))...)
	}
}

// put has it write them to the tile.
func (t *tile) put(b *block) {
	for k, from := range t.fetched {
		u, p := t.place(k)
		b.add(&Store{Mem: t.mem, Prim: t.read.Prim, Off: index(add(times(u, i64(t.pitch)), p)), Val: from})
	}
}

// get reads the elements of a turn of the tile.
func (t *tile) get(turn ir.Exp) (out []Stmt) {
	axis := t.axes[t.along]
	for p := range axis.each {
		c := corner{-1, -1}
		c[t.along] = p
		at := times(turn, i64(t.pitch))
		if t.span > 1 {
			at = add(at, add(axis.span.own, times(i64(p), axis.span.step)))
		}
		out = append(out, &Load{Dst: t.name(t.read.Dst, t.read.Prim, c), Prim: t.read.Prim, Mem: t.mem, Off: index(at)})
	}
	return out
}
