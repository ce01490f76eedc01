package peak

import (
	"slices"

	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [The lower bound]
//
// Blocks that interfere take storage of their own, whatever the plan. So the sizes
// of blocks of which every two interfere, and whose contents are all needed at one
// point, are a sum that no plan can beat that moves no contents. Of what is
// needed at a point, blocks are left out until that is so; which ones is a greedy
// choice, so there may be a greater sum, and the bound may be too small, never too
// large. Arrays whose block is known at run time only count as the least block that
// they may lie in, if all of these interfere with all else that counts.
// Where two blocks take turns in a loop (Turn), it is a run with a second
// iteration that counts: then the present value lies in one of them, and the next one
// is made in the other.
//
// As long as no contents die, no sum gets less: sums are taken before something
// dies that come after something was made.

// maxPairs bounds the pairs of blocks that are compared for one array whose
// block is known at run time only.
const maxPairs = 1024

// LowerBound gives the greatest sum of contents that are needed at one time.
func (t *Table) LowerBound(in *interference.Table) Formula {
	b := &bound{Table: t, in: in, live: map[string]*needed{}, several: map[*lived]bool{}, sum: map[int]int64{},
		turns: map[[2]string]bool{}, value: map[string][]string{}}
	b.findTurns()
	crowded := in.Crowded()
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
		if many || crowded && len(reals) > 1 {
			continue
		}
		for _, i := range t.Liveness.Array(name) {
			if crowded { // what is left of two lives together is too long for an excuse
				i.From, i.To = i.From+interference.MaxUnit/2+1, i.To-interference.MaxUnit/2-1
				if i.From > i.To {
					continue
				}
			}
			x := &lived{name: mem, reals: reals, from: i.From}
			begin[i.From] = append(begin[i.From], x)
			end[i.To] = append(end[i.To], x)
		}
	}
	var sums []Vec
	more := false
	for p := range points {
		for _, x := range begin[p] {
			b.begin(x, crowded)
			more = true
		}
		if more && len(end[p]) > 0 {
			sums = append(sums, b.total())
			more = false
		}
		for _, x := range end[p] {
			b.end(x)
		}
	}
	return t.formula(dedup(sums))
}

// lived is a time in which an array in one of some blocks is needed.
type lived struct {
	name  string // of the block
	reals []string
	from  int
}

// bound holds what is needed at a point.
type bound struct {
	*Table
	in      *interference.Table
	live    map[string]*needed
	names   []string // of live, as they came
	several map[*lived]bool
	turns   map[[2]string]bool
	value   map[string][]string
	sum     map[int]int64 // of live
	edges   int
}

// needed is a real block with contents that are needed.
type needed struct {
	arrays int
	since  int
	// apart are the others that it may share storage with.
	apart []string
}

func (b *bound) begin(x *lived, crowded bool) {
	if len(x.reals) != 1 {
		b.several[x] = true
		return
	}
	m := x.reals[0]
	if n := b.live[m]; n != nil {
		n.arrays++
		return
	}
	n := &needed{arrays: 1, since: x.from}
	for _, o := range b.names {
		if crowded {
			break // all interfere
		}
		if _, bad := b.in.Interfere(m, o); !bad {
			n.apart = append(n.apart, o)
			b.live[o].apart = append(b.live[o].apart, m)
			b.edges++
		}
	}
	b.live[m] = n
	if !crowded {
		b.names = append(b.names, m)
	}
	b.add(m, 1)
}

func (b *bound) end(x *lived) {
	if len(x.reals) != 1 {
		delete(b.several, x)
		return
	}
	m := x.reals[0]
	n := b.live[m]
	if n.arrays--; n.arrays > 0 {
		return
	}
	delete(b.live, m)
	if k := slices.Index(b.names, m); k >= 0 {
		b.names = slices.Delete(b.names, k, k+1)
	}
	for _, o := range n.apart {
		b.live[o].apart = slices.DeleteFunc(b.live[o].apart, func(y string) bool { return y == m })
		b.edges--
	}
	b.add(m, -1)
}

// add counts a real block's size.
func (b *bound) add(m string, sign int64) {
	k, ok := b.block[m]
	if !ok {
		return
	}
	for _, x := range b.Blocks[k].Terms {
		if b.sum[x.Mono] += sign * x.Coef; b.sum[x.Mono] == 0 {
			delete(b.sum, x.Mono)
		}
	}
}

// total gives the sum of blocks of which every two interfere.
func (b *bound) total() Vec {
	out := b.leftOut()
	for m := range out {
		b.add(m, -1)
	}
	extra := map[int]int64{}
	if len(b.several) > 0 {
		b.countSeveral(out, extra)
	}
	sum := plus(b.sum, extra)
	for m := range out {
		b.add(m, 1)
	}
	return sum
}

// leftOut gives blocks without which every two that are left interfere: those
// that may share with most others first, and of these the oldest.
func (b *bound) leftOut() map[string]bool {
	out := map[string]bool{}
	if b.edges == 0 {
		return out
	}
	var some []string
	for _, m := range b.names {
		if len(b.live[m].apart) > 0 {
			some = append(some, m)
		}
	}
	slices.SortStableFunc(some, func(x, y string) int {
		if d := len(b.live[y].apart) - len(b.live[x].apart); d != 0 {
			return d
		}
		return b.live[x].since - b.live[y].since
	})
	for _, m := range some {
		if slices.ContainsFunc(b.live[m].apart, func(o string) bool { return !out[o] }) {
			out[m] = true
		}
	}
	return out
}

// countSeveral adds the arrays whose block is known at run time only.
func (b *bound) countSeveral(out map[string]bool, extra map[int]int64) {
	all := make([]*lived, 0, len(b.several))
	for x := range b.several {
		all = append(all, x)
	}
	slices.SortFunc(all, func(x, y *lived) int {
		if d := len(x.reals) - len(y.reals); d != 0 {
			return d
		}
		return slices.Compare(x.reals, y.reals)
	})
	var counted []*lived
	for _, m := range b.names {
		if !out[m] {
			counted = append(counted, &lived{name: m, reals: []string{m}})
		}
	}
	for _, x := range all {
		if slices.ContainsFunc(counted, func(y *lived) bool { return !b.apart(x, y) }) {
			continue
		}
		counted = append(counted, x)
		for _, y := range b.least(x.reals) {
			extra[y.Mono] += y.Coef
		}
	}
}

// apart tells whether each of the blocks that an array may lie in interferes with
// each that another may lie in. Where one block is among both, they are apart
// only if they take turns.
func (b *bound) apart(x, y *lived) bool {
	if len(x.reals)*len(y.reals) > maxPairs {
		return false
	}
	turn := b.turns[[2]string{x.name, y.name}] || b.turns[[2]string{y.name, x.name}]
	for _, m := range x.reals {
		for _, o := range y.reals {
			if m == o {
				if !turn {
					return false
				}
				continue
			}
			if _, bad := b.in.Interfere(m, o); !bad {
				return false
			}
		}
	}
	return true
}

// findTurns notes the names of blocks that take turns, and what the present value
// lies in from the second iteration on.
func (b *bound) findTurns() {
	for _, r := range b.Regions {
		if !r.Loop {
			continue
		}
		op := b.Liveness.Points[r.Stmt.From].Stmt.Op.(*ir.Loop)
		for k := range op.Params {
			t, ok := b.Turn(op, k)
			if !ok || op.Bound != nil && b.Accesses.Facts(r.Stmt.From).AtLeast(sym.Const(1).Sub(sym.Of(op.Bound)), 0) {
				continue // or there is no second iteration
			}
			b.turns[[2]string{t.Value, t.Next}] = true
			b.value[t.Value] = []string{b.Blocks[t.Blocks[0]].Name, b.Blocks[t.Blocks[1]].Name}
		}
	}
}
