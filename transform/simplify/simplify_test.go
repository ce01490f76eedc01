package simplify_test

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/simplify"
)

// simplified returns the text of a program behind the pass, and the remarks.
func simplified(t *testing.T, text string, limit int) (string, []pipeline.Remark) {
	t.Helper()
	p, list := driver.Check(diag.NewFile("test.ir", text))
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	opt := pipeline.Options{Verify: true}
	if limit >= 0 {
		opt.Limit = map[string]int{"simplify": limit}
	}
	r, err := pipeline.Run(p, []*transform.Pass{simplify.Pass}, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	return p.String(), r.Structured()
}

const several = `entry main [n] (xs: [n]i64, k: i64) : ([n]i64, i64) = {
  let d = 2
  let e = k * d
  let f = k * 2
  let c = copy xs
  let (a, b) = map (i < n) { in (c[i] * e + 0, xs[i] + 1) }
  let (u, v) = loop (u = 1, v = 1) for t < f {
    let g = k - 1
    let h = v + u
    in (u + g, h)
  }
  in (a, u)
}
`

func TestRemarks(t *testing.T) {
	_, remarks := simplified(t, several, transform.Unlimited)
	var got []string
	for _, r := range remarks {
		got = append(got, r.Text)
	}
	want := []string{
		"`d` is 2",
		"`f` is computed already, as `e`",
		"`c` need not be a copy of `xs`: neither is overwritten",
		"`xs[i] * e + 0` is `xs[i] * e`",
		"`g` is the same in all iterations",
		"nobody uses `v`, so it is not computed",
		"nobody uses `b`, so it is not computed",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestText(t *testing.T) {
	got, _ := simplified(t, several, transform.Unlimited)
	want := `entry main [n] (xs: [n]i64, k: i64) : ([n]i64, i64) = {
  let e = k * 2
  let a = map (i < n) { in xs[i] * e }
  let g = k - 1
  let u'2 = loop (u = 1) for t < e { in u + g }
  in (a, u'2)
}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again, remarks := simplified(t, got, transform.Unlimited); len(remarks) > 0 {
		t.Errorf("a second run changes\n%s", again)
	}
}

// TestLimit stops the pass after each of its rewrites. The program must be right every time.
func TestLimit(t *testing.T) {
	last := ""
	for limit := range 9 {
		got, _ := simplified(t, several, limit)
		if (got == last) != (limit == 8) {
			t.Errorf("limit %d:\n%s", limit, got)
		}
		last = got
	}
}

func TestWrapsAround(t *testing.T) {
	got, _ := simplified(t, `entry main [n] (xs: [n]i32) : [n]i32 = {
  let a = map (i < n) { in xs[(i + 1) % n] }
  in a
}
`, transform.Unlimited)
	want := `entry main [n] (xs: [n]i32) : [n]i32 = {
  let a = map (i < n) {
    let i_1 = i + 1
    in xs[if i_1 < n then i_1 else i_1 - n]
  }
  in a
}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
