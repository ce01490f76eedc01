package interference_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/load"
)

// Random programs seldom read an array at the very place where they write another. These programs
// do: they turn one array x into another, with layouts, indices and constructs drawn from lists.
// About every third combination is harmless.

type patterns struct{ *rand.Rand }

func (r patterns) of(list ...string) string { return list[r.IntN(len(list))] }

// layout returns the place of n elements in a block of 2*n+2.
func (r patterns) layout() string {
	return r.of("", "", "", " -> LMAD(n - 1; (n : -1))", " -> LMAD(0; (n : 2))", " -> LMAD(1; (n : 2))", " -> LMAD(1; (n : 1))",
		" -> LMAD(n; (n : 1))")
}

// index returns an index of 0 .. n-1, where that of a loop or kernel is g.
func (r patterns) index(g string) string {
	return strings.ReplaceAll(r.of("g", "g", "g", "n - 1 - g", "(g + 1) % n", "0", "min(g + 1, n - 1)", "max(g - 1, 0)", "g / 2", "n - 1"), "g", g)
}

// private returns the place of two elements of thread g in a block of 4*n.
func (r patterns) private() string {
	return r.of(" -> Direct(n, 2) -> Slice(g, (0, 2))", " -> Direct(2, n) -> Permute(1, 0) -> Slice(g, (0, 2))",
		" -> LMAD(g; (2 : n))", " -> LMAD(g * 4; (2 : 1))", " -> LMAD(g * 4 + 2; (2 : 1))", " -> LMAD(n - 1 - g; (2 : n))")
}

// body turns x into y.
func (r patterns) body() string {
	y := r.layout()
	at := func(g string) string { return "x[" + r.index(g) + "]" }
	switch r.IntN(11) {
	case 0, 1:
		return "let y: [n]i32 @ m_y" + y + " = map (g < n) { in " + at("g") + " + " + at("g") + " }"
	case 2:
		return "let y: [n]i32 @ m_y" + y + " = map (g < n) {\n" +
			"let s = loop (acc = 0i32) for j < " + r.of("n", "g", "2") + " { in acc + x[" + r.of("g", "j % n", "max(g - j, 0)") + "] }\nin s }"
	case 3, 4: // in place, by a loop
		w := r.of("j", "j", "n - 1 - j")
		return "let y0: [n]i32 @ m_y" + y + " = copy x\n" +
			"let y: [n]i32 @ m_y" + y + " = loop (v: *[n]i32 @ m_y" + y + " = y0) for j < n {\n" +
			"let w = " + at("j") + "\nlet v1: [n]i32 @ m_y" + y + " = v with [" + w + "] = v[" + w + "] + w\nin v1 }"
	case 5, 6: // private arrays
		p, q := r.private(), r.private()
		return "let y: [n]i32 @ m_y" + y + " = map (g < n) {\n" +
			"let p: [2]i32 @ m_p" + p + " = replicate (2) " + at("g") + "\nlet u = p[" + r.of("0", "1") + "] + " + at("g") + "\n" +
			"let q: [2]i32 @ m_q" + q + " = " + r.of("copy p", "replicate (2) u", "replicate (2) p[1]") + "\nin q[0] + q[1] + " + r.of("u", "p[0]", at("g")) + " }"
	case 7: // rows
		p := r.private()
		return "let ys: [n][2]i32 @ m_y" + r.of("", " -> Direct(2, n) -> Permute(1, 0)", " -> LMAD(0; (n : 4), (2 : 1))") + " = map (g < n) {\n" +
			"let p: [2]i32 @ m_p" + p + " = replicate (2) " + at("g") + "\nlet u = " + at("g") + "\nlet p1: [2]i32 @ m_p" + p + " = p with [1] = u\nin p1 }\n" +
			"let m_o = alloc n * 4\nlet y: [n]i32 @ m_o = map (h < n) { in ys[" + r.index("h") + ", 0] + ys[h, 1] }"
	case 8: // halves
		return "let h = n / 2\nlet a = x[(0, h)]\n" +
			"let n2 = n - h\nlet b = x[(h, n2)]\n" +
			"let y: [n]i32 @ m_y" + y + " = concat@0 (" + r.of("a, b", "b, a") + ")"
	case 9: // through a loop's parameter
		return "let y: [n]i32 @ ?m_r -> LMAD(?o; (n : ?s)) = loop (cur: [n]i32 @ ?m_c -> LMAD(?o1; (n : ?s1)) = x) for it < " + r.of("0", "1", "3") + " {\n" +
			"let m_z = alloc n * 8 + 8\nlet z: [n]i32 @ m_z" + r.layout() + " = map (g < n) { in cur[" + r.index("g") + "] + 1 }\nin z }"
	default:
		return r.of(
			"let y: [n]i32 @ m_y"+y+" = scan (g < n) op (u, w) { in u + w } neutral (0) { in x[g] }",
			"let y: [n]i32 @ m_y"+y+" = copy x",
			"let back = x[(n - 1, n, -1)]\nlet y: [n]i32 @ m_y"+y+" = copy back",
			"let y0: [n]i32 @ m_y"+y+" = iota n\nlet y: [n]i32 @ m_y"+y+" = scatter y0 (g < n) { in ("+r.index("g")+" / 1 * 0 + g, "+at("g")+") }",
			"let y: [n]i32 @ m_y"+y+" = map (g < n) { let k: i32 = if g > 0 { in x[g] } else { in "+at("g")+" } in k }",
		)
	}
}

func (r patterns) program() string {
	x := r.layout()
	body := r.body()
	last := r.of("let last: [n]i32 @ m_last = map (l < n) { in y[l] }", "let last: [n]i32 @ m_last = map (l < n) { in y[l] + x["+r.index("l")+"] }",
		"let last: [n]i32 @ m_last = map (l < n) { in y["+r.index("l")+"] }")
	if strings.Contains(body, "loop (cur") {
		body = strings.ReplaceAll(body, "m_y", "m_none")
	}
	return "entry main [n] (ns: [n]i32 @ ?m_ns) : [n]i32 = {\nlet m_x = alloc n * 8 + 8\nlet m_y = alloc n * 16 + 8\nlet m_p = alloc n * 32\nlet m_q = alloc n * 32\n" +
		"let x: [n]i32 @ m_x" + x + " = map (e < n) { in ns[e] + 1 }\n" + strings.ReplaceAll(body, "m_none", "m_y") + "\nlet m_last = alloc n * 4\n" + last + "\nin last\n}\n"
}

func TestOracleOfPatterns(t *testing.T) {
	r := patterns{rand.New(rand.NewPCG(5, 9))}
	var n tally
	for k := range *programs {
		text := r.program()
		p := load.Explicit(t, text)
		var inputs [][]value.Value
		for _, in := range []string{"[1i32]", "[5i32, 2i32]", "[7i32, 1i32, 4i32]", "[3i32, 9i32, 8i32, 2i32, 6i32]"} {
			inputs = append(inputs, load.Inputs(t, p.Func("main"), in))
		}
		o := prepare(p, inputs)
		if len(o.inputs) == 0 {
			continue
		}
		table := analyze(p).Func("main")
		n.sound(t, o, table)
		t.Logf("program %d", k)
		n.precise(t, o, table, 60)
		if t.Failed() {
			return
		}
	}
	t.Log(n)
	if n.excused*10 < n.pairs || n.noticed*10 < n.claimed*6 {
		t.Errorf("%v: the patterns are not worth asking about", n)
	}
}
