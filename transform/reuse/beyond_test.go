package reuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform/coalesce"
	"github.com/memc-lang/memc/transform/hoist"
	"github.com/memc-lang/memc/transform/reuse"
)

// Programs beyond the bounds of the searches (internal/compiler/pipeline/bounds.md) hold no more memory after the passes
// than before them, measured on runs.
func TestPeakBeyondBounds(t *testing.T) {
	for _, c := range []struct{ what, text string }{
		{"blocks of a plan that is improved, and of the exact search", chain(3100)},
		{"names that are needed together", together(1500)},
		{"different sizes of many blocks", sizes(200)},
		{"real blocks of a name", rotating(80)},
		{"accesses looked at for a candidate, and its origins", parts(700)},
		{"definitions in a row", halves(80)},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := load.Checked(t, "test.ir", c.text)
			prepare(t, p, plain...)
			old := ir.CloneProgram(p)
			prepare(t, p, hoist.Lift, coalesce.Pass, hoist.Lower, reuse.Pass)
			for _, n := range []int64{0, 1, 5} {
				xs := value.New(ir.I64, []int64{n})
				for j := range n {
					xs.SetBits(j, uint64(j))
				}
				args := []value.Value{xs, value.Scalar(ir.I64, uint64(n))}
				if was, is := peakOf(t, old, "main", args), peakOf(t, p, "main", args); is > was {
					t.Errorf("n = %d: the peak rises from %d to %d", n, was, is)
				}
			}
		})
	}
}

const entry = "entry main [n] (xs: [n]i64, k: i64) : i64 = {\n"

// chain makes arrays of three sizes, one of the other.
func chain(n int) string {
	var s strings.Builder
	s.WriteString(entry + "  let a0 = map (g0 < n) { in xs[g0] + k }\n")
	for j := 1; j < n; j++ {
		fmt.Fprintf(&s, "  let a%d = map (g%d < n + %d) { in if g%d < n then a%d[g%d] else k }\n", j, j, j%3, j, j-1, j)
	}
	fmt.Fprintf(&s, "  in if n > 0 then a%d[0] else 0\n}\n", n-1)
	return s.String()
}

// together makes arrays of which all are read at the end.
func together(n int) string {
	var s strings.Builder
	s.WriteString(entry)
	for j := range n {
		fmt.Fprintf(&s, "  let a%d = map (g%d < n) { in xs[g%d] + %d }\n", j, j, j, j)
	}
	sum := "0"
	for j := range n {
		fmt.Fprintf(&s, "  let s%d = %s + (if n > 0 then a%d[n - 1] else 0)\n", j, sum, j)
		sum = fmt.Sprintf("s%d", j)
	}
	return s.String() + "  in " + sum + "\n}\n"
}

// sizes makes arrays of different sizes, each read by the next.
func sizes(n int) string {
	var s strings.Builder
	s.WriteString(entry + "  let v0 = 1i64\n")
	for j := range n {
		fmt.Fprintf(&s, "  let a%d = map (g%d < v%d) { in g%d + k }\n  let v%d = max(0, a%d[0] %% 7) + %d\n", j, j, j, j, j+1, j, j%5+1)
	}
	return s.String() + fmt.Sprintf("  in v%d\n}\n", n)
}

// rotating makes a loop whose parameters change places.
func rotating(n int) string {
	var s strings.Builder
	s.WriteString(entry)
	var results, inits, next []string
	for j := range n {
		fmt.Fprintf(&s, "  let a%d = map (g%d < n) { in xs[g%d] + %d }\n", j, j, j, j)
		results = append(results, fmt.Sprintf("r%d", j))
		inits = append(inits, fmt.Sprintf("p%d = a%d", j, j))
		next = append(next, fmt.Sprintf("p%d", (j+1)%n))
	}
	fmt.Fprintf(&s, "  let (%s) = loop (%s) for t < k {\n    in (%s)\n  }\n", strings.Join(results, ", "), strings.Join(inits, ", "), strings.Join(next, ", "))
	return s.String() + fmt.Sprintf("  let b = map (j < n) { in r0[j] + r%d[j] }\n  in if n > 0 then b[0] else 0\n}\n", n-1)
}

// parts joins arrays, with others in between that need memory only for a while.
func parts(n int) string {
	var s strings.Builder
	s.WriteString(entry)
	var all []string
	for j := range n {
		fmt.Fprintf(&s, "  let t%d = map (h%d < n + n) { in h%d + k }\n", j, j, j)
		fmt.Fprintf(&s, "  let a%d = map (g%d < n) { in xs[g%d] + t%d[g%d + n] }\n", j, j, j, j, j)
		all = append(all, fmt.Sprintf("a%d", j))
	}
	fmt.Fprintf(&s, "  let l = n * %d\n  let c: [l]i64 = concat@0 (%s)\n", n, strings.Join(all, ", "))
	return s.String() + "  in if n > 0 then c[l - 1] else 0\n}\n"
}

// halves makes arrays whose sizes are computed from one another.
func halves(n int) string {
	var s strings.Builder
	s.WriteString(entry + "  let h0 = n + 1000\n  let a0 = map (g0 < h0) { in g0 + k }\n")
	for j := 1; j < n; j++ {
		fmt.Fprintf(&s, "  let h%d = max(h%d / 2, 1)\n  let a%d = map (g%d < h%d) { in a%d[min(2 * g%d, h%d - 1)] }\n", j, j-1, j, j, j, j-1, j, j-1)
	}
	return s.String() + fmt.Sprintf("  in a%d[0]\n}\n", n-1)
}
