package explicit

import "github.com/memc-lang/memc/ir"

// branch places the results of an if. If both branches leave a result in one place that can be
// named outside, it lies there. Otherwise its block is existential, and so is its index function
// unless both branches have the same one.
func (t *function) branch(s *ir.Stmt, op *ir.If) {
	start := t.clock
	outer := t.open()
	t.sometimes(op.Cond, func() { t.stmts(op.Then) })
	then := t.open()
	t.sometimes(not(op.Cond), func() { t.stmts(op.Else) })
	els := t.open()

	// An existential index function is one LMAD. A branch whose result needs more than that copies
	// it.
	for k, e := range s.Pat {
		if e.Type.Kind != ir.ArrayKind {
			continue
		}
		x, y, mem, fun := t.ends(e, op, k, start)
		if mem && fun {
			continue
		}
		if t.near[x.mem] != t.near[y.mem] {
			then = t.nearEnd(op.Then, k, then)
			els = t.nearEnd(op.Else, k, els)
		}
		const why = "the result of an if has one offset and one stride per dimension"
		t.out = then
		t.sometimes(op.Cond, func() { t.single(op.Then, k, why) })
		then, t.out = t.out, els
		t.sometimes(not(op.Cond), func() { t.single(op.Else, k, why) })
		els = t.out
	}
	t.close(op.Then, then)
	t.close(op.Else, els)
	t.out = outer

	for k, e := range s.Pat {
		if e.Type.Kind != ir.ArrayKind {
			t.elem(e)
			continue
		}
		x, _, mem, fun := t.ends(e, op, k, start)
		switch {
		case mem && fun:
			t.put(e, x)
		case fun:
			t.existsAs(e, x)
		default:
			t.exists(e, false)
		}
		t.near[t.of(e.Name).place.mem] = t.near[x.mem]
	}
	t.emit(s)
}

// nearEnd brings result k of a branch, whose statements are given, to the group's memory.
func (t *function) nearEnd(b *ir.Body, k int, stmts []*ir.Stmt) []*ir.Stmt {
	outer := t.out
	t.out = stmts
	r := b.Result[k]
	if x := t.nearBy(arrayName(r), r.Span()); x != arrayName(r) {
		b.Result[k] = &ir.Ref{Name: x}
	}
	stmts, t.out = t.out, outer
	return stmts
}

// ends returns the places of result k at the ends of the branches. It reports whether they have the
// same block and the same index function, each in names defined before start.
func (t *function) ends(e *ir.Elem, op *ir.If, k, start int) (x, y place, mem, fun bool) {
	x = t.of(arrayName(op.Then.Result[k])).place.over(e.Type.Shape)
	y = t.of(arrayName(op.Else.Result[k])).place.over(e.Type.Shape)
	mem = x.mem == y.mem && t.inScope([]string{x.mem}, start)
	if x.fun.IsRowMajor() {
		return x, y, mem, y.fun.IsRowMajor()
	}
	x, written := t.outside(x, start)
	return x, y, mem, written && x.fun.Equal(y.fun) && t.inScope(x.fun.Names(), start)
}

// outside writes a place in names defined before start, and reports whether it can: a view's chain begins with
// the dims of its source, which its index function need not mention.
func (t *function) outside(p place, start int) (place, bool) {
	for _, chain := range [][]ir.IxOp{p.chain, p.fun.Chain()} {
		known := true
		ir.PlaceExps(&ir.Place{Ix: chain}, func(e ir.Exp) {
			ir.ExpNames(e, func(n string) { known = known && t.visible(n, start) })
		})
		if known {
			return place{p.mem, p.fun, chain}, true
		}
	}
	return p, false
}
