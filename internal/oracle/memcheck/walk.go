package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
)

func (f *function) walkBody(b *ir.Body) {
	known := f.facts // assertions hold to the end of the body
	f.facts = known.with()
	defer func() { f.facts = known }()
	for _, s := range b.Stmts {
		f.now = f.at[s]
		f.comes(s)
		_, branch := s.Op.(*ir.If)
		_, call := s.Op.(*ir.Call)
		ends := f.mayEnd(s) && (branch || call || len(ir.Bodies(s.Op)) > 0)
		if ends && !branch { // of a loop or a kernel, by another turn or thread
			f.doubt++
		}
		f.walk(s)
		if ends && branch {
			f.doubt++
		}
	}
	f.now = 1 << 60 // at a body's end only its results matter
}

// bodyMayEnd reports whether a body may end the run by an assertion, or never end.
func (f *function) bodyMayEnd(b *ir.Body) bool {
	return slices.ContainsFunc(b.Stmts, f.mayEnd)
}

func (f *function) mayEnd(s *ir.Stmt) bool {
	switch op := s.Op.(type) {
	case *ir.Assert:
		return true
	case *ir.Call:
		return f.callees[op.Fn] == nil || f.callees[op.Fn].ends
	case *ir.Loop:
		return op.Bound == nil || f.bodyMayEnd(op.Body)
	}
	return slices.ContainsFunc(ir.Bodies(s.Op), f.bodyMayEnd)
}

// useAll reads the values that a body gives.
func (f *function) useAll(b *ir.Body, how string) {
	for _, e := range b.Result {
		f.operand(e, b.In, how, false)
	}
}

// operand uses an operand of any type; moved tells that its elements are read.
func (f *function) operand(e ir.Exp, at diag.Span, how string, moved bool) {
	if a := f.arrayOf(e); a != nil {
		at = e.Span().Or(at)
		if how != "returned" { // its bytes are handed on: what is lost may never be read, or be made anew
			f.doubt++
			defer func() { f.doubt-- }()
		}
		f.use(a, f.regions(a), at, how)
		if moved {
			f.access(a, f.placements(a), nil, at)
		}
		return
	}
	f.exp(e, at)
}

// exp uses the elements that a scalar expression reads, each under the conditions
// under which it is read.
func (f *function) exp(e ir.Exp, at diag.Span) {
	if !ir.Reads(e) {
		return
	}
	ir.Evaluated(e, func(x, cond ir.Exp, holds bool) {
		if cond == nil {
			f.exp(x, at)
		} else {
			f.expIf(cond, holds, x, at)
		}
	})
	if e, ok := e.(*ir.Index); ok && f.arrays[e.Array] != nil {
		f.element(f.arrays[e.Array], e, at)
	}
}

// expIf does that for an expression that is evaluated where a condition holds, or
// where it does not.
func (f *function) expIf(cond ir.Exp, holds bool, e ir.Exp, at diag.Span) {
	if !ir.Reads(e) {
		return
	}
	f.maybe++
	f.knowing(f.facts.with(), func() {
		if f.assume(cond, holds); !f.facts.impossible {
			f.exp(e, at)
		}
	})
	f.maybe--
}

// element reads one element. An index without known facts may be any.
func (f *function) element(a *array, x *ir.Index, at diag.Span) {
	at = x.At.Or(at)
	if f.kernel == nil && len(a.damage) == 0 {
		return
	}
	items := make([]ir.Item, len(x.Indices))
	for k, e := range x.Indices {
		items[k] = ir.Item{Fixed: true, Index: e}
	}
	known := f.facts
	if !f.inBounds(a, items) {
		return
	}
	places := f.around(a, items)
	f.use(a, regionsOf(places), at, "read")
	part, all := f.touched(a, places)
	f.access(a, part, all, at)
	f.facts = known
}

// inBounds adds, until the caller takes it back, that fixed indices are in bounds: what
// is behind them is done only then. It gives false where that cannot be.
func (f *function) inBounds(a *array, items []ir.Item) bool {
	added := false
	for k, it := range items {
		if !it.Fixed {
			continue
		}
		i, n := f.value(it.Index), f.value(a.typ.Shape[k].Exp())
		if i.Bad || n.Bad || rules.Off("memcheck.inBounds") || f.facts.nonneg(i) && f.facts.less(i, n) {
			continue
		}
		if !added {
			f.facts, added = f.facts.with(), true
		}
		f.facts.assume(i)
		f.facts.assume(n.Sub(i).AddConst(-1))
	}
	return !f.facts.impossible
}

// around returns the places of a part of an array, and of more where a range of it has an end of which
// nothing is known but that it is in bounds.
func (f *function) around(a *array, items []ir.Item) []placement {
	shape := a.fun.Shape()
	wide := make([]ir.Item, len(items))
	covered := false
	for k, it := range items {
		if it.Fixed {
			wide[k] = ir.Item{Fixed: true, Index: f.poly(it.Index).Exp()}
			continue
		}
		known := f.bounded(f.value(it.Start)) && f.bounded(f.value(it.Len))
		if it.Stride != nil {
			known = known && f.bounded(f.value(it.Stride))
		}
		if known {
			wide[k] = it
			continue
		}
		covered = true
		wide[k] = ir.Item{Start: ir.IntLit(0), Len: shape[k].Exp()}
	}
	places := slices.Clone(f.placements(a))
	for k := range places {
		places[k].fun = places[k].fun.Slice(wide).Subst(f.def)
		places[k].r = f.names.region(places[k].fun)
		places[k].r.exact = places[k].r.exact && !covered
	}
	return places
}

// bounded reports whether something is known of all names of a polynomial.
func (f *function) bounded(p poly) bool {
	for _, n := range p.Atoms() {
		if v := f.facts.lookup(n); len(v.los)+len(v.cases) == 0 {
			return false
		}
	}
	return !p.Bad
}

// read uses all of a named array.
func (f *function) read(name string, at diag.Span) { f.operand(ir.Var(name), at, "read", true) }

func (f *function) walk(s *ir.Stmt) {
	switch op := s.Op.(type) {
	case *ir.Alloc:
		f.exp(op.Size, s.Span)
		return
	case *ir.Compute:
		if !f.mentioned[s.Pat[0].Name] { // so nothing goes wrong by it
			f.doubt++
			defer func() { f.doubt-- }()
		}
	case *ir.Assert:
		ir.Exps(op, func(e ir.Exp) { f.exp(e, s.Span) })
		f.assume(op.Cond, true)
		return
	case *ir.If:
		f.walkIf(s, op)
		return
	case *ir.Loop:
		f.walkLoop(s, op)
		return
	case *ir.Alias, *ir.Reshape, *ir.Rearrange, *ir.Slice:
		ir.Exps(op, func(e ir.Exp) { f.exp(e, s.Span) })
		f.delayed(s)
		if _, ok := op.(*ir.Slice); ok && f.arrays[s.Pat[0].Name] != nil {
			a := f.arrays[s.Pat[0].Name]
			f.facts.checked = append(f.facts.checked, checked{a.block.canon(), a.r, a.size})
		}
		f.inRange(s)
		return
	case *ir.Update:
		f.inRange(s)
		f.walkUpdate(s, op)
		return
	case *ir.Copy, *ir.Concat:
		for _, name := range ir.Arrays(op) {
			f.read(name, s.Span)
		}
	}
	if space, ok := ir.KernelSpace(s.Op); ok {
		f.walkKernel(s, space)
		return
	}
	call, ok := s.Op.(*ir.Call)
	if ok {
		f.arguments(s, call)
	}
	ir.Exps(s.Op, func(e ir.Exp) { f.operand(e, s.Span, "read", true) })
	f.hitAll(s)
	f.made(s, !ok)
}

// hitAll does the writes of a statement.
func (f *function) hitAll(s *ir.Stmt) {
	for _, w := range f.writes[s] {
		var spared *block
		if w.from != nil && !rules.Off("memcheck.copies") {
			spared = w.from.block.canon()
		}
		f.hit(w, w.part, spared, true)
		if f.kernel != nil {
			var all []placement
			places := make([]placement, len(w.regions))
			for k, r := range w.regions {
				places[k] = placement{block: w.block, r: r}
			}
			known := f.facts
			if up, ok := s.Op.(*ir.Update); ok {
				x := f.arrays[up.X]
				f.inBounds(x, up.Items)
				places, all = f.touched(x, f.around(x, up.Items))
			}
			outside, own := f.ownFacts()
			f.kernel.add(access{name: w.name, span: w.span, places: places, all: all, size: w.size, write: true, maybe: f.maybe > 0, known: outside, own: own})
			f.facts = known
		}
	}
}

// arguments checks that what a call consumes shares its block with no other
// argument, which is what the callee relies on.
func (f *function) arguments(s *ir.Stmt, op *ir.Call) {
	sum := f.callees[op.Fn]
	for k, e := range op.Args {
		b := f.blockOf(e)
		if sum == nil || b == nil || k >= len(sum.consumed) || !sum.consumed[k] {
			continue
		}
		for j, e2 := range op.Args {
			c := f.blockOf(e2)
			if c == nil || j == k || f.distinct(b, c) {
				continue
			}
			if x, y := f.arrayOf(e), f.arrayOf(e2); x != nil && y != nil && sum.within[k] && f.apart(f.regions(x), x.size, f.regions(y), y.size) {
				continue
			}
			f.report(diag.Overwritten, false, s.Span, op.Fn, "",
				"cannot prove that `"+op.Fn+"`, which may write the block `"+b.canon().name+"` of an argument, leaves another argument alone").
				With(s.Span, "the other lies in block `%s`", c.canon().name)
		}
	}
}

// delayed binds another view of an array: damage stays.
func (f *function) delayed(s *ir.Stmt) {
	src := f.arrays[ir.Arrays(s.Op)[0]]
	a := f.arrays[s.Pat[0].Name]
	if src == nil || a == nil {
		return // a block, or a scalar
	}
	f.view(a, src, s)
	f.register(a)
	f.inherit(a, src.damage)
}

// walkUpdate writes a part of an array. What is damaged in that part is whole
// again; what is damaged elsewhere stays so.
func (f *function) walkUpdate(s *ir.Stmt, op *ir.Update) {
	x, y := f.arrays[op.X], f.arrays[s.Pat[0].Name]
	ir.Exps(op, func(e ir.Exp) { f.operand(e, s.Span, "read", true) })
	parts := f.updated(op)
	var rest []damage
	for _, d := range x.damage {
		if len(parts) == 1 && (f.held(parts[0], x, f.regions(x), x.size) || f.held(parts[0], x, d.regions, d.by.size) || f.held(parts[0], x, d.cover, d.by.size)) {
			continue
		}
		for _, p := range parts { // where it may have become whole again, nothing is certain
			d.sure = d.sure && f.misses(d.part, d.by.size, []region{f.names.region(p)}, x.size)
		}
		rest = append(rest, d)
	}
	f.hitAll(s)
	f.register(y)
	for _, d := range rest {
		f.harm(y, d)
	}
	if x.block.canon() != y.block.canon() || x.sources == nil && !f.samePlace(x.fun, y.fun) {
		f.misplaced(y, x, s, x.block.canon() != y.block.canon())
	}
}

// held reports whether the part of an array where an index function leads holds all of
// some regions.
func (f *function) held(fun lmad.Fun, x *array, rs []region, size int64) bool {
	return f.facts.holds(f.names.region(fun), x.size, rs, size)
}
