package memcheck_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/ir/diag"
)

// chained writes n maps, each of the one before, in two blocks in turns.
func chained(n int) string {
	var b strings.Builder
	b.WriteString("entry main [n] (a0: [n]i32 @ ?m_x) : [n]i32 = {\n  let m0 = alloc n * 4\n  let m1 = alloc n * 4\n")
	for k := range n {
		fmt.Fprintf(&b, "  let a%d: [n]i32 @ m%d = map (t%d < n) { in a%d[t%d] + 1 }\n", k+1, k%2, k, k, k)
	}
	fmt.Fprintf(&b, "  in a%d\n}\n", n)
	return b.String()
}

// rows writes n arrays that live in one block at one time.
func rows(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "entry main [n] (xs: [n]i32 @ ?m_x) : i32 = {\n  let m = alloc n * %d\n", 4*n)
	for k := range n {
		fmt.Fprintf(&b, "  let a%d: [n]i32 @ m -> LMAD(n * %d; (n : 1)) = map (t%d < n) { in xs[t%d] + %d }\n", k, k, k, k, k)
	}
	b.WriteString("  let s0 = 0i32\n")
	for k := range n {
		fmt.Fprintf(&b, "  let s%d = s%d + a%d[0]\n", k+1, k, k)
	}
	fmt.Fprintf(&b, "  in s%d\n}\n", n)
	return b.String()
}

func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		for name, text := range map[string]string{"chained": chained(n), "rows": rows(n)} {
			b.Run(fmt.Sprintf("%s-%d", name, n), func(b *testing.B) {
				p := prepare(b, diag.NewFile(name, text))
				if p == nil {
					b.Fatal("the program is refused")
				}
				for b.Loop() {
					if found := memcheck.Check(p).Findings; len(found) > 0 {
						b.Fatal(found[0].Diag)
					}
				}
			})
		}
	}
}

// Many arrays in one block, and many blocks' worth of arrays in two, are proven.
func TestManyArrays(t *testing.T) {
	for name, text := range map[string]string{"chained": chained(300), "rows": rows(300)} {
		p := prepare(t, diag.NewFile(name, text))
		if p == nil {
			t.Fatalf("%s: the program is refused", name)
		}
		for _, f := range memcheck.Check(p).Findings {
			t.Errorf("%s: %v", name, f.Diag)
		}
	}
	// One row too low: found among all.
	p := prepare(t, diag.NewFile("rows", strings.Replace(rows(300), "LMAD(n * 200;", "LMAD(n * 17;", 1)))
	found := memcheck.Check(p).Findings
	if len(found) != 1 || !strings.Contains(found[0].Diag.Msg, "`a17` is read, but `a200` has overwritten") {
		t.Errorf("found %v", found)
	}
}
