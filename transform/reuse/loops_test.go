package reuse_test

import (
	"os"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform/reuse"
)

// allocsInLoops counts the allocations that loops of the host make.
func allocsInLoops(p *ir.Program) int {
	n := 0
	for _, f := range p.Funcs {
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			if l, ok := s.Op.(*ir.Loop); ok {
				ir.WalkStmts(l.Body, func(in *ir.Stmt) bool {
					if _, ok := in.Op.(*ir.Alloc); ok {
						n++
					}
					return true
				})
			}
			return true
		})
	}
	return n
}

// A temporary of each iteration is allocated once, before the loop, with no bytes if the loop has no iteration.
func TestAllocationLeavesLoop(t *testing.T) {
	for _, tc := range []struct {
		name, bound, size string
	}{
		{"runs for sure", "3", "n * 4"},
		{"may not run", "k", "if k > 0 then n * 4 else 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := load.Checked(t, "test.ir", `entry main [n] (xs: [n]i32, k: i64) : i32 = {
  let s = loop (a = 0i32) for l < `+tc.bound+` {
    let t = map (i < n) { in xs[n - 1 - i] * a + 1 }
    in t[0]
  }
  in s
}
`)
			prepare(t, p, plain...)
			if got := allocsInLoops(p); got != 1 {
				t.Fatalf("%d allocations in loops before, want 1", got)
			}
			apply(t, p, reuse.Pass)
			if want := " = alloc " + tc.size + "\n"; allocsInLoops(p) != 0 || !strings.Contains(p.String(), want) {
				t.Errorf("not%sbefore the loop:\n%s", want, p)
			}
			sameResults(t, p, "main", arguments(t, p.Func("main"), "[1i32, 2i32] 2i64"))
		})
	}
}

// The peak's formula counts an earlier iteration's instance that a parameter keeps, besides the
// present instance of the same block.
func TestFormulaOfOlderInstance(t *testing.T) {
	data, err := os.ReadFile("../../testdata/reuse/loop/neg-older-instance-held.ir")
	if err != nil {
		t.Fatal(err)
	}
	// Without the arrays before the loop its iterations hold most: t beside p.
	text := string(data)
	from, to := strings.Index(text, "  let m_z1"), strings.Index(text, "  let r:")
	text = text[:from] + "  let w = 0i64\n" + text[to:]
	p := load.Checked(t, "test.ir", text)
	table, _ := analyze(p, "main")
	if got := table.Peak().String(); got != "n * 48" {
		t.Errorf("peak %s, want n * 48: x, t, and what p keeps", got)
	}
}
