package imp

import (
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
	turns := b.atom(&ir.Cond{C: b.fills(total, each/2), X: i64(each), Y: &ir.Cond{C: b.fills(total, 1), X: i64(max(each/2, 1)), Y: i64(1), T: ir.I64}, T: ir.I64}, "each")
	return b.boxes(in, names, sizes, turns, func(in *block, locate []Stmt, first, count ir.Exp) {
		in.add(&For{Var: numberOf(names[:len(names)-1]), Bound: index(count), Body: append(locate, point...), Each: each, Turns: turns, First: index(first), Step: i64(1)})
	})
}

// boxes divides a space into boxes of which each work-item has some rows of a column, and gives the
// number of groups. body gets statements that find the indices of a row from its number, the number of
// the work-item's first row, and that of all rows.
func (b *block) boxes(in *block, names []string, sizes []sym.Poly, turns ir.Exp, body func(in *block, locate []Stmt, first, count ir.Exp)) ir.Exp {
	last := len(names) - 1
	columns, count := sizes[last].Exp(), product(sizes[:last]).Exp()
	log := b.atom(rowLog(columns), "row_log")
	wide, high := binary("<<", i64(1), log), binary(">>", groupSize, log)
	across := b.atom(binary(">>", subtract(add(columns, wide), i64(1)), log), "across")
	groups := b.atom(times(across, b.atom(ceilDiv(count, times(turns, high)), "down")), "boxes")

	up := in.atom(&ir.Builtin{Fn: QuotientFn, Args: []ir.Exp{groupID, across, in.inverse(poly(across), poly(groups))}, T: ir.I64}, "up")
	part := in.atom(index(subtract(groupID, times(up, across))), "part")
	in.set(names[last], index(add(times(part, wide), in.atom(binary("&", localID, subtract(wide, i64(1))), "column"))))
	row := in.declare(numberOf(names[:last]), ir.I64)
	at := in.sub()
	at.locate(row, names[:last], sizes[:last])
	item := in.atom(binary(">>", localID, log), "row")
	in.when(less(ir.Var(names[last]), columns), func(in *block) {
		body(in, at.stmts, times(turns, add(times(up, high), item)), count)
	}, nil)
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

// rowLog is the logarithm of a box's columns.
func rowLog(columns ir.Exp) ir.Exp {
	log := minimum(add(logOf(subtract(maximum(columns, i64(2)), i64(1))), i64(1)), i64(narrowRow))
	for k := int64(narrowRow + 1); k <= groupLog; k++ {
		empty := subtract(times(ceilDiv(columns, i64(1<<k)), i64(1<<k)), columns)
		log = &ir.Cond{C: not(less(columns, times(i64(4), empty))), X: i64(k), Y: log, T: ir.I64}
	}
	return log
}
