package plan

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

// Note [Dominance]
//
// A plan is safe if in every run, for all sizes, its peak is at most the peak that the run has
// without sharing. Let S(p) be the sum of the blocks held at point p before, and S'(p) after. It
// suffices that for every p there is a q with
//
//	S'(p) <= S(q)    and    whenever p is reached, q is
//
// Regions ensure the second part: q must lie in a region around p. For example, a large block in a
// branch does not justify a large block before the branch, which is held even if the branch is not
// taken. If a loop surely has an iteration, its body counts as part of the region around it.
//
// The first part is decided on coefficients, since monomials are not negative; if that fails, by
// Problem.AtMost. The size of a group is the maximum of its members' sizes, which is not a sum of
// terms. But S'(p) is the greatest of several sums: each takes one of the greatest members of every
// group held at p, and may have a q of its own. So max(n, m) is safe if n was held at one point,
// and m at another. At most maxChoices such sums are examined; beyond that, the greatest
// coefficients stand for all.
//
// A holder is treated in the same way: each of its blocks is a case. In each case the same block is
// known for the old sums, too. So S'(p) <= S(p) can often be proved: no more is held than before at
// the point itself. Holders whose blocks are as large as before cancel without cases.
//
// (A run that ends early, by a fault, may have passed p but not q.)

const (
	maxChoices = 64
	maxCovers  = 128 // sums kept per region
	// Questions to AtMost about sums.
	mayAsk         = 50000
	mayAskPerBlock = 16
)

// maxAsked bounds the questions to AtMost about sums.
func (f *frame) maxAsked() int { return max(mayAsk, mayAskPerBlock*len(f.Blocks)) }

// dominated reports whether a sum at a point of a region is at most one that the run reaches
// without sharing, by coefficients.
func (f *frame) dominated(v vector, region int) bool {
	for r := region; r >= 0; r = f.Regions[r].Parent {
		if slices.ContainsFunc(f.covers[r], func(q vector) bool { return f.covered(v, q) }) {
			return true
		}
	}
	return false
}

// proven reports the same with all facts: for some holders the block that each keeps, for the
// others an upper and a lower bound, and the caller's proofs.
func (f *frame) proven(v vector, region int, keep []option) bool {
	if f.dominated(v, region) {
		return true
	}
	v = f.replaced(v, true)
	for r := region; r >= 0; r = f.Regions[r].Parent {
		for _, q := range f.covers[r] {
			if q = f.replaced(f.resolve(q, keep), false); f.covered(v, q) || f.asks(v, q) {
				return true
			}
		}
	}
	return false
}

// asks asks the caller whether a sum is at most another.
func (f *frame) asks(v, q vector) bool {
	if rules.Off("reuse.asks") || f.AtMost == nil || f.asked >= f.maxAsked() || f.refuted(v, q) {
		return false
	}
	f.asked++
	return f.AtMost(f.terms(v), f.terms(q))
}

// safeWith reports whether a group is safe among others, at the points where it is held and where a
// holder may keep it.
func (f *frame) safeWith(groups []*group, g *group) bool {
	switch {
	case !f.safe(groups, g.span):
		return false
	case len(g.kept) == 0: // as of most groups
		return true
	}
	kept := func(b int) bool { return slices.Contains(g.kept, b) }
	return !slices.ContainsFunc(f.holders, func(e *holder) bool {
		return slices.ContainsFunc(e.Blocks, kept) && !f.safe(groups, e.Span)
	})
}

// safe reports whether every sum within a span is at most a sum of the run before.
func (f *frame) safe(groups []*group, span Span) bool {
	from, to := f.range_(span)
	in := f.heldIn(groups)
	for k := from; k <= to; k++ {
		if f.asBefore(groups, in, k) {
			continue
		}
		s := f.segments[k]
		if f.dominated(f.most(groups, in, s.from), s.region) {
			continue
		}
		c := chosen{frame: f, sum: f.zero(), was: f.named[k], regions: []int{s.region}}
		var open [][]option
		combinations := 1
		for _, g := range groups {
			if g.span.From > s.from || s.from > g.span.To {
				continue
			}
			if rules.Off("reuse.tops") || len(g.tops) == 1 || combinations*len(g.tops) > maxChoices {
				c.sum.add(g.top, 1)
				continue
			}
			combinations *= len(g.tops)
			var tops []option
			for _, b := range g.tops {
				tops = append(tops, option{add: f.size[b], region: -1})
			}
			open = append(open, tops)
		}
		var rest []int // holders whose blocks are not told apart
		for h, e := range f.holders {
			switch kept := f.options(e, in, k); {
			case kept == nil:
			case rules.Off("reuse.options") || combinations*len(kept) > maxChoices:
				rest = append(rest, h)
			default:
				combinations *= len(kept)
				open = append(open, kept)
			}
		}
		c.sum.add(f.keptAt(rest, in, s.from), 1)
		if !c.safe(open) {
			return false
		}
	}
	return true
}

// most returns an upper bound of the sum at a point.
func (f *frame) most(groups []*group, in map[int]*group, at int) vector {
	sum := f.zero()
	var active []int
	for h, e := range f.holders {
		if e.Span.Has(at) {
			active = append(active, h)
		}
	}
	if len(active) > 0 {
		sum.add(f.keptAt(active, in, at), 1)
	}
	for _, g := range groups {
		if g.span.Has(at) {
			sum.add(g.top, 1)
		}
	}
	return sum
}

// asBefore reports whether at a segment no more is held under names of blocks than before any
// sharing, and no holder there may keep more: then the holders cancel.
func (f *frame) asBefore(groups []*group, in map[int]*group, segment int) bool {
	at := f.segments[segment].from
	if rules.Off("reuse.asBefore") {
		return false
	}
	for _, e := range f.holders {
		if e.Span.Has(at) && slices.ContainsFunc(e.Blocks, func(b int) bool { return in[b] == nil || !f.covered(in[b].top, f.size[b]) }) {
			return false
		}
	}
	sum := f.zero()
	for _, g := range groups {
		from, to := f.range_(g.span)
		if g.count == 1 && g.at == f.Blocks[g.first].Alloc {
			from, to = f.own(g.first)
		}
		if from <= segment && segment <= to {
			sum.add(g.top, 1)
		}
	}
	return f.covered(sum, f.named[segment])
}

// An option is one of several sizes in a sum. For a holder it is one of its blocks: then the run
// has passed the block's allocation, and the size that the holder kept before is known as well.
type option struct {
	add    vector
	region int // that the run has entered, -1: none
	holder *holder
	block  int
	before vector
	counts bool   // before any sharing it counted besides blocks held under their own names
	group  *group // that has the block now; two holders may keep one instance of it
	older  bool   // it may be one of an earlier iteration
}

// chosen is a sum with the options taken so far.
type chosen struct {
	*frame
	sum     vector
	was     vector // the sum there before any sharing
	regions []int
	keep    []option // of holders
}

// safe reports whether all sums are dominated that take one option of each list.
func (c chosen) safe(open [][]option) bool {
	if len(open) > 0 {
		return !slices.ContainsFunc(open[0], func(x option) bool { return !c.with(x).safe(open[1:]) })
	}
	return c.covered(c.sum, c.was) ||
		slices.ContainsFunc(c.regions, func(r int) bool { return c.proven(c.sum, r, c.keep) })
}

// with returns the sum with an option more.
func (c chosen) with(x option) chosen {
	plus := func(v, w vector) vector {
		v = slices.Clone(v)
		v.add(w, 1)
		return v
	}
	if x.add != nil && !slices.ContainsFunc(c.keep, func(y option) bool {
		return y.add != nil && y.group == x.group && (!x.older && !y.older || c.oneInstance(x.group))
	}) {
		c.sum = plus(c.sum, x.add)
	}
	if x.counts && !slices.ContainsFunc(c.keep, func(y option) bool { return y.block == x.block }) {
		c.was = plus(c.was, x.before)
	}
	if x.region >= 0 {
		c.regions = append(slices.Clip(c.regions), x.region)
	}
	if x.holder != nil {
		c.keep = append(slices.Clip(c.keep), x)
	}
	return c
}

// resolve replaces holders in a sum by the blocks that they are known to keep.
func (f *frame) resolve(q vector, keep []option) vector {
	for _, x := range keep {
		m := x.holder.mono
		if m < 0 || q[m] == 0 {
			continue
		}
		q = slices.Clone(q)
		n := q[m]
		q[m] = 0
		for k := range f.names {
			q[k] += n * x.before[k]
		}
	}
	return q
}
