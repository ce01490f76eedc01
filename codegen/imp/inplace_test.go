package imp_test

import (
	"strings"
	"testing"
)

// Work-items do several points of a map whose result lies where it reads, if points only move elements.
func TestPointsInPlace(t *testing.T) {
	for _, c := range []struct {
		name, body string
		place      bool
	}{
		{"in place", "map (i < n) { in xs[i] * 2 }", true},
		{"two dimensions", "map (i < 1, j < n) { in xs[j] + ys[j] }", true},
		{"elsewhere", "map (i < n) { in ys[i] * 2 }", false},
		{"a branch", "map (i < n) { let s = if ys[i] > 0 then xs[i] else 0f32 in s }", false},
		{"a loop", "map (i < n) { let s = loop (s = xs[i]) for k < n { in s + ys[k] } in s }", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			shape, place := "[n]f32", "LMAD(0; (n : 1))"
			if strings.Contains(c.body, "j < n") {
				shape, place = "[1][n]f32", "LMAD(0; (1 : n), (n : 1))"
			}
			text := dumped(t, mustLower(t, `
entry main [n] (xs: *[n]f32 @ ?m, ys: [n]f32 @ ?y) : `+shape+` = {
  let zs: `+shape+` @ m -> `+place+` = `+c.body+`
  in zs
}`))
			if got := strings.Contains(text, "_place(") || strings.Contains(text, "for in place"); got != c.place {
				t.Errorf("several points in place: %v\n%s", got, text)
			}
		})
	}
}
