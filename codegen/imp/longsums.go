package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Long sums]
//
// The points of a small product are too few for a device if each work-item does several of them:
//
//	reduce (j < 128, k < 128, i < 100000) .. { in x[i, j] * x[i, k] }       -- of 100,000 rows, as for covariances
//
// Then the sums are divided into parts. The number of the part is one more index, and each part is a layer of
// Note [Ways to divide points]: a group brings what its points share of one part to local memory (Note [Staged
// reads]). Another kernel adds the parts' values, as for any reduction.

const (
	partTurns  = 64 // least values of a part
	partPoints = 8  // points for each of a device's work-items
)

// byLongSums reduces parts of the segments with staged reads, if that fills the device, and otherwise as told.
func (r *reduction) byLongSums(b *block, parts *ir.Ref, items, segments ir.Exp, otherwise func(*block)) {
	if r.works || !b.trial(func(b *block) bool { return r.longSums(b, parts, items, segments, otherwise) }) {
		otherwise(b)
	}
}

// longSums does so, or reports that no reads can be staged.
func (r *reduction) longSums(b *block, parts *ir.Ref, items, segments ir.Exp, otherwise func(*block)) bool {
	each := *r
	split := b.temp("split", ir.I64)
	b.set(split.Name, minimum(quotient(times(items, i64(partPoints)), maximum(segments, i64(1))), quotient(r.n.Exp(), i64(partTurns))))
	each.lanesLog, each.plain, each.commutative, each.parts = nil, true, false, split
	names, sizes, part := each.points(b)
	in := b.kernel(kernelName(r.stmt, "reduce_parts"), r.doc("one work-item per part of a segment reduces"))
	each.inPoints(b, in, names, sizes, part)
	j := b.jammed(in, names, sizes)
	if j == nil || j.place > 1 || j.line() || len(j.staged) == 0 || !slices.Contains(j.indices[:j.layers], names[0]) {
		return false
	}
	j.staged = j.staged[:1]
	b.when(and(binary(">", split, i64(1)), and(j.enough(b), not(j.unstaged(b)))), func(b *block) {
		b.set(parts.Name, split)
		r.alloc(b)
		j.launchStaged(b, kernelName(r.stmt, "reduce_parts"), r.doc("reduces parts of"), j.staged)
	}, otherwise)
	return true
}

// points returns the indices of the parts of segments, and that of the part.
func (r *reduction) points(b *block) (names []string, sizes []sym.Poly, part ir.Exp) {
	if known(r.parts) >= 0 {
		return r.segs, r.segSizes, i64(0)
	}
	v := b.f.temp("part")
	return append([]string{v}, r.segs...), append([]sym.Poly{sym.Of(r.parts)}, r.segSizes...), ir.Var(v)
}
