package memcheck

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
	"slices"
)

// These bound the names in the definition of a scalar, and its length: of a longer one only the value
// is known, not the name replaced. The length doubles with every name that is used twice in the next.
const (
	maxDefNames = 12
	maxDefSize  = 512
)

// define takes what a scalar is computed from: its name is replaced by that in
// places, so that two names of one value are one.
func (f *function) define(el *ir.Elem, e ir.Exp) {
	if el.Type.Prim != ir.I64 {
		f.scalars[el.Name] = e
		return
	}
	p := f.dimension(el.Name, f.simplify(f.poly(e)))
	if p.Size() <= maxDefSize && len(p.Names()) <= maxDefNames && f.plain(p) {
		f.defs[el.Name] = p
		return
	}
	v := f.names.poly(p)
	id := f.names.ids[el.Name]
	f.names.vars[id].los = []bound{{v, 1}}
	f.names.vars[id].his = []bound{{v, 1}}
}

// plain reports whether a definition reads no array: what a reading expression
// gives is better left as a name.
func (f *function) plain(p sym.Poly) bool {
	plain := true
	p.Terms(func(_ int64, factors []sym.Factor) {
		for _, x := range factors {
			if x.Opaque != nil {
				ir.WalkExp(x.Opaque, func(e ir.Exp) bool {
					switch e := e.(type) {
					case *ir.Ref, *ir.Lit:
					case *ir.Binary:
						plain = plain && e.T == ir.I64
					case *ir.Builtin:
						plain = plain && e.T == ir.I64
					default:
						plain = false
					}
					return plain
				})
			}
		}
	})
	return plain
}

// simplify replaces min and max by the operand that they give, where that is known: max(n, 0) of a size is n, and so is if n > 0 then n else 0.
func (f *function) simplify(p sym.Poly) sym.Poly {
	if rules.Off("memcheck.simplify") {
		return p
	}
	e := p.Exp()
	if c, ok := e.(*ir.Cond); ok && c.T == ir.I64 {
		if value, ok := f.settled(c, f.facts); ok {
			return value
		}
		return p
	}
	b, ok := e.(*ir.Builtin)
	if !ok || b.T != ir.I64 || b.Fn != "min" && b.Fn != "max" {
		return p
	}
	less, greater := f.simplify(sym.Of(b.Args[0])), f.simplify(sym.Of(b.Args[1]))
	if !f.facts.nonneg(f.names.poly(greater.Sub(less))) {
		less, greater = greater, less
		if !f.facts.nonneg(f.names.poly(greater.Sub(less))) {
			return p
		}
	}
	if b.Fn == "min" {
		return less
	}
	return greater
}

// settled returns the value of a choice whose branches are equal where the other one is taken.
func (f *function) settled(c *ir.Cond, facts *facts) (sym.Poly, bool) {
	if rules.Off("memcheck.settled") {
		return sym.Poly{}, false
	}
	x, y := sym.Of(c.X), sym.Of(c.Y)
	for k, value := range []sym.Poly{x, y} {
		equal := false
		f.knowing(facts.with(), func() {
			f.assume(c.C, k != 0)
			equal = f.facts.equal(f.names.poly(x), f.names.poly(y))
		})
		if equal {
			return value, true
		}
	}
	return sym.Poly{}, false
}

// opening returns the number of statements at the beginning of a function that are never checked:
// they compute scalars, assert and allocate, and no array has been written yet. Their assertions
// hold wherever something is checked. A later assertion is a fact only from there on, to the end of
// its body.
func opening(b *ir.Body) int {
	for k, s := range b.Stmts {
		switch s.Op.(type) {
		case *ir.Compute, *ir.Assert, *ir.Alloc:
		default:
			return k
		}
	}
	return len(b.Stmts)
}

// equalSizes takes the equalities of the sizes of a function that are asserted where it
// opens, before any type mentions them: of equal ones the first stands for all, and n*n
// for the number that is asserted to be that.
func (f *function) equalSizes() {
	size := map[string]bool{}
	known := map[string]bool{} // where the function begins
	for _, n := range f.fn.Sizes {
		size[n], known[n] = true, true
	}
	for _, e := range f.fn.Params {
		known[e.Name] = known[e.Name] || e.Type.Kind == ir.ScalarKind
	}
	var visit func(e ir.Exp)
	visit = func(e ir.Exp) {
		b, ok := e.(*ir.Binary)
		if !ok {
			return
		}
		if b.Op == "&&" {
			visit(b.X)
			visit(b.Y)
			return
		}
		if b.Op != "==" || b.X.Prim() != ir.I64 {
			return
		}
		p, q := f.expand(sym.Of(b.X)), f.expand(sym.Of(b.Y))
		for range 2 {
			if n, ok := q.IsVar(); ok && size[n] && !mentions(p, n) && !slices.ContainsFunc(p.Names(), func(x string) bool { return !known[x] }) {
				for _, m := range f.fn.Sizes { // those that n stood for
					if d, ok := f.defs[m]; ok {
						f.defs[m] = d.Subst(func(x string) (sym.Poly, bool) { return p, x == n })
					}
				}
				f.defs[n] = f.dimension(n, p)
				return
			}
			p, q = q, p
		}
	}
	f.opening = map[*ir.Stmt]bool{}
	for _, s := range f.fn.Body.Stmts[:opening(f.fn.Body)] {
		if a, ok := s.Op.(*ir.Assert); ok {
			f.opening[s] = true
			if !rules.Off("memcheck.equalSizes") {
				visit(a.Cond)
			}
		}
	}
}

func mentions(p sym.Poly, name string) bool {
	return slices.Contains(p.Names(), name)
}

// assume adds what a condition says to the facts, until the body that it stands
// in ends.
func (f *function) assume(e ir.Exp, holds bool) { f.suppose(e, holds, map[condition]bool{}) }

// suppose adds what a condition says, but for the definitions of names that are told already: of names
// that are used twice in the next one, each would be told twice as often as the next.
func (f *function) suppose(e ir.Exp, holds bool, told map[condition]bool) {
	switch e := e.(type) {
	case *ir.Lit:
		if e.T == ir.Bool && (e.Bits != 0) != holds {
			f.facts.impossible = true
		}
		return
	case *ir.Ref:
		if c, ok := f.scalars[e.Name]; ok {
			if is := (condition{c, holds}); !told[is] {
				told[is] = true
				f.facts.conds = append(f.facts.conds, condition{e, holds}) // what it says may be too large for the facts
				f.suppose(c, holds, told)
			}
			return
		}
	case *ir.Unary:
		if e.Op == "!" {
			f.suppose(e.X, !holds, told)
			return
		}
	case *ir.Binary:
		switch {
		case e.Op == "&&" && holds, e.Op == "||" && !holds:
			f.suppose(e.X, holds, told)
			f.suppose(e.Y, holds, told)
			return
		case e.X.Prim() == ir.I64:
			f.compared(e.Op, f.value(e.X), f.value(e.Y), holds)
			return
		}
	}
	f.facts.conds = append(f.facts.conds, condition{e, holds})
}

func (f *function) compared(op string, x, y poly, holds bool) {
	if !holds {
		if op == "==" {
			f.facts.different(x.Sub(y))
			return
		}
		op = ir.Opposite(op)
	}
	switch op {
	case ">":
		x, y, op = y, x, "<"
	case ">=":
		x, y, op = y, x, "<="
	}
	defer f.learned(x, y)
	switch op {
	case "<":
		f.facts.assume(y.Sub(x).AddConst(-1))
	case "<=":
		f.facts.assume(y.Sub(x))
	case "==":
		f.facts.impossible = f.facts.impossible || f.facts.nonzero(x.Sub(y))
		f.facts.assume(y.Sub(x))
		f.facts.assume(x.Sub(y))
	case "!=":
		f.facts.different(x.Sub(y))
	}
}

// inRange adds what an alias, a slice or an update compares before anything is written:
// its range lies within the array, and its sizes are those of its type and of its value.
func (f *function) inRange(s *ir.Stmt) {
	if rules.Off("memcheck.inRange") {
		return
	}
	switch op := s.Op.(type) {
	case *ir.Alias:
		if x := f.arrays[op.X]; x != nil {
			f.agree(ir.DimExps(s.Pat[0].Type.Shape), ir.DimExps(x.typ.Shape))
		}
	case *ir.Slice:
		f.assumeInBounds(op.X, op.Items)
		f.agree(ir.DimExps(s.Pat[0].Type.Shape), lengths(op.Items))
	case *ir.Update:
		f.assumeInBounds(op.X, op.Items)
		if x := f.arrays[op.X]; x != nil {
			f.agree(ir.DimExps(s.Pat[0].Type.Shape), ir.DimExps(x.typ.Shape))
		}
		if x := f.arrayOf(op.Value); x != nil {
			f.agree(ir.DimExps(x.typ.Shape), lengths(op.Items))
		}
	}
}

// lengths returns the shape of a part of an array.
func lengths(items []ir.Item) []ir.Exp {
	var out []ir.Exp
	for _, it := range items {
		if !it.Fixed {
			out = append(out, it.Len)
		}
	}
	return out
}

// agree adds that two shapes were compared, and found equal.
func (f *function) agree(as, bs []ir.Exp) {
	for k, a := range as[:min(len(as), len(bs))] {
		if x, y := f.value(a), f.value(bs[k]); !x.Equal(y) {
			f.compared("==", x, y, true)
		}
	}
}

// assumeInBounds adds what holds behind a slice or an update, which fails where a
// range that is not empty leaves its dimension. Of an empty one it is added where it
// holds, too.
func (f *function) assumeInBounds(array string, items []ir.Item) {
	a := f.arrays[array]
	if a == nil {
		return
	}
	for k, it := range items {
		size := f.value(a.typ.Shape[k].Exp())
		if it.Fixed {
			i := f.value(it.Index)
			f.compared("<=", poly{}, i, true)
			f.compared("<", i, size, true)
			continue
		}
		start, n, stride := f.value(it.Start), f.value(it.Len), int64(1)
		if it.Stride != nil {
			stride, _ = number(f.value(it.Stride))
		}
		f.facts.assume(n)
		// Beyond the last element a range leaves nothing; before it that much.
		var room poly
		switch {
		case stride > 0:
			room = size.AddConst(-1).Sub(start)
		case stride < 0:
			room = start
		default:
			continue
		}
		f.facts.assume(size.Sub(n))
		last := room.Sub(n.AddConst(-1).Scale(integer.Abs(stride)))
		if empty := room.AddConst(integer.Abs(stride)); f.facts.nonneg(empty) {
			f.facts.assume(last)
		}
	}
}
