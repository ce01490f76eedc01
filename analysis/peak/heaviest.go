package peak

import (
	"cmp"
	"maps"
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/sym"
)

// Bounds of the search for the heaviest blocks of which every two interfere.
const (
	maxSearch = 1 << 18 // steps in one function; after that only the first choice counts
	maxMixed  = 32      // blocks and arrays that are weighed against each other
)

// totals returns sums of blocks at a point, of which every two interfere.
func (b *bound) totals(p int) []sum {
	var sums []sum
	runs := b.runsAt(p)
	for _, out := range b.leftOut() {
		for m := range out {
			b.add(m, -1)
		}
		for _, run := range runs {
			extra := map[int]int64{}
			if len(b.several) > 0 {
				b.countSeveral(out, run.lies, extra)
			}
			sums = append(sums, sum{plus(b.sum, extra), p, run.given})
		}
		for m := range out {
			b.add(m, 1)
		}
	}
	if !rules.Off("peak.mixed") && len(b.several) > 0 && len(b.names)+len(b.several) <= maxMixed {
		for _, run := range runs {
			for _, v := range b.mixed(run.lies) {
				sums = append(sums, sum{v, p, run.given})
			}
		}
	}
	return sums
}

// mixed returns sums in which known blocks may give way to arrays whose block is known only at run
// time.
func (b *bound) mixed(run map[string][]string) []Vec {
	xs := b.unknown(run)
	for _, m := range b.names {
		xs = append(xs, &lived{name: m, reals: []string{m}})
	}
	g := graph{weight: make([]int64, len(xs)), near: make([][]int, len(xs))}
	least := make([]Vec, len(xs))
	open := false
	for k, x := range xs {
		least[k] = b.least(x.reals)
		for j, y := range xs[:k] {
			if b.budget -= len(x.reals) * len(y.reals); b.budget <= 0 {
				return nil
			}
			if !b.apart(x, y) {
				g.near[k], g.near[j] = append(g.near[k], j), append(g.near[j], k)
				open = true
			}
		}
	}
	if !open {
		return nil // all count already
	}
	var sums []Vec
	for _, sample := range b.sampled() {
		if b.budget <= 0 {
			break
		}
		for k, v := range least {
			g.weight[k] = 0
			for _, x := range v {
				g.weight[k] += x.Coef * max(0, sample(b.Monos[x.Mono]))
			}
		}
		sum := map[int]int64{}
		for k, taken := range g.heaviest(&b.budget) {
			for _, x := range least[k] {
				if taken {
					sum[x.Mono] += x.Coef
				}
			}
		}
		sums = append(sums, vecOf(sum))
	}
	return sums
}

// leftOut returns sets of blocks. Without one such set, every two of the remaining blocks
// interfere. The first set prefers blocks that may share with most others, and among these the
// oldest. Each further set keeps the largest blocks first, under one sample of sizes.
func (b *bound) leftOut() []map[string]bool {
	out := map[string]bool{}
	var some []string
	apart := map[string][]string{}
	for _, m := range b.names {
		if others := b.apartFrom(m); len(others) > 0 {
			some = append(some, m)
			apart[m] = others
		}
	}
	if len(some) == 0 {
		return []map[string]bool{out}
	}
	sets := []map[string]bool{out}
	for k := range b.sampled() {
		if b.budget <= 0 || rules.Off("peak.heaviest") {
			break
		}
		set := b.heaviest(some, apart, k)
		if !slices.ContainsFunc(sets[1:], func(s map[string]bool) bool { return maps.Equal(s, set) }) {
			sets = append(sets, set)
		}
	}
	slices.SortStableFunc(some, func(x, y string) int {
		if d := len(apart[y]) - len(apart[x]); d != 0 {
			return d
		}
		return b.live[x].since - b.live[y].since
	})
	for _, m := range some {
		if slices.ContainsFunc(apart[m], func(o string) bool { return !out[o] }) {
			out[m] = true
		}
	}
	return sets
}

// sampled returns the samples by which blocks are weighed.
func (b *bound) sampled() []func(sym.Poly) int64 {
	if b.samples == nil {
		b.samples = Samples()
		b.weights = map[string][]int64{}
	}
	return b.samples
}

// weight returns the size of a block under a sample.
func (b *bound) weight(m string, sample int) int64 {
	w, ok := b.weights[m]
	if !ok {
		w = make([]int64, len(b.samples))
		if k, real := b.Block(m); real && !b.Blocks[k].Kept {
			for s, f := range b.samples {
				w[s] = max(0, f(b.Blocks[k].Size))
			}
		}
		b.weights[m] = w
	}
	return w[sample]
}

// heaviest returns which of some blocks to leave out so that most is left. apart lists for each the
// others that may share storage with it.
func (b *bound) heaviest(some []string, apart map[string][]string, sample int) map[string]bool {
	number := map[string]int{}
	for k, m := range some {
		number[m] = k
	}
	g := graph{weight: make([]int64, len(some)), near: make([][]int, len(some))}
	for k, m := range some {
		g.weight[k] = b.weight(m, sample)
		for _, o := range apart[m] {
			g.near[k] = append(g.near[k], number[o])
		}
	}
	out := map[string]bool{}
	for k, taken := range g.heaviest(&b.budget) {
		if !taken {
			out[some[k]] = true
		}
	}
	return out
}

// unknown returns the arrays whose block is known only at run time, given a kind of run. Arrays
// that may lie in the fewest blocks come first.
func (b *bound) unknown(run map[string][]string) []*lived {
	all := make([]*lived, 0, len(b.several))
	for x := range b.several {
		if reals, known := run[x.name]; known {
			x = &lived{name: x.name, reals: reals, from: x.from}
		}
		if len(x.reals) > 0 {
			all = append(all, x)
		}
	}
	slices.SortFunc(all, func(x, y *lived) int {
		if d := len(x.reals) - len(y.reals); d != 0 {
			return d
		}
		return cmp.Or(slices.Compare(x.reals, y.reals), cmp.Compare(x.name, y.name), x.from-y.from)
	})
	return all
}

// countSeveral adds the arrays whose block is known only at run time; run narrows their blocks to
// those in one kind of run.
func (b *bound) countSeveral(out map[string]bool, run map[string][]string, extra map[int]int64) {
	counted := map[string][]*lived{} // by block
	for _, x := range b.unknown(run) {
		if b.mayShare(x, counted, out) {
			continue
		}
		for _, m := range x.reals {
			counted[m] = append(counted[m], x)
		}
		for _, y := range b.least(x.reals) {
			extra[y.Mono] += y.Coef
		}
	}
}

// mayShare reports whether an array may share storage with one of some others, or with a block that
// is not left out.
func (b *bound) mayShare(x *lived, others map[string][]*lived, out map[string]bool) bool {
	counts := func(m string) bool { return b.live[m].arrays > 0 && !out[m] }
	for _, m := range x.reals {
		n := b.live[m]
		if n == nil {
			return true // it was not compared
		}
		if counts(m) && !b.twoInstances(x, &lived{name: m, reals: []string{m}}, m) ||
			slices.ContainsFunc(others[m], func(y *lived) bool { return !b.twoInstances(x, y, m) }) ||
			slices.ContainsFunc(n.near, func(o string) bool { return counts(o) || len(others[o]) > 0 }) {
			return true
		}
	}
	return false
}

// apart reports whether each block that the one array may lie in interferes with each block that
// the other may lie in. A block that both may lie in is allowed only if they lie in two instances.
func (b *bound) apart(x, y *lived) bool {
	for _, m := range x.reals {
		for _, o := range y.reals {
			if m == o && !b.twoInstances(x, y, m) || m != o && !b.differ(m, o) {
				return false
			}
		}
	}
	return true
}

// twoInstances reports whether two arrays that may lie in one block do not lie in the same instance
// of it, because they take turns or belong to different iterations.
func (b *bound) twoInstances(x, y *lived, m string) bool {
	return b.turns[[2]string{x.name, y.name}] || b.turns[[2]string{y.name, x.name}] || b.iterationsApart(x, y, m)
}

// differ reports whether every plan gives two blocks separate storage: they interfere, or one is a
// parameter's block and the other is larger.
func (b *bound) differ(m, o string) bool {
	if _, bad := b.in.Interfere(m, o); bad {
		return true
	}
	i, ok1 := b.Block(m)
	j, ok2 := b.Block(o)
	return ok1 && ok2 && (b.outgrows(i, j) || b.outgrows(j, i))
}

// outgrows reports whether a block is larger than a parameter's block, unless that is empty.
func (b *bound) outgrows(x, given int) bool {
	if b.Blocks[given].Kind != Given || b.Blocks[given].Kept {
		return false
	}
	of := b.Blocks[given].Size
	return Multiple(of, b.Blocks[x].Size) >= 2 || b.Covers(b.End(), b.Blocks[x].Size, of.Add(sym.Const(1)))
}

// iterationsApart considers two arrays that are needed at one point. It reports whether one lies in
// this iteration's instance of a block and the other in an earlier instance, because the other was
// there before the block was allocated.
func (b *bound) iterationsApart(x, y *lived, m string) bool {
	if y.name != m {
		x, y = y, x
	}
	k, ok := b.Block(m)
	if !ok || y.name != m || x.name == m || x.from >= b.Blocks[k].Alloc {
		return false
	}
	_, again := b.in.Repeats(m)
	return again
}
