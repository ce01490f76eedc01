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

// Many blocks, of which few are needed at one time, do not make a function crowded: chains of maps in
// one size, and loops in a row whose results may lie in any block of an earlier loop.
func TestNotCrowded(t *testing.T) {
	const chains, rounds, loops = 30, 200, 800
	var maps, row strings.Builder
	maps.WriteString("entry main [n] (xs: [n]i64) : i64 = {\n")
	for i := range chains {
		fmt.Fprintf(&maps, "  let y0_%d = map (t < n) { in xs[t] + %d }\n", i, i)
	}
	for r := range rounds {
		for i := range chains {
			fmt.Fprintf(&maps, "  let y%d_%d = map (t < n) { in y%d_%d[t] * 3 }\n", r+1, i, r, i)
		}
	}
	maps.WriteString("  let s0 = 0\n")
	for i := range chains {
		fmt.Fprintf(&maps, "  let s%d = s%d + y%d_%d[n - 1]\n", i+1, i, rounds, i)
	}
	fmt.Fprintf(&maps, "  in s%d\n}\n", chains)
	row.WriteString("entry main [n] (xs: [n]i64, k: i64) : i64 = {\n  let r0 = map (t < n) { in xs[t] }\n")
	for l := range loops {
		fmt.Fprintf(&row, "  let r%d = loop (p = r%d) for i < k { let b = map (t < n) { in p[t] + 1 } in b }\n", l+1, l)
	}
	fmt.Fprintf(&row, "  in r%d[0]\n}\n", loops)
	for _, c := range []struct {
		name, text string
		most       int
	}{{"chains", maps.String(), chains}, {"loops", row.String(), 1}} {
		p := load.Checked(t, "test.ir", c.text)
		prepare(t, p, before...)
		prepare(t, p, reuse.Pass)
		if got := metrics.Count(p).Alloc; got > c.most {
			t.Errorf("%s: %d allocations are left, want at most %d", c.name, got, c.most)
		}
	}
}

// So many loop parameters stand in a row that conflicts are not listed. Each loop makes every
// parameter's next value either over the present one or in one of two blocks that take turns.
func TestCrowdedLoops(t *testing.T) {
	const params, loops = 100, 8
	var text strings.Builder
	text.WriteString("entry main [n] (xs: [n]i64, k: i64) : i64 = {\n")
	for i := range params {
		fmt.Fprintf(&text, "  let r0_%d = map (t%d < n) { in xs[t%d] + %d }\n", i, i, i, i)
	}
	list := func(f func(i int) string) string {
		var all []string
		for i := range params {
			all = append(all, f(i))
		}
		return strings.Join(all, ", ")
	}
	for l := range loops {
		fmt.Fprintf(&text, "  let (%s) = loop (%s) for it%d < k {\n",
			list(func(i int) string { return fmt.Sprintf("r%d_%d", l+1, i) }),
			list(func(i int) string { return fmt.Sprintf("p%d_%d: [n]i64 = r%d_%d", l, i, l, i) }), l)
		for i := range params {
			fmt.Fprintf(&text, "    let b%d_%d = map (s%d_%d < n) { in p%d_%d[s%d_%d] + 1 }\n", l, i, l, i, l, (i+1)%params, l, i)
		}
		fmt.Fprintf(&text, "    in (%s) }\n", list(func(i int) string { return fmt.Sprintf("b%d_%d", l, i*7%params) }))
	}
	text.WriteString("  let s0 = 0\n")
	for i := range params {
		fmt.Fprintf(&text, "  let s%d = s%d * 3 + r%d_%d[n - 1]\n", i+1, i, loops, i)
	}
	fmt.Fprintf(&text, "  in s%d\n}\n", params)
	p := load.Checked(t, "test.ir", text.String())
	prepare(t, p, before...)
	prepare(t, p, reuse.Pass)
	if got, most := metrics.Count(p).Alloc, 13*params; got > most {
		t.Errorf("%d allocations are left, want at most %d", got, most)
	}
	for _, k := range []string{"0i64", "1i64", "2i64", "3i64"} {
		sameResults(t, p, "main", arguments(t, p.Func("main"), "[1i64, 2i64] "+k))
	}
}
