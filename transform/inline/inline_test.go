package inline_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/inline"
)

// A result is a program after the pass, and the pass's remarks.
type result struct {
	p       *ir.Program
	remarks []string
}

func run(t *testing.T, src string, limit int) result {
	t.Helper()
	p, list := parser.Parse(diag.NewFile("test.ir", src))
	if list.Failed() {
		t.Fatal(list.All[0])
	}
	if list := check.Program(p); list.Failed() {
		t.Fatal(list.All[0])
	}
	c := transform.NewContext("inline", &diag.List{File: p.File}, limit)
	must.Do(t, inline.Pass.Run(p, c))
	if list := check.Verify(p); list.Failed() {
		t.Fatalf("%v\n%s", list.All[0], p)
	}
	r := result{p: p}
	for _, d := range c.Remarks.All {
		r.remarks = append(r.remarks, d.Msg)
	}
	return r
}

const twice = `fun next [n] (xs: [n]i32, by: i32) : [n]i32 = {
  --@ next.fut:2:3
  let ys = map (i < n) { in xs[i] + by }
  in ys
}

entry main [n][m] (xs: [n]i32, zs: [m]i32) : ([n]i32, [m]i32) = {
  -- the first
  --@ main.fut:7:1
  let ys = next(xs, 1)  -- here
  let ws = next(zs, xs[0] + 1)
  in (ys, ws)
}
`

// Comments stay: those of the call above its first statement, and each position above what was made
// from there.
func TestCommentsStay(t *testing.T) {
	want := `entry main [n][m] (xs: [n]i32, zs: [m]i32) : ([n]i32, [m]i32) = {
  -- the first
  --@ main.fut:7:1
  let by'2: i32 = 1
  --@ next.fut:2:3
  let ys'2 = map (i'2 < n) { in xs[i'2] + by'2 }
  --@ main.fut:7:1
  let ys = ys'2  -- here
  let by'3: i32 = xs[0] + 1
  --@ next.fut:2:3
  let ys'3 = map (i'3 < m) { in zs[i'3] + by'3 }
  let ws = ys'3
  in (ys, ws)
}
`
	r := run(t, twice, transform.Unlimited)
	if d := cmp.Diff(want, r.p.String()); d != "" {
		t.Error(d)
	}
	if got := r.p.Speak("`ys'3`"); got != "`ys`" {
		t.Errorf("a message names ys'3 as %s", got)
	}
}

// With a limit the first call is inlined; the other one stays, and so does the function.
func TestLimit(t *testing.T) {
	text := run(t, twice, 1).p.String()
	if strings.Count(text, "next(") != 1 || !strings.Contains(text, "fun next") {
		t.Errorf("one call was to stay:\n%s", text)
	}
}

// scalars is a function that takes and returns scalars, of so many statements.
func scalars(n int) string {
	var b strings.Builder
	b.WriteString("fun f (x0: i32) : i32 = {\n")
	for k := range n {
		fmt.Fprintf(&b, "  let x%d = x%d + 1\n", k+1, k)
	}
	fmt.Fprintf(&b, "  in x%d\n}\n", n)
	return b.String()
}

// calls is an entry that calls f so many times.
func calls(n int) string {
	var b strings.Builder
	b.WriteString("entry main (y0: i32) : i32 = {\n")
	for k := range n {
		fmt.Fprintf(&b, "  let y%d = f(y%d)\n", k+1, k)
	}
	fmt.Fprintf(&b, "  in y%d\n}\n", n)
	return b.String()
}

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		name, src, refusal string
		left               int // calls
	}{
		{"the only call", scalars(100) + calls(1), "", 0},
		{"small", scalars(5) + calls(2), "", 0},
		{"large, and only scalars cross", scalars(100) + calls(2),
			"inline: [size] `f` has 102 statements, and only scalars cross its calls", 2},
		{"an entry stays", strings.Replace(scalars(5), "fun", "entry", 1) + calls(1), "", 0},
		{"too long in the end", scalars(10) + calls(2000),
			"inline: [size] `f` has 12 statements, and the program would become too long", 2000},
		{"rounding", strings.Replace(scalars(5), "fun", "fun contract", 1) + calls(1),
			"inline: [rounding] only one of `main` and `f` may round x * y + z once", 1},
		{"no entry needs it", scalars(5) + strings.Replace(calls(2), "entry main", "fun g", 1) + "entry main (x: i32) : i32 = {\n  in x\n}\n",
			"inline: [size] `f` would only make `g` longer, which no entry needs", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, c.src, transform.Unlimited)
			left := 0
			for _, f := range r.p.Funcs {
				ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
					if _, ok := s.Op.(*ir.Call); ok {
						left++
					}
					return true
				})
			}
			if left != c.left {
				t.Errorf("%d calls are left, not %d", left, c.left)
			}
			refusals := 0
			for _, m := range r.remarks {
				if transform.Refusal(m) {
					refusals++
					if m != c.refusal {
						t.Errorf("refused with %q, not %q", m, c.refusal)
					}
				}
			}
			if refusals != c.left {
				t.Errorf("%d remarks about %d calls that stay", refusals, c.left)
			}
		})
	}
}

// chain is a function that f calls, one that this calls, and so on; each calls the next some times.
func chain(depth, times int) string {
	var b strings.Builder
	b.WriteString("fun step0 [n] (x0: [n]i32) : [n]i32 = {\n  let y = map (i < n) { in x0[i] + 1 }\n  in y\n}\n")
	for k := 1; k <= depth; k++ {
		fmt.Fprintf(&b, "fun step%d [n] (x0: [n]i32) : [n]i32 = {\n", k)
		for j := range times {
			fmt.Fprintf(&b, "  let x%d = step%d(x%d)\n", j+1, k-1, j)
		}
		fmt.Fprintf(&b, "  in x%d\n}\n", times)
	}
	fmt.Fprintf(&b, "entry main [n] (x: [n]i32) : [n]i32 = {\n  let y = step%d(x)\n  in y\n}\n", depth)
	return b.String()
}

// A long chain of calls takes linear time, and one that doubles at every step stays within the bound.
func TestLongChains(t *testing.T) {
	start := time.Now()
	if r := run(t, chain(5000, 1), transform.Unlimited); len(r.p.Funcs) != 1 {
		t.Errorf("%d functions are left", len(r.p.Funcs))
	}
	t.Log(time.Since(start))
	r := run(t, chain(60, 2), transform.Unlimited)
	total := 0
	for _, f := range r.p.Funcs {
		total += ir.Size(f)
	}
	if total > 4000 || total < 500 {
		t.Errorf("the program has %d names", total)
	}
}
