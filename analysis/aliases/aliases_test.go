package aliases_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

func analyze(t testing.TB, text string) *aliases.Table {
	t.Helper()
	p, list := driver.Check(diag.NewFile("test.ir", text))
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return aliases.Analyze(p).Func("main")
}

func file(t *testing.T, name string) *aliases.Table {
	t.Helper()
	text := must.Get(os.ReadFile("../../testdata/analysis/" + name))(t)
	return analyze(t, string(text))
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct{ file, mem, want string }{
		{"loop-block-per-iteration.ir", "m_b0", "[m_a0 m_b1]"},
		{"loop-block-per-iteration.ir", "m_a1", "[m_a0 m_b1]"},
		{"loop-block-per-iteration.ir", "m_a0", "[m_a0]"}, // not symmetric
		{"loop-block-per-iteration.ir", "m_b1", "[m_b1]"},
		{"blocks-rotate.ir", "a", "[m0 m1]"},
		{"blocks-rotate.ir", "mb", "[m0 m1]"},
		{"blocks-rotate.ir", "m2", "[m2]"},
		{"blocks-chain.ir", "m_d", "[m m_xs m_ys]"}, // an if, a loop, a call
		{"blocks-chain.ir", "m_e", "[m_e]"},         // made by the call
		{"branch-conditional-last-use.ir", "m_ys", "[m_then m_xs]"},
		{"first-order-loops.ir", "m_xss", "[m_xss]"},
	} {
		if got := fmt.Sprint(file(t, c.file).Blocks(c.mem)); got != c.want {
			t.Errorf("%s: blocks of %s are %s, want %s", c.file, c.mem, got, c.want)
		}
	}
}

func TestRelations(t *testing.T) {
	a := file(t, "loop-block-per-iteration.ir")
	for _, c := range []struct {
		x, y string
		want bool
	}{
		{"m_b0", "m_a0", true}, {"m_a0", "m_b0", true}, {"m_b0", "m_b1", true},
		{"m_a0", "m_b1", false}, {"m_x", "m_a1", false},
	} {
		if got := a.MayBeOne(c.x, c.y); got != c.want {
			t.Errorf("%s and %s may be one block: %v, want %v", c.x, c.y, got, c.want)
		}
	}
	v := file(t, "views-and-updates.ir")
	for _, c := range []struct {
		x, y string
		want bool
	}{{"xs", "back", true}, {"up", "back", true}, {"xs", "c", false}, {"c", "back", false}} {
		if got := v.MayShare(c.x, c.y); got != c.want {
			t.Errorf("%s and %s may share elements: %v, want %v", c.x, c.y, got, c.want)
		}
	}
	if got := fmt.Sprint(v.Arrays("up")); got != "[xs up back]" {
		t.Errorf("arrays that share with up: %s", got)
	}
	// ys is xs or zs_then, which share nothing.
	b := file(t, "branch-conditional-last-use.ir")
	if got := fmt.Sprint(b.Arrays("xs")); got != "[xs zs_else ys]" {
		t.Errorf("arrays that share with xs: %s", got)
	}
	if !b.MayShare("ys", "zs_then") || b.MayShare("xs", "zs_then") {
		t.Error("sharing must reach ys and go no further")
	}
}

// Calls: results that may be an argument, results that share a new array, and arguments that may be
// passed twice.
func TestCalls(t *testing.T) {
	text := `
fun two [n] (p: [n]i32 @ ?m_p, c: bool) : ([n]i32 @ ?m_q, [n]i32 @ ?m_r) = {
  let m = alloc n * 4
  let q: [n]i32 @ m = copy p
  let r: [n]i32 @ ?m_s = if c { in q } else { in p }
  in (q, r)
}
entry main [n] (xs: [n]i32 @ ?m_xs, c: bool) : ([n]i32, [n]i32) = {
  let (a: [n]i32 @ ?m_a, b: [n]i32 @ ?m_b) = two(xs, c)
  in (a, b)
}
`
	a := analyze(t, text)
	for mem, want := range map[string]string{"m_a": "[m_a]", "m_b": "[m_a m_xs]"} {
		if got := fmt.Sprint(a.Blocks(mem)); got != want {
			t.Errorf("blocks of %s are %s, want %s", mem, got, want)
		}
	}
	for _, unique := range []string{"", "*"} {
		p := fmt.Sprintf("(p: %s[n]i32 @ ?m_p, q: [n]i32 @ ?m_q)", unique)
		for _, head := range []string{"fun", "entry"} {
			a := analyze(t, head+" main [n] "+p+" : i32 = { in p[0] + q[0] }")
			if got, want := a.MayBeOne("m_p", "m_q"), head == "fun" && unique == ""; got != want {
				t.Errorf("%s %s: may be one block: %v, want %v", head, p, got, want)
			}
		}
	}
}

// A chain of loops: sets grow along it, the tables stay linear.
func TestLongChain(t *testing.T) {
	const n = 5000
	var b strings.Builder
	b.WriteString("entry main [n] (r0: [n]i32 @ ?b0, k: i64) : [n]i32 = {\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "let r%d: [n]i32 @ ?b%d = loop (p%d: [n]i32 @ ?c%d = r%d) for it%d < k {\n", i, i, i, i, i-1, i)
		fmt.Fprintf(&b, "let m%d = alloc n * 4\nlet y%d: [n]i32 @ m%d = copy p%d\nin y%d }\n", i, i, i, i, i)
	}
	fmt.Fprintf(&b, "in r%d }\n", n)
	a := analyze(t, b.String())
	if got := len(a.Blocks(fmt.Sprintf("b%d", n))); got != n+1 {
		t.Errorf("the last result may be %d blocks, want %d", got, n+1)
	}
	if got := a.Blocks("b1"); fmt.Sprint(got) != "[b0 m1]" {
		t.Errorf("the first result may be %v", got)
	}
	if names, more := a.BlocksUpTo(fmt.Sprintf("b%d", n), 3); len(names) != 3 || !more {
		t.Errorf("three of many are %v, more %v", names, more)
	}
	if got := a.BlockGraph().Len(); got > 3*n {
		t.Errorf("%d components for %d loops", got, n)
	}
}
