package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Reductions]
//
// A segment of n values is divided into `parts` parts. Each part is reduced by `lanes` neighbouring
// work-items, a power of two up to a work-group:
//
//   1. A lane starts from the neutral value and combines every (parts*lanes)-th value, so that
//      neighbours read neighbours. If the operator is not known to be commutative, it takes
//      neighbouring values instead; on GPUs, groups reduce long segments by tiles (Note [Reductions
//      by tiles]).
//   2. The lanes of a part combine their values in local memory, as a tree, which keeps the order
//      if it matters.
//   3. If there are several parts, each leaves a partial value, and a second kernel reduces those
//      of every segment in the same way. For a single segment, on devices that allow it, the group
//      that leaves the last one does so (join).
//
// So a work-group reduces one part of a long segment, or many short segments at once. A part
// belongs to a single work-item if neighbouring segments lie side by side, as the columns of a
// matrix do, and values of one segment do not: then neighbouring work-items read from neighbouring
// segments. The same holds if there are as many segments as work-items that a device runs at once,
// or if segments are very short.
//
// The number of parts follows from the sizes and the cost of a value: the device should be filled,
// but no work-item should get fewer than `share` values. The sizes decide at run time. An empty
// segment yields the neutral value by itself.

// Sizes that decide how reductions are divided. Any choice is right; more stand in
// thresholds.go.
const (
	shortest = 8 // a segment this short is one work-item's
	minLanes = 8 // of a segment that is not one work-item's
	// A lane has up to so many times its share if the segments still fill the device: a group then has
	// more segments and fewer barriers. Rows of 1000 took 105 us and not 149 (one H200).
	fullShare = 4
	// Segments that have no neighbours in memory are work-items' if so many times them fill the device: the
	// forces between 100,000 bodies took 19.4 ms and not 29.3 (one H200).
	farItems = 4
	fewItems = 16 // on processors: segments are work-items' if so many times them fill the device
)

func (b *block) reduce(s *ir.Stmt, op *ir.Reduce) {
	c, dsts, temps := b.combine(s, op.Space, &op.Op, op.Body, false)
	if c.values == nil {
		return
	}
	b.reduceAll(c, op.Op.Commutative)
	b.finish(c, dsts, temps)
}

// reduceAll reduces all segments of a combination.
func (b *block) reduceAll(c *combination, commutative bool) {
	if b.tasks() {
		b.strategy(c, c.reduceItems, c.reduceTasks)
		return
	}
	r := &reduction{combination: c, commutative: commutative || c.simple() != ""}
	c.byGroups(b, r.lower, c.reduceItems, c.reduceTasks)
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

// groupsPer chooses the number of groups per segment, for so many elements
// each: at least one, and no more in all than fill a device.
func (b *block) groupsPer(c *combination, work int64) ir.Exp {
	wanted := ceilDiv(c.n.Exp(), i64(work))
	limit := i64(b.f.l.threshold(maxGroups))
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
