package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Tasks]
//
// For processors (Options.Tasks) a kernel is the code of one task. A launch runs Launch.Groups
// tasks, at most maxTasks. GroupID numbers them, and LocalID is not used. A task does a contiguous
// part of the work in order, in loops:
//
//	launch main_ys_map tasks (n + per - 1) / per (per, n, m_xs, m)
//	kernel: first = group_id * per; count = min(per, n - first)
//	        points turn < count { i = first + turn; xs_e = m_xs[i]; m[i] = xs_e + 1 }
//
// The division of the work depends on its size and on the program's text, never on the number of
// processors. So values are combined in the same order on any machine, and every float is the same.
// No kernel contains a barrier, an atomic operation or memory that tasks share and write.
//
//	a grid         the points in the order of their numbers, the innermost index in
//	               an inner loop of its own, so that no index is divided per point
//	a reduction    one point per segment where there are many; else each segment in
//	               parts, whose values one more task combines in their order
//	a scan         the same: parts, the scan of what they come to, and a last pass
//	               that puts those before the elements
//	a histogram    each task has a copy of the array, which begins with the neutral
//	               value; the copies are combined in order. Where an array is large for
//	               the number of its points, one task combines into the array itself.
//	accumulators   the same, with copies of all that have an operator; a task stores in
//	               the others themselves.

const (
	maxTasks     = 64      // tasks of a launch
	taskWork     = 1 << 16 // operations that are worth waking a thread
	loopWeight   = 64      // assumed turns of a loop, if they are unknown
	taskElements = 1024    // a segment this short is one point
	histCopies   = 16      // copies of an array that a histogram makes
	histPoints   = 8       // points per element that are worth a copy, if a point is that many operations
	histWorth    = 64      // a point of many operations counts as that many points at most
	linePoints   = 16      // neighbouring points whose elements may share a cache line
)

func (b *block) tasks() bool { return b.f.l.opt.Tasks }

// weight estimates the operations of statements.
func weight(list []Stmt) int64 {
	w := int64(0)
	for _, s := range list {
		w++
		switch s := s.(type) {
		case *If:
			w += max(weight(s.Then), weight(s.Else))
		case *For:
			turns := int64(loopWeight)
			if l, ok := s.Bound.(*ir.Lit); ok {
				turns = min(turns, int64(l.Bits))
			}
			w += turns * weight(s.Body)
		case *While:
			w += loopWeight * weight(s.Body)
		case *KRegion:
			w += weight(s.Body)
		}
		if w > taskWork {
			return taskWork
		}
	}
	return w
}

// perTask returns the number of points of a task, each of which runs the statements of body, as a
// variable that the host sets. If points work on interleaved arrays of their own, a task takes
// whole cache lines of them: two threads that write to one line wait for each other at every write.
// If they have rooms in a workspace, several lanes are worth it.
func (b *block) perTask(per *ir.Ref, total ir.Exp, point string, body []Stmt, rooms bool) {
	least := max(1, taskWork/max(1, weight(body)))
	points := maximum(ceilDiv(total, i64(maxTasks)), i64(least))
	if rooms || interleaved(body, point) {
		points = times(ceilDiv(points, i64(linePoints)), i64(linePoints))
	}
	b.set(per.Name, points)
}

// interleaved reports whether a point reads elements that it wrote, next to those of the next point.
func interleaved(body []Stmt, point string) bool {
	loaded, stored := map[string]bool{}, map[string]bool{}
	Each(body, func(s Stmt) {
		switch s := s.(type) {
		case *Load:
			loaded[s.Mem] = true
		case *Store:
			stored[s.Mem] = stored[s.Mem] || slope(indexPoly(s.Off), point).Is(1)
		}
	})
	for mem, neighbours := range stored {
		if neighbours && loaded[mem] {
			return true
		}
	}
	return false
}

// share returns the first point of a part and the number of its points.
func (b *block) share(part, per, total ir.Exp) (first, count ir.Exp) {
	first = b.atom(index(times(part, per)), "first")
	count = b.atom(maximum(minimum(per, index(subtract(total, first))), i64(0)), "count")
	return first, count
}

// points loops over an index variable that numbers points: name = first + 0 .. count-1.
func (b *block) pointLoop(name string, first, count ir.Exp, size sym.Poly, body func(*block)) {
	b.over(name, count, size, func(turn ir.Exp) ir.Exp { return index(add(first, turn)) }, body)
	if !b.tasks() {
		return
	}
	last := len(b.stmts) - 1
	loop := b.stmts[last].(*For)
	loop.Points = true
	b.stmts = append(b.stmts[:last], b.inLanes(loop)...)
}

// taskPoints runs body once per point of a grid, in tasks, and gives their number.
func (b *block) taskPoints(in *block, names []string, sizes []sym.Poly, body func(in *block, ix []sym.Poly)) ir.Exp {
	if len(names) == 0 {
		body(in, nil)
		return i64(1)
	}
	if c, ok := product(sizes).IsConst(); ok && c <= 0 {
		body(in.sub(), vars(names)) // never runs, and would divide by 0
		return i64(0)
	}
	last := len(names) - 1
	total := b.atom(product(sizes).Exp(), "points")
	per := b.temp("per", ir.I64)
	first, count := in.share(groupID, per, total)
	ix := vars(names)
	inner := &block{} // the loop's body, for its weight
	run := func(in *block) { body(in, ix); inner = in }
	if last == 0 {
		in.pointLoop(names[0], first, count, sizes[0], run)
	} else {
		// One turn of the outer loop is a row, or the part of it that is the task's.
		from, left := in.temp("from", ir.I64), in.temp("left", ir.I64)
		in.unravel(first, append(names[:last:last], from.Name), sizes)
		in.set(left.Name, count)
		row := in.sub()
		length := row.atom(minimum(left, index(subtract(sizes[last].Exp(), from))), "length")
		row.pointLoop(names[last], from, length, sizes[last], run)
		row.set(left.Name, index(subtract(left, length)))
		row.set(from.Name, i64(0))
		row.carry(names[:last], sizes[:last])
		in.add(&While{Cond: binary(">", left, i64(0)), Body: row.stmts})
	}
	b.perTask(per, total, names[last], inner.stmts, in.k.item != "")
	if in.k.item != "" {
		in.k.points = per
	}
	return ceilDiv(total, per)
}

// carry goes on to the next point of outer indices.
func (b *block) carry(names []string, sizes []sym.Poly) {
	last := len(names) - 1
	v := ir.Var(names[last])
	b.set(names[last], index(add(v, i64(1))))
	if last > 0 {
		b.when(equalTo(v, sizes[last].Exp()), func(b *block) {
			b.set(names[last], i64(0))
			b.carry(names[:last], sizes[:last])
		}, nil)
	}
}

// parts divides each of the segments of a combination: it gives the number of parts
// per segment, and of values per part.
func (c *combination) parts(b *block) (parts, per ir.Exp) {
	limit := i64(maxTasks)
	if len(c.segs) > 0 {
		limit = maximum(quotient(limit, maximum(c.segments().Exp(), i64(1))), i64(1))
	}
	wanted := ceilDiv(c.n.Exp(), i64(max(1, taskWork/max(1, c.cost))))
	parts = b.atom(maximum(minimum(wanted, limit), i64(1)), "parts")
	return parts, b.atom(ceilDiv(c.n.Exp(), parts), "per")
}

// cost estimates the operations of a body.
func cost(body *ir.Body) int64 {
	w := int64(len(body.Result))
	for _, s := range body.Stmts {
		w++
		turns := int64(1)
		if _, loop := s.Op.(*ir.Loop); loop {
			turns = loopWeight
		}
		for _, in := range ir.Bodies(s.Op) {
			w += turns * cost(in)
		}
		w = min(w, taskWork)
	}
	return w
}

// reduceTasks gives each segment to several tasks.
func (c *combination) reduceTasks(b *block) {
	parts, per := c.parts(b)
	partial, at := c.partials(b, parts)
	in := b.kernel(kernelName(c.stmt, "reduce"), c.doc("tasks reduce"))
	in.oneItem()
	first, count := in.share(in.segment(c, parts), per, c.n.Exp())
	c.start(in)
	c.chunk(in, first, count, c.values, nil)
	in.when(equalTo(parts, i64(1)),
		func(in *block) { c.store(in, c.accumulated()) },
		func(in *block) { c.storeAll(in, partial, groupID, c.accumulated()) })
	b.launch(in, c.segments().Mul(sym.Of(parts)).Exp())

	b.when(binary(">", parts, i64(1)), func(b *block) {
		in := b.kernel(kernelName(c.stmt, "reduce_partial"), c.doc("reduces the tasks' values of"))
		in.oneItem()
		in.segment(c, i64(1))
		second := c.overParts(b, parts)
		c.start(in)
		second.chunk(in, i64(0), parts, func(in *block) []ir.Exp { return c.loadAll(in, partial, second.part(at)) }, nil)
		c.store(in, c.accumulated())
		b.launch(in, c.segments().Exp())
	}, nil)
	for _, m := range slices.Compact(slices.Sorted(slices.Values(partial))) {
		b.add(&Free{Mem: m})
	}
}

// scanTasks distributes each segment over several tasks. If only the last one of some values is
// requested, no stored values remain for a last pass to combine with. Then the first pass only
// computes the total of each part, and the last one runs the body again.
func (c *combination) scanTasks(b *block) {
	if c.last != nil && !c.totals() {
		c.stored(b, (*combination).scanTasks)
		return
	}
	parts, per := c.parts(b)
	sums, at := c.partials(b, parts)
	several := binary(">", parts, i64(1))
	values, store := c.values, c.store
	if c.last != nil {
		values, store = c.pure, nil
	}
	pass := func(b *block) {
		in := b.kernel(kernelName(c.stmt, "scan"), c.doc("tasks scan"))
		in.oneItem()
		first, count := in.share(in.segment(c, parts), per, c.n.Exp())
		c.start(in)
		c.chunk(in, first, count, values, store)
		in.when(several, func(in *block) { c.storeAll(in, sums, groupID, c.accumulated()) }, nil)
		b.launch(in, c.segments().Mul(sym.Of(parts)).Exp())
	}
	if c.last == nil {
		pass(b)
	}
	b.when(several, func(b *block) {
		if c.last != nil {
			pass(b)
		}
		in := b.kernel(kernelName(c.stmt, "scan_sums"), c.doc("scans the tasks' values of"))
		in.oneItem()
		in.segment(c, i64(1))
		second := c.overParts(b, parts)
		c.start(in)
		second.chunk(in, i64(0), parts,
			func(in *block) []ir.Exp { return c.loadAll(in, sums, second.part(at)) },
			func(in *block, vals []ir.Exp) { c.storeAll(in, sums, second.part(at), vals) })
		b.launch(in, c.segments().Exp())
		if c.last == nil {
			c.addParts(b, parts, per, sums)
		}
	}, nil)
	if c.last != nil {
		c.scanLast(b, parts, per, sums)
	}
	for _, m := range slices.Compact(slices.Sorted(slices.Values(sums))) {
		b.add(&Free{Mem: m})
	}
}

// addParts combines each element with the total of the parts before its own.
func (c *combination) addParts(b *block, parts, per ir.Exp, sums []string) {
	in := b.kernel(kernelName(c.stmt, "scan_add"), c.doc("adds the tasks' values to"))
	in.oneItem()
	part := in.segment(c, parts)
	in.when(binary(">", part, i64(0)), func(in *block) {
		before := c.loadAll(in, sums, subtract(groupID, i64(1)))
		first, count := in.share(part, per, c.n.Exp())
		in.pointLoop(c.along, first, count, c.n, func(in *block) {
			c.operator.set(in, c.acc, before)
			c.apply(in, c.load(in))
			c.store(in, c.accumulated())
		})
	}, nil)
	b.launch(in, c.segments().Mul(sym.Of(parts)).Exp())
}

// scanLast scans the parts of a single segment, each starting from the total of those before it.
func (c *combination) scanLast(b *block, parts, per ir.Exp, sums []string) {
	in := b.kernel(kernelName(c.stmt, "scan"), c.doc("tasks scan"))
	in.oneItem()
	part := in.segment(c, parts)
	first, count := in.share(part, per, c.n.Exp())
	c.start(in)
	in.when(binary(">", part, i64(0)), func(in *block) {
		c.operator.set(in, c.acc, c.loadAll(in, sums, subtract(part, i64(1))))
	}, nil)
	c.chunk(in, first, count, c.values, c.store)
	in.when(equalTo(part, subtract(parts, i64(1))), func(in *block) {
		c.storeLast(in, c.accumulated())
	}, nil)
	b.launch(in, parts)
}

// chunk combines the accumulators with neighbouring values, and stores what they are
// then, where store is not nil.
func (c *combination) chunk(b *block, first, count ir.Exp, values func(*block) []ir.Exp, store func(*block, []ir.Exp)) {
	b.over(c.along, count, c.n, func(turn ir.Exp) ir.Exp { return index(add(first, turn)) }, func(in *block) {
		c.apply(in, values(in))
		if store != nil {
			store(in, c.accumulated())
		}
	})
}

// overParts is the combination of the values that the parts leave.
func (c *combination) overParts(b *block, parts ir.Exp) *combination {
	second := *c
	second.along, second.n = b.f.temp("part"), sym.Of(parts)
	return &second
}

// part is the offset of a part's value.
func (c *combination) part(at *array) ir.Exp {
	off, _ := at.fun.FlatOffset(append(vars(c.segs), sym.Var(c.along)))
	return off.Exp()
}

// copies are the copies of an accumulator's arrays that tasks make, one array for all.
type copies struct {
	*accumulator
	arrays []*array
}

// tasks combines into copies of the arrays, one per task, and these in order into the arrays. What is
// stored, without an operator, is stored in the arrays themselves.
func (h *accumulation) tasks(b *block) {
	cells := sym.Const(0)
	for _, a := range h.accs {
		if a.operator != nil {
			cells = cells.Add(product(a.dsts[0].shape()))
		}
	}
	total := b.atom(product(h.sizes).Exp(), "points")
	least := i64(max(1, taskWork/max(1, h.cost)))
	worth := quotient(times(b.atom(cells.Exp(), "cells"), i64(histPoints)), i64(min(max(1, h.cost/histPoints), histWorth)))
	room := quotient(total, maximum(worth, least))
	count := b.atom(maximum(minimum(room, i64(histCopies)), i64(1)), "copies")
	several := binary(">", count, i64(1))
	var made []*copies
	for _, a := range h.accs {
		if a.operator != nil {
			made = append(made, b.copiesOf(a, several, count))
		}
	}
	b.when(several, func(b *block) {
		h.intoCopies(b, made, count, b.atom(ceilDiv(total, count), "per"), total)
		for _, c := range made {
			h.addCopies(b, c, count)
		}
	}, func(b *block) {
		h.writeBy((*accumulator).combine)
		in := b.kernel(kernelName(h.stmt, h.word), h.doc("combines values into"))
		h.run(in, i64(0), total, total)
		b.launch(in, i64(1))
	})
	for _, c := range made {
		for _, x := range c.arrays {
			b.add(&Free{Mem: x.mem})
		}
	}
}

// copiesOf makes the blocks of copies, if there are several.
func (b *block) copiesOf(a *accumulator, several, count ir.Exp) *copies {
	shape := a.dsts[0].shape()
	cells := b.atom(product(shape).Exp(), "cells")
	c := &copies{accumulator: a}
	for _, d := range a.dsts {
		bytes := choose(several, times(count, times(cells, i64(d.prim.Size()))), i64(0))
		c.arrays = append(c.arrays, &array{
			name: d.name, prim: d.prim, mem: b.tempBlock("copies", bytes),
			fun: lmad.RowMajor(append([]sym.Poly{sym.Of(count)}, shape...)),
		})
	}
	return c
}

// intoCopies has each task combine its points into its copies, which begin with the neutral values.
func (h *accumulation) intoCopies(b *block, made []*copies, count, per, total ir.Exp) {
	in := b.kernel(kernelName(h.stmt, h.word+"_copies"), h.doc("tasks combine values into copies of"))
	into := map[*accumulator]*accumulator{}
	own := func(ix []sym.Poly) []sym.Poly { return append([]sym.Poly{sym.Var(GroupID)}, ix...) }
	for _, c := range made {
		neutral := c.neutral(in)
		in.nest(c.dsts[0].shape(), func(in *block, ix []sym.Poly) {
			for i, x := range c.arrays {
				in.store(x, own(ix), neutral[i])
			}
		})
		into[c.accumulator] = &accumulator{dsts: c.arrays, operator: c.operator}
	}
	h.writeBy(func(a *accumulator, in *block, ix []sym.Poly, vals []ir.Exp) { into[a].combine(in, own(ix), vals) })
	h.run(in, groupID, per, total)
	b.launch(in, count)
}

// addCopies combines the copies, in their order, into the arrays.
func (h *accumulation) addCopies(b *block, c *copies, count ir.Exp) {
	shape := c.dsts[0].shape()
	names := make([]string, len(shape))
	for d := range names {
		names[d] = b.f.temp("i")
	}
	b.grid(kernelName(h.stmt, h.word+"_add"), h.doc("adds the copies to"), names, shape, func(in *block, ix []sym.Poly) {
		at := b.f.temp("copy")
		whole := &combination{operator: c.operator, dsts: c.dsts, index: ix}
		c.operator.set(in, c.acc, whole.load(in))
		neutral := c.neutral(in)
		in.over(at, count, sym.Of(count), nil, func(in *block) {
			part := &combination{operator: c.operator, dsts: c.arrays, index: append([]sym.Poly{sym.Var(at)}, ix...)}
			vals := part.load(in)
			in.when(otherBits(vals, neutral), func(in *block) { c.apply(in, vals) }, nil)
		})
		whole.store(in, c.accumulated())
	})
}

func (h *accumulation) doc(what string) string { return what + " `" + h.stmt.Pat[0].Name + "`" }

// run does a part of the points.
func (h *accumulation) run(b *block, part, per, total ir.Exp) {
	first, count := b.share(part, per, total)
	point := b.f.temp("point")
	b.over(point, count, product(h.sizes), func(turn ir.Exp) ir.Exp { return index(add(first, turn)) }, func(in *block) {
		in.unravel(ir.Var(point), h.names, h.sizes)
		h.point(in)
	})
}

// apart returns the memory parameters of a kernel of which no byte that the kernel writes
// is one of another's: those that are alone in their classes.
func (f *fn) apart(params []Slot) map[string]bool {
	out := map[string]bool{}
	for i, p := range params {
		shares := func(q Slot) bool {
			return q.Mem && !f.own[q.Name] && f.class[p.Name] == f.class[q.Name] && !f.never[[2]string{p.Name, q.Name}]
		}
		if p.Mem && (f.own[p.Name] || !slices.ContainsFunc(params[:i], shares) && !slices.ContainsFunc(params[i+1:], shares)) {
			out[p.Name] = true
		}
	}
	return out
}
