package peak_test

import (
	"testing"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/progen"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

func held(t *testing.T, p *ir.Program, sc peak.Scenario) (int64, bool) {
	t.Helper()
	table, _ := analyze(p)
	most, ok := table.Held(sc, 100_000)
	return most[0], ok
}

// all gives every name the same number.
func all(n int64) []func(sym.Poly) int64 {
	return []func(sym.Poly) int64{func(p sym.Poly) int64 {
		return peak.Value(p, func(string) (int64, bool) { return n, true })
	}}
}

func TestHeld(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		none, some int64 // with no iteration and the then-branch; with two and the else-branch
	}{
		{"a loop that may give what it begins with", `entry main [n] (k: i64, xs: [n]i64) : [n]i64 = {
  let a = map (i < n) { in xs[i] + 1 }
  let r = loop (p = a) for j < k { let q = map (l < n) { in p[n - 1 - l] } in q }
  let b = map (h < n) { in r[h] + a[h] }
  in b
}`, 240, 240},
		{"what an iteration makes", `entry main [n] (k: i64, ys: [n]i64) : [n]i64 = {
  let xs = copy ys
  let r = loop (p: *[n]i64 = xs) for j < k {
    let q = replicate (n, 2) p[0]
    let s = map (l < n) { in q[l, 1] }
    in s
  }
  in r
}`, 240, 400},
		{"branches", `entry main [n] (c: bool, xs: [n]i64) : [n]i64 = {
  let m = n + 0
  let r: [n]i64 = if c { let a = map (i < n) { in xs[i] } in a } else {
    let b = replicate (n, 5) 1i64
    let d = map (l < n) { in b[l, 3] }
    in d
  }
  let e = map (h < n) { in r[h] }
  in e
}`, 160, 480},
	} {
		p := load(t, tc.text)
		for k, want := range []int64{tc.none, tc.some} {
			got, ok := held(t, p, peak.Scenario{Sizes: all(10), Iterations: int64(2 * k), Else: k == 1})
			if !ok || got != want {
				t.Errorf("%s, %d: %d bytes, %v, want %d\n%s", tc.name, k, got, ok, want, p)
			}
		}
	}
}

// No run holds more than the formula says, which is the greatest sum of all.
func TestHeldIsBelowFormula(t *testing.T) {
	told, equal := 0, 0
	for seed := range int64(600) {
		p := load(t, progen.Generate(seed, progen.Options{Without: []string{"large", "wild"}}).Text)
		a := aliases.Analyze(p)
		l := liveness.Analyze(p, a)
		acc := accesses.Analyze(p, l)
		for _, f := range p.Funcs {
			table := peak.Analyze(f, a.Func(f.Name), l.Func(f.Name), acc.Func(f.Name))
			size := all(3 + seed%5)
			most, runs := int64(0), 0
			for k := range 6 {
				got, ok := table.Held(peak.Scenario{Sizes: size, Iterations: int64(k / 2), Else: k%2 == 1}, 100_000)
				if ok {
					runs++
					most = max(most, got[0])
				}
			}
			formula := int64(0)
			for _, s := range table.Peak().Sums {
				formula = max(formula, size[0](s))
			}
			if most > formula {
				t.Fatalf("seed %d, %s: a run holds %d, the formula says %d: %s\n%s", seed, f.Name, most, formula, table.Peak(), p)
			}
			told += runs
			if runs > 0 && most == formula {
				equal++
			}
		}
	}
	t.Logf("%d runs, the greatest as the formula says in %d functions", told, equal)
	if told < 3000 || equal < 300 {
		t.Errorf("%d runs were told, %d functions are as the formula says", told, equal)
	}
}
