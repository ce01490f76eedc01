package imp_test

import (
	"strings"
	"testing"
)

// A kernel loads the elements of both sides of a conditional before it chooses, if the sides read
// the same arrays, and no load can fail (readsBoth).
func TestReadsOfBothSides(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"another column", "if a[i] > 0.5 then x[i] else x[k]", true},
		{"one element", "if a[i] > 0.5 then x[i] * 2 else x[i] + 1", true},
		{"two on each side", "if i % 2 == 0 then x[i] * x[k] else x[i] + x[max(i - 1, 0)]", true},
		{"within a sum", "1 + (if i < k then x[i] else x[k])", true},
		{"within another conditional", "if i == 7 then 0 else if a[i] > 0.5 then x[i] else x[k]", true},
		{"out of bounds without the condition", "if i > 0 then x[i - 1] else x[i]", false},
		{"the same side for all points", "if k > 5 then x[i] else x[k]", false},
		{"another array", "if a[i] > 0.5 then x[i] else z[i]", false},
		{"one side reads", "if a[i] > 0.5 then x[i] else 0", false},
		{"too many", "if a[i] > 0.5 then x[i] * x[k] + x[max(i - 1, 0)] else x[i] * x[n - 1 - i]", false},
		{"a place from memory", "if a[i] > 0.5 then x[at[i] % k] else x[i]", false},
		{"a side that may fail", "if a[i] > 0.5 then x[i] / x[k] else x[i]", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := dumped(t, mustLower(t, `
entry main [n] (a: [n]f32, x: [n]i64, z: [n]i64, at: [n]i64, k: i64) : [n]i64 = {
  assert 0 < k && k < n "inside"
  let y = map (i < n) { in `+c.value+` }
  in y
}`))
			if got := strings.Contains(text, "then x__e"); got != c.want {
				t.Errorf("chooses between values: %v, want %v\n%s", got, c.want, text)
			}
		})
	}
}
