package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/ir"
)

func (f *function) walkBody(b *ir.Body) {
	known := f.facts // what is asserted holds to the end of the body
	f.facts = known.with()
	defer func() { f.facts = known }()
	for _, s := range b.Stmts {
		f.now = f.at[s]
		f.walk(s)
	}
	f.now = 1 << 60 // of a body's end nothing but its results is asked
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
		if s := e.Span(); s.Known() {
			at = s
		}
		f.use(a, f.regions(a), at, how)
		if moved {
			f.access(a, f.placements(a), at, false)
		}
		return
	}
	f.exp(e, at)
}

// exp uses the elements that a scalar expression reads.
func (f *function) exp(e ir.Exp, at diag.Span) {
	ir.WalkExp(e, func(e ir.Exp) bool {
		if x, ok := e.(*ir.Index); ok {
			if a := f.arrays[x.Array]; a != nil {
				f.element(a, x, at)
			}
		}
		return true
	})
}

// element reads one element. An index of which nothing is known may be any.
func (f *function) element(a *array, x *ir.Index, at diag.Span) {
	if x.At.Known() {
		at = x.At
	}
	if f.kernel == nil && len(a.damage) == 0 {
		return
	}
	items := make([]ir.Item, len(x.Indices))
	for k, e := range x.Indices {
		items[k] = ir.Item{Fixed: true, Index: e}
	}
	places := f.around(a, items)
	f.use(a, regionsOf(places), at, "read")
	f.access(a, f.touched(a, places), at, false)
}

// touched gives what a thread counts as touching where it touches a part of an
// array: of one of its own all, since its threads' arrays are apart as a whole.
func (f *function) touched(a *array, part []placement) []placement {
	if f.kernel != nil && a.born > f.kernel.start {
		return f.placements(a)
	}
	return part
}

// around gives the places of a part of an array, and of more where an item of it
// holds an index of which nothing is known but that it is in bounds.
func (f *function) around(a *array, items []ir.Item) []placement {
	shape := a.fun.Shape()
	wide := make([]ir.Item, len(items))
	covered := false
	for k, it := range items {
		if it.Fixed {
			p := f.poly(it.Index)
			v := f.names.poly(p)
			// In bounds it is, but only what is known to be helps.
			if f.bounded(v) && f.facts.nonneg(v) && f.facts.less(v, f.names.poly(shape[k])) {
				wide[k] = ir.Item{Fixed: true, Index: p.Exp()}
				continue
			}
		} else {
			known := f.bounded(f.value(it.Start)) && f.bounded(f.value(it.Len))
			if it.Stride != nil {
				known = known && f.bounded(f.value(it.Stride))
			}
			if known {
				wide[k] = it
				continue
			}
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

// bounded tells whether something is known of all names of a polynomial.
func (f *function) bounded(p poly) bool {
	for _, n := range p.names() {
		if len(f.facts.lookup(n).los) == 0 {
			return false
		}
	}
	return !p.bad
}

// read uses all of a named array.
func (f *function) read(name string, at diag.Span) { f.operand(ir.Var(name), at, "read", true) }

func (f *function) walk(s *ir.Stmt) {
	switch op := s.Op.(type) {
	case *ir.Alloc:
		f.exp(op.Size, s.Span)
		return
	case *ir.Assert:
		f.exp(op.Cond, s.Span)
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
		if slice, ok := op.(*ir.Slice); ok {
			f.keepChecked(slice, f.arrays[s.Pat[0].Name])
			f.assumeInBounds(slice.X, slice.Items)
		}
		return
	case *ir.Update:
		f.walkUpdate(s, op)
		f.assumeInBounds(op.X, op.Items)
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
	if call, ok := s.Op.(*ir.Call); ok {
		f.arguments(s, call)
	}
	ir.Exps(s.Op, func(e ir.Exp) { f.operand(e, s.Span, "read", true) })
	f.hitAll(s)
	for _, el := range s.Pat {
		if a := f.arrays[el.Name]; a != nil {
			if _, call := s.Op.(*ir.Call); !call {
				f.created(a, s)
			}
			f.register(a)
		}
	}
}

// hitAll does the writes of a statement.
func (f *function) hitAll(s *ir.Stmt) {
	for _, w := range f.writes[s] {
		var spared *block
		if w.from != nil {
			spared = w.from.block.canon()
		}
		f.hitBut(w, w.regions, spared)
		if f.kernel != nil {
			places := make([]placement, len(w.regions))
			for k, r := range w.regions {
				places[k] = placement{block: w.block, r: r}
			}
			if up, ok := s.Op.(*ir.Update); ok {
				x := f.arrays[up.X]
				places = f.touched(x, f.around(x, up.Items))
			}
			f.kernel.add(access{name: w.name, span: w.span, places: places, size: w.size, write: true, known: f.outsideFacts()})
		}
	}
}

// arguments checks that what a call consumes shares its block with no other
// argument, which is what the callee relies on.
func (f *function) arguments(s *ir.Stmt, op *ir.Call) {
	sum := f.callees[op.Fn]
	for k, e := range op.Args {
		b := f.blockOf(e)
		if sum == nil || b == nil || k >= len(sum.consumed) || !sum.consumed[k] && f.arrayOf(e) != nil {
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
			f.report(false, s.Span, op.Fn, "",
				"cannot prove that `"+op.Fn+"`, which may write the block `"+b.canon().name+"` of an argument, leaves another argument alone").
				With(s.Span, "the other lies in block `%s`", c.canon().name)
		}
	}
}

// delayed binds another view of an array: what is damaged stays so.
func (f *function) delayed(s *ir.Stmt) {
	src := f.arrays[ir.Arrays(s.Op)[0]]
	a := f.arrays[s.Pat[0].Name]
	if src == nil || a == nil {
		return // a block, or a scalar
	}
	f.view(a, src, s)
	f.register(a)
	for _, d := range src.damage {
		if d.regions == nil || !f.apart(f.regions(a), a.size, d.regions, d.by.size) {
			f.harm(a, d)
		}
	}
}

// walkUpdate writes a part of an array. What is damaged in that part is whole
// again; what is damaged elsewhere stays so.
func (f *function) walkUpdate(s *ir.Stmt, op *ir.Update) {
	x, y := f.arrays[op.X], f.arrays[s.Pat[0].Name]
	ir.Exps(op, func(e ir.Exp) { f.operand(e, s.Span, "read", true) })
	parts := f.updated(op)
	var rest []damage
	for _, d := range x.damage {
		if len(d.regions) == 1 && len(parts) == 1 {
			outer, inner := common(f.names.region(parts[0]), x.size, d.regions[0], d.by.size)
			if f.facts.contains(outer, inner) {
				continue
			}
		}
		rest = append(rest, d)
	}
	f.hitAll(s)
	f.register(y)
	for _, d := range rest {
		f.harm(y, d)
	}
	if x.block.canon() != y.block.canon() || x.sources == nil && !f.sameStrides(x.fun, y.fun) && !(x.fun.IsRowMajor() && y.fun.IsRowMajor()) {
		f.misplaced(y, x, s, x.block.canon() != y.block.canon())
	}
}
