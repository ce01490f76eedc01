package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// created checks the place of a fresh array: its elements share no position, it
// lies within every block that its place can stand for, and may be written there.
func (f *function) created(a *array, s *ir.Stmt) {
	at := a.span.Or(s.Span)
	if !f.steps(a) {
		f.report(diag.SharedMemory, false, at, a.name, "", "cannot prove that each step of the place of `"+a.name+"` keeps its elements")
		return
	}
	r := a.r
	for _, b := range roots(a.block, 0) {
		if b.sized && b.kind == allocated {
			f.decide(b.size)
		}
	}
	for _, part := range a.fun.Parts {
		r := f.names.part(part, true)
		if ok, certain := f.facts.injective(r); !ok && !empty(r) {
			f.report(diag.SharedMemory, certain && !a.blank && f.standStill(r), at, a.name,
				"two elements of `"+a.name+"` share memory",
				"cannot prove that no two elements of `"+a.name+"` share memory")
		}
	}
	for _, b := range roots(a.block, 0) {
		if b.kind == given && !f.writable[b] {
			f.report(diag.CallersBlock, f.may(f.facts, nil, r), at, a.name,
				"`"+a.name+"` is written into the block of a parameter, `"+b.name+"`, which is not consumed (`*`): it is the caller's",
				"cannot prove that `"+a.name+"` is not written into the block of a parameter, `"+b.name+"`, which is not consumed (`*`): it is the caller's")
			continue
		}
		f.fits(a, r, b, at)
	}
}

// steps proves that each reshape in the place of an array keeps the number of elements, and that each
// slice stays within its dimensions. It takes the steps as the program has them: where sizes turn out
// equal, parts join (lmad.Fun.Map), which is right only if the steps are.
func (f *function) steps(a *array) bool {
	g := f.facts.with()
	for _, d := range ir.DimExps(a.typ.Shape) { // an empty array has no element to lose
		g.atLeast(f.value(d).AddConst(-1))
	}
	right := true
	natural := func(p poly) { right = right && g.nonneg(p) }
	number := func(shape []sym.Poly) poly {
		n := constant(1)
		for _, d := range shape {
			v := f.names.poly(f.expand(d))
			natural(v)
			n = n.Mul(v)
		}
		return n
	}
	lmad.OfType(a.typ).Steps(func(before, after []sym.Poly) {
		x, y := number(before), number(after)
		right = right && g.equal(x, y)
	}, func(start, length, stride, size sym.Poly) {
		one := sym.Const(1)
		for _, i := range []sym.Poly{start, start.Add(length.Sub(one).Mul(stride))} {
			natural(f.names.poly(f.expand(i)))
			natural(f.names.poly(f.expand(size.Sub(i).Sub(one))))
		}
	})
	return right
}

// standStill reports whether an array has two elements along a dimension without a stride,
// in some run.
func (f *function) standStill(r region) bool {
	return slices.ContainsFunc(r.dims, func(d dim) bool { return d.stride.Is(0) && f.may(f.facts, []poly{d.len.AddConst(-2)}, r) })
}

// fits checks that an array lies within a block.
func (f *function) fits(a *array, r region, b *block, at diag.Span) {
	unproven := "cannot prove that `" + a.name + "` lies within its block `" + b.name + "`"
	if empty(r) {
		return
	}
	if !b.sized || b != a.block.canon() && f.varies(a.block, b.size) {
		if !f.withinChecked(a, a.block.canon()) && !f.withinOther(a) {
			f.report(diag.OutsideBlock, false, at, a.name, "", unproven)
		}
		return
	}
	g := f.facts.inhabited(r)
	f.knowing(g, func() {
		if i, n := passedOn(a.block, b); n > 0 {
			f.facts.assume(f.names.poly(sym.Var(i)).AddConst(-n))
			f.decide(b.size)
		}
		if !rules.Off("memcheck.measure") {
			f.measure(b)
		}
	})
	// more is known now than where it was made
	r, ok := g.straight(r)
	if !ok {
		f.report(diag.OutsideBlock, false, at, a.name, "", unproven)
		return
	}
	begin, end := r.off.Scale(a.size), r.last().AddConst(1).Scale(a.size)
	room := b.size.Sub(end)
	// The facts that no dimension is empty may also lead a proof astray.
	if g.nonneg(r.off) && (g.nonneg(room) || f.facts.nonneg(room)) || f.withinChecked(a, b) {
		return
	}
	// What an if or a loop chooses goes together: the array may be empty whenever this
	// block, or this size, is the one chosen.
	chosen := b != a.block.canon() || slices.ContainsFunc(room.Atoms(), func(n int32) bool { return f.names.vars[n].chosen })
	if chosen && f.withinOther(a) {
		return
	}
	below, beyond := r.off.Neg().AddConst(-1), room.Neg().AddConst(-1)
	certain := !chosen && !b.least && r.exact && (g.nonneg(below) && f.may(f.facts, []poly{below}, r) || g.nonneg(beyond) && f.may(f.facts, []poly{beyond}, r))
	d := f.report(diag.OutsideBlock, certain, at, a.name,
		"`"+a.name+"` does not fit in its block `"+b.name+"`: it begins at byte "+f.names.text(begin)+
			" and ends before byte "+f.names.text(end)+", and the block has "+f.names.text(b.size), unproven)
	if !certain {
		d.With(at, "it ends before byte %s, and the block has %s", f.names.text(end), f.names.text(b.size))
	}
	// The run tests it: behind this point it is so, and what lies within the array fits.
	f.facts.checked = append(f.facts.checked, checked{b, a.r, a.size})
}

// withinOther reports whether an array lies within another one in scope of the same block, whatever
// that block is.
func (f *function) withinOther(a *array) (found bool) {
	if rules.Off("memcheck.withinOther") {
		return false
	}
	tried := 0
	for _, root := range lists(a.block) {
		if c := f.live[root]; c != nil {
			c.each(f, []region{a.r}, a.size, func(x *array) {
				if tried++; !found && tried <= maxChecked && x.block.canon() == a.block.canon() {
					outer, inner := common(x.r, x.size, a.r, a.size)
					found = f.facts.contains(outer, inner)
				}
			})
		}
	}
	return found
}

// varies reports whether a size may have been a different one when the present block of b was made:
// if a loop that binds names of the size chose the block, it may be one of an earlier iteration.
// Loops within the one that binds the names do not matter.
func (f *function) varies(b *block, size poly) bool {
	newest := -1
	for _, n := range size.Atoms() {
		if v := f.names.vars[n]; v.inLoop {
			newest = max(newest, v.order)
		}
	}
	return newest >= 0 && f.firstLoop(b) < newest
}

// firstLoop returns the order of the first loop parameter among the choices of b.
func (f *function) firstLoop(b *block) int {
	first := 1 << 60
	seen := map[*block]bool{}
	work := []*block{b.canon()}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[x] {
			continue
		}
		seen[x] = true
		if x.kind == looped {
			first = min(first, x.order)
		}
		for _, c := range x.choices {
			work = append(work, c.canon())
		}
	}
	return first
}

// view checks that a delayed array lies where its operation leads.
func (f *function) view(a, src *array, s *ir.Stmt) {
	if a.block.canon() != src.block.canon() {
		f.misplaced(a, src, s, true)
		return
	}
	want := f.derive(src.fun, s.Op)
	if f.samePlace(want, a.fun) {
		return
	}
	f.misplaced(a, src, s, false)
}

// derive applies a delayed operation to an index function.
func (f *function) derive(fun lmad.Fun, op ir.Op) lmad.Fun {
	switch op := op.(type) {
	case *ir.Rearrange:
		return fun.Permute(op.Perm)
	case *ir.Slice:
		return fun.Slice(op.Items).Subst(f.def)
	case *ir.Reshape:
		dims := make([]sym.Poly, len(op.Dims))
		for k, e := range op.Dims {
			dims[k] = f.poly(e)
		}
		return fun.Reshape(dims)
	}
	return fun
}

// misplaced reports a value that does not lie where the place of its name says.
func (f *function) misplaced(a, src *array, s *ir.Stmt, certain bool) {
	for _, d := range a.typ.Shape {
		if f.facts.nonneg(f.value(d.Exp()).Neg()) {
			return // it has no elements, nor has any part of it
		}
	}
	f.report(diag.OtherPlace, certain && f.may(f.facts, nil, a.r), a.span.Or(s.Span), a.name,
		"`"+a.name+"` is not in the place of its type: `"+src.name+"` is not there",
		"cannot prove that `"+a.name+"` is in the place of its type: it is `"+src.name+"`").
		With(src.span, "`%s` is made here", src.name)
}

// bound checks that a value of a branch or iteration lies where the place of its
// name says; existential names take what fits.
func (f *function) bound(a *array, el *ir.Elem, v *array, s *ir.Stmt) {
	if v == nil || el.Type.Place == nil {
		return
	}
	if !el.Type.Place.Exist && v.block.canon() != a.block.canon() && !f.follows(a.block, v.block) {
		f.misplaced(a, v, s, false)
		return
	}
	if !f.fitsShape(el.Type.Place, a.fun, v.fun) {
		f.misplaced(a, v, s, false)
	}
}

// follows reports whether b is one of the choices of a: the array of a loop lies in
// a block that is itself a parameter.
func (f *function) follows(a, b *block) bool {
	if rules.Off("memcheck.follows") {
		return false
	}
	return slices.ContainsFunc(a.canon().choices, func(c *block) bool { return c.canon() == b.canon() })
}

// fitsShape reports whether an index function is one that a place stands for.
func (f *function) fitsShape(p *ir.Place, want, got lmad.Fun) bool {
	names := ir.ExistNames(p)
	return f.samePlace(want.Subst(matched(want, got, func(n string) bool { return slices.Contains(names, n) })), got)
}

// matched returns the values of the names that an index function binds, where another one stands in
// its place.
func matched(pattern, value lmad.Fun, binds func(string) bool) func(string) (sym.Poly, bool) {
	names := map[string]sym.Poly{}
	bind := func(x, y sym.Poly) {
		if n, ok := x.IsVar(); ok && binds(n) {
			if _, done := names[n]; !done {
				names[n] = y
			}
		}
	}
	for k, p := range pattern.Parts[:min(len(pattern.Parts), len(value.Parts))] {
		q := value.Parts[k]
		bind(p.Offset, q.Offset)
		for d := range min(len(p.Dims), len(q.Dims)) {
			bind(p.Dims[d].Stride, q.Dims[d].Stride)
			bind(p.Dims[d].Len, q.Dims[d].Len)
		}
	}
	return func(n string) (sym.Poly, bool) { p, ok := names[n]; return p, ok }
}

// samePlace reports whether two index functions of one shape are the same. Sizes that differ by name
// are for the verifier to compare.
func (f *function) samePlace(x, y lmad.Fun) bool {
	return x.IsRowMajor() && y.IsRowMajor() || f.sameStrides(x, y)
}

// sameStrides compares index functions, ignoring the lengths of their dimensions.
func (f *function) sameStrides(x, y lmad.Fun) bool {
	if x.Equal(y) {
		return true
	}
	if len(x.Parts) != len(y.Parts) {
		return false
	}
	for k, p := range x.Parts {
		q := y.Parts[k]
		if len(p.Dims) != len(q.Dims) || !f.equal(p.Offset, q.Offset) {
			return false
		}
		for d := range p.Dims {
			if n := p.Dims[d].Len; !n.Is(1) && !f.equal(p.Dims[d].Stride, q.Dims[d].Stride) && !f.facts.nonneg(f.names.poly(n).Neg().AddConst(1)) {
				return false
			}
		}
	}
	return true
}

// equal proves that two polynomials have one value.
func (f *function) equal(p, q sym.Poly) bool {
	return p.Equal(q) || f.facts.equal(f.names.poly(p.Sub(q)), poly{})
}
