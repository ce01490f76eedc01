package accesses

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// learn adds the facts that hold after a statement.
func (w *walker) learn(f places.Facts, s *ir.Stmt) places.Facts {
	switch op := s.Op.(type) {
	case *ir.Assert:
		if rules.Off("accesses.asserts") {
			return f
		}
		f = f.FromCondition(w.Expand(op.Cond))
		if sizes, ok := op.Sized(); ok {
			bounds := make([]sym.Poly, len(sizes))
			for k, n := range sizes {
				bounds[k] = sym.Of(n)
				f = f.NonNegative(bounds[k])
			}
			f = f.Small(bounds...)
		}
		return f
	case *ir.Alloc:
		return f.Allocated(op.Size)
	case *ir.Slice: // making it compares the sizes in its type
		shape := s.Pat[0].Type.Shape
		for _, it := range op.Items {
			if it.Fixed || rules.Off("accesses.slices") {
				continue
			}
			n, d := sym.Of(it.Len), lmad.Size(shape[0])
			if _, name := n.IsVar(); name && !n.Equal(d) {
				f = f.Equal(d, n)
			}
			shape = shape[1:]
		}
	case *ir.Compute:
		switch s.Pat[0].Type.Prim {
		case ir.I64:
			if by, x, y, ok := division(op.E); ok {
				return w.divided(f, s.Pat[0].Name, by, x, y, op.E)
			}
			if plain(op.E) {
				return f.Equal(sym.Var(s.Pat[0].Name), sym.Of(op.E))
			}
			return f.Value(s.Pat[0].Name, op.E)
		}
	}
	return f
}

// plain reports whether a definition is worth a fact. Elements read are better known by their names,
// because other facts mention these.
func plain(e ir.Exp) bool {
	return !ir.AnyExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Index, *ir.Convert, *ir.Cond:
			return true
		case *ir.Binary:
			return !slices.Contains([]string{"+", "-", "*", "/", "%", "&"}, e.Op)
		case *ir.Builtin:
			return !slices.Contains([]string{"min", "max", "fdiv", "fmod"}, e.Fn)
		}
		return false
	})
}

// division returns the operator and the operands of a quotient or a remainder.
func division(e ir.Exp) (op string, x, y sym.Poly, ok bool) {
	if m, mask := ir.AsRemainder(e); mask {
		e = m
	}
	switch e := e.(type) {
	case *ir.Binary:
		if ok = e.Op == "/" || e.Op == "%"; ok {
			op, x, y = e.Op, sym.Of(e.X), sym.Of(e.Y)
		}
	case *ir.Builtin:
		if ok = e.Fn == "fdiv" || e.Fn == "fmod"; ok {
			op, x, y = e.Fn, sym.Of(e.Args[0]), sym.Of(e.Args[1])
		}
	}
	return op, x, y, ok && e.Prim() == ir.I64
}

// quotient returns the key of a division's quotient, and whether the division is for the remainder.
func quotient(op string, x, y sym.Poly) (key string, rest bool) {
	return fmt.Sprint(op[0] == 'f', " ", x, " / ", y), op == "%" || op == "fmod"
}

// divided adds the facts about a quotient or a remainder e. If the quotient of a division has a name
// q, the remainder is x - y * q. If not, it is e: so it can be compared with remainders by the same y.
func (w *walker) divided(f places.Facts, name, op string, x, y sym.Poly, e ir.Exp) places.Facts {
	key, rest := quotient(op, x, y)
	if q := w.quots[key]; rest && q != "" && !rules.Off("accesses.divided") {
		return f.Equal(sym.Var(name), x.Sub(y.Mul(sym.Var(q))))
	} else if !rest {
		w.quots[key] = name
	}
	f = f.Division(name, op, x, y)
	if rest && !rules.Off("accesses.remainder") {
		f = f.Equal(sym.Var(name), sym.Of(e))
	}
	return f
}

// Expand replaces the names of bools in a condition by their definitions. A few levels suffice for
// conditions that people write.
func (t *Table) Expand(e ir.Exp) ir.Exp {
	if rules.Off("accesses.expand") {
		return e
	}
	for range 4 {
		changed := false
		e = ir.MapExp(e, func(e ir.Exp) ir.Exp {
			if r, ok := e.(*ir.Ref); ok && r.T == ir.Bool {
				if d := t.Def(r.Name); d != nil && d.Exp != nil {
					changed = true
					return d.Exp
				}
			}
			return e
		})
		if !changed {
			break
		}
	}
	return e
}
