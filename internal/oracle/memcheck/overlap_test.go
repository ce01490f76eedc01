package memcheck

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
	"github.com/memc-lang/memc/parser"
)

// testFacts know the names of the random regions: two sizes, two counters below
// them, a number of which nothing is known, and one that is at least 1.
func testFacts() *facts {
	of := &function{}
	t := &names{ids: map[string]int32{}, wraps: map[int32][]int32{}, over: map[int32][]int32{}, of: of}
	of.names = t
	natural := []bound{{poly{}, 1}}
	n := t.add("n", variable{order: 1, los: natural})
	m := t.add("m", variable{order: 2, los: natural})
	t.add("k", variable{order: 3})
	t.add("p", variable{order: 3, los: []bound{{constant(1), 1}}})
	t.add("i", variable{order: 4, los: natural, his: []bound{{asPoly(n).AddConst(-1), 1}}})
	t.add("j", variable{order: 5, los: natural, his: []bound{{asPoly(m).AddConst(-1), 1}}})
	of.given = &facts{names: t, sizes: []sizing{{key: "n", most: maxSize}, {key: "m", most: maxSize}, {factors: []poly{asPoly(n), asPoly(m)}, most: maxSize}}}
	return of.given
}

// wide are the values of a number of which nothing is known: products of it wrap. large
// are those that are at least 1.
var (
	large = []int64{1, 2, 65536, 1 << 62, 1<<62 + 1, 1<<63 - 1}
	wide  = append([]int64{-2, -1, 0, -1 << 63, -1 << 62}, large...)
)

// each calls f for values of the names that obey the facts, of those that a text mentions.
func each(text string, f func(env map[string]int64)) {
	ks, ps := wide, large
	if !strings.Contains(text, "k") {
		ks = ks[:1]
	}
	if !strings.Contains(text, "p") {
		ps = ps[:1]
	}
	for n := int64(0); n <= 3; n++ {
		for m := int64(0); m <= 3; m++ {
			for i := int64(0); i < n; i++ {
				for j := int64(0); j < m; j++ {
					for _, k := range ks {
						for _, p := range ps {
							f(map[string]int64{"n": n, "m": m, "i": i, "j": j, "k": k, "p": p})
						}
					}
				}
			}
		}
	}
}

// valueOf evaluates an expression; a division by 0 gives 0, which stands for a
// run that has ended.
func valueOf(e ir.Exp, env map[string]int64) int64 {
	switch e := e.(type) {
	case *ir.Lit:
		return int64(e.Bits)
	case *ir.Ref:
		return env[e.Name]
	case *ir.Unary:
		return -valueOf(e.X, env)
	case *ir.Cond:
		if valueOf(e.C, env) != 0 {
			return valueOf(e.X, env)
		}
		return valueOf(e.Y, env)
	case *ir.Binary:
		return binary(e.Op, valueOf(e.X, env), valueOf(e.Y, env))
	case *ir.Builtin:
		x := valueOf(e.Args[0], env)
		if e.Fn == "abs" {
			return integer.Abs(x)
		}
		return binary(e.Fn, x, valueOf(e.Args[1], env))
	}
	panic("not an expression of the test")
}

func binary(op string, x, y int64) int64 {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "max":
		return max(x, y)
	case "min":
		return min(x, y)
	case "&":
		return x & y
	case "<":
		if x < y {
			return 1
		}
		return 0
	}
	switch {
	case y == 0:
		return 0
	case op == "%":
		return x % y
	case op == "/":
		return x / y
	case op == "fdiv":
		return integer.FloorDiv(x, y)
	case op == "fmod":
		return x - y*integer.FloorDiv(x, y)
	}
	panic("no operator of the test: " + op)
}

// positions lists what a region holds, in the order of its indices.
func (r regionExp) positions(env map[string]int64) []int64 {
	out := []int64{valueOf(r.off, env)}
	for _, d := range r.dims {
		n, s := valueOf(d.Len, env), valueOf(d.Stride, env)
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

// A regionExp is a region as expressions.
type regionExp struct {
	off  ir.Exp
	dims []ir.LMADDim
}

func (r regionExp) of(f *facts) region {
	out := region{off: f.poly(sym.Of(r.off)), exact: true}
	for _, d := range r.dims {
		out.dims = append(out.dims, dim{f.poly(sym.Of(d.Len)), f.poly(sym.Of(d.Stride))})
	}
	return out
}

func (r regionExp) String() string {
	s := ir.ExpString(r.off)
	for _, d := range r.dims {
		s += " (" + ir.ExpString(d.Len) + " : " + ir.ExpString(d.Stride) + ")"
	}
	return s
}

type picker struct{ *rand.Rand }

func (p picker) of(es ...string) ir.Exp { return expression(es[p.Intn(len(es))]) }

// expression parses an expression by way of a program.
func expression(text string) ir.Exp {
	if e, ok := expressions[text]; ok {
		return e
	}
	program := "entry main [n][m] (xs: [n][m]i32, i: i64, j: i64, k: i64, p: i64) : i64 = { let e: i64 = " + text + " in e }"
	p, list := parser.Parse(diag.NewFile("expression", program))
	if list.Failed() {
		panic(text)
	}
	if more := check.Program(p); more.Failed() {
		panic(text)
	}
	e := p.Funcs[0].Body.Stmts[0].Op.(*ir.Compute).E
	expressions[text] = e
	return e
}

var expressions = map[string]ir.Exp{}

// region makes the regions that programs have: rows, columns, points, slices,
// offset by counters and constants, and now and then anything.
func (p picker) region() regionExp {
	term := func() ir.Exp {
		return p.of("0", "0", "1", "-1", "i", "j", "n", "m", "i * m", "j * n", "i * 2", "n * m", "i * n * m", "k",
			"min(n, m)", "max(n, m)", "i % m", "max(n - 1, 0)", "k * 4", "k * k", "n * k", "k + 1", "k * k * k + 1", "i * k", "-k", "n + k", "p * 4", "p * n", "p + 1", "p * p", "-p", "min(n, 2)", "n / 2", "(m + 1) / 2", "fmod(k, n + 1)", "abs(k)",
			"if i < j then n else m", "fdiv(k, 2)", "i / 2 * 2", "i % 2", "fdiv(k, 2) * 2", "fmod(k, 2)", "fmod(i, n)", "i / n", "j / n * n", "j % n",
			"k % 2", "(k + 1) % 2", "(i + 1) % 2", "(k + 1) & 1", "k & 1", "k & 6", "(i & 1) * n", "i % 2 * n", "(i + 1) % 2 * n", "(i + 2) % 3 * n", "i % 3 * n", "(i + 1) % m * n", "i % m * n", "fmod(i + 1, 2) * m", "fmod(0, n)", "n % n", "max(n * 2, 3)")
	}
	r := regionExp{off: &ir.Binary{Op: "+", X: term(), Y: term(), T: ir.I64}}
	for range p.Intn(3) {
		r.dims = append(r.dims, ir.LMADDim{
			Len:    p.of("n", "m", "n", "m", "1", "2", "3", "n + 1", "n * m", "n - 1", "min(n, 2)", "max(n - 1, 0)", "n / 2"),
			Stride: p.of("1", "1", "2", "n", "m", "n * m", "-1", "-m", "n * 2", "k", "0", "max(n, m)", "m + 1"),
		})
	}
	return r
}

// What is claimed of two regions holds for all values of the names, by counting.
func TestOverlapIsSound(t *testing.T) {
	claims := map[string]int{}
	if wrong := falseClaim(claims); wrong != "" {
		t.Fatal(wrong)
	}
	for what, n := range claims {
		t.Logf("%s: %d claims", what, n)
	}
	for _, what := range []string{"disjoint", "contains", "meet", "injective"} {
		if claims[what] < 60 {
			t.Errorf("only %d claims %q: the regions say little", claims[what], what)
		}
	}
}

// A prover that takes the arithmetic of i64 for that of the integers is found.
func TestWrappingIsSeen(t *testing.T) {
	blind = true
	defer func() { blind = false }()
	wrong := falseClaim(map[string]int{})
	if wrong == "" {
		t.Fatal("no false claim was found")
	}
	t.Log(wrong)
}

// falseClaim returns the first claim that does not hold, and counts the claims.
func falseClaim(claims map[string]int) (wrong string) {
	f := testFacts()
	p := picker{rand.New(rand.NewSource(1))}
	for range 6000 {
		x, y := p.region(), p.region()
		if p.Intn(3) == 0 { // a whole block
			x = regionExp{expression("0"), []ir.LMADDim{{Len: p.of("n * m", "n", "n + m", "n * 2", "max(n * 2, 3)", "max(n * m, n + 2)"), Stride: expression("1")}}}
		}
		a, b := x.of(f), y.of(f)
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
		each(x.String()+y.String(), func(env map[string]int64) {
			pa, pb := x.positions(env), y.positions(env)
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
				wrong = fmt.Sprintf("claimed disjoint: %v and %v for %v", x, y, env)
			case inside && !all:
				wrong = fmt.Sprintf("claimed to contain: %v and %v for %v", x, y, env)
			case meet && !common && len(pa) > 0 && len(pb) > 0:
				wrong = fmt.Sprintf("claimed to meet: %v and %v for %v", x, y, env)
			case once && twice:
				wrong = fmt.Sprintf("claimed injective: %v for %v", x, env)
			}
		})
		if wrong != "" {
			return wrong
		}
	}
	return ""
}
