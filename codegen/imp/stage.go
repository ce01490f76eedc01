package imp

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Staged reads]
//
// The work-items of a box that do several points together (Note [Points that share reads]) still read
// each element as often as the box has columns, or rows, of work-items. On a GPU the group brings what
// they share to local memory first, for several turns of the loop at once:
//
//	for t < m / 16 {
//	  bring a[rows of the box][16 * t .. 16 * t + 15] and b[16 * t .. 16 * t + 15][columns of the box]
//	  barrier
//	  for u < 16 { e0 = rows[u][r0]; e1 = rows[u][r1]; f0 = columns[u][c0]; ..; s00 = s00 + e0 * f0; .. }
//	  barrier
//	}
//	for the other turns, read a and b themselves
//
// Neighbouring work-items bring neighbours in memory, whichever way an array lies: so a product with
// b[j * m + k] is as fast. A read can be staged if all points execute the loop equally often, and its
// offset depends on the turn, on what is the same for all work-items, and on the indices of the row
// alone, or of the column alone.

// A stage is a read whose elements the group brings to local memory.
type stage struct {
	along int    // its axis
	far   bool   // neighbours in memory are neighbours along the axis, not in the loop
	span  int64  // points of the box along the axis
	tile  string // in local memory: element u * pitch + p of turn u and point p
	pitch int64
}

// stageDepth is how many turns of a loop are staged at once; any power of two is right.
const stageDepth = 16

// stage finds the reads that can be staged; none if they need more local memory than any device has.
func (j *jam) stage() {
	j.stages = map[*For]map[*Load]*stage{}
	if !j.again || j.axes[1].each == 1 || holds(j.point, isA[*Check]) {
		return
	}
	bytes := int64(0)
	for _, s := range j.point {
		loop, ok := s.(*For)
		if !ok || !j.axes[0].shared(loop) || !j.axes[1].shared(loop) {
			continue
		}
		stages := map[*Load]*stage{}
		for _, s := range loop.Body {
			if read, ok := s.(*Load); ok {
				if st := j.stageOf(loop, read); st != nil {
					stages[read] = st
					bytes += st.pitch * stageDepth * read.Prim.Size()
				}
			}
		}
		if len(stages) > 0 {
			j.stages[loop] = stages
		}
	}
	if bytes > leastLocal {
		j.stages = nil
	}
}

// stageOf returns how to stage a read in a loop; nil if it cannot be.
func (j *jam) stageOf(loop *For, read *Load) *stage {
	st := &stage{}
	if j.axes[0].shared(read) {
		st.along = 1
	}
	axis := j.axes[st.along]
	if axis.shared(read) || !j.axes[1-st.along].shared(read) || read.Fresh {
		return nil
	}
	ok := map[string]bool{}
	assignments(j.point, func(name string) { ok[name] = name == loop.Var })
	for d, name := range j.indices {
		ok[name] = d < j.layers || (d == len(j.indices)-1) == (st.along == 1)
	}
	found := true
	refs(read.Off, func(name string) {
		known, own := ok[name]
		found = found && (known || !own)
	})
	if !found {
		return nil
	}
	st.span = axis.each << squareRow
	st.pitch = st.span
	if st.far = !slope(indexPoly(read.Off), loop.Var).Is(1); !st.far {
		st.pitch += 16 / read.Prim.Size() // neighbouring turns in other banks
	}
	return st
}

// stagedLoop returns the statements of all points for a loop, whose reads are staged.
func (j *jam) stagedLoop(loop *For) []Stmt {
	all, stages := corner{-1, -1}, j.stages[loop]
	b, tile := j.in.sub(), j.in.sub()
	depth := i64(stageDepth)
	full := b.atom(index(quotient(loop.Bound, depth)), "full")
	t, u := b.temp("tile", ir.I64), b.temp("turn", ir.I64)
	first := index(times(t, depth))
	b.declare(loop.Var, ir.I64)
	for _, s := range loop.Body {
		if read, ok := s.(*Load); ok && stages[read] != nil {
			j.bring(tile, stages[read], read, loop.Var, first)
		}
	}
	tile.barrier()
	near := []Stmt{&Set{Dst: loop.Var, E: index(add(first, u))}}
	for _, s := range loop.Body {
		read, ok := s.(*Load)
		if !ok || stages[read] == nil {
			near = append(near, j.all([]Stmt{s}, all)...)
			continue
		}
		st := stages[read]
		axis := j.axes[st.along]
		for p := range axis.each {
			c := all
			c[st.along] = p
			at := add(times(u, i64(st.pitch)), add(axis.span.own, times(i64(p), axis.span.step)))
			near = append(near, &Load{Dst: j.name(read.Dst, read.Prim, c), Prim: read.Prim, Mem: st.tile, Off: index(at)})
		}
	}
	tile.add(&For{Var: u.Name, Bound: depth, Body: near, Unroll: true})
	tile.barrier()
	b.add(&For{Var: t.Name, Bound: full, Body: tile.stmts})
	rest := b.temp("rest", ir.I64)
	b.add(&For{Var: rest.Name, Bound: index(subtract(loop.Bound, times(full, depth))),
		Body: append([]Stmt{&Set{Dst: loop.Var, E: index(add(times(full, depth), rest))}}, j.all(loop.Body, all)...)})
	return b.stmts
}

// bring has the group bring a tile of a read's elements to local memory: those of the turns from first.
func (j *jam) bring(b *block, st *stage, read *Load, turn string, first ir.Exp) {
	st.tile = b.f.temp("tile_" + read.Mem)
	b.k.out.Locals = append(b.k.out.Locals, Local{Name: st.tile, Prim: read.Prim, Len: int(st.pitch * stageDepth)})
	axis := j.axes[st.along]
	brought := b.temp("brought", ir.I64)
	in := b.sub()
	item := in.atom(index(add(localID, times(brought, groupSize))), "item")
	inner := int64(stageDepth)
	if st.far {
		inner = st.span
	}
	low := in.atom(binary("&", item, i64(inner-1)), "low")
	high := in.atom(binary(">>", item, i64(int64(bits.TrailingZeros64(uint64(inner))))), "high")
	u, p := low, high
	if st.far {
		u, p = high, low
	}
	// The row or column of the element, and the turn, have names of their own.
	list := []Stmt{
		&Set{Dst: axis.turn, E: index(minimum(add(axis.span.base, p), subtract(axis.span.count, i64(1))))},
		&Set{Dst: turn, E: index(add(first, u))},
	}
	if st.along == 0 {
		list = append(list, j.locate...)
	}
	list = append(list, read)
	names := map[string]string{}
	assignments(list, func(name string) { names[name] = "" })
	for _, name := range slices.Sorted(maps.Keys(names)) {
		t := ir.Prim(ir.I64)
		if name == read.Dst {
			t = read.Prim
		}
		names[name] = b.temp(name, t).Name
	}
	in.add(renamed(list, names)...)
	in.add(&Store{Mem: st.tile, Prim: read.Prim, Off: index(add(times(u, i64(st.pitch)), p)), Val: &ir.Ref{Name: names[read.Dst], T: read.Prim}})
	b.add(&For{Var: brought.Name, Bound: i64(st.span * stageDepth / GroupSize), Body: in.stmts, Unroll: true})
}
