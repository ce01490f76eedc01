package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Ways to divide points]
//
// Which index numbers the rows of Note [Points that share reads] decides what rows share. In a convolution
//
//	map (o < p, i < h, j < w) { s = 0; for c < m { for a < 3 { for b < 3 { s = s + k[o, c, a, b] * x[c, i + a, j + b] } } } }
//
// all columns j read the same weights, and all values of o the same elements of x; rows i share nothing but
// the weights. So o should number the rows, and each i is a layer. In a batch of products it is the last index
// but one, in products with one right side all outer indices together.
//
// jammed tries all ways, and takes the one with the fewest reads for each point in its loops. A read that
// is the same in all turns does not count, since it leaves the loop.

// A way says which indices number layers, rows and columns: the first layers of the order number
// layers, the last one columns, and those in between rows.
type way struct {
	order  []int
	layers int
}

// ways lists the ways to divide a space of n dimensions, the best first if they are equally good.
func ways(n int) []way {
	last := n - 1
	order := make([]int, n)
	for d := range order {
		order[d] = d
	}
	var out []way
	if last != 1 {
		out = append(out, way{order, 0})
	}
	for d := last - 1; d >= 0; d-- {
		rows := append(slices.Delete(slices.Clone(order), d, d+1)[:last-1:last-1], d, last)
		out = append(out, way{rows, last - 1})
	}
	return out
}

// choose decides how many rows and columns a work-item does; false if there is nothing to share.
func (j *jam) choose(most int64) bool {
	rows, columns := j.axes[0], j.axes[1]
	if j.line() {
		return j.reads[corner{}] > 0
	}
	alone := int64(0)
	work := map[corner]int{} // statements of one point in loops, by whether each row and each column has its own
	for _, outer := range j.point {
		loop := isA[*For](outer)
		Each([]Stmt{outer}, func(s Stmt) {
			if loop && isCopy(s) {
				return // compilers need no instruction for it
			}
			own := j.own(s, corner{})
			if alone += own[0]; loop { // what is done once matters little
				work[own]++
			}
		})
	}
	if j.reads[corner{0, 0}]+j.reads[corner{0, 1}] > 0 {
		for rows.each = most; rows.each > 1 && rows.each*alone > maxJam; {
			rows.each /= 2
		}
	}
	if j.again && j.reads[corner{1, 0}] > 0 && rows.each > 1 {
		for columns.each = rows.each / 2; columns.each > 1 && j.cost(work) > maxJam*columns.each/2; {
			columns.each /= 2
		}
	}
	return rows.each > 1
}

// isCopy reports whether a statement only copies a scalar.
func isCopy(s Stmt) bool {
	set, ok := s.(*Set)
	return ok && simple(set.E)
}

// own says along which axes a statement is done point by point, if those around it are done so along some.
func (j *jam) own(s Stmt, around corner) corner {
	for a, axis := range j.axes {
		if !axis.shared(s) {
			around[a] = 1
		}
	}
	return around
}

// cost is what all points of a work-item do, if counts say what a point, a row, a column and all of them do.
func (j *jam) cost(counts map[corner]int) (n int64) {
	for own, count := range counts {
		n += int64(count) * max(own[0]*j.axes[0].each, 1) * max(own[1]*j.axes[1].each, 1)
	}
	return n
}

// loads is the reads of a point in its loops.
func (j *jam) loads() float64 {
	return float64(j.cost(j.reads)) / float64(j.axes[0].each*j.axes[1].each)
}

// count counts the reads in loops by what each point, row or column reads for itself. turn is the loop
// that the statements are in.
func (j *jam) count(list []Stmt, turn *For, around corner) {
	for _, s := range list {
		own, in := j.own(s, around), turn
		switch s := s.(type) {
		case *Load:
			if turn != nil && turns(turn, s.Off) {
				j.reads[own]++
			}
		case *For:
			in = s
		}
		for _, list := range inside(s) {
			j.count(list, in, own)
		}
	}
}

// turns reports whether an expression may change from turn to turn of a loop.
func turns(loop *For, e ir.Exp) bool {
	found := changes(loop.Body, e)
	ir.ExpNames(e, func(name string) { found = found || name == loop.Var })
	return found
}
