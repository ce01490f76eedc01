package peak

import (
	"cmp"
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [The plan bound]
//
// A plan lays whole blocks on one another, beginning on beginning, and leaves every array where it is
// in its block. If two blocks interfere, every such plan gives them separate storage. So take blocks
// of which every two interfere, and whose contents are all needed at one point: no such plan needs
// less than the sum of their sizes. Other placements may: by hand, an array can be made over a part
// of another one at an offset, or over one that its own threads still read. Blocks that threads of a
// kernel use one after the other are not added together, even if they interfere in their present
// places: a plan may place them differently.
//
// At a point, blocks are chosen one after the other, if they interfere with all chosen before: once
// the largest first, and once those first that interfere with most others. Each choice gives a true
// bound, but perhaps not the greatest one.
//
// The block of some arrays is known only at run time. Such an array counts as the smallest block
// that it may lie in, if all of these blocks interfere with everything else that counts. If two blocks
// take turns in a loop (Turn), the run considered has a second iteration: then the present value lies
// in one of the blocks, and the next value is made in the other.
//
// A sum speaks only of runs that reach its point (premise.go). A plan may rely on that: if n is 0, an
// array of n elements fits anywhere.
//
// The sum can shrink only where a block dies. So the bound takes a sum only where something
// dies next and something was made since the sum before.

// Bounds of the search.
const (
	maxSearch   = 1 << 18 // pairs of blocks that are compared in one function; after that nothing counts
	maxTogether = 256     // arrays that are compared at one point; others do not count there
)

// lived is an interval in which an array is needed that lies in one of some blocks.
type lived struct {
	name     string // of the block
	reals    []string
	from, to int
	number   int
	least    Vec   // the size of the smallest of these blocks
	weight   int64 // under a sample
}

// bound looks for arrays that every plan holds together.
type bound struct {
	*Table
	in    *interference.Table
	turns map[[2]string]bool  // the names of two blocks that take turns
	value map[string][]string // a present value to the blocks from the second iteration on
	again map[*ir.Loop]bool   // loops in which two blocks take turns
	// leaves are the blocks of the values that a loop which passes values on drops, and of those that it makes
	leaves map[string]bool
	// conditions that sizes may decide, by name
	decided map[string]bool
	budget  int
}

// LowerBound returns the plan bound: the greatest sum of contents that are needed at one time.
func (t *Table) LowerBound(in *interference.Table) Formula {
	b := &bound{
		Table: t, in: in, turns: map[[2]string]bool{}, value: map[string][]string{},
		again: map[*ir.Loop]bool{}, leaves: map[string]bool{}, decided: map[string]bool{}, budget: maxSearch,
	}
	b.findTurns()
	given := b.premises()
	points := len(t.Liveness.Points)
	begin, end := make([][]*lived, points), make([][]*lived, points)
	for k, x := range b.intervals() {
		x.number = k
		begin[x.from] = append(begin[x.from], x)
		end[x.to] = append(end[x.to], x)
	}
	var sums []sum
	live, more := map[*lived]bool{}, false
	for p := 0; p < points && b.budget > 0; p++ {
		for _, x := range begin[p] {
			live[x], more = true, true
		}
		if more && len(end[p]) > 0 {
			if g := given[b.RegionAt(p)]; g.reached() {
				for _, v := range b.greatest(slices.SortedFunc(maps.Keys(live), func(x, y *lived) int { return x.number - y.number })) {
					sums = append(sums, sum{v, p, g})
				}
			}
			more = false
		}
		for _, x := range end[p] {
			delete(live, x)
		}
	}
	return t.formula(sums)
}

// intervals returns the intervals in which arrays are needed.
func (b *bound) intervals() []*lived {
	sample := Samples()[0]
	var out []*lived
	for _, name := range b.Aliases.Names() {
		mem := b.Aliases.BlockOf(name)
		if mem == "" {
			continue
		}
		reals, many := b.Aliases.BlocksUpTo(mem, maxHeld)
		if b.value[mem] != nil {
			reals, many = b.value[mem], false
		}
		if many || rules.Off("peak.several") && len(reals) > 1 || slices.ContainsFunc(reals, b.inRegisters) {
			continue
		}
		least := b.least(reals)
		var weight int64
		for _, x := range least {
			weight += x.Coef * max(0, sample(b.Monos[x.Mono]))
		}
		for _, i := range b.Liveness.Array(name) {
			if i = b.span(i, reals); i.From <= i.To {
				out = append(out, &lived{name: mem, reals: reals, from: i.From, to: i.To, least: least, weight: weight})
			}
		}
	}
	return out
}

func (b *bound) inRegisters(block string) bool {
	k, ok := b.Block(block)
	return ok && b.Blocks[k].registers
}

// span returns the points at which contents count that are needed in an interval.
func (b *bound) span(i liveness.Interval, reals []string) liveness.Interval {
	for _, m := range reals {
		if k, ok := b.Block(m); ok && b.Blocks[k].Kind == Called && i.From == b.Blocks[k].Alloc {
			i.From++ // within the call, the callee may make the block in one that it consumes
			break
		}
	}
	if k, ok := b.in.KernelAt(i.To); ok && i.To == k.From {
		i.To = k.To // the kernel writes an unused result until it ends
	}
	return i
}

// greatest returns the sums of arrays of which every two are apart.
func (b *bound) greatest(live []*lived) []Vec {
	live = live[:min(len(live), maxTogether)]
	near := make([]int, len(live)) // of each, the others that may share storage with it
	apart := make([][]bool, len(live))
	for k, x := range live {
		apart[k] = make([]bool, len(live))
		for j, y := range live[:k] {
			if a := b.apart(x, y); a {
				apart[k][j], apart[j][k] = true, true
			} else {
				near[k], near[j] = near[k]+1, near[j]+1
			}
		}
	}
	var sums []Vec
	for _, compare := range []func(x, y int) int{
		func(x, y int) int { return cmp.Or(near[x]-near[y], y-x) },
		func(x, y int) int { return cmp.Or(cmp.Compare(live[y].weight, live[x].weight), near[x]-near[y], y-x) },
	} {
		order := make([]int, len(live))
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, compare)
		var chosen []int
		sum := map[int]int64{}
		for _, k := range order {
			if !slices.ContainsFunc(chosen, func(j int) bool { return !apart[k][j] }) {
				chosen = append(chosen, k)
				add(sum, live[k].least, 1)
			}
		}
		sums = append(sums, vecOf(sum))
	}
	return sums
}

// apart reports whether each block that the one array may lie in interferes with each block that
// the other may lie in. A block that both may lie in is allowed only if they lie in two instances.
func (b *bound) apart(x, y *lived) bool {
	if b.budget -= len(x.reals) * len(y.reals); b.budget < 0 || b.fillsLeft(x, y) {
		return false
	}
	for _, m := range x.reals {
		for _, o := range y.reals {
			if m == o && !b.twoInstances(x, y, m) || m != o && !b.differ(m, o) {
				return false
			}
		}
	}
	return true
}

// fillsLeft reports whether one of two arrays may be made in the block of the other, which leaves a loop, though
// each of the blocks that the other may lie in interferes by another name.
func (b *bound) fillsLeft(x, y *lived) bool {
	if x.name == y.name || !b.leaves[x.name] && !b.leaves[y.name] {
		return false
	}
	_, bad := b.in.Between(x.name, y.name)
	return !bad
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

// findTurns records the names of blocks that take turns, and the blocks of the present value from
// the second iteration on.
func (b *bound) findTurns() {
	if rules.Off("peak.turns") {
		return
	}
	ir.EachOp(b.Func.Body, func(s *ir.Stmt, op *ir.Loop) {
		b.findLeaving(op)
		if op.Bound != nil && b.Accesses.Facts(b.Liveness.Stmt(s).From).Less(sym.Of(op.Bound), sym.Const(2)) {
			return
		}
		turns := TurnsOf(s, b.Aliases.BlockOf)
		for k := range op.Params {
			if t, ok := b.Turn(turns, k); ok && !t.Stays { // else the first value may stay for ever
				b.turns[[2]string{t.Value, t.Next}], b.again[op] = true, true
				b.value[t.Value] = []string{b.Blocks[t.Blocks[0]].Name, b.Blocks[t.Blocks[1]].Name}
			}
		}
	})
}

// findLeaving records, of a loop that passes values on, the blocks of those that it drops and of those that it makes.
func (b *bound) findLeaving(op *ir.Loop) {
	passed, own := map[string]bool{}, map[string]bool{}
	for k, p := range op.Params {
		if t := p.Elem.Type; t.Kind == ir.ArrayKind && t.Place.Exist {
			own[t.Place.Mem] = true
		}
		if r, ok := op.Body.Result[k].(*ir.Ref); ok {
			passed[b.Aliases.BlockOf(r.Name)] = true
		}
	}
	var apart []string
	for m := range own {
		if !passed[m] {
			apart = append(apart, m)
		}
	}
	if len(apart) == len(own) {
		return // it passes none on
	}
	for m := range passed {
		if !own[m] {
			apart = append(apart, m)
		}
	}
	for _, m := range apart {
		b.leaves[m] = true
	}
}
