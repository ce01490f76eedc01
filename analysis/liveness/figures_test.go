package liveness_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

// where names a point: a statement by the names that it binds; "exit X", "end X" and "begin X" for
// a statement's bodies, with "/2" for the second body; "end" is the function's.
func where(t *liveness.Table, p int) string {
	pt := t.Points[p]
	name := ""
	if pt.Stmt != nil && len(pt.Stmt.Pat) > 0 {
		name = pt.Stmt.Pat[0].Name
	}
	kind := map[liveness.PointKind]string{liveness.Begin: "begin ", liveness.End: "end ", liveness.Exit: "exit "}[pt.Kind]
	if pt.Part > 0 {
		name += "/2"
	}
	return strings.TrimSpace(kind + name)
}

// The figures of the thesis, each with a counterpart: the last use of an array, the death of a
// block.
func TestFigures(t *testing.T) {
	for _, c := range []struct {
		file, kind, name, want string
	}{
		{"last-use-in-result", "array", "dst0", "end"},
		{"last-use-in-result", "array", "src", "exit dst1"},
		{"last-use-in-result", "block", "m_dst0", "end"},
		{"last-use-before-result", "array", "dst0", "k"},
		{"last-use-before-result", "block", "m_dst0", "k"},

		{"loop-outer-array", "block", "m_t", "end"}, // as a result, through m_res
		{"loop-outer-array", "array", "u", "exit v"},
		{"loop-own-array", "array", "acc", "exit u"},
		{"loop-own-array", "block", "m_t", "exit u, end"},
		{"branch-in-loop", "array", "t", "exit r"}, // not in the branches
		{"branch-in-loop", "array", "u", "v, begin s/2"},

		{"loop-temporary-last-use", "array", "xs", "exit ys"},
		{"loop-temporary-last-use", "block", "m_xs0", "exit ys, end"},
		{"loop-temporary-last-use", "block", "m_ts1", "exit ys, end"},
		{"loop-temporary-last-use-overridden", "array", "xs", ""},
		{"loop-temporary-last-use-overridden", "block", "m_xs0", "end"},

		{"branch-conditional-last-use", "array", "xs", "begin ys"},
		{"branch-conditional-last-use", "block", "m_xs", "begin ys, end"},
		{"branch-used-behind", "array", "xs", ""}, // ys shares its elements
		{"branch-used-behind", "block", "m_xs", "end"},
		{"branch-within-branch", "block", "m_xs", "v, begin s/2, begin r/2"},

		{"views-and-updates", "array", "xs", ""},
		{"views-and-updates", "array", "back", "v"},
		{"kernel-loop", "array", "ys", "exit r"},
		{"kernel-loop", "array", "t", "o"},
		{"first-order-loops", "block", "m_ys", "exit zs"},
	} {
		text := must.Get(os.ReadFile("../../testdata/analysis/" + c.file + ".ir"))(t)
		l := analyze(t, string(text))
		var got []string
		for p := range l.Points {
			names := l.LastUses(p)
			if c.kind == "block" {
				names = l.Dying(p)
			}
			for _, n := range names {
				if n == c.name {
					got = append(got, where(l, p))
				}
			}
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s %s ends at %q, want %q", c.file, c.kind, c.name, s, c.want)
		}
	}
}

// Figure 6.4: where the block of xs0 is free, and where it is not.
func TestTemporaryLastUse(t *testing.T) {
	free := func(file string) string {
		text := must.Get(os.ReadFile("../../testdata/analysis/" + file))(t)
		l := analyze(t, string(text))
		var out []string
		ir.WalkStmts(l.Func.Body, func(s *ir.Stmt) bool {
			if p := l.Stmt(s).From; !l.LiveInto("m_xs0", p) {
				out = append(out, where(l, p))
			}
			return ir.Bodies(s.Op) == nil || where(l, l.Stmt(s).From) == "r"
		})
		return strings.Join(out, " ")
	}
	if got, want := free("loop-temporary-last-use.ir"), "m_xs0 xs0 k m_ts0 ts0 k0 m_ts1 ts1"; got != want {
		t.Errorf("m_xs0 is free at %q, want %q", got, want)
	}
	if got, want := free("loop-temporary-last-use-overridden.ir"), "m_xs0 xs0"; got != want {
		t.Errorf("m_xs0 is free at %q, want %q", got, want)
	}
}

// TestOracleSees makes sure that the oracle of soundness notices when a block is ruined while it is
// needed.
func TestOracleSees(t *testing.T) {
	text := `
entry main (n: i64) : i64 = {
  let m = alloc n * 8
  let xs: [n]i64 @ m = iota n
  let junk: [n]i64 @ m = replicate (n) 9i64
  let v = xs[0]
  in v
}
`
	p := load.Explicit(t, text)
	if _, err := interp.ByMemory(p, "main", load.Inputs(t, p.Func("main"), "3i64"), interp.Options{}); err == nil {
		t.Fatal("reading ruined contents went unnoticed")
	}
}

// A long chain of loops whose parameters die early has as many gaps as loops. The first block must
// not get that many intervals for each loop.
func TestBoundedIntervals(t *testing.T) {
	const n = 3000
	var b strings.Builder
	b.WriteString("entry main [n] (z: [n]i32 @ ?bz, k: i64) : [n]i32 = {\nlet b0 = alloc n * 4\nlet r0: [n]i32 @ b0 = copy z\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "let r%d: [n]i32 @ ?b%d = loop (p%d: [n]i32 @ ?c%d = r%d) for it%d < k {\n", i, i, i, i, i-1, i)
		fmt.Fprintf(&b, "let v%d = p%d[0]\nlet w%d = v%d + 1\nlet m%d = alloc n * 4\nlet y%d: [n]i32 @ m%d = replicate (n) w%d\nin y%d }\n",
			i, i, i, i, i, i, i, i, i)
	}
	fmt.Fprintf(&b, "in r%d }\n", n)
	l := analyze(t, b.String())
	if k := len(l.Block("b0")); k > 2*64 {
		t.Errorf("b0 has %d intervals", k)
	}
	last := l.Block(fmt.Sprintf("m%d", n))
	if len(last) != 2 {
		t.Errorf("the last loop's block has the intervals %v, want two", last)
	}
}
