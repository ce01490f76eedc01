package places

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// value evaluates a scalar expression; it gives false for a division by zero.
func value(e ir.Exp, env map[string]int64) (int64, bool) {
	truth := func(b bool) (int64, bool) {
		if b {
			return 1, true
		}
		return 0, true
	}
	switch e := e.(type) {
	case *ir.Lit:
		return int64(e.Bits), true
	case *ir.Ref:
		return env[e.Name], true
	case *ir.Unary:
		x, ok := value(e.X, env)
		if e.Op == "!" {
			return 1 - x, ok
		}
		return -x, ok
	case *ir.Binary:
		x, okx := value(e.X, env)
		y, oky := value(e.Y, env)
		if !okx || !oky || y == 0 && (e.Op == "/" || e.Op == "%") {
			return 0, false
		}
		switch e.Op {
		case "+":
			return x + y, true
		case "-":
			return x - y, true
		case "*":
			return x * y, true
		case "/":
			return x / y, true
		case "%":
			return x % y, true
		case "==":
			return truth(x == y)
		case "!=":
			return truth(x != y)
		case "<":
			return truth(x < y)
		case "<=":
			return truth(x <= y)
		case ">":
			return truth(x > y)
		case ">=":
			return truth(x >= y)
		case "&&":
			return x * y, true
		case "||":
			return max(x, y), true
		}
	case *ir.Builtin:
		x, okx := value(e.Args[0], env)
		y, oky := value(e.Args[1], env)
		if !okx || !oky {
			return 0, false
		}
		switch e.Fn {
		case "min":
			return min(x, y), true
		case "max":
			return max(x, y), true
		}
		if y == 0 {
			return 0, false
		}
		if e.Fn == "fdiv" {
			return integer.FloorDiv(x, y), true
		}
		return x - y*integer.FloorDiv(x, y), true
	}
	return 0, false
}

func (r maker) text(depth int) string {
	if depth == 0 || r.IntN(4) == 0 {
		return []string{"n", "m", "i", "1", "2", "3", "0"}[r.IntN(7)]
	}
	x, y := r.text(depth-1), r.text(depth-1)
	switch k := r.IntN(9); k {
	case 0, 1, 2:
		return fmt.Sprintf("%s(%s,%s)", []string{"min", "max", "fmod"}[k], x, y)
	case 3:
		return fmt.Sprintf("fdiv(%s,%s)", x, y)
	default:
		return fmt.Sprintf("(%s%s%s)", x, []string{"+", "-", "*", "/", "%"}[k-4], y)
	}
}

// condition returns comparisons joined by && and ||, some of them negated.
func (r maker) condition(depth int) string {
	if depth == 0 {
		op := []string{"<", "<=", "==", "!=", ">", ">="}[r.IntN(6)]
		return r.text(1) + op + r.text(1)
	}
	s := fmt.Sprintf("(%s) %s (%s)", r.condition(depth-1), []string{"&&", "&&", "||"}[r.IntN(3)], r.condition(depth-1))
	if r.IntN(3) == 0 {
		return "!(" + s + ")"
	}
	return s
}

// TestRandomAtoms: what is claimed of expressions with min, max and divisions,
// under conditions and their negations, holds for all small values.
func TestRandomAtoms(t *testing.T) {
	r := maker{rand.New(rand.NewPCG(7, *seed))}
	var stat tally
	for range 1500 {
		ctext, ptext := r.condition(r.IntN(3)), r.text(3)
		cond, p := exp(t, ctext), exp(t, ptext)
		holds := int64(r.IntN(4))
		f := Facts{}.FromCondition(cond)
		if holds == 0 {
			f = Facts{}.FromNegation(cond)
		}
		f = f.FromCondition(exp(t, "n >= 0 && m >= 1"))
		claimed, seen, any := f.AtLeast(poly64(t, ptext), 0), true, false
		for k := range 7 * 7 * 9 {
			env := map[string]int64{"n": int64(k % 7), "m": int64(1 + k/7%7), "i": int64(k/49 - 3)}
			c, okc := value(cond, env)
			v, okv := value(p, env)
			if !okc || !okv || (c != 0) != (holds != 0) {
				continue
			}
			any = true
			if seen = seen && v >= 0; claimed && v < 0 {
				t.Fatalf("%s is %v |- %s >= 0 claimed, but it is %d for %v", ctext, holds != 0, ptext, v, env)
			}
		}
		if any {
			stat.count(claimed, seen)
		}
		if *showMissed && any && seen && !claimed {
			t.Logf("missed: %s is %v |- %s >= 0", ctext, holds != 0, ptext)
		}
	}
	stat.log(t, "with atoms >= 0")
	if stat.claimed < 100 || stat.refuted < 100 {
		t.Error("the random expressions are not worth asking about")
	}
}
