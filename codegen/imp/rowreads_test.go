package imp_test

import (
	"strings"
	"testing"
)

// Rows read what they share once where all take the same way; a map without a stencil stays as it is.
func TestRowsThatShareReads(t *testing.T) {
	for _, c := range []struct {
		name, body, first string // the condition of the first version; "": there is none
	}{
		{"a condition", "if i > 0 && i < n - 1 then a[i - 1, j] + a[i + 1, j] else 0", "if each_ == 4 && n_ >= index(first_ + 4) && first_ > 0 && index(first_ + 3) > 0 && first_ < n_ - 1 && index(first_ + 3) < n_ - 1 {"},
		{"by name", "let above = i >= 1 in if above then a[i, j] + a[i - 1, j] else 0", "if each_ == 4 && n_ >= index(first_ + 4) && first_ >= 1 && index(first_ + 3) >= 1 {"},
		{"of all rows", "if k > 3 && i > 0 then a[i, j] + a[i - 1, j] else 0", "if each_ == 4 && n_ >= index(first_ + 4) && k_ > 3 && first_ > 0 && index(first_ + 3) > 0 {"},
		{"nothing shared", "if i > 0 then a[i, j] * 2 else 0", ""},
		{"the same column", "a[0, j] + a[i, j]", ""},
		{"either of two", "if i < 1 || j < 1 then 0 else a[i, j] + a[i - 1, j]", ""},
		{"all but one", "if i != 0 then a[i, j] + a[i - 1, j] else 0", ""},
		{"an element decides", "if a[i, j] > 0 && i > 0 then a[i, j] + a[i - 1, j] else 0", ""},
		{"every other row", "if i * 2 > 0 && i > 0 then a[i, j] + a[i - 1, j] else 0", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := dumped(t, mustLower(t, `
entry main [n][m] (a: [n][m]i64, k: i64) : [n][m]i64 = {
  let e = map (i < n, j < m) { `+strings.Replace("in "+c.body, "in let", "let", 1)+` }
  in e
}`))
			if strings.Contains(text, "first_") != (c.first != "") || !strings.Contains(text, c.first) {
				t.Errorf("expected %q\n%s", c.first, text)
			}
		})
	}
}
