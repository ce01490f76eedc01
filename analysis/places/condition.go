package places

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// FromCondition adds what a condition of type bool implies where it is true:
// for the then-branch of an if, and after an assert. It reads &&, ! and
// comparisons of i64; of anything else it learns nothing.
func (f Facts) FromCondition(e ir.Exp) Facts { return f.condition(e, true) }

// FromNegation adds what a condition implies where it is false: for the
// else-branch.
func (f Facts) FromNegation(e ir.Exp) Facts { return f.condition(e, false) }

var negated = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

func (f Facts) condition(e ir.Exp, holds bool) Facts {
	switch e := e.(type) {
	case *ir.Unary:
		if e.Op == "!" {
			return f.condition(e.X, !holds)
		}
	case *ir.Binary:
		// Of a || b known to be false, both are.
		if e.Op == "&&" && holds || e.Op == "||" && !holds {
			return f.condition(e.X, holds).condition(e.Y, holds)
		}
		op, ok := e.Op, true
		if !holds {
			op, ok = negated[op]
		}
		if ok && e.X.Prim() == ir.I64 && e.Y.Prim() == ir.I64 {
			return f.comparison(op, sym.Of(e.X), sym.Of(e.Y))
		}
	}
	return f
}

func (f Facts) comparison(op string, x, y sym.Poly) Facts {
	switch op {
	case "==":
		return f.Equal(x, y)
	case "!=":
		return f.NotEqual(x, y)
	case "<":
		return f.LessThan(x, y)
	case "<=":
		return f.AtMost(x, y)
	case ">":
		return f.LessThan(y, x)
	case ">=":
		return f.AtMost(y, x)
	}
	return f
}
