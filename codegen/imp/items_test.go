package imp_test

import "testing"

// A launch chooses the size of its groups if points take long, unless only neighbours read the
// same elements in their loops (readTogether).
func TestGroupsOfLongPoints(t *testing.T) {
	for _, c := range []struct {
		name, read string
		want       bool
	}{
		{"each point reads elements of its own", "xs[i * m + k]", true},
		{"neighbours read the same elements", "xs[i / 100 * m + k]", false},
		{"neighbours do, but also elements of their own", "xs[i / 100 * m + k] + xs[i + k]", true},
		{"all points read the same elements", "xs[k]", true},
		{"what a point reads does not change", "xs[i]", true},
		{"no point reads", "k", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := mustLower(t, `
entry main [n] (xs: [n]i64, m: i64) : [n]i64 = {
  let ys = map (i < n) {
    let s = loop (a = 0) for k < m { in a * 3 + `+c.read+` }
    in s
  }
  in ys
}`)
			sized := false
			for _, k := range p.Kernels {
				sized = sized || k.Sized
			}
			if sized != c.want {
				t.Errorf("sized: %v, want %v", sized, c.want)
			}
		})
	}
}
