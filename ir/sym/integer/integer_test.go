package integer

import (
	"math"
	"math/rand/v2"
	"testing"
)

func random(r *rand.Rand, terms int) Poly[string] {
	out := Poly[string]{}
	for range terms {
		t := Const[string](int64(r.IntN(9) - 4))
		for range r.IntN(3) {
			t = t.Mul(Atom([]string{"a", "b", "c"}[r.IntN(3)]))
		}
		out = out.Add(t)
	}
	return out
}

// What division gives obeys its equation, and a product is divided exactly.
func TestDivide(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		p, d := random(r, 5), random(r, 3)
		if q, rest := p.Divide(d); !q.Mul(d).Add(rest).Equal(p) {
			t.Fatalf("%v by %v gives %v and %v", p, d, q, rest)
		}
		if d.Is(0) {
			continue
		}
		if q, ok := p.Mul(d).Exact(d); !ok || !q.Equal(p) {
			t.Fatalf("%v times %v by the latter gives %v, %v", p, d, q, ok)
		}
	}
}

// Tighten and Primitive keep the sign, and Collect and SubstAll the value, at every point.
func TestValues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sign := func(v int64) bool { return v >= 0 }
	for range 20_000 {
		p, x := random(r, 4), random(r, 2)
		at := map[string]int64{"a": int64(r.IntN(7) - 3), "b": int64(r.IntN(7) - 3), "c": int64(r.IntN(7) - 3)}
		value := func(p Poly[string]) int64 {
			v, ok := p.Value(func(a string) (int64, bool) { return at[a], true })
			if !ok {
				t.Fatalf("%v has no value", p)
			}
			return v
		}
		for c := int64(-9); c <= 9; c++ {
			if q := p.Add(Const[string](c)); !p.AddConst(c).Equal(q) || value(q) != value(p)+c {
				t.Fatalf("%v + %d is not %v", p, c, p.AddConst(c))
			}
		}
		if sign(value(p)) != sign(value(p.Tighten())) {
			t.Fatalf("%v and %v differ in sign", p, p.Tighten())
		}
		a, b, _ := p.Collect("b")
		if value(a.Mul(Atom("b")).Add(b)) != value(p) {
			t.Fatalf("%v is not %v * b + %v", p, a, b)
		}
		q := p.SubstAll(func(a string) (Poly[string], bool) { return x, a == "a" })
		if !q.Equal(p.Subst("a", x)) {
			t.Fatalf("%v and %v: of %v, a is %v", q, p.Subst("a", x), p, x)
		}
		if at["a"] = value(x); !x.Has("a") && value(q) != value(p) {
			t.Fatalf("%v is not %v with %v for a", q, p, x)
		}
	}
}

// What no int64 holds is bad, or has no value, and never another number.
func TestChecked(t *testing.T) {
	n := Atom("n")
	large := n.Scale(1 << 62)
	for _, p := range []Poly[string]{large.Add(large), large.Scale(2), large.Mul(Const[string](-2)), large.Scale(2).Sub(n), large.Mul(large)} {
		if !p.Bad {
			t.Errorf("%v is not bad", p)
		}
	}
	for _, c := range []struct {
		op   string
		x, y int64
	}{{"+", math.MaxInt64, 1}, {"-", -2, math.MaxInt64}, {"*", 1 << 32, 1 << 32}, {"/", 1, 0}, {"fmod", 1, 0}, {"/", math.MinInt64, -1}, {"abs", math.MinInt64, 0}, {"<<", 1, 1}} {
		if v, ok := Apply(c.op, c.x, c.y); ok {
			t.Errorf("%d %s %d is %d", c.x, c.op, c.y, v)
		}
	}
	for op, want := range map[string]int64{"/": -3, "%": -1, "fdiv": -4, "fmod": 1, "min": -7, "max": 2, "sign": -1, "abs": 7, "+": -5, "-": -9, "*": -14} {
		if v, ok := Apply(op, -7, 2); !ok || v != want {
			t.Errorf("-7 %s 2 is %d, want %d", op, v, want)
		}
	}
}

// TestIndivisible: a sum that a number shows never to be 0 is not 0 for any values.
func TestIndivisible(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	shown := 0
	for range 5000 {
		off := random(r, 2).Scale(int64(1 + r.IntN(3))).AddConst(int64(r.IntN(5)))
		var spans []Span[string]
		for range r.IntN(3) {
			lo := int64(-r.IntN(2))
			spans = Join(spans, random(r, 2).Scale(int64(1+r.IntN(3))), Const[string](lo), Const[string](int64(r.IntN(3))))
		}
		if !Indivisible(off, spans) {
			continue
		}
		shown++
		for range 50 {
			env := map[string]int64{}
			value := func(a string) (int64, bool) {
				if _, ok := env[a]; !ok {
					env[a] = int64(r.IntN(9) - 4)
				}
				return env[a], true
			}
			sum, _ := off.Value(value)
			for _, s := range spans {
				v, _ := s.Stride.Value(value)
				sum += v * (s.Lo.Constant() + r.Int64N(1+s.Hi.Constant()-s.Lo.Constant()))
			}
			if sum == 0 {
				t.Fatalf("%v and %v are 0 for %v", off, spans, env)
			}
		}
	}
	if shown < 100 {
		t.Errorf("only %d sums are shown not to be 0", shown)
	}
}
