package sym

import (
	"testing"

	"github.com/memc-lang/memc/ir"
)

// A polynomial is the sum of its terms, each the product of its coefficient and its
// factors.
func TestTerms(t *testing.T) {
	n, m := Var("n"), Var("m")
	least := Of(&ir.Builtin{Fn: "min", Args: []ir.Exp{ir.Var("n"), ir.IntLit(2)}, T: ir.I64})
	for _, p := range []Poly{{}, Const(-7), n, n.Mul(n).Mul(m).Add(Const(3)), n.Neg().Sub(m.Mul(Const(4))), least.Mul(least).Mul(n).Add(least)} {
		sum, opaque := Poly{}, 0
		p.Terms(func(c int64, factors []Factor) {
			term := Const(c)
			for _, f := range factors {
				x := Var(f.Key)
				if f.Opaque != nil {
					x = Of(f.Opaque)
					opaque++
				}
				for range f.Pow {
					term = term.Mul(x)
				}
			}
			sum = sum.Add(term)
		})
		if !sum.Equal(p) {
			t.Errorf("the terms of %s add up to %s", p, sum)
		}
		again := Poly{}
		p.Monomials(func(c int64, m Poly) { again = again.Add(m.Mul(Const(c))) })
		if !again.Equal(p) {
			t.Errorf("the monomials of %s add up to %s", p, again)
		}
		if q := p.Replace(9, func(e ir.Exp) poly { return Of(e).p }); !q.Equal(p.p) {
			t.Errorf("%s with its own atoms is %v", p, q)
		}
		if names := p.Names(); len(names) > 0 && p.Equal(least) && opaque != 1 {
			t.Errorf("%s has %d opaque factors", p, opaque)
		}
	}
	if q := least.Mul(Const(10)).Replace(9, func(e ir.Exp) poly { return Of(e).p }); !q.Bad {
		t.Errorf("%v has a coefficient beyond the limit", q)
	}
}
