package memcheck

import (
	"math/rand"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// The names of the random regions: two sizes, two counters below them, and one
// of which nothing is known.
func testFacts() *facts {
	n, m := sym.Var("n"), sym.Var("m")
	one := sym.Const(1)
	return &facts{over: map[string]variable{}, vars: map[string]variable{
		"n": {order: 1, hasLo: true},
		"m": {order: 2, hasLo: true},
		"k": {order: 3},
		"i": {order: 4, hasLo: true, hasHi: true, hi: n.Sub(one)},
		"j": {order: 5, hasLo: true, hasHi: true, hi: m.Sub(one)},
	}}
}

// each calls f for small values of the names that obey the facts.
func each(f func(env map[string]int64)) {
	for n := int64(0); n <= 3; n++ {
		for m := int64(0); m <= 3; m++ {
			for i := int64(0); i < n; i++ {
				for j := int64(0); j < m; j++ {
					for k := int64(-2); k <= 2; k++ {
						f(map[string]int64{"n": n, "m": m, "i": i, "j": j, "k": k})
					}
				}
			}
		}
	}
}

func valueOf(e ir.Exp, env map[string]int64) int64 {
	switch e := e.(type) {
	case *ir.Lit:
		return int64(e.Bits)
	case *ir.Ref:
		return env[e.Name]
	case *ir.Unary:
		return -valueOf(e.X, env)
	case *ir.Binary:
		x, y := valueOf(e.X, env), valueOf(e.Y, env)
		switch e.Op {
		case "+":
			return x + y
		case "-":
			return x - y
		case "*":
			return x * y
		case "%":
			if y == 0 {
				return 0
			}
			return x % y
		}
	case *ir.Builtin:
		x, y := valueOf(e.Args[0], env), valueOf(e.Args[1], env)
		if e.Fn == "max" {
			return max(x, y)
		}
		return min(x, y)
	}
	panic("not an expression of the test")
}

// positions lists what a region holds, in the order of its indices.
func (r region) positions(env map[string]int64) []int64 {
	out := []int64{valueOf(r.off.Exp(), env)}
	for _, d := range r.dims {
		n, s := valueOf(d.Len.Exp(), env), valueOf(d.Stride.Exp(), env)
		var next []int64
		for _, p := range out {
			for x := int64(0); x < n; x++ {
				next = append(next, p+x*s)
			}
		}
		out = next
	}
	return out
}

type picker struct{ *rand.Rand }

func (p picker) of(ps ...sym.Poly) sym.Poly { return ps[p.Intn(len(ps))] }

// region makes the regions that programs have: rows, columns, points, slices,
// offset by counters and constants, and now and then anything.
func (p picker) region() region {
	n, m, i, j, k := sym.Var("n"), sym.Var("m"), sym.Var("i"), sym.Var("j"), sym.Var("k")
	c := sym.Const
	size := func() sym.Poly { return p.of(n, m, n, m, c(1), c(2), c(3), n.Add(c(1)), n.Mul(m), n.Sub(c(1))) }
	stride := func() sym.Poly { return p.of(c(1), c(1), c(2), n, m, n.Mul(m), c(-1), m.Neg(), n.Mul(c(2)), k, c(0)) }
	least := sym.Of(&ir.Builtin{Fn: "min", Args: []ir.Exp{n.Exp(), m.Exp()}, T: ir.I64})
	most := sym.Of(&ir.Builtin{Fn: "max", Args: []ir.Exp{n.Exp(), m.Exp()}, T: ir.I64})
	rest := sym.Of(&ir.Binary{Op: "%", X: i.Exp(), Y: m.Exp(), T: ir.I64})
	term := func() sym.Poly {
		return p.of(c(0), c(0), c(1), c(-1), i, j, n, m, i.Mul(m), j.Mul(n), i.Mul(c(2)), n.Mul(m), i.Mul(n).Mul(m), k, least, most, rest)
	}
	r := region{off: term().Add(term()), exact: true}
	for range p.Intn(3) {
		r.dims = append(r.dims, lmad.Dim{Len: size(), Stride: stride()})
	}
	return r
}

// What is claimed of two regions holds for all values of the names, by counting.
func TestOverlapIsSound(t *testing.T) {
	f := testFacts()
	p := picker{rand.New(rand.NewSource(1))}
	claims := map[string]int{}
	for range 4000 {
		a, b := p.region(), p.region()
		if p.Intn(3) == 0 { // a whole block
			n, m := sym.Var("n"), sym.Var("m")
			a = region{dims: []lmad.Dim{{Len: p.of(n.Mul(m), n, n.Add(m), n.Mul(sym.Const(2))), Stride: sym.Const(1)}}, exact: true}
		}
		apart, inside, meet := f.disjoint(a, b), f.contains(a, b), f.meet(a, b)
		once, _ := f.injective(a)
		if !apart && !inside && !meet && !once {
			continue
		}
		for what, claimed := range map[string]bool{"disjoint": apart, "contains": inside, "meet": meet, "injective": once} {
			if claimed {
				claims[what]++
			}
		}
		each(func(env map[string]int64) {
			pa, pb := a.positions(env), b.positions(env)
			in := map[int64]int{}
			for _, x := range pa {
				in[x]++
			}
			common, all, twice := false, true, false
			for _, x := range pb {
				common = common || in[x] > 0
				all = all && in[x] > 0
			}
			for _, n := range in {
				twice = twice || n > 1
			}
			switch {
			case apart && common:
				t.Fatalf("claimed disjoint: %v and %v for %v", a, b, env)
			case inside && !all:
				t.Fatalf("claimed to contain: %v and %v for %v", a, b, env)
			case meet && !common && len(pa) > 0 && len(pb) > 0:
				t.Fatalf("claimed to meet: %v and %v for %v", a, b, env)
			case once && twice:
				t.Fatalf("claimed injective: %v for %v", a, env)
			}
		})
	}
	for _, what := range []string{"disjoint", "contains", "meet", "injective"} {
		if claims[what] < 20 {
			t.Errorf("only %d claims %q: the regions say little", claims[what], what)
		}
	}
}
