package checks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// TestOf records for each index, divisor and item of a thread whether its check never fails (+) or
// may fail (-), in the order of the text.
func TestOf(t *testing.T) {
	for name, c := range map[string]struct{ space, body, want string }{
		"itself":          {"n", `in xs[i]`, "+"},
		"next":            {"n", `in xs[i + 1]`, "-"},
		"kept below":      {"n", `in xs[min(i + 1, n - 1)]`, "+"},
		"kept above":      {"n", `in xs[max(i - 1, 0)]`, "+"},
		"kept too far":    {"n", `in xs[min(i + 1, n)]`, "-"},
		"condition":       {"n", `in if i > 0 then xs[i - 1] else 0`, "+"},
		"other branch":    {"n", `in if i > 0 then 0 else xs[i - 1]`, "-"},
		"named condition": {"n", `let inside = i > 0 && i < n - 1 in if inside then xs[i - 1] + xs[i + 1] else 0`, "++"},
		"of another name": {"n", `let low = i > 0 let inside = low && i < n - 1 in if !inside then xs[i - 1] else xs[i + 1]`, "-+"},
		"not the last":    {"n", `in if i == n - 1 then 0 else xs[i + 1]`, "+"},
		"around":          {"n", `let a = i + n in xs[if a < n then a else a - n]`, "+"},
		"and":             {"n", `in if i + 1 < n && xs[i + 1] > 0 then 1 else 0`, "+"},
		"or":              {"n", `in if i + 1 < n || xs[i + 1] > 0 then 1 else 0`, "-"},
		"no upper end":    {"n", `let v = if k >= 0 { in xs[i + k] } else { in 0 } in v`, "-"},
		"no lower end":    {"n", `let v = if i + k < n { in xs[i + k] } else { in 0 } in v`, "-"},
		"matrix":          {"n * c", `in yss[i / c, i % c]`, "++++"},
		"matrix turned":   {"n * c", `in yss[i % c, i / c]`, "++--"},
		"named":           {"n * c", `let y = i / c let x = i % c in yss[y, x]`, "++++"},
		"named, turned":   {"n * c", `let y = i / c let x = i % c in yss[x, y]`, "++--"},
		"any divisor":     {"n", `in i32(i / k)`, "-"},
		"positive":        {"n", `in if k > 0 then i32(i % k) else 0`, "+"},
		"negative":        {"n", `in if k < 0 then i32(i / k) else 0`, "+"},
		"another one":     {"n", `in if k != 1 then i32(i / k) else 0`, "-"},
		"wraps":           {"n", `in xs[min(i * 4611686018427387904, n - 1)]`, "-"},
		"first half":      {"n", `let ys = xs[(0, n / 2)] in ys[0]`, "--+-"},
		"from k":          {"n", `let ys = if k >= 0 && k <= n { let zs = xs[(k, n - k)] in zs[0] } else { in 0 } in ys`, "+-"},
		"from any k":      {"n", `let ys = xs[(k, n - k)] in ys[0]`, "--"},
		"every other":     {"n", `let ys = xs[(0, n / 2, 2)] in ys[0]`, "--+-"},
		"too many":        {"n", `let ys = xs[(0, n / 2 + 1, 2)] in ys[0]`, "---+"},
		"each k-th":       {"n", `let ys = if k >= 1 && k <= 9 && n >= 90 { let zs = xs[(0, 10, k)] in zs[0] } else { in 0 } in ys`, "++"},
		"k too large":     {"n", `let ys = if k >= 1 && k <= 11 && n >= 90 { let zs = xs[(0, 10, k)] in zs[0] } else { in 0 } in ys`, "-+"},
		"k may be 0":      {"n", `let ys = if k >= 0 && k <= 9 && n >= 90 { let zs = xs[(0, 10, k)] in zs[0] } else { in 0 } in ys`, "-+"},
		"any k":           {"n", `let ys = if k >= 1 && n >= 90 { let zs = xs[(0, 10, k)] in zs[0] } else { in 0 } in ys`, "-+"},
		"backwards":       {"n", `let ys = xs[(n - 1, n, -1)] in ys[0]`, "-+"},
		"updated":         {"n", `let mq = alloc n * 4 let qs: [n]i32 @ mq = replicate (n) 0i32 let zs = qs with [i] = 1 in zs[0]`, "++"},
		"updated next":    {"n", `let mq = alloc n * 4 let qs: [n]i32 @ mq = replicate (n) 0i32 let zs = qs with [i + 1] = 1 in zs[0]`, "-+"},
		"an element":      {"n", `in xs[i64(xs[i])]`, "+-"},
		"branches":        {"13", ten(`if i < 3 then i else (i - 3) % 9 + 1`), "-+"}, // a literal divisor counts as -
		"one too many":    {"14", ten(`if i < 13 then i % 9 else i - 3`), "--"},
		"below 0":         {"13", ten(`(i - 3) % 9 + 1`), "--"},
		"turned":          {"13", ten(`if i >= 3 then i else (i - 3) % 9 + 1`), "--"},
		"of the rest":     {"13", ten(`if k > 0 && k <= 10 then i % k else if i < 4 then 3 - i else 9`), "++"},
		"by any k":        {"13", ten(`i % k`), "--"},
		"too far on":      {"n", `let s = loop (s = 0) for j < n - i { in s + xs[i + j] + xs[i + j + 1] } in s`, "+-"},
	} {
		t.Run(name, func(t *testing.T) {
			f := diag.NewFile("test.ir", fmt.Sprintf("entry main [n] [c] (xs: [n]i32 @ ?m_xs, k: i64, yss: [n][c]i32 @ ?m_yss) : i32 = {\n"+
				"let size = %s let m = alloc size * 4\nlet ys: [size]i32 @ m = map (i < size) { %s }\nin 0 }", c.space, c.body))
			p, list := parser.Parse(f)
			must.Do(t, list.Err())
			if list = check.Program(p); list.Err() != nil {
				t.Fatal(list.Err())
			}
			if got := marks(p); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// ten returns the body of a thread that reads an array of ten elements at an index.
func ten(index string) string {
	return "let mq = alloc 40 let qs: [10]i32 @ mq = replicate (10) 0i32 let r = " + index + " in qs[r]"
}

// TestSizes checks whether the sizes of a statement in a group are proven: of a kernel, of an array
// without values, and of a reshaped one.
func TestSizes(t *testing.T) {
	for name, c := range map[string]struct {
		known, size string
		want        bool
	}{
		"constant":       {"true", "4", true},
		"of an array":    {"true", "n", false}, // no upper end
		"both ends":      {"k >= 0 && k < 1000", "k", true},
		"no upper end":   {"k >= 0", "k", false},
		"no lower end":   {"k < 1000", "k", false},
		"sum":            {"k >= 0 && k < 1000", "k + 3", true},
		"may be below 0": {"k >= 0 && k < 1000", "k - 1", false},
		"may wrap":       {"k >= 0", "k + 3", false},
		"too large":      {"k >= 0 && k < 1000", "k * 4294967296", false},
	} {
		for _, made := range []string{
			"let t: [size]i32 @ g = map (j < size) { in xs[i] }",
			"let t: [size]i32 @ g = scratch i32 (size)",
			"let t: [size]i32 @ m_xs = reshape (size) xs",
		} {
			t.Run(name, func(t *testing.T) {
				p, list := parser.Parse(diag.NewFile("test.ir", fmt.Sprintf("entry main [n] (xs: [n]i32 @ ?m_xs, k: i64) : i32 = {\n"+
					"assert %s \"known\"\nlet size = %s\nlet m = alloc n * 4\n"+
					"let ys: [n]i32 @ m = map (i < n) { let g = alloc@group size * 4 %s in xs[i] }\nin 0 }", c.known, c.size, made)))
				must.Do(t, list.Err())
				if list = check.Program(p); list.Err() != nil {
					t.Fatal(list.Err())
				}
				table := Of(p, accesses.Of(p))
				ir.WalkStmts(p.Funcs[0].Body, func(s *ir.Stmt) bool {
					if len(s.Pat) == 1 && s.Pat[0].Name == "t" && table.Sizes(s) != c.want {
						t.Errorf("%s: proven %v, want %v", made, !c.want, c.want)
					}
					return true
				})
			})
		}
	}
}

func marks(p *ir.Program) string {
	table := Of(p, accesses.Of(p))
	var out strings.Builder
	mark := func(never bool) {
		if never {
			out.WriteByte('+')
		} else {
			out.WriteByte('-')
		}
	}
	var exp func(e ir.Exp)
	exp = func(e ir.Exp) {
		ir.WalkExp(e, func(e ir.Exp) bool {
			switch e := e.(type) {
			case *ir.Binary:
				if e.Op == "/" || e.Op == "%" {
					mark(table.Divisor(e))
				}
			case *ir.Index:
				for _, i := range e.Indices {
					exp(i)
				}
				for d := range e.Indices {
					mark(table.Index(e, d))
				}
				return false
			}
			return true
		})
	}
	var body func(b *ir.Body)
	body = func(b *ir.Body) {
		for _, s := range b.Stmts {
			ir.Exps(s.Op, exp)
			var items []ir.Item
			switch op := s.Op.(type) {
			case *ir.Slice:
				items = op.Items
			case *ir.Update:
				items = op.Items
			}
			for d := range items {
				mark(table.Item(&items[d]))
			}
			for _, in := range ir.Bodies(s.Op) {
				body(in)
			}
		}
		for _, e := range b.Result {
			exp(e)
		}
	}
	body(p.Funcs[0].Body)
	return out.String()
}
