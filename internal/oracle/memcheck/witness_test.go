package memcheck_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// An error is what is wrong in some run. Each program has one finding, which is an
// error where the size of an array can be what it takes to go wrong, and else a
// limitation, or none at all.
func TestCertain(t *testing.T) {
	const (
		overwritten = `entry main [n] (xs: [n]i64 @ ?m_x, k: i64, d: bool) : i64 = {
  SIZE
  let m = alloc 8 * max(h, 0)
  let a: [h]i64 @ m = replicate (h) 1i64
  let b: [h]i64 @ m = replicate (h) 2i64
  let c = reduce (t < h) op (x, y) { in x + y } neutral (0i64) { in a[t] + b[t] }
  in c
}
`
		tooLarge = `entry main [n] (xs: [n]i64 @ ?m_x, k: i64, d: bool) : i64 = {
  SIZE
  let m = alloc 8
  let a: [h]i64 @ m = replicate (h) 1i64
  let c = reduce (t < h) op (x, y) { in x + y } neutral (0i64) { in a[t] }
  in c
}
`
		twice = `entry main [n] (xs: [n]i64 @ ?m_x, k: i64, d: bool) : i64 = {
  SIZE
  let m = alloc 8
  let a: [h]i64 @ m -> LMAD(0; (h : 0)) = replicate (h) 1i64
  let c = reduce (t < h) op (x, y) { in x + y } neutral (0i64) { in a[t] }
  in c
}
`
		branch = `entry main [n] (xs: [n]i64 @ ?m_x, k: i64, d: bool) : i64 = {
  let h = n
  let m = alloc 8 * max(h, 0)
  let r: i64 = if CONDITION {
    let a: [h]i64 @ m = replicate (h) 1i64
    let b: [h]i64 @ m = replicate (h) 2i64
    let c = reduce (t < h) op (x, y) { in x + y } neutral (0i64) { in a[t] + b[t] }
    in c
  } else {
    in 0i64
  }
  in r
}
`
		onto = `entry main [n] (xs: [n]i64 @ ?m_x, k: i64, d: bool) : i64 = {
  let r: i64 = if CONDITION {
    let m = alloc n * 8
    let a: [n]i64 @ m = copy xs
    let c: [n]i64 @ m = copy a
    let b: [n]i64 @ m = c with [(n - 1, n, -1)] = a
    in (b[0] + a[n - 1])
  } else {
    in 0i64
  }
  in r
}
`
	)
	for _, c := range []struct {
		name, text, hole, with, want string
	}{
		{"any size", overwritten, "SIZE", "let h = n", "error"},
		{"no more than 0", overwritten, "SIZE", "let h = min(n, 0)", "none"},
		{"up to 2", overwritten, "SIZE", "let h = fmod(k, 3i64)", "error"},
		{"a remainder of 0", overwritten, "SIZE", "let h = fmod(0i64, n + 1)", "none"},
		{"a remainder by itself", overwritten, "SIZE", "let h = fmod(n, n)", "none"},
		{"a difference that is 0", overwritten, "SIZE", "let h = min(max(n, 3), 3) - 3", "none"},
		{"a difference that need not be", overwritten, "SIZE", "let h = min(max(n, 3), 4) - 3", "error"},
		{"chosen, 0 both times", overwritten, "SIZE", "let h: i64 = if d { in 0i64 } else { in 0i64 }", "limitation"},
		{"chosen at once, 0 both times", overwritten, "SIZE", "let h = if d then min(n, 0) else 0i64", "none"},
		{"chosen at once", overwritten, "SIZE", "let h = if d then min(n, 0) else n", "error"},
		{"an element", overwritten, "SIZE", "let h = max(xs[0], 0)", "limitation"},
		{"0 in each run, 2 by a condition", branch, "let h = n", "let h = loop (x: i64 = 0i64) for i < 3 { in x }", "limitation"},
		{"1 at most", tooLarge, "SIZE", "let h = min(n, 1)", "none"},
		{"1 at most, by remainder", tooLarge, "SIZE", "let h = fmod(k * 2 + 1, 2i64)", "none"},
		{"2 where n is not 0", tooLarge, "SIZE", "let h = min(n, 1) * 2", "error"},
		{"5 at least", tooLarge, "SIZE", "let h = max(n, 5)", "error"},
		{"one element twice", twice, "SIZE", "let h = n", "error"},
		{"one element once", twice, "SIZE", "let h = min(n, 1)", "limitation"},
		{"a condition", branch, "CONDITION", "k > 7 && n != 1", "error"},
		{"of data", branch, "CONDITION", "xs[0] == 3 && xs[1] > 4", "limitation"},
		{"that cannot hold", branch, "CONDITION", "(n < 0 || k > 5) && k == 5", "limitation"},
		{"nor of a parameter", branch, "CONDITION", "d && !d", "limitation"},
		{"nor of floats", branch, "CONDITION", "f32(k) > 1.5f32 && !(f32(k) > 1.5f32)", "limitation"},
		{"that can, by a choice", branch, "CONDITION", "(n < 0 || k > 5) && k == 6", "limitation"},
		{"one element onto itself", onto, "CONDITION", "k < 2 && k == n && n > 0", "none"},
		{"one, by a product", onto, "CONDITION", "n * n == 1", "limitation"},
		{"two, by a product", onto, "CONDITION", "n * n == 4", "limitation"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := prepare(t, diag.NewFile(c.name, strings.Replace(strings.Replace(c.text, c.hole, c.with, 1), "CONDITION", "h == 2", 1)))
			if p == nil {
				t.Fatal("the program is refused")
			}
			got := "none"
			found := memcheck.Check(p)
			for _, f := range found.Findings {
				if got = "limitation"; f.Certain() {
					got = "error"
					break
				}
			}
			if got != c.want {
				var b strings.Builder
				found.List(nil).Render(&b, false)
				t.Errorf("expected %s, got %s\n%s", c.want, got, b.String())
			}
		})
	}
}

// Right programs may be unproven, but are never called wrong.
func TestRightIsNoError(t *testing.T) {
	files := must.Get(filepath.Glob(filepath.Join("..", "..", "..", "testdata", "memcheck", "unproven-*.ir")))(t)
	if len(files) == 0 {
		t.Fatal("no programs")
	}
	for _, path := range files {
		p := load(t, path)
		if p == nil {
			t.Errorf("%s is refused", path)
			continue
		}
		found := map[string]bool{}
		for _, f := range memcheck.Check(p).Findings {
			if found[f.Func] = true; f.Certain() {
				t.Errorf("%s: %v", path, f.Diag)
			}
		}
		for _, fn := range p.Funcs {
			if fn.Entry && !found[fn.Name] {
				t.Errorf("%s: `%s` is proven: it belongs to the pos-*.ir", path, fn.Name)
			}
		}
	}
}
