package imp

import (
	"math/bits"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Rows of points]
//
// The points of an index space of several dimensions have a number, from which a work-item finds its
// indices by divisions. Where a point does little but move elements, that is most of its work. So
// there each work-group has a box of such a space: 2^log columns of the innermost dimension, up to
// 256, and the more rows the fewer columns:
//
//	[group 0][group 1]    row 0
//	[       ][       ]    row 1 ..
//	[group 2][group 3]
//
// A work-item has one column, which it computes once, and several neighbouring rows. Boxes may be
// partly empty. The host chooses the widest whose columns are at most a quarter empty.

// rows has a kernel do such points, and gives the number of groups.
func (b *block) rows(in *block, names []string, sizes []sym.Poly, point []Stmt, each int64) ir.Exp {
	total := product(sizes).Exp()
	turns := b.atom(choose(b.fills(total, each/2), i64(each), choose(b.fills(total, 1), i64(max(each/2, 1)), i64(1))), "each")
	last := len(names) - 1
	return b.boxes(in, names, sizes, 0, rowLog(sizes[last].Exp()), turns, 1, func(in *block, locate []Stmt, rows, columns span) {
		in.set(names[last], index(columns.at(0)))
		in.when(less(ir.Var(names[last]), columns.count), func(in *block) {
			in.add(&For{Var: numberOf(names[:last]), Bound: index(rows.count), Body: append(locate, point...), Each: each, Turns: turns, First: index(rows.at(0)), Step: i64(1)})
		}, nil)
	})
}

// A span is what a work-item does along the rows or the columns of a box.
type span struct {
	base  ir.Exp // the box's first
	own   ir.Exp // the work-item's first, from base
	step  ir.Exp // from one to its next
	count ir.Exp // of the space
}

// at is the number of a work-item's row or column, counted from 0. It may be outside the space.
func (s span) at(p int64) ir.Exp { return add(add(s.base, s.own), times(i64(p), s.step)) }

// boxes divides each layer of a space, of which the first indices are the number, into boxes with 2^width
// columns of work-items, which have some rows and columns each. It gives the number of groups. body gets
// statements that find the indices of a row from its number, and the work-item's rows and columns.
func (b *block) boxes(in *block, names []string, sizes []sym.Poly, layers int, width, eachRows ir.Exp, eachColumns int64, body func(in *block, locate []Stmt, rows, columns span)) ir.Exp {
	last := len(names) - 1
	rows, columns := span{count: product(sizes[layers:last]).Exp(), step: i64(1)}, span{count: sizes[last].Exp()}
	log := b.atom(width, "row_log")
	wide, high := binary("<<", i64(1), log), binary(">>", groupSize, log)
	all := add(log, i64(int64(bits.TrailingZeros64(uint64(eachColumns)))))
	across := b.atom(binary(">>", subtract(add(columns.count, binary("<<", i64(1), all)), i64(1)), all), "across")
	groups := b.atom(times(across, b.atom(ceilDiv(rows.count, times(eachRows, high)), "down")), "boxes")

	group := ir.Exp(groupID)
	if layers > 0 {
		boxes := groups
		groups = b.atom(times(groups, product(sizes[:layers]).Exp()), "groups")
		layer := in.atom(&ir.Builtin{Fn: QuotientFn, Args: []ir.Exp{groupID, boxes, in.inverse(poly(boxes), poly(groups))}, T: ir.I64}, "layer")
		group = in.atom(index(subtract(groupID, times(layer, boxes))), "box")
		in.unravel(layer, names[:layers], sizes[:layers])
	}
	up := in.atom(&ir.Builtin{Fn: QuotientFn, Args: []ir.Exp{group, across, in.inverse(poly(across), poly(groups))}, T: ir.I64}, "up")
	part := in.atom(index(subtract(group, times(up, across))), "part")
	columns.base, columns.step = times(part, binary("<<", i64(1), all)), wide
	columns.own = in.atom(binary("&", localID, subtract(wide, i64(1))), "column")
	rows.base = times(times(up, high), eachRows)
	rows.own = times(in.atom(binary(">>", localID, log), "row"), eachRows)
	in.declare(names[last], ir.I64)
	at := in.sub()
	at.locate(in.declare(numberOf(names[layers:last]), ir.I64), names[layers:last], sizes[layers:last])
	body(in, at.stmts, rows, columns)
	return groups
}

// rowsEach returns how many rows a work-item should do, at most; one if its points should not be in
// rows, since they do more than move elements, or move small ones, which another kernel moves several
// at once (Note [Small elements]).
func (f *fn) rowsEach(list []Stmt) int64 {
	size, count, branches := f.repeatable(list)
	smallest, _ := movedSizes(list)
	if size == 0 || smallest <= 2 && !branches && count <= maxMoving {
		return 1
	}
	each := int64(maxPoints)
	for each > 1 && (each*size > 2*f.l.threshold(movedBytes) || each*int64(count) > maxRows) {
		each /= 2
	}
	return each
}

// maxRows is how many statements a work-item should do in all its rows; any choice is right.
const maxRows = 128

// narrowRow is the logarithm of the narrowest box of an index space with as many columns.
const narrowRow = 5

// squareRow is the logarithm of the columns of work-items in a box whose work-items have several columns.
const squareRow = 4

// rowLog is the logarithm of a box's columns.
func rowLog(columns ir.Exp) ir.Exp {
	log := minimum(add(logOf(subtract(maximum(columns, i64(2)), i64(1))), i64(1)), i64(narrowRow))
	for k := int64(narrowRow + 1); k <= groupLog; k++ {
		empty := subtract(times(ceilDiv(columns, i64(1<<k)), i64(1<<k)), columns)
		log = choose(not(less(columns, times(i64(4), empty))), i64(k), log)
	}
	return log
}
