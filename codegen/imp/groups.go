package imp

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Groups]
//
// A map whose body contains kernels becomes one kernel with a work-group per point. Every work-item
// runs the body. At this level (a block whose team is set) all work-items have the same scalars and
// take the same branches: they compute them from the group's indices, from arguments, and from
// elements that no work-item changes meanwhile. A statement that makes an array is a step (step):
// the work-items distribute its points among them. Before a statement they meet at a barrier if
// necessary (analysis/arena, Note [Barriers]).
//
//	let t = map (j < k) { in xs[i, j] * 2 }
//	let s = t[0] + t[1]
//	let r = map (j < k) { in t[j] + s }
//
//	for j = local_id, local_id + 256, .. below k { t[j] = xs[i, j] * 2 }
//	barrier
//	s = t[0] + t[1]
//	barrier                       -- if r lies where t lies
//	for j = .. { r[j] = t[j] + s }
//
// If a check fails at this level, it fails in all work-items, and the group ends. A work-item that
// fails a check in a step leaves the step. The group then ends at the next barrier (Barrier.Leave),
// since the arrays of the step are incomplete (Note [Leaving together]).
//
// A group's blocks lie in one arena of local memory. The host says at the launch how large it is
// (Slot.Local), and computes the offsets (arena.go). If the device has too little local memory,
// another kernel runs, in which each of these blocks is a part of a block in the device's memory.
//
// One work-item does all the work of a group, and the group's blocks are parts of blocks in the
// device's memory, if a group allocates in the device's memory (at any time and of any size), or if
// an array may lie either there or in a block of the group (Note [Memory spaces]).
//
// For processors (Note [Tasks]) a group is one point of a task, which runs inner kernels as loops;
// its blocks come from the system.

// groups lowers a map whose body a group of work-items runs.
func (b *block) groups(s *ir.Stmt, op *ir.Map) {
	names, sizes := b.space(op.Space, s)
	dsts := b.bindPattern(s, sizes)
	total := product(sizes)
	a := b.arena(op)
	a.items = b.items(op, total)
	run := func(b *block, a *groupArena) *Kernel {
		in := b.kernel(kernelName(s, "groups"), "groups of work-items compute `"+s.Pat[0].Name+"`")
		in.team, in.k.arena = true, a
		a.begin(b, total)
		ix := in.unravel(groupID, names, sizes)
		in.body(op.Body)
		meetings := b.f.l.arenas.Barriers()
		in.k.met = !meetings.Unmoved(s) && meetings.Within(s) == nil
		in.results(dsts, ix, op.Body.Result)
		in.end(op.Body)
		in.openLocks()
		in.stmts = in.ahead(in.stmts)
		in.leaves(in.stmts, false)
		in.stmts = in.escape(in.stmts)
		b.launch(in, total.Exp())
		a.end(b)
		return in.k.out
	}
	shared := b.sub()
	k := shared.room(a, run)
	if k == nil || forks(k.Body) <= maxForks {
		b.add(shared.stmts...)
		return
	}
	b.when(equalTo(b.query(DeviceWave), i64(1)),
		func(b *block) { b.oneByOne(s, op, names, sizes, dsts) },
		func(b *block) { b.add(shared.stmts...) })
}

// room adds a kernel of groups, and the one for devices with too little local memory. It returns the
// first; nil: it cannot be made.
func (b *block) room(a *groupArena, run func(*block, *groupArena) *Kernel) *Kernel {
	if len(a.blocks) == 0 {
		return run(b, a)
	}
	near, far := b.sub(), b.sub()
	k := run(near, a)
	if b.f.l.diags.Failed() {
		return nil // the other kernel would say the same once more
	}
	spilled := *a
	spilled.spilled = true
	run(far, &spilled)
	b.add(&If{Cond: a.fits(b, k), Then: near.stmts, Else: far.stmts})
	return k
}

// Note [Forks]
//
// PoCL 3.1 copies all that follows a branch or a loop with barriers, once more behind each: a kernel
// with 4 reductions of a group one after the other took it 3.5 s of a processor, one with 8 took 31 s. Processors gain
// nothing from the work-items of a group. So if a kernel has more than maxForks such statements, one
// work-item does the work of a group on processors, without barriers.

const maxForks = 5

// forks counts the branches and loops with barriers.
func forks(list []Stmt) (n int) {
	Each(list, func(s Stmt) {
		if slices.ContainsFunc(inside(s), holdsBarrier) {
			n++
		}
	})
	return n
}

// oneByOne has one work-item do all the work of a group.
func (b *block) oneByOne(s *ir.Stmt, op *ir.Map, names []string, sizes []sym.Poly, dsts []*array) {
	a := b.arena(op)
	a.spilled, a.group = true, ir.Var(numberOf(names))
	a.begin(b, product(sizes))
	b.itemPerPoint(s, op, names, sizes, dsts, a)
	a.end(b)
}

// threads returns a block of statements that work-items run each for itself.
func (b *block) threads() *block {
	in := b.sub()
	in.team = false
	return in
}

// together lowers a statement of a group. The work-items meet before it if they must; then its
// first step needs no barrier of its own.
func (b *block) together(s *ir.Stmt) {
	meetings := b.f.l.arenas.Barriers()
	if meetings.Before(s) != nil {
		b.barrier()
	}
	unmoved := meetings.Unmoved(s)
	b.k.met, b.k.stepped = !unmoved && meetings.Within(s) == nil, false
	b.stmt(s)
	if unmoved && b.k.stepped { // it moves something all the same
		b.barrier()
	}
	b.k.met = false
}

// step has the work-items share out some work.
func (b *block) step(body func(in *block)) {
	b.begin()
	in := b.threads()
	in.guarded(body)
	b.add(in.stmts...)
}

// begin begins a step: a barrier stands before it, unless it is the first of a statement.
func (b *block) begin() {
	if !b.k.met {
		b.barrier()
	}
	b.k.met, b.k.stepped = false, true
}

// alone has one work-item do some work.
func (b *block) alone(body func(in *block)) {
	b.step(func(in *block) { in.when(equalTo(localID, i64(0)), body, nil) })
}

// spread runs body for every point of an index space, shared out among the work-items.
func (b *block) spread(names []string, sizes []sym.Poly, body func(in *block, ix []sym.Poly)) {
	b.step(func(in *block) { in.shareOut(names, sizes, body) })
}

func (b *block) shareOut(names []string, sizes []sym.Poly, body func(in *block, ix []sym.Poly)) {
	total := product(sizes)
	if total.Is(1) {
		b.when(equalTo(localID, i64(0)), func(in *block) { body(in, in.unravel(i64(0), names, sizes)) }, nil)
		return
	}
	number := b.f.temp("point")
	if len(names) == 1 {
		number = names[0]
	}
	in := b.sub()
	point := in.declare(number, ir.I64)
	b.f.bounds[number] = bound{total}
	body(in, in.unravel(point, names, sizes))
	loop := &For{Var: number, Bound: index(total.Exp()), Body: in.stmts, Local: true}
	for d, n := range sizes {
		loop.Box = append(loop.Box, Axis{names[d], n.Exp()})
	}
	b.add(loop)
	if len(names) > 1 { // then a work-item has several points
		unroll(b)
	}
}

// indices makes names for the indices of a shape.
func (f *fn) indices(shape []sym.Poly) []string {
	names := make([]string, len(shape))
	for k := range names {
		names[k] = f.temp("i")
	}
	return names
}

// spreadFill writes value(index) to every element.
func (b *block) spreadFill(dst *array, value func(*block, []sym.Poly) ir.Exp) {
	b.spread(b.f.indices(dst.shape()), dst.shape(), func(in *block, ix []sym.Poly) { in.store(dst, ix, value(in, ix)) })
}

// spreadCopy copies an array, as if all were read before any is written. Work-items share the
// elements out; if the places overlap, one work-item copies all. It is one step in both cases:
// PoCL 3.1 forgets elements behind a barrier of a branch (testdata/groups/copy-that-may-overlap.ir).
func (b *block) spreadCopy(dst, src *array) {
	shared := func(in *block) {
		in.shareOut(in.f.indices(dst.shape()), dst.shape(), func(in *block, ix []sym.Poly) { in.store(dst, ix, in.load(src, ix)) })
	}
	if b.separate(dst, src) {
		b.step(shared)
		return
	}
	b.step(func(in *block) {
		in.when(in.overlapping(dst, src), func(in *block) {
			in.when(equalTo(localID, i64(0)), func(in *block) { in.copyLoops(dst, src) }, nil)
		}, shared)
	})
}

// inner lowers a kernel within a kernel of groups.
func (b *block) inner(s *ir.Stmt) {
	switch op := s.Op.(type) {
	case *ir.Map:
		names, sizes := b.space(op.Space, s)
		dsts := b.bindPattern(s, sizes)
		b.each(names, sizes, func(in *block, ix []sym.Poly) {
			in.body(op.Body)
			in.results(dsts, ix, op.Body.Result)
			in.end(op.Body)
		})
	case *ir.Reduce:
		b.innerFold(s, op.Space, &op.Op, op.Body, false)
	case *ir.Scan:
		b.innerFold(s, op.Space, &op.Op, op.Body, true)
	case *ir.Scatter:
		names, sizes := b.space(op.Space, s)
		dsts := b.bindPattern(s, sizes)
		b.each(names, sizes, func(in *block, _ []sym.Poly) { in.scattered(op, dsts) })
	case *ir.Hist:
		b.histogram(s, op).inner(b)
	case *ir.Into:
		b.accumulating(s, op).inner(b)
	}
}

// each runs body for every point of an index space: work-items share the points out, or,
// on processors, one loop goes through them.
func (b *block) each(names []string, sizes []sym.Poly, body func(in *block, ix []sym.Poly)) {
	if b.team {
		b.spread(names, sizes, body)
		return
	}
	b.inTurn(names, sizes, func(in *block) { body(in, vars(names)) })
}

// inTurn runs body for one point after another.
func (b *block) inTurn(names []string, sizes []sym.Poly, body func(in *block)) {
	if len(names) == 0 {
		body(b)
		return
	}
	b.over(names[0], sizes[0].Exp(), sizes[0], nil, func(in *block) { in.inTurn(names[1:], sizes[1:], body) })
}

// inner writes accumulators in a kernel of groups. The work-items of a group distribute the points and
// combine by atomic operations, of several destinations under locks in local memory. A single
// work-item goes through all points if a destination of its own has elements of 8 bytes and the device
// has no atomic operations on these.
func (h *accumulation) inner(b *block) {
	points := func(in *block) {
		h.writeBy((*accumulator).combine)
		in.inTurn(h.names, h.sizes, h.point)
	}
	if !b.team {
		points(b)
		return
	}
	lock, wide := "", false
	for _, a := range h.accs {
		switch {
		case a.operator == nil:
		case len(a.dsts) > 1:
			lock = b.nearLocks()
		default:
			wide = wide || a.dsts[0].prim.Size() == 8
		}
	}
	shared := func(in *block) {
		h.writeBy(atomically(lock))
		in.shareOut(h.names, h.sizes, func(in *block, _ []sym.Poly) { h.point(in) })
	}
	b.step(func(in *block) {
		if !wide {
			shared(in)
			return
		}
		alone := func(in *block) { in.when(equalTo(localID, i64(0)), points, nil) }
		in.when(equalTo(b.launcher().query(DeviceWide), i64(0)), alone, shared)
	})
}

// nearLocks returns the locks of a group.
func (b *block) nearLocks() string {
	if b.k.locks == "" {
		b.k.locks = b.f.temp("locks")
		b.k.out.Locals = append(b.k.out.Locals, Local{Name: b.k.locks, Prim: ir.I32, Len: NearLocks})
	}
	return b.k.locks
}

// openLocks opens the locks of a group, if it has any, before it begins.
func (b *block) openLocks() {
	if b.k.locks == "" {
		return
	}
	open := b.threads()
	open.shareOut([]string{b.f.temp("lock")}, []sym.Poly{sym.Const(NearLocks)}, func(in *block, ix []sym.Poly) {
		in.add(&Store{Mem: b.k.locks, Prim: ir.I32, Off: ix[0].Exp(), Val: &ir.Lit{Text: "0", T: ir.I32}})
	})
	open.barrier()
	b.stmts = append(open.stmts, b.stmts...)
}

// innerFold lowers a reduction or scan. Without segments the group's work-items combine
// their parts in local memory; of several segments each is one work-item's.
func (b *block) innerFold(s *ir.Stmt, space ir.Space, op *ir.Operator, body *ir.Body, scanned bool) {
	c, names := b.innerCombination(s, space, op, body, scanned)
	if c == nil {
		return
	}
	one := func(in *block) {
		c.start(in)
		in.over(c.along, c.n.Exp(), c.n, nil, func(in *block) {
			c.apply(in, c.values(in))
			if scanned {
				c.store(in, c.accumulated())
			}
		})
		if !scanned {
			c.store(in, c.accumulated())
		}
	}
	switch {
	case len(c.segs) > 0:
		b.each(c.segs, c.segSizes, func(in *block, _ []sym.Poly) { one(in) })
		return
	case !b.team:
		one(b)
		for i, n := range names {
			if n != "" {
				b.set(n, c.accumulated()[i])
			}
		}
		return
	}
	b.begin()
	in := b.threads()
	var vals []ir.Exp
	switch {
	case !b.roomFor(c):
		vals = c.byOne(in, one)
	case scanned && b.nearby(c.dsts):
		c.scanRuns(in) // and there are no scalars
	case scanned:
		tiles := in.atom(ceilDiv(c.n.Exp(), groupSize), "tiles")
		vals = c.scanChunk(in, c.values, c.store, c.start, i64(0), tiles)
	default:
		r := &reduction{combination: c, commutative: op.Commutative || c.simple() != "", parts: i64(1), lanes: groupSize}
		shared := r.inGroup(in)
		vals = c.loadAll(in, shared, i64(0))
	}
	for i, n := range names {
		if n != "" {
			in.set(n, vals[i])
		}
	}
	b.add(in.stmts...)
}

// byOne has one work-item of the group combine values for which there is no room in local memory,
// and gives what they come to.
func (c *combination) byOne(b *block, run func(*block)) []ir.Exp {
	result := make([]string, c.arity)
	for i, t := range c.t {
		result[i] = b.f.temp("total")
		b.k.out.Locals = append(b.k.out.Locals, Local{Name: result[i], Prim: t, Len: 1})
	}
	b.when(equalTo(localID, i64(0)), func(in *block) {
		in.guarded(func(in *block) {
			run(in)
			c.storeAll(in, result, i64(0), c.accumulated())
		})
	}, nil)
	b.barrier()
	return c.loadAll(b, result, i64(0))
}

// nearby reports whether arrays are all in local memory.
func (b *block) nearby(list []*array) bool {
	return !slices.ContainsFunc(list, func(a *array) bool { return a == nil || !b.k.out.Near[a.mem] })
}

// innerCombination prepares a reduction or scan in a kernel. names are the scalars that
// it gives.
func (b *block) innerCombination(s *ir.Stmt, space ir.Space, op *ir.Operator, body *ir.Body, scanned bool) (c *combination, names []string) {
	index, sizes := b.space(space, s)
	last := len(index) - 1
	c = &combination{
		operator: b.f.operator(op), stmt: s,
		segs: index[:last], segSizes: sizes[:last], along: index[last], n: sizes[last],
	}
	all := b.bindPattern(s, sizes)
	names = make([]string, c.arity)
	c.last = make([]bool, c.arity)
	c.dsts = all[:c.arity]
	arrays := false
	for i, d := range c.dsts {
		switch {
		case d == nil:
			names[i], c.last[i] = b.f.name(s.Pat[i].Name), true
			b.declare(names[i], s.Pat[i].Type.Prim)
		case len(d.shape()) != c.rank(scanned):
			arrays = true
		}
	}
	if arrays {
		return b.innerArrays(c, index, sizes, all, body, scanned), names
	}
	c.index = vars(c.segs)
	if scanned {
		c.index = vars(index)
	}
	c.values = func(in *block) []ir.Exp {
		in.body(body)
		vals := make([]ir.Exp, c.arity)
		for i := range vals {
			vals[i] = in.exp(body.Result[i])
		}
		in.results(all[c.arity:], vars(index), body.Result[c.arity:])
		in.end(body)
		return vals
	}
	return c, names
}

// innerArrays reduces a combination of arrays to one of scalars: first all points run the body,
// then every position in the arrays is a segment (Note [Arrays as values]). The values are read
// where the body left them.
func (b *block) innerArrays(c *combination, index []string, sizes []sym.Poly, all []*array, body *ir.Body, scanned bool) *combination {
	limit := func() *combination {
		b.f.l.diags.Limitf(c.stmt.Span, "an operator on arrays in a kernel of groups").
			Hinted("give the kernel the arrays' dimensions as outer bounds, and combine scalars")
		return nil
	}
	var elem []sym.Poly
	for i, d := range c.dsts {
		if d == nil || i > 0 && len(d.shape()) != len(c.dsts[0].shape()) {
			return limit()
		}
		elem = d.shape()[c.rank(scanned):]
	}
	known, mems := maps.Clone(b.k.vars), maps.Clone(b.k.ptrs)
	for _, n := range index {
		known[n] = true
	}
	srcs, kept := make([]*array, c.arity), true
	stmts, met, stepped := len(b.stmts), b.k.met, b.k.stepped
	b.each(index, sizes, func(in *block, _ []sym.Poly) {
		in.body(body)
		for i := range srcs {
			src := b.f.arrays[body.Result[i].(*ir.Ref).Name]
			own := slices.ContainsFunc(src.fun.Names(), func(n string) bool { return b.k.vars[n] && !known[n] })
			kept = kept && !own && mems[src.mem] == b.k.ptrs[src.mem] && in.kept(src, all[c.arity:])
			srcs[i] = src
		}
		in.results(all[c.arity:], vars(index), body.Result[c.arity:])
		in.end(body)
	})
	if !kept {
		return limit()
	}
	if !holdsEffect(b.stmts[stmts:]) { // the values lie in memory already
		b.stmts, b.k.met, b.k.stepped = b.stmts[:stmts], met, stepped
	}
	// Indices of its own, so that none lives from one step to the next.
	at := map[string]sym.Poly{}
	for i, n := range index {
		index[i] = b.f.temp(n)
		at[n] = sym.Var(index[i])
	}
	last := len(index) - 1
	c.segs, c.along = index[:last], index[last]
	for i, src := range srcs {
		moved := *src
		moved.fun = src.fun.Subst(func(n string) (sym.Poly, bool) { p, ok := at[n]; return p, ok })
		srcs[i] = &moved
	}
	b.elementwiseCombination(c, c.dsts, srcs, elem, scanned)
	return c
}
