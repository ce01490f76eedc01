package imp_test

import (
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
)

// TestSlots counts how often the host waits: never for a scalar that only kernels use, and
// once for all that it hands out.
func TestSlots(t *testing.T) {
	sum := " = reduce (i < n) commutative op (a, b) { in a + b } neutral (0.0f32) { in "
	for name, test := range map[string]struct {
		text           string
		waits, scalars int
	}{
		"kernels": {`entry main [n] (steps: i64, xs: [n]f32) : [n]f32 = {
  let out = loop (cur = xs) for k < steps {
    let s` + sum + `cur[i] }
    let mean = s / f32(n)
    let next = map (i < n) { in cur[i] - mean }
    in next
  }
  in out
}`, 0, 0},
		"results": {`entry main [n] (xs: [n]f32) : (f32, [n]f32, f32) = {
  let s` + sum + `xs[i] }
  let ys = map (i < n) { in xs[i] + 1.0 }
  let r` + sum + `ys[i] }
  in (s, ys, r)
}`, 1, 2},
		"condition": {`entry main [n] (xs: [n]f32) : f32 = {
  let s` + sum + `xs[i] }
  let r` + sum + `xs[i] * s }
  let x = if s > 1.0 then r else s
  in x
}`, 1, 2},
		"sine": {`entry main [n] (xs: [n]f32) : [n]f32 = {
  let s` + sum + `xs[i] }
  let angle = sin(s)
  let ys = map (i < n) { in xs[i] + angle }
  in ys
}`, 1, 1},
	} {
		p := mustLower(t, test.text)
		waits, scalars := 0, 0
		imp.Each(p.Entries[0].Func.Body, func(s *imp.Fetch) {
			waits++
			scalars += len(s.Loads)
		})
		if waits != test.waits || scalars != test.scalars {
			t.Errorf("%s: the host waits %d times for %d scalars, want %d for %d", name, waits, scalars, test.waits, test.scalars)
		}
	}
}
