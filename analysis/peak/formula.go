package peak

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// maxSums is how many sums the text of a formula shows at most. All sums count in numbers.
const maxSums = 6

// A Formula is the maximum of some sums of bytes.
type Formula struct {
	// A sum is 0 for sizes with which no run reaches its point.
	Sums []sym.Poly
	// shown are the sums that no other one covers, in runs that reach their points.
	shown []sym.Poly
}

// A sum adds up the blocks at a point.
type sum struct {
	Vec
	at    int
	given *premise
}

// maxCovers is how many sums are compared with one another.
const maxCovers = 256

// formula makes a formula of sums. It omits sums that another one covers.
func (t *Table) formula(sums []sum) Formula {
	sums = dedup(sums)
	f := Formula{}
	var kept []sum
	covered := func(v, w sum) bool { return v.given.implies(w.given) && covers(w.Vec, v.Vec) }
	for k, v := range sums {
		if len(kept) > maxCovers {
			kept = append(kept, sums[k:]...)
			break
		}
		if slices.ContainsFunc(kept, func(w sum) bool { return covered(v, w) }) {
			continue
		}
		kept = append(slices.DeleteFunc(kept, func(w sum) bool { return covered(w, v) }), v)
	}
	var plain []sym.Poly
	var known []places.Facts
	for _, v := range kept {
		s := t.guarded(v)
		if s.Len() == 0 {
			continue
		}
		f.Sums = append(f.Sums, s)
		facts, p := t.End(), t.Poly(v.Vec)
		if v.given != nil {
			facts = t.Accesses.Facts(v.at).And(facts)
			p = withoutEmpty(p, facts)
		}
		if p.Len() > 0 {
			plain, known = append(plain, p), append(known, facts)
		}
	}
	for k, p := range plain {
		if len(f.shown) > maxSums {
			break
		}
		beaten := slices.ContainsFunc(f.shown, func(q sym.Poly) bool { return t.Covers(known[k], q, p) })
		for _, q := range plain[k+1:] {
			beaten = beaten || len(plain) <= 4*maxSums && !q.Equal(p) && t.Covers(known[k], q, p) && !t.Covers(t.End(), p, q)
		}
		if !beaten {
			f.shown = append(f.shown, p)
		}
	}
	return f
}

// withoutEmpty returns a sum without the terms that facts show to be 0.
func withoutEmpty(p sym.Poly, facts places.Facts) sym.Poly {
	return p.Subst(func(name string) (sym.Poly, bool) {
		return sym.Poly{}, facts.SameValue(sym.Var(name), sym.Poly{})
	})
}

// covers reports whether w <= v in every coefficient.
func covers(v, w Vec) bool {
	for _, x := range w {
		k := slices.IndexFunc(v, func(y Term) bool { return y.Mono == x.Mono })
		if k < 0 && x.Coef > 0 || k >= 0 && v[k].Coef < x.Coef {
			return false
		}
	}
	for _, y := range v {
		if y.Coef < 0 && !slices.ContainsFunc(w, func(x Term) bool { return x.Mono == y.Mono }) {
			return false
		}
	}
	return true
}

// String returns a text such as "n * 8", or "max(n * 8, m * 4)".
func (f Formula) String() string {
	parts := f.texts(func(p sym.Poly) string { return ir.ExpString(p.Exp()) })
	switch len(parts) {
	case 0:
		return "0"
	case 1:
		return parts[0]
	}
	return "max(" + strings.Join(parts, ", ") + ")"
}

// Lines returns the sums of which the greatest counts, one text for each. Terms with the same
// coefficient are grouped: "28 * nx * ny + 16 * (nx + ny)". "..." stands for further sums.
func (f Formula) Lines() []string { return f.texts(grouped) }

func (f Formula) texts(write func(sym.Poly) string) []string {
	out := []string{}
	for k, p := range f.shown {
		if k == maxSums {
			return append(out, "...")
		}
		out = append(out, write(p))
	}
	return out
}

// grouped writes a sum, with the terms of one coefficient together.
func grouped(p sym.Poly) string {
	binary := func(op string, x, y ir.Exp) ir.Exp {
		if x == nil {
			return y
		}
		return &ir.Binary{Op: op, X: x, Y: y, T: ir.I64}
	}
	var coefs []int64 // in the order in which they come
	terms := map[int64]ir.Exp{}
	p.Terms(func(c int64, factors []sym.Factor) {
		var product ir.Exp
		for _, f := range factors {
			var x ir.Exp = ir.Var(f.Key)
			if f.Opaque != nil {
				x = f.Opaque
			}
			for range f.Pow {
				product = binary("*", product, x)
			}
		}
		if product == nil {
			product = ir.IntLit(1)
		}
		if terms[c] == nil {
			coefs = append(coefs, c)
		}
		terms[c] = binary("+", terms[c], product)
	})
	var sum ir.Exp
	for _, c := range coefs {
		text := terms[c]
		if l, ok := text.(*ir.Lit); ok && l.Bits == 1 {
			text = ir.IntLit(c)
		} else if c != 1 {
			text = inFront(ir.IntLit(c), text)
		}
		sum = binary("+", sum, text)
	}
	if sum == nil {
		return "0"
	}
	return ir.ExpString(sum)
}

// inFront returns c * x, where x may be a product, too: 4 * n * m.
func inFront(c, x ir.Exp) ir.Exp {
	if b, ok := x.(*ir.Binary); ok && b.Op == "*" {
		return &ir.Binary{Op: "*", X: inFront(c, b.X), Y: b.Y, T: ir.I64}
	}
	return &ir.Binary{Op: "*", X: c, Y: x, T: ir.I64}
}

// Bytes returns the number of bytes for given sizes. It fails if a name is missing.
func (f Formula) Bytes(sizes map[string]int64) (int64, error) { return f.bytes(sizes, false) }

// IfLoopsRun is Bytes where the greater side of each condition counts, such as 0 < k in the size of a block that a
// loop needs.
func (f Formula) IfLoopsRun(sizes map[string]int64) (int64, error) { return f.bytes(sizes, true) }

func (f Formula) bytes(sizes map[string]int64, open bool) (int64, error) {
	var most int64
	for _, p := range f.Sums {
		n, err := bytes(p, sizes, open)
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	return most, nil
}

// Bytes evaluates a size with given values for its names. Workers may lack one.
func Bytes(p sym.Poly, values map[string]int64) (int64, error) { return bytes(p, values, false) }

func bytes(p sym.Poly, values map[string]int64, open bool) (int64, error) {
	var missing []string
	n := evaluate(p, func(name string) (int64, bool) {
		v, ok := values[name]
		if !ok && name == Workers {
			return MostWorkers, true
		}
		if !ok {
			missing = append(missing, name)
		}
		return v, ok
	}, open)
	if len(missing) > 0 {
		slices.Sort(missing)
		return 0, fmt.Errorf("no value for %s", strings.Join(slices.Compact(missing), ", "))
	}
	return n, nil
}

// Value evaluates a polynomial with given values for its names. It computes the usual opaque
// expressions itself, and asks value for the text of the others. If it cannot decide a condition, the
// greater side counts.
func Value(p sym.Poly, value func(name string) (int64, bool)) int64 { return evaluate(p, value, false) }

// evaluate is Value; if every condition is open, the greater side of each counts.
func evaluate(p sym.Poly, value func(name string) (int64, bool), open bool) int64 {
	var exp func(e ir.Exp) int64
	exp = func(e ir.Exp) int64 {
		switch e := e.(type) {
		case *ir.Cond:
			switch holds, known := truth(e.C, exp); {
			case !known || open:
				return max(exp(e.X), exp(e.Y))
			case holds:
				return exp(e.X)
			}
			return exp(e.Y)
		case *ir.Ref:
			v, _ := value(e.Name)
			return v
		case *ir.Lit:
			v, _ := e.Int()
			return v
		case *ir.Binary:
			switch e.Op {
			case "<<":
				return exp(e.X) << (exp(e.Y) & 63)
			case ">>":
				return exp(e.X) >> (exp(e.Y) & 63)
			}
			if v, ok := integer.Apply(e.Op, exp(e.X), exp(e.Y)); ok {
				return v
			}
		case *ir.Unary:
			switch e.Op {
			case "-":
				return -exp(e.X)
			case "~":
				return ^exp(e.X)
			}
		case *ir.Convert:
			if e.X.Prim().Integer() && e.T.Size() >= e.X.Prim().Size() { // a number that one type has room for
				return exp(e.X)
			}
		case *ir.Builtin:
			if e.Fn == "min" || e.Fn == "max" || e.Fn == "fmod" {
				if v, ok := integer.Apply(e.Fn, exp(e.Args[0]), exp(e.Args[1])); ok {
					return v
				}
			}
		}
		v, _ := value(ir.ExpString(e))
		return v
	}
	return p.Eval(exp)
}

// truth decides a condition over sizes, whose parts exp evaluates.
func truth(c ir.Exp, exp func(ir.Exp) int64) (holds, known bool) {
	b, ok := c.(*ir.Binary)
	if !ok {
		return false, false
	}
	if b.Op == "&&" || b.Op == "||" {
		x, known := truth(b.X, exp)
		if y, known2 := truth(b.Y, exp); known && known2 {
			return b.Op == "&&" && x && y || b.Op == "||" && (x || y), true
		}
		return false, false
	}
	if !ir.Compares(b.Op) || b.X.Prim() != ir.I64 || ir.Reads(b.X) || ir.Reads(b.Y) {
		return false, false
	}
	x, y := exp(b.X), exp(b.Y)
	switch b.Op {
	case "==":
		return x == y, true
	case "!=":
		return x != y, true
	case "<":
		return x < y, true
	case "<=":
		return x <= y, true
	case ">":
		return x > y, true
	}
	return x >= y, true
}
