package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir/check"
)

// long gives a program of about n statements that exercises what could be
// quadratic: chains of updates, of ifs, of sizes, of slices of slices.
func long(n int) string {
	var b strings.Builder
	b.WriteString("entry main [n] (xs: [n]i32, u_0: *[n]i32, c: bool) : ([n]i32, i32) = {\n  let k_0 = n\n  let s_0 = xs\n  let r_0 = xs\n  let v_0 = 0i32\n")
	for i := 0; i < n/10; i++ {
		j := i + 1
		fmt.Fprintf(&b, "  let a_%d = u_%d[%d]\n  let u_%d = u_%d with [%d] = a_%d + 1\n", j, i, i, j, i, i, j)
		fmt.Fprintf(&b, "  let k_%d = k_%d + %d\n  let f_%d = replicate (k_%d) a_%d\n", j, i, i%3, j, j, j)
		fmt.Fprintf(&b, "  let s_%d = s_%d[(0, n)]\n", j, i)
		fmt.Fprintf(&b, "  let r_%d = if c { in r_%d } else { in s_%d }\n", j, i, j)
		fmt.Fprintf(&b, "  let m_%d = map (i_%d < n) { in r_%d[i_%d] + s_%d[i_%d] }\n", j, j, j, j, j, j)
		fmt.Fprintf(&b, "  let g_%d = concat@0 (m_%d, f_%d)\n  let v_%d = v_%d + g_%d[0]\n", j, j, j, j, i, j)
	}
	fmt.Fprintf(&b, "  in (u_%d, v_%d)\n}\n", n/10, n/10)
	return b.String()
}

func TestLong(t *testing.T) {
	p := parse(t, "long.ir", long(5000))
	accept(t, p, "a long program")
}

// BenchmarkProgram shows how checking grows with the program.
func BenchmarkProgram(b *testing.B) {
	for _, n := range []int{10_000, 30_000, 100_000} {
		text := long(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				p := parse(b, "long.ir", text)
				b.StartTimer()
				if l := check.Program(p); l.Failed() {
					b.Fatal(render(&l))
				}
			}
		})
	}
}
