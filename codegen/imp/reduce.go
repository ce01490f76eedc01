package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Reductions]
//
// A segment of n values is reduced by G work-groups, each by its work-items:
//
//  1. A work-item combines `per` neighbouring values, starting from the neutral
//     one. (Where the operator is commutative it takes every (G*256)-th value
//     instead, so that neighbours read neighbours.)
//  2. The group combines its work-items' values in local memory, as a tree of
//     neighbours, so that the order is kept.
//  3. Where G > 1 each group leaves a partial value, and a second kernel reduces
//     the G partial values of every segment with one group.
//
// Many segments, or short ones, get one work-item each. The sizes decide when
// the program runs. An empty segment gives the neutral value by itself.

func (b *block) reduce(s *ir.Stmt, op *ir.Reduce) {
	c, dsts, temps := b.combine(s, op.Space, &op.Op, op.Body, false)
	if c.values == nil {
		return
	}
	groups := c.reduceTasks
	if !b.tasks() {
		groups = func(b *block) { c.reduceGroups(b, op.Op.Commutative || c.simple() != "") }
	}
	b.strategy(c, c.reduceItems, groups)
	b.finish(c, dsts, temps)
}

func (c *combination) doc(what string) string {
	return what + " `" + c.stmt.Pat[0].Name + "`"
}

// reduceItems gives each segment to one work-item.
func (c *combination) reduceItems(b *block) {
	b.grid(kernelName(c.stmt, "reduce_items"), c.doc("one work-item per segment reduces"), c.segs, c.segSizes, func(in *block, _ []sym.Poly) {
		c.start(in)
		in.over(c.along, c.n.Exp(), c.n, nil, func(in *block) { c.apply(in, c.values(in)) })
		c.store(in, c.accumulated())
	})
}

// over loops over an index variable: name = 0 .. count-1, or what position
// gives of the counter.
func (b *block) over(name string, count ir.Exp, size sym.Poly, position func(i ir.Exp) ir.Exp, body func(*block)) {
	b.f.bounds[name] = bound{size}
	in := b.sub()
	k := in.declare(name, ir.I64)
	counter := k
	if position != nil {
		counter = in.temp("turn", ir.I64)
		in.set(name, position(counter))
	}
	body(in)
	b.add(&For{Var: counter.Name, Bound: count, Body: in.stmts})
}

// reduceGroups gives each segment to G work-groups.
func (c *combination) reduceGroups(b *block, commutative bool) {
	groups := b.groupsPer(c, groupWork)
	partial, at := c.partials(b, groups)
	per := b.atom(ceilDiv(c.n.Exp(), times(groups, groupSize)), "per")

	in := b.kernel(kernelName(c.stmt, "reduce"), c.doc("work-groups reduce"))
	part := in.segment(c, groups)
	c.reduceChunk(in, c.values, part, groups, per, commutative)
	in.when(equalTo(localID, i64(0)), func(in *block) {
		in.when(equalTo(groups, i64(1)),
			func(in *block) { c.store(in, c.accumulated()) },
			func(in *block) { c.storeAll(in, partial, groupID, c.accumulated()) })
	}, nil)
	b.launch(in, c.segments().Mul(sym.Of(groups)).Exp())

	b.when(binary(">", groups, i64(1)), func(b *block) {
		per2 := b.atom(ceilDiv(groups, groupSize), "per")
		in := b.kernel(kernelName(c.stmt, "reduce_partial"), c.doc("reduces the groups' values of"))
		in.segment(c, i64(1))
		second := *c
		second.along, second.n = b.f.temp("part"), sym.Of(groups)
		values := func(in *block) []ir.Exp {
			off, _ := at.fun.FlatOffset(append(vars(c.segs), sym.Var(second.along)))
			return c.loadAll(in, partial, off.Exp())
		}
		second.reduceChunk(in, values, i64(0), i64(1), per2, false)
		in.when(equalTo(localID, i64(0)), func(in *block) { c.store(in, c.accumulated()) }, nil)
		b.launch(in, c.segments().Exp())
	}, nil)
	for _, m := range partial {
		b.add(&Free{Mem: m})
	}
}

// groupsPer chooses the number of groups per segment, for so many elements
// each: at least one, and no more in all than fill a device.
func (b *block) groupsPer(c *combination, work int64) ir.Exp {
	wanted := ceilDiv(c.n.Exp(), i64(work))
	limit := i64(maxGroups)
	if len(c.segs) > 0 {
		limit = quotient(limit, maximum(c.segments().Exp(), i64(1)))
	}
	return b.atom(maximum(minimum(wanted, limit), i64(1)), "groups")
}

// segment finds the segment of a group, and its number within the segment.
func (b *block) segment(c *combination, groups ir.Exp) (part ir.Exp) {
	var seg ir.Exp = groupID
	part = i64(0)
	if l, ok := groups.(*ir.Lit); !ok || l.Bits != 1 {
		if len(c.segs) == 0 {
			return groupID
		}
		part = b.atom(index(binary("%", groupID, groups)), "part")
		seg = b.atom(index(binary("/", groupID, groups)), "seg")
	}
	b.unravel(seg, c.segs, c.segSizes)
	return part
}

// reduceChunk leaves the group's value in the accumulators of its first
// work-item, and in the first elements of the arrays that it gives.
func (c *combination) reduceChunk(b *block, values func(*block) []ir.Exp, part, groups, per ir.Exp, commutative bool) (shared []string) {
	shared = c.locals(b)
	b.guarded(func(b *block) {
		c.start(b)
		number := b.atom(index(add(times(part, groupSize), localID)), "item")
		first, stride := b.atom(index(times(number, per)), "first"), ir.Exp(i64(1))
		count := b.atom(maximum(minimum(per, index(subtract(c.n.Exp(), first))), i64(0)), "count")
		if commutative {
			stride = b.atom(index(times(groups, groupSize)), "stride")
			first = number
			// The values first, first+stride, ... below n.
			rest := index(binary("/", subtract(add(c.n.Exp(), subtract(stride, i64(1))), first), stride))
			count = b.atom(&ir.Cond{C: less(first, c.n.Exp()), X: rest, Y: i64(0), T: ir.I64}, "count")
		}
		position := func(i ir.Exp) ir.Exp { return index(add(first, times(i, stride))) }
		b.over(c.along, count, c.n, position, func(in *block) { c.apply(in, values(in)) })
	})
	c.tree(b, shared)
	return shared
}

// tree combines the accumulators of a group's work-items, neighbours first.
//
// Behind a barrier they are read from where they were stored: PoCL 3.1 takes a
// private variable that is assigned constants in a loop to be the same in all
// work-items, however often each runs the loop (testdata/fixedbugs/
// reduce-of-constant.ir).
func (c *combination) tree(b *block, shared []string) {
	reload := func(in *block) { c.operator.set(in, c.acc, c.loadAll(in, shared, localID)) }
	c.storeAll(b, shared, localID, c.accumulated())
	b.barrier()
	step := b.temp("reach", ir.I64)
	b.set(step.Name, i64(1))
	in := b.sub()
	in.when(equalTo(index(binary("%", localID, times(step, i64(2)))), i64(0)), func(in *block) {
		in.guarded(func(in *block) {
			reload(in)
			other := c.loadAll(in, shared, add(localID, step))
			c.apply(in, other)
		})
		c.storeAll(in, shared, localID, c.accumulated())
	}, nil)
	in.barrier()
	in.set(step.Name, index(times(step, i64(2))))
	b.add(&While{Cond: less(step, groupSize), Body: in.stmts})
	reload(b)
}
