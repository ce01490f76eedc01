package accesses

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/parser"
)

// tableOf analyses the function main of a program.
func tableOf(t *testing.T, text string) *Table {
	t.Helper()
	p, list := parser.Parse(diag.NewFile("test.ir", text))
	if list.Failed() {
		t.Fatal(list.Err())
	}
	if more := check.Program(p); more.Failed() {
		t.Fatal(more.Err())
	}
	return Analyze(p, liveness.Analyze(p, aliases.Analyze(p))).Func("main")
}

// text returns an access as `read xs[i]`, `write ys[0 +: n]`, and so on.
func text(a Access) string {
	s := "read "
	if a.Write {
		s = "write "
	}
	if a.Staged {
		s = "staged " + s
	}
	if a.Array == "" {
		return s + "anywhere in " + a.Block
	}
	if a.Items == nil {
		return s + a.Array
	}
	var items []string
	for _, it := range a.Items {
		if it.Fixed {
			items = append(items, ir.ExpString(it.Index))
		} else {
			items = append(items, ir.ExpString(it.Start)+" +: "+ir.ExpString(it.Len))
		}
	}
	return s + a.Array + "[" + strings.Join(items, ", ") + "]"
}

// What every kind of statement touches, in the order of the points.
func TestAccesses(t *testing.T) {
	for _, c := range []struct{ name, program, want string }{
		{"element reads", `entry main [n] (xs: [n]i64 @ ?m) : i64 = {
			let a = xs[0] + xs[xs[1]]
			in a
		}`, "read xs[0]; read xs[xs[1]]; read xs[1]"},
		{"map", `entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
			let m = alloc n * 4
			let ys: [n]i32 @ m = map (i < n) { in xs[n - 1 - i] }
			in ys
		}`, "read xs[n - 1 - i]; write ys[i]"},
		{"map of rows", `entry main [n] (xs: [n]i32 @ ?m_xs) : [n][2]i32 = {
			let m = alloc n * 8
			let m_row = alloc n * 8
			let ys: [n][2]i32 @ m = map (i < n) {
				let row: [2]i32 @ m_row -> Direct(n, 2) -> Slice(i, (0, 2)) = replicate (2) xs[i]
				in row
			}
			in ys
		}`, "read xs[i]; write row; read row; write ys[i, 0 +: 2]"},
		{"copy, concat and update", `entry main [n] (xs: *[n]i32 @ ?m_xs) : (l: i64, [n]i32, [l]i32) = {
			let l = n + n
			let m = alloc n * 4
			let m_both = alloc l * 4
			let c: [n]i32 @ m = copy xs
			let both: [l]i32 @ m_both = concat@0 (xs, c)
			let xs1: [n]i32 @ m_xs = xs with [(0, n)] = c
			in (l, xs1, both)
		}`, "read xs; write c; read xs; read c; write both; read c; write xs1[0 +: n]"},
		{"a scan of scalars writes by points", `entry main [n] (xs: [n]i32 @ ?m_xs) : ([n]i32, i32) = {
			let m = alloc n * 4
			let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in xs[i] }
			let ys: [n]i32 @ m = scan (j < n) op (c, d) { in c + d } neutral (0) { in xs[j] }
			in (ys, s)
		}`, "read xs[i]; read xs[j]; write ys[j]"},
		{"delayed arrays, ifs and loops touch nothing", `entry main [n] (xs: [n]i32 @ ?m_xs, c: bool) : [n]i32 = {
			let zs: [n]i32 @ m_xs = xs
			let ys: [n]i32 @ m_xs = if c { in zs } else { in xs }
			let vs: [n]i32 @ m_xs = loop (ws: [n]i32 @ m_xs = ys) for k < 3 { in ws }
			in vs
		}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := tableOf(t, c.program)
			var got []string
			last := 0
			for _, a := range table.All {
				got = append(got, text(a))
				if a.Point < last {
					t.Errorf("%s comes too late", text(a))
				}
				last = a.Point
				if !slices.ContainsFunc(table.At(a.Point), func(b Access) bool { return text(b) == text(a) }) {
					t.Errorf("%s is not at its point", text(a))
				}
			}
			if s := strings.Join(got, "; "); s != c.want {
				t.Errorf("accesses: %s\nwant:     %s", s, c.want)
			}
		})
	}
}

// A fact is what has to be known, or must not be, where an element is read.
type known struct {
	read  string // the access
	least string // at least 0
	want  bool
}

// Facts at accesses come from conditions of branches and of conditional expressions, asserts,
// bounds, and definitions.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name, params, body string
		facts              []known
	}{
		{"bounds of a kernel", "", "xs[i]", []known{{"xs[i]", "i", true}, {"xs[i]", "n - 1 - i", true}, {"xs[i]", "i - 1", false}}},
		{"conditional expression", "", "if i > 0 then xs[i - 1] else xs[i]", []known{
			{"xs[i - 1]", "i - 1", true}, {"xs[i]", "-i", true}, {"xs[i]", "i - 1", false}}},
		{"else if", "", "if i > 5 then xs[0] else if i > 3 then xs[1] else xs[2]", []known{
			{"xs[0]", "i - 6", true}, {"xs[1]", "5 - i", true}, {"xs[1]", "i - 4", true}, {"xs[1]", "i - 5", false}, {"xs[2]", "3 - i", true}}},
		{"the condition itself", "", "if xs[i] > 0 then 1 else 2", []known{{"xs[i]", "i", true}, {"xs[i]", "i - 1", false}}},
		{"and", "", "if i > 0 && xs[i - 1] > 0 then 1 else 2", []known{{"xs[i - 1]", "i - 1", true}}},
		{"or", "", "if i < 1 || xs[i - 1] > 0 then 1 else 2", []known{{"xs[i - 1]", "i - 1", true}}},
		{"not of the other side of or", "", "if xs[i] > 0 || i < 1 then 1 else 2", []known{{"xs[i]", "i - 1", false}}},
		{"other than 0", "", "if i == 0 then 0 else xs[i - 1]", []known{{"xs[i - 1]", "i - 1", true}}},
		{"other than 0, with a factor", "", "if i * 3 == 0 then 0 else xs[i - 1]", []known{{"xs[i - 1]", "i - 1", true}}},
		{"other than 0, with a factor that may wrap", "", "if i * n == 0 then 0 else xs[i - 1]", []known{{"xs[i - 1]", "i - 1", false}}},
		{"a sum that may wrap", "", "if i + k < 5 then xs[k] else 0", []known{{"xs[k]", "4 - i - k", false}}},
		{"a product that may wrap", "assert k > 0\nlet r = n * k", "if r > 0 then xs[r - 1] else 0", []known{{"xs[r - 1]", "r - 1", true}, {"xs[r - 1]", "r - n", false}}},
		{"quotient and remainder", "let r = i / 4\nlet c = i % 4", "xs[r + c]", []known{
			{"xs[r + c]", "r", true}, {"xs[r + c]", "c", true}, {"xs[r + c]", "3 - c", true}, {"xs[r + c]", "i - 4 * r - c", true}, {"xs[r + c]", "2 - c", false}}},
		{"remainder alone", "let c = i % 4", "xs[c]", []known{{"xs[c]", "c", true}, {"xs[c]", "3 - c", true}, {"xs[c]", "i - c", true}}},
		{"remainder of what may be negative", "let c = (i - 9) % 4", "xs[c]", []known{{"xs[c]", "c", false}, {"xs[c]", "c + 3", true}, {"xs[c]", "3 - c", true}}},
		{"rounded down", "let c = fmod(i - 9, 4)", "xs[c]", []known{{"xs[c]", "c", true}, {"xs[c]", "3 - c", true}}},
		{"max and min", "let lo = max(1, i - 3)\nlet hi = min(n, i + 1)", "xs[lo + hi]", []known{
			{"xs[lo + hi]", "lo - 1", true}, {"xs[lo + hi]", "lo - i + 3", true}, {"xs[lo + hi]", "n - hi", true}, {"xs[lo + hi]", "hi - lo", false}, {"xs[lo + hi]", "lo - 2", false}}},
		{"assert", "assert k == i && k > 2", "xs[k]", []known{{"xs[k]", "i - 3", true}, {"xs[k]", "k - 4", false}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			table := tableOf(t, fmt.Sprintf(`entry main [n] (xs: [n]i64 @ ?m_xs, k: i64) : [n]i64 = {
				let m = alloc n * 8
				let ys: [n]i64 @ m = map (i < n) {
					%s
					in %s
				}
				in ys
			}`, c.params, c.body))
			for _, f := range c.facts {
				at := slices.IndexFunc(table.All, func(a Access) bool { return text(a) == "read "+f.read })
				if at < 0 {
					t.Errorf("nothing reads %s", f.read)
					continue
				}
				a := &table.All[at]
				if got := a.Known().AtLeast(polynomial(t, f.least), 0); got != f.want {
					t.Errorf("at %s: %s >= 0 is %v, want %v", f.read, f.least, got, f.want)
				}
			}
		})
	}
}

// polynomial reads one over the names of TestKnown.
func polynomial(t *testing.T, s string) sym.Poly {
	t.Helper()
	p, list := parser.Parse(diag.NewFile("expression", "fun f (n: i64, i: i64, k: i64, r: i64, c: i64, lo: i64, hi: i64) : i64 = { let e = "+s+" in e }"))
	if list.Failed() {
		t.Fatal(list.Err())
	}
	if more := check.Program(p); more.Failed() {
		t.Fatal(more.Err())
	}
	return sym.Of(p.Funcs[0].Body.Stmts[0].Op.(*ir.Compute).E)
}

// Of a branch only its own condition is known, and behind the if neither.
func TestKnownOfBranches(t *testing.T) {
	table := tableOf(t, `entry main [n] (xs: [n]i64 @ ?m, k: i64) : i64 = {
		let a = if k > 3 { let b = xs[0] in b } else { let c = xs[1] in c }
		let d = xs[2]
		in a + d
	}`)
	for k, want := range []struct{ high, low bool }{{true, false}, {false, true}, {false, false}} {
		f := table.All[k].Known()
		if f.AtLeast(polynomial(t, "k - 4"), 0) != want.high || f.Less(polynomial(t, "k"), sym.Const(4)) != want.low {
			t.Errorf("%s: other conditions than %v", text(table.All[k]), want)
		}
		if f != table.Facts(table.All[k].Point) {
			t.Errorf("%s: the access knows something else than its point", text(table.All[k]))
		}
	}
}

// Which statements could fail.
func TestCanFail(t *testing.T) {
	table := tableOf(t, `entry main [n] (xs: [n]i64 @ ?m, k: i64) : ([n]i64, i64) = {
		let m1 = alloc n * 8
		let safe: [n]i64 @ m1 = map (i < n) { in xs[i] / 2 }
		let m2 = alloc n * 8
		let index: [n]i64 @ m2 = map (j < n) { in xs[j + 1] }
		let divides = k / n
		let reads = xs[k]
		assert k > 0
		let tells = k > 2
		in (index, divides)
	}`)
	got := map[string]bool{}
	for _, s := range table.Func.Body.Stmts {
		if len(s.Pat) > 0 {
			got[s.Pat[0].Name] = table.CanFail(s)
		} else {
			got["assert"] = table.CanFail(s)
		}
	}
	for name, want := range map[string]bool{"m1": false, "safe": false, "index": true, "divides": true, "reads": true, "assert": true, "tells": false} {
		if got[name] != want {
			t.Errorf("%s can fail: %v, want %v", name, got[name], want)
		}
	}
}
