package places

import "testing"

func BenchmarkDisjoint(b *testing.B) {
	for _, want := range []bool{true, false} {
		var fs []func()
		for _, p := range pairs {
			if p.want == want {
				f, x, y := facts(b, p.facts), fun(b, p.a), fun(b, p.b)
				fs = append(fs, func() { Disjoint(f, x, y, 4, 4) })
			}
		}
		what := map[bool]string{true: "claimed", false: "refused"}[want]
		b.Run(what, func(b *testing.B) {
			for i := range b.N {
				fs[i%len(fs)]()
			}
		})
	}
}

// A question about few of many facts.
func BenchmarkManyFacts(b *testing.B) {
	f := facts(b, "0 <= k && k <= n")
	for range 10_000 {
		f = f.NonNegative(poly64(b, "u - v"))
	}
	x, y := fun(b, "0; k : 1"), fun(b, "k; n-k : 1")
	for b.Loop() {
		Disjoint(f, x, y, 4, 4)
	}
}
