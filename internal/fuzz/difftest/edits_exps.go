package difftest

import (
	"strconv"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

// mapFunc rebuilds every expression of a function's statements and results.
func mapFunc(f *ir.Func, g func(ir.Exp) ir.Exp) {
	for _, b := range allBodies(&ir.Program{Funcs: []*ir.Func{f}}) {
		for _, s := range b.Stmts {
			ir.EachExp(s.Op, func(e *ir.Exp) { *e = ir.MapExp(*e, g) })
		}
		for k := range b.Result {
			b.Result[k] = ir.MapExp(b.Result[k], g)
		}
	}
}

// places lists every expression that stands on its own in a program.
func places(p *ir.Program) []*ir.Exp {
	var out []*ir.Exp
	for _, b := range allBodies(p) {
		for _, s := range b.Stmts {
			ir.EachExp(s.Op, func(e *ir.Exp) { out = append(out, e) })
		}
		for k := range b.Result {
			out = append(out, &b.Result[k])
		}
	}
	return out
}

// expressions replaces expressions by 0 or by a part of the same type.
func (r *reducer) expressions() bool {
	return r.each(func(p *ir.Program) int { return len(places(p)) }, func(k int) []edit {
		at := *places(r.prog)[k]
		n := 0
		ir.WalkExp(at, func(ir.Exp) bool { n++; return true })
		var edits []edit
		for node := range n {
			for choice := range 4 {
				edits = append(edits, func(p *ir.Program, _ *Subject) bool {
					e := places(p)[k]
					return simpler(e, node, choice)
				})
			}
		}
		return edits
	})
}

// simpler replaces node number n of an expression (leaves first) by a literal
// or by one of its operands.
func simpler(e *ir.Exp, n, choice int) bool {
	changed := false
	total := 0
	ir.WalkExp(*e, func(ir.Exp) bool { total++; return true })
	i := total // MapExp goes from the leaves up: the root comes last
	*e = ir.MapExp(*e, func(x ir.Exp) ir.Exp {
		i--
		if i != n {
			return x
		}
		if y := simplerNode(x, choice); y != nil {
			changed = true
			return y
		}
		return x
	})
	return changed
}

func simplerNode(x ir.Exp, choice int) ir.Exp {
	if x.Prim() == ir.Unknown {
		return nil
	}
	if _, ok := x.(*ir.Lit); ok {
		return nil
	}
	if choice == 0 {
		return zero(x.Prim())
	}
	if choice == 1 && x.Prim() == ir.Bool {
		return ir.BoolLit(true)
	}
	var parts []ir.Exp
	switch x := x.(type) {
	case *ir.Unary:
		parts = []ir.Exp{x.X}
	case *ir.Binary:
		parts = []ir.Exp{x.X, x.Y}
	case *ir.Cond:
		parts = []ir.Exp{x.X, x.Y}
	case *ir.Convert:
		parts = []ir.Exp{x.X}
	case *ir.Builtin:
		parts = x.Args
	}
	if k := choice - 2; k >= 0 && k < len(parts) && parts[k].Prim() == x.Prim() {
		return parts[k]
	}
	return nil
}

// constants makes literals smaller, one at a time, and sizes everywhere at
// once.
func (r *reducer) constants() bool {
	helped := r.each(func(p *ir.Program) int { return len(places(p)) }, func(k int) []edit {
		var edits []edit
		for _, to := range []int64{0, 1, 2} {
			edits = append(edits, func(p *ir.Program, _ *Subject) bool {
				some := false
				e := places(p)[k]
				*e = ir.MapExp(*e, func(x ir.Exp) ir.Exp {
					l, ok := x.(*ir.Lit)
					if v, isInt := intOf(l, ok); isInt && (v > to || v < 0) {
						some = true
						return &ir.Lit{Text: strconv.FormatInt(to, 10), Suffix: l.Suffix, T: l.T, Bits: uint64(to)}
					}
					return x
				})
				return some
			})
		}
		return edits
	})
	for from := int64(20); from > 0; from-- {
		for to := range min(from, 3) {
			ok := r.try(func(p *ir.Program, s *Subject) bool { return resize(p, s, from, to) })
			helped = helped || ok
		}
	}
	return helped
}

func intOf(l *ir.Lit, ok bool) (int64, bool) {
	if !ok {
		return 0, false
	}
	return l.Int()
}

// resize replaces a constant size by another in all types, i64 literals and
// inputs.
func resize(p *ir.Program, s *Subject, from, to int64) bool {
	some := false
	shape := func(ds []ir.Dim) {
		for k := range ds {
			if ds[k].Name == "" && ds[k].Const == from {
				ds[k].Const = to
				some = true
			}
		}
	}
	for _, f := range p.Funcs {
		for _, e := range f.Params {
			shape(e.Type.Shape)
		}
		for k := range f.Results {
			shape(f.Results[k].Type.Shape)
		}
		mapFunc(f, func(x ir.Exp) ir.Exp {
			l, ok := x.(*ir.Lit)
			if v, isInt := intOf(l, ok); isInt && l.T == ir.I64 && v == from {
				return ir.IntLit(to)
			}
			return x
		})
	}
	for _, sl := range allStmts(p) {
		for _, e := range sl.stmt().Pat {
			shape(e.Type.Shape)
		}
		ir.Elems(sl.stmt().Op, func(e *ir.Elem) { shape(e.Type.Shape) })
	}
	if entry := p.Func(s.Entry); some && entry != nil {
		s.Inputs = fitInputs(s.Inputs, entry)
	}
	return some
}

// fitInputs cuts arguments to constant sizes.
func fitInputs(inputs [][]value.Value, f *ir.Func) [][]value.Value {
	var out [][]value.Value
	for _, args := range inputs {
		var fit []value.Value
		for k, v := range args {
			shape := v.Shape
			if v.Shape != nil {
				shape = append([]int64(nil), v.Shape...)
				for j, d := range f.Params[k].Type.Shape {
					if d.Name == "" {
						shape[j] = d.Const
					}
				}
			}
			fit = append(fit, cutTo(v, shape))
		}
		out = append(out, fit)
	}
	return out
}
