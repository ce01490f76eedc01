package peak

import (
	"math"
	"slices"

	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [The plan bound]
//
// A plan lays whole blocks on one another, beginning on beginning, and leaves every array where it is
// in its block. If two blocks interfere, every such plan gives them separate storage. So take blocks
// of which every two interfere, and whose contents are all needed at one point: no such plan needs
// less than the sum of their sizes. Other placements may: by hand, an array can be made over a part
// of another one at an offset, or over one that its own threads still read. Blocks that threads of a kernel use one after the
// other are not added together, even if they interfere in their present places: a plan may place
// them differently.
//
// At a point, blocks are left out until every two of the rest interfere. There are several ways to
// do so (heaviest). Each gives a true bound, but perhaps not the greatest one.
//
// A sum speaks only of runs that reach its point. A plan may rely on that: if n is 0, an array of n
// elements fits anywhere. So a sum counts as 0 for sizes with which no run reaches the point
// (premise.go).
//
// The block of some arrays is known only at run time. Such an array counts as the smallest block
// that it may lie in, if all of these blocks interfere with everything else that counts. In
// addition, memc looks at kinds of runs, which differ in one if or one loop: one branch is taken or
// the other; the loop has an iteration or none (forks.go). If two blocks take turns in a loop
// (Turn), the run considered has a second iteration: then the present value lies in one of the
// blocks, and the next value is made in the other.
//
// In a crowded function (interference.Crowded) few blocks can be compared. Two kinds of sums remain:
// of contents whose lives meet for so long that no excuse applies, and of those that were compared.
//
// The sum can shrink only where a block dies. So the bound takes a sum only where something
// dies next and something was made since the sum before.

// LowerBound returns the plan bound: the greatest sum of contents that are needed at one time.
func (t *Table) LowerBound(in *interference.Table) Formula {
	if !in.Crowded() {
		return t.formula(t.sumsOf(in, false, math.MaxInt))
	}
	return t.formula(append(t.sumsOf(in, true, 0), t.sumsOf(in, false, maxCompared)...))
}

// maxCompared bounds the pairs of blocks that are compared in a crowded function. Contents whose
// blocks would be compared after that do not count.
const maxCompared = 1 << 16

// sumsOf returns sums of contents that are needed at one time. If long is set, only those count whose
// lives always meet for too long to be excused; then blocks need not be compared.
func (t *Table) sumsOf(in *interference.Table, long bool, compared int) []sum {
	b := &bound{Table: t, in: in, live: map[string]*needed{}, several: map[*lived]bool{}, sum: map[int]int64{},
		turns: map[[2]string]bool{}, turning: map[*ir.Loop]bool{}, value: map[string][]string{}, long: long, compared: compared, budget: maxSearch}
	b.findTurns()
	b.findForks()
	points := len(t.Liveness.Points)
	begin, end := make([][]*lived, points), make([][]*lived, points)
	for _, name := range t.Aliases.Names() {
		mem := t.Aliases.BlockOf(name)
		if mem == "" {
			continue
		}
		reals, many := t.Aliases.BlocksUpTo(mem, maxHeld)
		if b.value[mem] != nil {
			reals, many = b.value[mem], false
		}
		if many || long && len(reals) > 1 || rules.Off("peak.several") && len(reals) > 1 {
			continue
		}
		for _, i := range t.Liveness.Array(name) {
			if i = b.span(i, reals); i.From > i.To {
				continue
			}
			x := &lived{name: mem, reals: reals, from: i.From}
			begin[i.From] = append(begin[i.From], x)
			end[i.To] = append(end[i.To], x)
		}
	}
	var sums []sum
	more := false
	for p := range points {
		for _, x := range begin[p] {
			if x.counts = b.begin(x); x.counts {
				more = true
			}
		}
		if more && len(end[p]) > 0 {
			sums = append(sums, b.totals(p)...)
			more = false
		}
		for _, x := range end[p] {
			if x.counts {
				b.end(x)
			}
		}
	}
	return sums
}

// span returns the points at which contents count that are needed in an interval.
func (b *bound) span(i liveness.Interval, reals []string) liveness.Interval {
	for _, m := range reals {
		if k, ok := b.Block(m); ok && b.Blocks[k].Kind == Called && i.From == b.Blocks[k].Alloc {
			i.From++ // within the call, the callee may make the block in one that it consumes
			break
		}
	}
	if b.long {
		i.From, i.To = i.From+interference.MaxUnit/2+1, i.To-interference.MaxUnit/2-1
		return i
	}
	if k, ok := b.in.KernelAt(i.To); ok && i.To == k.From {
		i.To = k.To // the kernel writes an unused result until it ends
	}
	return i
}

// lived is an interval in which an array is needed that lies in one of some blocks.
type lived struct {
	name   string // of the block
	reals  []string
	from   int
	counts bool
}

// bound holds the contents that are needed at the current point.
type bound struct {
	*Table
	in       *interference.Table
	live     map[string]*needed
	present  []string // the keys of live, as they came
	names    []string // those that surely have contents, as they came
	several  map[*lived]bool
	turns    map[[2]string]bool
	turning  map[*ir.Loop]bool // loops in which two blocks do so
	value    map[string][]string
	sum      map[int]int64 // of names
	long     bool
	compared int // how many more pairs of blocks may be
	numbered int // forks
	byBlock  map[string][]*fork
	samples  []func(sym.Poly) int64
	weights  map[string][]int64
	budget   int
	given    []*premise // by region
	closed   *index.Expansion
}

// needed is a real block with contents that are needed, or perhaps needed.
type needed struct {
	arrays  int // that lie in it
	perhaps int // arrays that may lie in it or in others
	since   int // when the first of arrays came
	// near lists the other blocks at the point that may share storage with this one.
	near []string
}

// begin counts an array, and reports whether its blocks could be compared.
func (b *bound) begin(x *lived) bool {
	for _, m := range x.reals {
		if b.live[m] == nil && !b.arrive(m) {
			for _, o := range x.reals {
				b.leave(o)
			}
			return false
		}
	}
	if len(x.reals) != 1 {
		b.several[x] = true
		for _, m := range x.reals {
			b.live[m].perhaps++
		}
		return true
	}
	m := x.reals[0]
	n := b.live[m]
	if n.arrays++; n.arrays == 1 {
		n.since = x.from
		b.names = append(b.names, m)
		b.add(m, 1)
	}
	return true
}

func (b *bound) end(x *lived) {
	if len(x.reals) != 1 {
		delete(b.several, x)
		for _, m := range x.reals {
			b.live[m].perhaps--
			b.leave(m)
		}
		return
	}
	m := x.reals[0]
	n := b.live[m]
	if n.arrays--; n.arrays > 0 {
		return
	}
	k := slices.Index(b.names, m)
	b.names = slices.Delete(b.names, k, k+1)
	b.add(m, -1)
	b.leave(m)
}

// arrive compares a block with those that are there. It is false if that would take too long.
func (b *bound) arrive(m string) bool {
	n := &needed{}
	if !b.long { // else all interfere
		if b.compared -= len(b.present); b.compared < 0 {
			return false
		}
		for _, o := range b.present {
			if !b.differ(m, o) {
				n.near = append(n.near, o)
				b.live[o].near = append(b.live[o].near, m)
			}
		}
		b.present = append(b.present, m)
	}
	b.live[m] = n
	return true
}

// leave removes a block that is no longer needed.
func (b *bound) leave(m string) {
	n := b.live[m]
	if n == nil || n.arrays+n.perhaps > 0 {
		return
	}
	for _, o := range n.near {
		b.live[o].near = without(b.live[o].near, m)
	}
	b.present = without(b.present, m)
	delete(b.live, m)
}

func without(names []string, x string) []string {
	return slices.DeleteFunc(names, func(y string) bool { return x == y })
}

// apartFrom lists the blocks that surely have contents and may share storage with a block.
func (b *bound) apartFrom(m string) []string {
	var out []string
	for _, o := range b.live[m].near {
		if b.live[o].arrays > 0 {
			out = append(out, o)
		}
	}
	return out
}

// add counts a real block's size.
func (b *bound) add(m string, sign int64) {
	k, ok := b.Block(m)
	if !ok {
		return
	}
	for _, x := range b.Blocks[k].Terms {
		if b.sum[x.Mono] += sign * x.Coef; b.sum[x.Mono] == 0 {
			delete(b.sum, x.Mono)
		}
	}
}
