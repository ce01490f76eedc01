package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir/check"
)

// long returns a program of about n statements that exercises what could be
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

// nest returns d loops inside each other, of which the innermost makes the sizes
// of all grow: each has to be walked again.
func nest(d int) string {
	var b strings.Builder
	b.WriteString("entry main [n] (a_0: [n]i32, k: i64) : i64 = {\n")
	for i := 1; i <= d; i++ {
		fmt.Fprintf(&b, "let r_%d = loop (a_%d = a_%d) for i_%d < k {\n", i, i, i-1, i)
	}
	fmt.Fprintf(&b, "let r_%d = concat@0 (a_%d, a_0)\n", d+1, d)
	for i := d; i >= 1; i-- {
		fmt.Fprintf(&b, "in r_%d\n}\n", i+1)
	}
	b.WriteString("in n\n}\n")
	return b.String()
}

func TestNest(t *testing.T) {
	accept(t, parse(t, "nest.ir", nest(40)), "nested loops")
}

// BenchmarkNest shows the cost of sizes that change by iteration: it may grow
// with the square of the depth, not with its cube.
func BenchmarkNest(b *testing.B) {
	for _, d := range []int{100, 200, 400} {
		b.Run(fmt.Sprint(d), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				p := parse(b, "nest.ir", nest(d))
				b.StartTimer()
				if l := check.Program(p); l.Failed() {
					b.Fatal(render(&l))
				}
			}
		})
	}
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
