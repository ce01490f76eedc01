package memcheck

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A write is a part of a block that a statement writes.
type write struct {
	name  string
	span  diag.Span
	block *block
	part
	size int64
	// from is the array that is copied, if it is one that would lie exactly here
	// were it in this block.
	from *array
	// still: the array that is copied may lie here, and then nothing changes.
	still bool
}

// plan finds the writes of every statement itself, and the writes of every loop to
// blocks that exist before it.
func (f *function) plan(b *ir.Body) {
	known := f.facts
	defer func() { f.facts = known }()
	f.facts = known.with()
	for _, s := range b.Stmts {
		f.comes(s)
		op, loop := s.Op.(*ir.Loop)
		if loop {
			f.nest = append(f.nest, op)
		}
		for k, inner := range ir.Bodies(s.Op) {
			f.knowing(f.facts.with(), func() {
				f.sizesAgree(s)
				if f.entered(s, k); !f.facts.impossible { // else no run comes here
					f.plan(inner)
				}
			})
		}
		if loop {
			f.nest = f.nest[:len(f.nest)-1]
		}
		if op, ok := s.Op.(*ir.Assert); ok {
			f.assume(op.Cond, true)
		}
		f.inRange(s) // else nothing is written
		if op, ok := s.Op.(*ir.Loop); ok {
			f.effects[s] = f.outer(op.Body, f.starts[s])
		} else if own := f.writesOf(s); own != nil {
			f.writes[s] = own
		}
	}
}

// entered adds the facts that hold in the k-th body of a statement.
func (f *function) entered(s *ir.Stmt, k int) {
	switch op := s.Op.(type) {
	case *ir.If:
		f.assume(op.Cond, k == 0)
	case *ir.Loop:
		if op.Var != "" {
			p := f.value(op.Bound).AddConst(-1)
			f.facts.assume(p) // there is an iteration
			f.learned(p)
		}
		for _, p := range op.Params {
			if p.Elem.Name == op.While {
				f.assume(p.Init, true) // so there was before the first
			}
		}
	default:
		space, _ := ir.KernelSpace(s.Op)
		for _, x := range space {
			p := f.most(x.Var)
			f.facts.assume(p) // there is a thread
			f.learned(p)
		}
	}
}

// outer returns the writes of a body into blocks that are older than start or can
// stand for such a block.
func (f *function) outer(b *ir.Body, start int) []*write {
	var out []*write
	keep := func(ws []*write) {
		for _, w := range ws {
			if c := w.block.canon(); c.kind != allocated || c.order < start {
				out = append(out, w)
			}
		}
	}
	for _, s := range b.Stmts {
		if _, ok := s.Op.(*ir.Loop); ok {
			keep(f.effects[s])
			continue
		}
		for _, inner := range ir.Bodies(s.Op) {
			keep(f.outer(inner, start))
		}
		keep(f.writes[s])
	}
	return out
}

// same reports whether src lies exactly at a place, so that nothing is written.
func (f *function) same(src *array, b *block, fun lmad.Fun) bool {
	return src != nil && src.sources == nil && src.block.canon() == b.canon() && f.sameStrides(src.fun, fun)
}

// copied returns src if it has the index function of the place it is copied to.
func copied(src *array, fun lmad.Fun) *array {
	if src != nil && src.fun.Equal(fun) {
		return src
	}
	return nil
}

// takes records that a write copies src.
func (w *write) takes(src *array) *write {
	w.still = src != nil && src.sources == nil && src.block.canon() == w.block.canon()
	return w
}

func (f *function) writeOf(a *array, span diag.Span, regions ...region) *write {
	return &write{name: a.name, span: a.span.Or(span), block: a.block, part: part{regions: regions}, size: a.size}
}

// holder returns the place of a loop's parameter that holds the place of an array made
// in the loop: a part of it is put together there, and it mentions fewer names.
func (f *function) holder(a *array) []region {
	if rules.Off("memcheck.holder") {
		return nil
	}
	for k := len(f.nest) - 1; k >= 0; k-- {
		for _, p := range f.nest[k].Params {
			x := f.arrays[p.Elem.Name]
			if x != nil && x.sources == nil && x.block.canon() == a.block.canon() && x.size == a.size && !x.r.equal(a.r) && f.facts.contains(x.r, a.r) {
				return []region{x.r}
			}
		}
	}
	return nil
}

func (f *function) writesOf(s *ir.Stmt) []*write {
	var a *array
	if len(s.Pat) > 0 {
		a = f.arrays[s.Pat[0].Name]
	}
	switch op := s.Op.(type) { // the others write nothing themselves
	case *ir.Copy:
		if !f.same(f.arrays[op.X], a.block, a.fun) {
			w := f.writeOf(a, s.Span, a.r).takes(f.arrays[op.X])
			w.from = copied(f.arrays[op.X], a.fun)
			return []*write{w}
		}
	case *ir.Scratch: // leaves its place as it is
		return nil
	case *ir.Range, *ir.Replicate, *ir.ArrayLit:
		w := f.writeOf(a, s.Span, a.r)
		w.cover = f.holder(a)
		return []*write{w}
	case *ir.Concat:
		return f.concatWrites(s, op, a)
	case *ir.Update:
		return f.updateWrites(s, op, a)
	case *ir.Call:
		return f.callWrites(s, op)
	case *ir.Map, *ir.Reduce, *ir.Scan:
		return f.resultWrites(s)
	case *ir.Scatter, *ir.Hist, *ir.Into:
		var out []*write
		for _, el := range s.Pat {
			d := f.arrays[el.Name]
			out = append(out, f.writeOf(d, s.Span, f.regions(d)...))
		}
		return out
	}
	return nil
}

// concatWrites returns the parts of a concat that do not lie in their place already.
func (f *function) concatWrites(s *ir.Stmt, op *ir.Concat, a *array) []*write {
	var out []*write
	start := sym.Const(0)
	for _, name := range op.Args {
		x := f.arrays[name]
		n := x.fun.Shape()[op.Dim]
		part := lmad.ConcatPart(a.fun, op.Dim, start, n)
		start = start.Add(n)
		if !f.same(x, a.block, part) {
			w := f.writeOf(a, s.Span, f.names.region(part)).takes(x)
			w.cover, w.from = []region{a.r}, copied(x, part)
			out = append(out, w)
		}
	}
	return out
}

// updateWrites returns the part that an update writes, unless its value lies there already.
func (f *function) updateWrites(s *ir.Stmt, op *ir.Update, a *array) []*write {
	x := f.arrays[op.X]
	parts := f.updated(op)
	// The part by the names that the place of op.X binds is one, even if these have several values.
	if !f.same(f.arrayOf(op.Value), a.block, x.fun.Slice(op.Items).Subst(f.def)) {
		// Where an index is out of bounds nothing is written.
		w := f.writeOf(a, s.Span).takes(f.arrayOf(op.Value))
		for _, p := range parts {
			w.regions = append(w.regions, f.names.region(p))
		}
		w.cover = f.regions(x)
		if z := f.arrayOf(op.Value); z != nil && len(parts) == 1 {
			w.from = copied(z, parts[0])
		}
		return []*write{w}
	}
	return nil
}

// updated returns the parts of its array that an update writes.
func (f *function) updated(op *ir.Update) []lmad.Fun {
	var out []lmad.Fun
	for _, p := range f.placements(f.arrays[op.X]) {
		out = append(out, p.fun.Slice(op.Items).Subst(f.def))
	}
	return out
}

// resultWrites returns the results of a kernel that are written: the first
// combined ones, and those that do not lie in their place already.
func (f *function) resultWrites(s *ir.Stmt) []*write {
	space, _ := ir.KernelSpace(s.Op)
	results, combined := ir.KernelBody(s.Op).Result, combinedOf(s.Op)
	var out []*write
	for k, el := range s.Pat {
		a := f.arrays[el.Name]
		if a == nil || k >= combined && f.same(f.arrayOf(results[k]), a.block, f.slot(a, space)) {
			continue
		}
		w := f.writeOf(a, s.Span, a.r)
		w.cover = f.holder(a)
		out = append(out, w)
	}
	return out
}

// slot returns the part of a kernel's result that one thread gives.
func (f *function) slot(a *array, space ir.Space) lmad.Fun {
	names := make([]string, len(space))
	for k, b := range space {
		names[k] = b.Var
	}
	return lmad.FixOuter(a.fun, names)
}

// callWrites returns the blocks that a call may write: those of consumed arguments, or
// only where these lie.
func (f *function) callWrites(s *ir.Stmt, op *ir.Call) []*write {
	sum := f.callees[op.Fn]
	var out []*write
	for k, e := range op.Args {
		if sum == nil || k >= len(sum.within) {
			break
		}
		a := f.arrayOf(e)
		switch {
		case !sum.consumed[k]:
		case a == nil && f.blockOf(e) != nil:
			out = append(out, &write{name: op.Fn, span: s.Span, block: f.blockOf(e), size: 1})
		case a != nil && sum.within[k]:
			out = append(out, &write{name: op.Fn, span: s.Span, block: a.block, part: part{regions: f.regions(a)}, size: a.size})
		case a != nil:
			out = append(out, &write{name: op.Fn, span: s.Span, block: a.block, size: 1})
		}
	}
	return out
}
