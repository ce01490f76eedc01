package imp_test

import (
	"strings"
	"testing"
)

// A work-item does several turns of a loop together if their inner loops read the same elements and use nothing
// that a turn leaves to the next.
func TestTurnsTogether(t *testing.T) {
	for _, c := range []struct {
		name, turn string
		together   bool
	}{
		{"shared", "let s = loop (s = 0) for f < n { in s + x[i, f] * c[j, f] } in u * 3 + s", true},
		{"nothing shared", "let s = loop (s = 0) for f < n { in s + c[j, f] } in u * 3 + s", false},
		{"begins with what the turn before left", "let s = loop (s = u) for f < n { in s + x[i, f] * c[j, f] } in s", false},
		{"uses it", "let s = loop (s = 0) for f < n { in s + x[i, f] * c[j, f] + u } in u * 3 + s", false},
		{"turns as often as the turn says", "let s = loop (s = 0) for f < min(j, n) { in s + x[i, f] * c[j, f] } in u * 3 + s", false},
		{"a check", "let s = loop (s = 0) for f < n { in s + x[i, f] * c[j, x[i, f]] } in u * 3 + s", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := dumped(t, mustLower(t, `
entry main [n] (x: [n][n]i64, c: [n][n]i64) : [n]i64 = {
  let ys = map (i < n) { let v = loop (u = 1) for j < n { `+c.turn+` } in v }
  in ys
}`))
			if got := strings.Contains(text, "block_"); got != c.together {
				t.Errorf("several turns at once: %v\n%s", got, text)
			}
		})
	}
}
