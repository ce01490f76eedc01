package reuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/transform/reuse"
)

// So many arrays are needed at the same time that conflicts are not listed. This happens twice, so
// that the second half can take the blocks of the first.
func TestCrowded(t *testing.T) {
	const arrays = 1200
	var text strings.Builder
	text.WriteString("entry main [n] (xs: [n]i64) : i64 = {\n  let s0 = 0\n")
	k := 0
	for range 2 {
		for a := range arrays {
			fmt.Fprintf(&text, "  let a%d = map (t%d < n) { in xs[n - 1 - t%d] + s%d }\n", k+a, k+a, k+a, k)
		}
		for range arrays {
			fmt.Fprintf(&text, "  let s%d = s%d + a%d[n - 1]\n", k+1, k, k)
			k++
		}
	}
	fmt.Fprintf(&text, "  in s%d\n}\n", k)
	p := load.Checked(t, "test.ir", text.String())
	prepare(t, p, plain...)
	prepare(t, p, reuse.Pass)
	if got := metrics.Count(p).Alloc; got > arrays+arrays/10 {
		t.Errorf("%d allocations are left of %d, want about %d", got, 2*arrays, arrays)
	}
	sameResults(t, p, "main", arguments(t, p.Func("main"), "[1i64, 2i64]"))
}
