package memcheck

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// A division is what a quotient, or what is left of one, is computed from; quotient is
// the key of the former.
type division struct {
	op       string
	x, y     poly
	quotient string
}

// rest: the remainder, not the quotient.
func (d *division) rest() bool { return d != nil && (d.op == "%" || d.op == "fmod") }

// subst returns the division of other operands.
func (d *division) subst(s func(int32) (poly, bool)) *division {
	if d == nil {
		return nil
	}
	return &division{op: d.op, x: d.x.SubstAll(s), y: d.y.SubstAll(s)}
}

// result evaluates a division of constants.
func (d *division) result() (int64, bool) {
	if d == nil {
		return 0, false
	}
	x, ok1 := number(d.x)
	y, ok2 := number(d.y)
	if !ok1 || !ok2 {
		return 0, false
	}
	return integer.Apply(d.op, x, y)
}

// folded returns a division as something simpler: of 0, of what it divides by, and of a
// number that is not negative and less than that. Where a division has a value, its
// divisor is not 0. It also gives what a choice is, where both of its branches give that.
func (t *names) folded(f sym.Factor) (poly, bool) {
	if !computes(f.Opaque) || rules.Off("memcheck.folded") {
		return poly{}, false
	}
	if known, asked := t.folds[f.Key]; asked {
		if known == nil {
			return poly{}, false
		}
		return *known, true
	}
	if t.folds == nil {
		t.folds = map[string]*poly{}
	}
	t.folds[f.Key] = nil
	t.everywhere++
	defer func() { t.everywhere-- }()
	facts := &facts{names: t}
	if c, ok := f.Opaque.(*ir.Cond); ok {
		value, ok := t.of.settled(c, facts)
		if !ok {
			return poly{}, false
		}
		v := t.poly(value)
		t.folds[f.Key] = &v
		return v, true
	}
	d := t.division(f.Opaque)
	if d == nil {
		return poly{}, false
	}
	if facts.nonneg(d.y) {
		facts = facts.with()
		facts.atLeast(d.y.AddConst(-1))
	}
	quotient, remainder := poly{}, d.x
	switch {
	case d.x.Is(0):
	case d.x.Equal(d.y):
		quotient, remainder = constant(1), poly{}
	case facts.nonneg(d.x) && facts.less(d.x, d.y):
	default:
		return poly{}, false
	}
	if d.rest() {
		quotient = remainder
	}
	t.folds[f.Key] = &quotient
	return quotient, true
}

// division returns the operands of a quotient or a remainder, or nil for other expressions.
func (t *names) division(e ir.Exp) *division {
	if m, ok := ir.AsRemainder(e); ok {
		e = m
	}
	op, args, _ := operands(e)
	var q ir.Exp
	switch op {
	case "/", "%":
		q = &ir.Binary{Op: "/", X: args[0], Y: args[1], T: ir.I64}
	case "fdiv", "fmod":
		q = &ir.Builtin{Fn: "fdiv", Args: args, T: ir.I64}
	default:
		return nil
	}
	d := &division{op: op, x: t.poly(sym.Of(args[0])), y: t.poly(sym.Of(args[1]))}
	sym.Of(q).Terms(func(_ int64, factors []sym.Factor) {
		if len(factors) == 1 && factors[0].Opaque != nil {
			d.quotient = "<" + factors[0].Key + ">"
		}
	})
	return d
}

// joined puts a quotient and its remainder together again: y*(x/y) + x%y is x.
func (t *names) joined(p poly) poly {
	if rules.Off("memcheck.joined") {
		return p
	}
	for _, u := range p.Terms {
		for k, r := range u.Atoms {
			d := t.vars[r].div
			if !d.rest() || len(d.y.Terms) != 1 {
				continue
			}
			q, ok := t.ids[d.quotient]
			if !ok {
				continue
			}
			left := poly{Terms: []term{{Coef: u.Coef, Atoms: without(u.Atoms, k)}}}
			whole := left.Mul(d.y).Mul(asPoly(q))
			for _, w := range p.Terms {
				if len(whole.Terms) == 1 && !whole.Bad && integer.Compare(w.Atoms, whole.Terms[0].Atoms) == 0 && w.Coef == whole.Terms[0].Coef {
					return t.joined(p.Sub(whole).Sub(left.Mul(asPoly(r))).Add(left.Mul(d.x)))
				}
			}
		}
	}
	return p
}

func without(f []int32, k int) []int32 {
	out := make([]int32, 0, len(f)-1)
	return append(append(out, f[:k]...), f[k+1:]...)
}

// residue proves p != 0 modulo the divisor y of a remainder in p. There x % y is x, of whatever sign it
// is, and a multiple of y is 0. What is left must be no multiple of y:
//
//	(t + 2) % 3 - t % 3 = t + 2 - t = 2
func (f *facts) residue(p poly) bool {
	for _, n := range p.Atoms() {
		of := f.lookup(n).div
		if !of.rest() {
			continue
		}
		y := of.y
		_, left := p.SubstAll(func(m int32) (poly, bool) {
			if d := f.lookup(m).div; d.rest() && d.y.Equal(y) {
				return d.x, true
			}
			return poly{}, false
		}).Divide(y)
		if integer.Indivisible(left, []span{{Stride: y, Lo: constant(-1), Hi: constant(1)}}) {
			return true
		}
		if f.less(poly{}, left) && f.less(left, y) || f.less(left, poly{}) && f.less(y.Neg(), left) {
			return true
		}
	}
	return false
}
