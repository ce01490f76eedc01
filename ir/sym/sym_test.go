package sym

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// eval is an evaluator of its own: names have the values of env, an element
// read is some function of its indices.
func eval(e ir.Exp, env map[string]int64) int64 {
	switch e := e.(type) {
	case *ir.Lit:
		return int64(e.Bits)
	case *ir.Ref:
		return env[e.Name]
	case *ir.Exist:
		return env[e.Name]
	case *ir.Index:
		v := env[e.Array]
		for _, x := range e.Indices {
			v = v*31 + eval(x, env)
		}
		return v
	case *ir.Unary:
		x := eval(e.X, env)
		switch e.Op {
		case "-":
			return -x
		case "~":
			return ^x
		}
	case *ir.Binary:
		x, y := eval(e.X, env), eval(e.Y, env)
		switch e.Op {
		case "+":
			return x + y
		case "-":
			return x - y
		case "*":
			return x * y
		case "/":
			if y == 0 {
				return 0
			}
			return x / y
		case "%":
			if y == 0 {
				return 0
			}
			return x % y
		case "<<":
			return x << uint64(y&63)
		case "**":
			r := int64(1)
			for range y {
				r *= x
			}
			return r
		case "<":
			if x < y {
				return 1
			}
			return 0
		}
	case *ir.Cond:
		if eval(e.C, env) != 0 {
			return eval(e.X, env)
		}
		return eval(e.Y, env)
	case *ir.Builtin:
		x, y := eval(e.Args[0], env), eval(e.Args[1], env)
		switch e.Fn {
		case "min":
			return min(x, y)
		case "fdiv": // of a number above 0
			return (x - (x%y+y)%y) / y
		case "fmod":
			return (x%y + y) % y
		}
		return max(x, y)
	}
	panic("eval")
}

var names = []string{"a", "b", "n", "m"}

func randomExp(r *rand.Rand, depth int) ir.Exp {
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(3) == 0 {
			return ir.IntLit(r.Int64N(7) - 3)
		}
		return ir.Var(names[r.IntN(len(names))])
	}
	sub := func() ir.Exp { return randomExp(r, depth-1) }
	switch r.IntN(16) {
	case 0:
		return &ir.Unary{Op: "-", X: sub(), T: ir.I64}
	case 1:
		return &ir.Unary{Op: "~", X: sub(), T: ir.I64}
	case 2:
		return &ir.Builtin{Fn: "min", Args: []ir.Exp{sub(), sub()}, T: ir.I64}
	case 3:
		return &ir.Builtin{Fn: "max", Args: []ir.Exp{sub(), sub()}, T: ir.I64}
	case 4:
		return binary("/", sub(), ir.IntLit(1+r.Int64N(3)))
	case 5:
		return &ir.Index{Array: "xs", Indices: []ir.Exp{sub()}, T: ir.I64}
	case 6:
		c := &ir.Binary{Op: "<", X: sub(), Y: sub(), T: ir.Bool}
		return &ir.Cond{C: c, X: sub(), Y: sub(), T: ir.I64}
	case 7:
		return binary("<<", sub(), ir.IntLit(r.Int64N(70)))
	case 14:
		return &ir.Builtin{Fn: []string{"fdiv", "fmod"}[r.IntN(2)], Args: []ir.Exp{sub(), ir.IntLit(1 + r.Int64N(4))}, T: ir.I64}
	case 15:
		return binary("%", sub(), ir.IntLit(1+r.Int64N(3)))
	case 8:
		return binary("**", sub(), ir.IntLit(r.Int64N(4)))
	}
	return binary([]string{"+", "-", "*"}[r.IntN(3)], sub(), sub())
}

func randomEnv(r *rand.Rand) map[string]int64 {
	env := map[string]int64{"xs": 7}
	for _, n := range names {
		env[n] = r.Int64N(11) - 5
		if r.IntN(4) == 0 {
			env[n] = int64(r.Uint64())
		}
	}
	return env
}

func (p Poly) check(t *testing.T) {
	t.Helper()
	for k, x := range p.p.Terms {
		if x.Coef == 0 || k > 0 && integer.Compare(p.p.Terms[k-1].Atoms, x.Atoms) >= 0 {
			t.Fatalf("%s is not normal", p)
		}
	}
}

func TestOfKeepsTheValue(t *testing.T) {
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		e, env := randomExp(r, 4), randomEnv(r)
		p := Of(e)
		p.check(t)
		want := eval(e, env)
		if got := p.Eval(func(x ir.Exp) int64 { return eval(x, env) }); got != want {
			t.Fatalf("seed %d: %s has value %d, want %d", seed, p, got, want)
		}
		back := p.Exp()
		if got := eval(back, env); got != want {
			t.Fatalf("seed %d: Exp of %s has value %d, want %d", seed, p, got, want)
		}
		if q := Of(back); !q.Equal(p) || q.String() != p.String() {
			t.Fatalf("seed %d: Of(Exp) of %s is %s", seed, p, q)
		}
	}
}

func TestRingLaws(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 2))
		x, y, z := Of(randomExp(r, 3)), Of(randomExp(r, 3)), Of(randomExp(r, 3))
		for what, ok := range map[string]bool{
			"x+y = y+x":         x.Add(y).Equal(y.Add(x)),
			"(x+y)+z = x+(y+z)": x.Add(y).Add(z).Equal(x.Add(y.Add(z))),
			"x*y = y*x":         x.Mul(y).Equal(y.Mul(x)),
			"x-y = -(y-x)":      x.Sub(y).Equal(y.Sub(x).Neg()),
			"x-x = 0":           x.Sub(x).Is(0),
			"x*1 = x":           x.Mul(Const(1)).Equal(x),
			"x*0 = 0":           x.Mul(Poly{}).Is(0),
			"equal iff text":    x.Equal(y) == (x.String() == y.String()),
			"equal iff compare": x.Equal(y) == (x.Compare(y) == 0),
		} {
			if !ok {
				t.Fatalf("seed %d: %s fails for x = %s, y = %s, z = %s", seed, what, x, y, z)
			}
		}
		if x.Size()+y.Size()+z.Size() < 60 && light(x, y, z) { // no product becomes an atom
			if !x.Mul(y.Add(z)).Equal(x.Mul(y).Add(x.Mul(z))) || !x.Mul(y).Mul(z).Equal(x.Mul(y.Mul(z))) {
				t.Fatalf("seed %d: distribution fails for x = %s, y = %s, z = %s", seed, x, y, z)
			}
		}
		x.Mul(y).Add(z).check(t)
	}
}

// light tells that coefficients are small, also those of products of three.
func light(ps ...Poly) bool {
	for _, p := range ps {
		for _, t := range p.p.Terms {
			if t.Coef > 1<<16 || t.Coef < -1<<16 {
				return false
			}
		}
	}
	return true
}

// What would need a coefficient beyond int64 stays as it is written, so that a run which
// looks for overflow finds it.
func TestCoefficientsDoNotWrap(t *testing.T) {
	n, big := Var("n"), Const(1<<62)
	for _, c := range []struct {
		p    Poly
		want string
	}{
		{n.Mul(big).Mul(Const(4)), "((n*4611686018427387904)*(4))"},
		{big.Mul(Const(4)), "((4)*(4611686018427387904))"},
		{Const(2305843009213693953).Mul(Const(8)), "((8)*(2305843009213693953))"},
		{n.Mul(big).Add(n.Mul(big)), "((n*4611686018427387904)+(n*4611686018427387904))"},
		{n.Mul(big).Sub(n.Mul(big).Neg()), "((n*4611686018427387904)+(n*4611686018427387904))"},
		{n.Mul(big).Add(n.Mul(big)).Sub(n.Mul(big).Add(n.Mul(big))), "0"},
		{Const(-1 << 63).Sub(Const(-1 << 63)), "0"},
		{n.Mul(Const(-1 << 63)).Sub(n.Mul(Const(-1 << 63))), "0"},
	} {
		c.p.check(t)
		if c.p.String() != c.want {
			t.Errorf("%s, want %s", c.p, c.want)
		}
		if !Of(c.p.Exp()).Equal(c.p) {
			t.Errorf("%s is read back as %s", c.p, Of(c.p.Exp()))
		}
	}
}

func TestSubstIsSimultaneous(t *testing.T) {
	for seed := range uint64(10000) {
		r := rand.New(rand.NewPCG(seed, 3))
		p, env := Of(randomExp(r, 4)), randomEnv(r)
		to := map[string]Poly{}
		after := map[string]int64{"xs": env["xs"]}
		for _, n := range names {
			after[n] = env[n]
			if r.IntN(2) == 0 {
				e := randomExp(r, 2)
				to[n], after[n] = Of(e), eval(e, env)
			}
		}
		q := p.Subst(func(n string) (Poly, bool) { x, ok := to[n]; return x, ok })
		q.check(t)
		want := p.Eval(func(x ir.Exp) int64 { return eval(x, after) })
		if got := q.Eval(func(x ir.Exp) int64 { return eval(x, env) }); got != want {
			t.Fatalf("seed %d: %s becomes %s: value %d, want %d", seed, p, q, got, want)
		}
	}
}

// TestModulo: for values of the names at which the zeros are 0 the remainder has the
// value of the polynomial, and a multiple of the only zero has the remainder 0.
func TestModulo(t *testing.T) {
	reduced := 0
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 6))
		env := randomEnv(r)
		value := func(p Poly) int64 { return p.Eval(func(x ir.Exp) int64 { return eval(x, env) }) }
		zero := func() Poly {
			f := Of(randomExp(r, 2))
			return f.Sub(Const(value(f)))
		}
		p, zeros := Of(randomExp(r, 4)), []Poly{zero(), zero()}
		q := p.Modulo(zeros)
		q.check(t)
		if value(q) != value(p) {
			t.Fatalf("seed %d: %s modulo %s is %s: value %d, want %d", seed, p, zeros, q, value(q), value(p))
		}
		if !q.Equal(p) {
			reduced++
		}
		z := zero()
		f := Of(randomExp(r, 2)) // where coefficients are large a product stays one atom
		if m := z.Mul(f); z.Size() < 20 && m.Size() < 60 && small(z) && small(f) && small(m) && !m.Modulo([]Poly{z}).Is(0) {
			t.Fatalf("seed %d: %s modulo %s is %s", seed, m, z, m.Modulo([]Poly{z}))
		}
	}
	if reduced < 100 {
		t.Errorf("only %d were reduced", reduced)
	}
}

// small tells that products do not wrap.
func small(p Poly) bool {
	return !slices.ContainsFunc(p.p.Terms, func(t term) bool { return t.Coef > 1<<20 || t.Coef < -1<<20 })
}

func TestCanonicalText(t *testing.T) {
	a, b, n, m := ir.Var("a"), ir.Var("b"), ir.Var("n"), ir.Var("m")
	call := func(fn string, args ...ir.Exp) ir.Exp { return &ir.Builtin{Fn: fn, Args: args, T: ir.I64} }
	one, minus := ir.IntLit(1), &ir.Unary{Op: "-", X: ir.Var("n"), T: ir.I64}
	small := &ir.Convert{X: &ir.Ref{Name: "k", T: ir.I32}, T: ir.I64}
	for _, c := range []struct {
		e    ir.Exp
		want string
	}{
		{binary("+", one, binary("*", ir.IntLit(4), n)), "n*4 + 1"},
		{binary("-", binary("*", n, binary("+", m, one)), n), "m*n"},
		{binary("+", minus, a), "a - n"},
		{binary("-", minus, one), "-n - 1"},
		{call("min", binary("+", a, one), b), "min(a + 1, b)"},
		{call("min", b, call("min", binary("+", one, a), b)), "min(a + 1, b)"},
		{call("max", ir.IntLit(3), call("max", n, ir.IntLit(7))), "max(n, 7)"},
		{binary("/", binary("*", n, ir.IntLit(2)), ir.IntLit(2)), "(n*2 / 2)"},
		{binary("/", ir.IntLit(-7), ir.IntLit(2)), "-3"},
		{binary("%", n, ir.IntLit(0)), "(n % 0)"},
		{&ir.Index{Array: "xs", Indices: []ir.Exp{binary("+", one, n)}, T: ir.I64}, "xs[n + 1]"},
		{binary("*", small, ir.IntLit(2)), "i64(k)*2"},
		{binary("*", n, n), "n*n"},
		{&ir.Exist{Name: "off"}, "off"},
		{ir.IntLit(-1 << 63), "-9223372036854775808"},
		{binary("-", a, a), "0"},
		{&ir.Lit{Text: "0x10"}, "16"},
	} {
		if got := Of(c.e).String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	read := &ir.Index{Array: "xs", Indices: []ir.Exp{ir.Var("i")}, T: ir.I64}
	small := &ir.Convert{X: &ir.Ref{Name: "k", T: ir.I32}, T: ir.I64}
	p := Of(binary("+", binary("*", read, ir.Var("n")), binary("+", small, ir.Var("i"))))
	if got, want := p.Names(), []string{"i", "k", "n", "xs"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	to := map[string]Poly{"xs": Var("ys"), "k": Var("l"), "i": Const(3)}
	q := p.Subst(func(n string) (Poly, bool) { x, ok := to[n]; return x, ok })
	if got, want := q.String(), "n*ys[3] + i64(l) + 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if v, ok := Var("n").IsVar(); !ok || v != "n" {
		t.Errorf("IsVar(n) is %s, %v", v, ok)
	}
	if v, ok := q.IsVar(); ok {
		t.Errorf("IsVar(%s) is %s", q, v)
	}
}

// depth returns the depth of an expression.
func depth(e ir.Exp) int {
	switch e := e.(type) {
	case *ir.Unary:
		return 1 + depth(e.X)
	case *ir.Binary:
		return 1 + max(depth(e.X), depth(e.Y))
	case *ir.Builtin:
		return 1 + max(depth(e.Args[0]), depth(e.Args[1]))
	}
	return 1
}

// TestLargeExpressions: neither long sums nor deep products, powers and atoms
// explode. An algorithm that expands them all would not end.
func TestLargeExpressions(t *testing.T) {
	name := func(k int) ir.Exp {
		return ir.Var("x" + string(rune('A'+k%26)) + string(rune('A'+k/26%26)) + string(rune('A'+k/676)))
	}
	env := map[string]int64{}
	for k := range 10000 {
		env[name(k).(*ir.Ref).Name] = int64(k + 1)
	}
	chain := func(n int, f func(e ir.Exp, k int) ir.Exp) ir.Exp {
		e := name(0)
		for k := 1; k < n; k++ {
			e = f(e, k)
		}
		return e
	}
	for what, e := range map[string]ir.Exp{
		"sum":       chain(10000, func(e ir.Exp, k int) ir.Exp { return binary("+", e, name(k)) }),
		"power":     chain(10000, func(e ir.Exp, _ int) ir.Exp { return binary("*", e, name(0)) }),
		"squares":   chain(10000, func(e ir.Exp, _ int) ir.Exp { return binary("**", e, ir.IntLit(2)) }),
		"product":   chain(10000, func(e ir.Exp, k int) ir.Exp { return binary("*", e, binary("+", name(k), ir.IntLit(1))) }),
		"quotients": chain(10000, func(e ir.Exp, k int) ir.Exp { return binary("/", e, name(k)) }),
		"min": chain(10000, func(e ir.Exp, k int) ir.Exp {
			return &ir.Builtin{Fn: "min", Args: []ir.Exp{e, name(k)}, T: ir.I64}
		}),
		"mixed": chain(10000, func(e ir.Exp, k int) ir.Exp {
			return binary("*", binary("/", e, name(k)), binary("+", name(k), name(k+1)))
		}),
	} {
		p := Of(e)
		p.check(t)
		back := p.Exp()
		if d := depth(back); d > 20100 {
			t.Errorf("%s: depth %d", what, d)
		}
		if got, want := eval(back, env), eval(e, env); got != want {
			t.Errorf("%s: value %d, want %d", what, got, want)
		}
		if len(p.Names()) == 0 {
			t.Errorf("%s: no names", what)
		}
	}
	if d := depth(Of(chain(10000, func(e ir.Exp, k int) ir.Exp { return binary("+", e, name(k)) })).Exp()); d > 40 {
		t.Errorf("a sum of 10,000 terms has depth %d", d)
	}
}
