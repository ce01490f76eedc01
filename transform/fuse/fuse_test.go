package fuse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/fuse"
)

const program = `entry main [n] (xs: [n]i32, at: [n]i64) : [n]i32 = {
  --@ a.src:1:2
  let a = map (i < n) { in xs[i] + 1 }
  let b = map (i < n) { in a[i] * 2 }
  let c = map (i < n) { in b[at[i]] }
  in c
}
`

func fused(t *testing.T, limit int) (*ir.Program, []string) {
	t.Helper()
	p := load.Checked(t, "test.ir", program)
	c := transform.NewContext("fuse", &diag.List{File: p.File}, limit)
	must.Do(t, fuse.Pass.Run(p, c))
	var remarks []string
	for _, d := range c.Remarks.All {
		remarks = append(remarks, d.Msg)
	}
	return p, remarks
}

// Each rewrite and each refusal is told once, however many rounds there are.
func TestRemarks(t *testing.T) {
	p, got := fused(t, transform.Unlimited)
	want := []string{
		"fuse: `a` is computed where `b` reads it",
		"fuse: [bounds] an index of `b` is not proven to lie in it",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if text := p.String(); !strings.Contains(text, "--@ a.src:1:2\n  let b") {
		t.Errorf("the position in the source is lost:\n%s", text)
	}
}

// Without a rewrite left, the program stays as it is.
func TestLimit(t *testing.T) {
	p, _ := fused(t, 0)
	if want := load.Checked(t, "test.ir", program).String(); p.String() != want {
		t.Errorf("got\n%s", p)
	}
}

// A chain of maps becomes several kernels, each of bounded length.
func TestLongChain(t *testing.T) {
	var b strings.Builder
	b.WriteString("entry main [n] (y0: [n]i32) : [n]i32 = {\n")
	const maps = 400
	for k := range maps {
		fmt.Fprintf(&b, "  let y%d = map (i < n) { in y%d[i] * 3 + 1 }\n", k+1, k)
	}
	fmt.Fprintf(&b, "  in y%d\n}\n", maps)
	p := load.Checked(t, "test.ir", b.String())
	must.Get(pipeline.Run(p, must.Get(pipeline.Parse("fuse"))(t), pipeline.Options{Verify: true}))(t)
	if kernels := len(p.Funcs[0].Body.Stmts); kernels < 2 || kernels > maps/50 {
		t.Errorf("%d kernels", kernels)
	}
}

// All reductions move into the maps of their values, however many: not one in each round.
func TestManyReductions(t *testing.T) {
	var b strings.Builder
	const pairs = 3 * 16
	b.WriteString("entry main [n][m] (a: [n][m]i32, y0: [n]i32) : [n]i32 = {\n")
	for k := 1; k <= pairs; k++ {
		fmt.Fprintf(&b, "  let s%d = reduce (i < n, k < m) op (p, q) { in p + q } neutral (0) { in a[i, k] * y%d[i] }\n", k, k-1)
		fmt.Fprintf(&b, "  let y%d = map (i < n) { in s%d[i] + 1 }\n", k, k)
	}
	fmt.Fprintf(&b, "  in y%d\n}\n", pairs)
	p := load.Checked(t, "test.ir", b.String())
	must.Get(pipeline.Run(p, must.Get(pipeline.Parse("fuse"))(t), pipeline.Options{Verify: true}))(t)
	if left := len(p.Funcs[0].Body.Stmts); left != pairs {
		t.Errorf("%d statements are left of %d pairs", left, pairs)
	}
}
