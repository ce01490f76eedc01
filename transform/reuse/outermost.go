package reuse

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// outermost threads the loop, and allocates the blocks that it needs before it, but for those that the loop before left.
func (t *threads) outermost(before *leftover) {
	var handed []string
	if before != nil {
		handed, t.ends = before.free, before.ends
	}
	op := t.at.Op.(*ir.Loop)
	outside := func(free []string) *scope {
		s := &scope{free: free, held: map[string]bool{}, last: map[string]int{}}
		for _, e := range t.at.Pat {
			if e.Type.Kind == ir.ArrayKind && e.Type.Place.Exist {
				s.last[e.Type.Place.Mem] = 1 // it may be needed behind
			}
		}
		return s
	}
	t.dry = true
	t.inner(outside(nil), t.at, op)
	t.dry, t.count = false, t.missing
	if t.turned || t.failed {
		return
	}
	clear(t.own)
	var blocks []string
	for range t.count - len(handed) {
		blocks = append(blocks, t.fresh.Fresh(t.alloc.Pat[0].Name))
	}
	free := slices.Clone(blocks)
	slices.Reverse(free)
	free = append(free, handed...)
	t.outside, t.handed = outside(free), min(t.count, len(handed))
	t.missing = 0
	if t.inner(t.outside, t.at, op); t.turned || t.failed || t.missing > 0 {
		t.failed = !t.turned
		return
	}
	all := &ir.Func{Body: &ir.Body{Stmts: []*ir.Stmt{t.at}}}
	rename(all, t.renamed)
	if len(blocks) > 0 { // the first one can have a name that users know
		rename(all, map[string]string{blocks[0]: t.alloc.Pat[0].Name})
		blocks[0] = t.alloc.Pat[0].Name
	}
	waits := make([]int, t.count) // not for those that it is handed
	bodies, runs := t.within()
	for k, m := range blocks {
		waits[k] = t.waits(m)
		t.allocate(m, waits[k], runs)
	}
	t.failed = !t.throughout() && !t.steady(waits, bodies)
}

// within returns the bodies of the loops that all arrays of the pool are made in, from the outermost one on, and the
// condition for the inner ones to have iterations, nil if they surely have.
func (t *threads) within() (bodies []*ir.Body, runs ir.Exp) {
	b := t.at.Op.(*ir.Loop).Body
	for {
		bodies = append(bodies, b)
		k := slices.IndexFunc(b.Stmts, func(st *ir.Stmt) bool {
			op, loop := st.Op.(*ir.Loop)
			return loop && !slices.ContainsFunc(slices.Collect(maps.Keys(t.makes)), func(m string) bool { return !t.inside(t.in[m], op.Body) })
		})
		if k < 0 {
			return bodies, runs
		}
		op := b.Stmts[k].Op.(*ir.Loop)
		switch {
		case t.loop.comesTo(t.origin[b.Stmts[k]], 0) == nil:
		case op.Bound == nil || !t.loop.known(sym.Of(op.Bound)):
			return bodies, runs
		default:
			c := &ir.Binary{Op: ">", X: op.Bound, Y: ir.IntLit(0), T: ir.Bool}
			if runs = and(runs, c); !ir.Total(op.Bound) {
				return bodies, nil
			}
		}
		b = op.Body
	}
}

// and returns the conjunction of two conditions, of which one may be nil.
func and(x, y ir.Exp) ir.Exp {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return &ir.Binary{Op: "&&", X: x, Y: y, T: ir.Bool}
}

// waits returns how many iterations the loop hands a block on before it uses it.
func (t *threads) waits(block string) int {
	op := t.at.Op.(*ir.Loop)
	used := map[string]bool{}
	for _, st := range op.Body.Stmts {
		ir.StmtUses(st, func(n string) { used[n] = true })
	}
	k := slices.IndexFunc(op.Params, func(p ir.Param) bool { return ir.IsRef(p.Init, block) })
	for n := range op.Params {
		name := op.Params[k].Elem.Name
		if k = slices.IndexFunc(op.Body.Result, func(e ir.Exp) bool { return ir.IsRef(e, name) }); used[name] || k < 0 {
			return n
		}
	}
	return 0
}

// comesTo returns the condition for the loop to have more iterations than that, nil if it surely has. Of a `while` loop it
// gets a name, by which the loop begins, too.
func (t *threads) comesTo(iterations int) ir.Exp {
	c := t.loop.comesTo(t.loop.at, int64(iterations))
	if op := t.at.Op.(*ir.Loop); c != nil && op.Bound == nil {
		first := &op.Params[whileParam(op)].Init
		*first = t.named(*first)
		return *first
	}
	return c
}

// named returns a name for a condition, with which it is computed before the loop.
func (t *threads) named(c ir.Exp) ir.Exp {
	if r, ok := c.(*ir.Ref); ok {
		return r
	}
	more := &ir.Elem{Name: t.fresh.Fresh("more"), Type: ir.Scalar(ir.Bool)}
	t.before = append(t.before, &ir.Stmt{Pat: []*ir.Elem{more}, Op: &ir.Compute{E: c}, Span: t.alloc.Span})
	return &ir.Ref{Name: more.Name, T: ir.Bool}
}

// allocate allocates a block before the loop, if it has more iterations than that, and the condition holds.
func (t *threads) allocate(name string, iterations int, runs ir.Exp) {
	alloc, e := *t.alloc, *t.alloc.Pat[0]
	e.Name = name
	bytes := t.size.Exp()
	if t.allocates { // else they were there before
		if c := and(t.comesTo(iterations), runs); c != nil && !t.noBytes(c) {
			if !ir.Total(c) { // no part of a size may fail or read
				c = t.named(c)
			}
			t.maybe = true
			bytes = &ir.Cond{C: c, X: bytes, Y: ir.IntLit(0), T: ir.I64}
		}
	}
	alloc.Pat, alloc.Op = []*ir.Elem{&e}, &ir.Alloc{Size: bytes, Space: t.alloc.Op.(*ir.Alloc).Space}
	t.before = append(t.before, &alloc)
}

// noBytes reports whether the blocks have no bytes where a condition does not hold.
func (t *threads) noBytes(c ir.Exp) bool {
	table := t.loop.table
	return table.Accesses.Facts(table.Liveness.Stmt(t.loop.at).From).FromNegation(c).AtLeast(t.size.Neg(), 0)
}

// throughout reports whether blocks that were held throughout the loop before are as many as those now.
func (t *threads) throughout() bool {
	table, need := t.loop.table, t.count
	for _, v := range t.come {
		if !t.lodges(v) {
			need++
		}
	}
	span := table.Liveness.Body(t.loop.op.Body)
	for m := range t.reals {
		k, _ := table.Block(m)
		if b := table.Blocks[k]; b.Alloc < span.From && b.Last >= span.To {
			need--
		}
	}
	return need <= 0
}

// steady reports whether the loop held as much before at some point of each iteration, so that no run needs more. waits
// are those of the blocks that it hands on (Note [Free blocks that loops hand on]).
func (t *threads) steady(waits []int, bodies []*ir.Body) bool {
	later := slices.Max(append(waits, 0)) > 0
	if later && t.loop.op.Bound == nil {
		return false // nothing tells whether it has that many iterations
	}
	table := t.loop.table
	from := table.Liveness.Stmt(t.loop.at).From
	spare, others := t.heldBefore(later)
	t.spend(spare, t.demands(waits), bodies[0])
	short := make([]int, len(spare)+1) // how many points before one held too few
	for k, n := range spare {
		short[k+1] = short[k]
		if n < 0 {
			short[k+1]++
		}
	}
	first, last := from, from+len(spare)-1 // the points at which all blocks are held that are where it held too few
	for _, b := range others {
		if short[b.Last+1-from] > short[b.Alloc-from] {
			first, last = max(first, b.Alloc), min(last, b.Last)
		}
	}
	enough := func(st *ir.Stmt) bool {
		o := t.origin[st]
		if o == nil {
			return false
		}
		at := table.Liveness.Stmt(o).From
		return spare[at-from] >= 0 && first <= at && at <= last
	}
	return slices.ContainsFunc(bodies[0].Stmts, func(st *ir.Stmt) bool {
		if op, loop := st.Op.(*ir.Loop); loop && len(bodies) > 1 && op.Body == bodies[1] {
			return enough(st) || slices.ContainsFunc(bodies[1:], func(b *ir.Body) bool { return slices.ContainsFunc(b.Stmts, enough) })
		}
		return enough(st)
	})
}

// spend subtracts from the blocks that the loop held at its points how many it must have held there.
func (t *threads) spend(held []int, demands []demand, b *ir.Body) {
	table := t.loop.table
	from, at, need := table.Liveness.Stmt(t.loop.at).From, 0, needs(demands, 0)
	for k, st := range b.Stmts {
		if o := t.origin[st]; o != nil {
			for to := table.Liveness.Stmt(o).From - from; at < to; at++ {
				held[at] -= need
			}
			need = needs(demands, k)
		}
	}
	for ; at < len(held); at++ {
		held[at] -= need
	}
}

// heldBefore returns how many blocks of the pool are held at the points of the loop, and the other blocks that are not
// held throughout: of loop parameters' first blocks, what the first iteration holds, or nothing if later ones count.
func (t *threads) heldBefore(later bool) (held []int, others []peak.Block) {
	table := t.loop.table
	span := table.Liveness.Stmt(t.loop.at)
	firsts := map[string]bool{}
	for _, v := range t.come {
		reals, _ := t.aliases.BlocksUpTo(t.blockOf(t.loop.op.Params[v.k].Init), maxReals)
		for _, m := range reals {
			firsts[m] = true
		}
	}
	held = make([]int, span.To-span.From+2)
	for _, b := range table.Blocks {
		from, to := max(b.Alloc, span.From), min(b.Last, span.To)
		outside := !t.loop.inside(b.Region, t.loop.region)
		switch {
		case b.Kind == peak.Given || from > to:
		case t.reals[b.Name]:
			held[from-span.From]++
			held[to+1-span.From]--
		case outside && (firsts[b.Name] || b.Handed == 0 && b.Last >= span.To):
		default:
			if b.Alloc = from; outside && b.Handed > 0 && later {
				to = from
			}
			b.Last = to
			others = append(others, b)
		}
	}
	for k := 1; k < len(held); k++ {
		held[k] += held[k-1]
	}
	return held, append(others, t.kept()...)
}

// kept returns blocks of earlier iterations that parameters and results keep in the loop, other ones than the pool's.
func (t *threads) kept() (out []peak.Block) {
	span := t.loop.table.Liveness.Body(t.loop.op.Body)
	for _, h := range t.loop.table.Holders {
		from, to := max(h.Span.From, span.From), min(h.Span.To, span.To)
		if from <= to && (h.Many || slices.ContainsFunc(h.Blocks, func(k int) bool {
			b := t.loop.table.Blocks[k]
			return b.Kind != peak.Given && !t.reals[b.Name] && t.loop.inside(b.Region, t.loop.region)
		})) {
			out = append(out, peak.Block{Alloc: from, Last: to})
		}
	}
	return out
}

// A demand is what the loop must have held before, to hold no more now, if it has more iterations than a number: then an
// iteration after these held the values that lay in blocks of the pool there.
type demand struct {
	blocks int
	less   []int // one block less up to each of these statements, the last ones that need such values
}

// demands returns those for the numbers of iterations that blocks wait.
func (t *threads) demands(waits []int) (out []demand) {
	numbers := append([]int{0}, waits...)
	slices.Sort(numbers)
	for _, n := range slices.Compact(numbers) {
		var d demand
		for _, w := range waits {
			if w <= n {
				d.blocks++
			}
		}
		for _, v := range t.come {
			if !t.lodges(v) {
				d.blocks++
			}
			if last, ok := t.last[v.place]; ok && t.holds(v, n+1) {
				d.less = append(d.less, last)
			}
		}
		out = append(out, d)
	}
	return out
}

// needs returns how many blocks the loop must have held before at statement k of its body.
func needs(demands []demand, k int) (most int) {
	for _, d := range demands {
		n := d.blocks
		for _, last := range d.less {
			if last >= k {
				n--
			}
		}
		most = max(most, n)
	}
	return most
}

// holds reports whether a parameter's value lies for sure in a block that counts, in an iteration from 1 on: one of the
// pool, or, in the first one, that of a first value which nobody else holds.
func (t *threads) holds(v *carried, iteration int) bool {
	switch {
	case iteration == 1:
		return !t.lodges(v)
	case v.from == "":
		return false
	case t.actual(v.from):
		reals, _ := t.aliases.BlocksUpTo(v.from, maxReals)
		return !slices.ContainsFunc(reals, func(m string) bool { // those from outside count in any iteration
			b, ok := t.loop.table.Block(m)
			return ok && !t.loop.inside(t.loop.table.Blocks[b].Region, t.loop.region)
		})
	}
	k := slices.IndexFunc(t.come, func(w *carried) bool { return w.place == v.from })
	return k >= 0 && t.holds(t.come[k], iteration-1)
}

// lodges reports whether somebody else holds the block of a first value.
func (t *threads) lodges(v *carried) bool {
	return t.kindOf(v.place) == tenant && (len(t.with[v.place]) > 0 || t.stays(v))
}

// stays reports whether the block of a first value is held throughout the loop, whatever lies in it.
func (t *threads) stays(v *carried) bool {
	table, l := t.loop.table, t.loop
	reals, more := t.aliases.BlocksUpTo(t.blockOf(l.op.Params[v.k].Init), maxReals)
	return !more && !slices.ContainsFunc(reals, func(m string) bool {
		k, ok := table.Block(m)
		if ok && table.Blocks[k].Kind == peak.Given {
			return false // the caller holds it
		}
		return !ok || table.Blocks[k].Handed > 0 || table.Blocks[k].Last < table.Liveness.Stmt(l.at).To
	})
}
