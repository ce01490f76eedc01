package imp_test

import (
	"strings"
	"testing"
)

// A product of matrices is staged, however it is written and its arrays lie; what only looks like one is not.
func TestStaged(t *testing.T) {
	const sum = "op (x, y) { in x + y } neutral (0)"
	for _, c := range []struct {
		name, body     string
		jammed, staged bool
	}{
		{"reduction", "reduce (i < n, j < n, k < n) " + sum + " { in a[i, k] * b[k, j] }", true, true},
		{"loop", "map (i < n, j < n) { let s = loop (s = 0i64) for k < n { in s + a[i, k] * b[k, j] } in s }", true, true},
		{"second transposed", "reduce (i < n, j < n, k < n) " + sum + " { in a[i, k] * b[j, k] }", true, true},
		{"both transposed", "reduce (i < n, j < n, k < n) " + sum + " { in a[k, i] * b[j, k] }", true, true},
		{"backwards", "map (i < n, j < n) { let s = loop (s = 0i64) for k < n { in s + a[i, n - 1 - k] * b[k, j] } in s }", true, true},
		{"only rows share", "map (i < n, j < n) { let s = loop (s = 0i64) for k < n { in s + b[k, j] } in s }", true, false},
		{"a place from memory", "map (i < n, j < n) { let r = at[i] % n let s = loop (s = 0i64) for k < n { in s + b[r, k] * a[k, j] } in s }", true, false},
		{"a nest", "map (i < n, j < n) { let s = loop (s = 0i64) for k < n { let t = loop (t = s) for l < 3 { in t + c[i, k, l] * d[k, l, j] } in t } in s }", true, true},
		{"a nest whose sum begins anew", "map (i < n, j < n) { let s = loop (s = 0i64) for k < n { let t = loop (t = 0i64) for l < 3 { in t + c[i, k, l] * d[k, l, j] } in s + t } in s }", true, false},
		{"a nest that keeps the sum before", "map (i < n, j < n) { let (s, r) = loop (s = 0i64, r = 0i64) for k < n { let t = loop (t = s) for l < 3 { in t + c[i, k, l] * d[k, l, j] } in (t, s) } in s - r }", true, false},
		{"a window of any size", "map (i < n, j < n) { let s = loop (s = 0i64) for k < n { let t = loop (t = s) for l < n { in t + a[i, l] * b[l, j] } in t } in s }", true, false},
		{"as many turns as the row says", "map (i < n, j < n) { let s = loop (s = 0i64) for k < i { in s + a[i, k] * b[k, j] } in s }", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := dumped(t, mustLower(t, `
entry main [n] (a: [n][n]i64, b: [n][n]i64, at: [n]i64, c: [n][n][3]i64, d: [n][3][n]i64) : [n][n]i64 = {
  let e = `+c.body+`
  in e
}`))
			jammed, staged := strings.Contains(text, "_jammed("), strings.Contains(text, "_staged(")
			if jammed != c.jammed || staged != c.staged {
				t.Errorf("several points at once: %v, from local memory: %v\n%s", jammed, staged, text)
			}
		})
	}
}

// In a space of one dimension what all points read in a turn is staged, and nothing else.
func TestStagedLine(t *testing.T) {
	for _, c := range []struct {
		name, body string
		staged     bool
	}{
		{"a reduction", "reduce (i < n, k < n) op (x, y) { in x + y } neutral (0) { in a[k] * b[i] }", true},
		{"a loop", "map (i < n) { let s = loop (s = b[i]) for k < n { in s * a[n - 1 - k] } in s }", true},
		{"elements of the point", "map (i < n) { let s = loop (s = 0i64) for k < n { in s + c[i, k] } in s }", false},
		{"places from memory", "map (i < n) { let s = loop (s = 0i64) for k < n { in s + a[b[k] % n] } in s }", false},
		{"no loop", "map (i < n) { in a[0] + b[i] }", false},
		{"a loop in a loop", "map (i < n) { let s = loop (s = 0i64) for k < n { let t = loop (t = a[k]) for l < i { in t + s } in t } in s }", false},
		{"as many turns as the point says", "map (i < n) { let s = loop (s = 0i64) for k < i { in s + a[k] } in s }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := dumped(t, mustLower(t, `
entry main [n] (a: [n]i64, b: [n]i64, c: [n][n]i64) : [n]i64 = {
  let e = `+c.body+`
  in e
}`))
			if staged := strings.Contains(text, "_staged("); staged != c.staged {
				t.Errorf("from local memory: %v\n%s", staged, text)
			}
		})
	}
}

// The index that numbers rows is the one with which a point reads least.
func TestWays(t *testing.T) {
	for _, c := range []struct{ name, body, second string }{
		{"a convolution's outputs", "a[o, k] * b[k, i, j]", "o_2_"},
		{"each batch's rows", "b[o, i, k] * b[o, k, j]", "i_2_"},
		{"all outer indices", "b[o, i, k] * a[k, j]", "gtid_1_"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := dumped(t, mustLower(t, `
entry main [n] (a: [n][n]i64, b: [n][n][n]i64) : [n][n][n]i64 = {
  let e = map (o < n, i < n, j < n) { let s = loop (s = 0i64) for k < n { in s + `+c.body+` } in s }
  in e
}`))
			_, jammed, _ := strings.Cut(text, "_jammed(")
			if !strings.Contains(jammed, c.second+" = index(min(") {
				t.Errorf("no %s\n%s", c.second, text)
			}
		})
	}
}
