package metrics_test

import (
	"testing"

	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/parser"
)

// TestCount has, for every kind of copy, one that moves data and one whose
// source lies at its target already.
func TestCount(t *testing.T) {
	const head = "entry main [n] (xs: [n]i32 @ ?m_xs, k: i64) : i32 = {\n let m = alloc n * 4 * 4\n"
	const tail = "\n in xs[0]\n}"
	for name, c := range map[string]struct {
		body string
		want metrics.Counts
	}{
		"nothing": {"", metrics.Counts{Alloc: 1}},
		"copy to another block": {
			"let a: [n]i32 @ m = copy xs",
			metrics.Counts{Alloc: 1, Copy: 1}},
		"copy to its own place": {
			"let a: [n]i32 @ m = iota n let b: [n]i32 @ m = copy a",
			metrics.Counts{Alloc: 1}},
		"copy to its own place, written otherwise": {
			"let a: [n]i32 @ m = iota n let b: [n]i32 @ m -> LMAD(0; (n : 1)) = copy a",
			metrics.Counts{Alloc: 1}},
		"copy within a block": {
			"let a: [n]i32 @ m = iota n let b: [n]i32 @ m -> LMAD(n; (n : 1)) = copy a",
			metrics.Counts{Alloc: 1, Copy: 1}},
		"concat": {
			"let k2 = n + n let a: [k2]i32 @ m = concat@0 (xs, xs)",
			metrics.Counts{Alloc: 1, Copy: 2}},
		"concat, the second in place": {
			"let k2 = n + n let a: [n]i32 @ m -> LMAD(n; (n : 1)) = iota n let b: [k2]i32 @ m = concat@0 (xs, a)",
			metrics.Counts{Alloc: 1, Copy: 1}},
		"update with a scalar": {
			"let a: [n]i32 @ m = iota n let b = a with [k] = 3",
			metrics.Counts{Alloc: 1}},
		"update with an array": {
			"let a: [2][n]i32 @ m = replicate (2, n) 0 let b = a with [1, (0, n)] = xs",
			metrics.Counts{Alloc: 1, Copy: 1}},
		"update with an array in place": {
			`let a: [2][n]i32 @ m = replicate (2, n) 0
			 let z: [n]i32 @ m -> Direct(2, n) -> Slice(1, (0, n)) = iota n
			 let b = a with [1, (0, n)] = z`,
			metrics.Counts{Alloc: 1}},
		"map with a scalar result": {
			"let a: [n]i32 @ m = map (i < n) { in xs[i] }",
			metrics.Counts{Alloc: 1, Kernel: 1}},
		"map with an array result": {
			"let a: [k][n]i32 @ m = map (i < k) { in xs }",
			metrics.Counts{Alloc: 1, Copy: 1, Kernel: 1}},
		"map with an array result in place": {
			`let a: [k][3]i32 @ m -> Direct(3, k) -> Permute(1, 0) = map (i < k) {
			   let t: [3]i32 @ m -> LMAD(i; (3 : k)) = iota 3
			   in t
			 }`,
			metrics.Counts{Alloc: 1, Kernel: 1}},
		"reduction with a mapped array": {
			`let m2 = alloc n * 4
			 let (s, a: [k][n]i32 @ m) = reduce (i < k) op (p, q) { in p + q } neutral (0i32) { in (xs[i], xs) }`,
			metrics.Counts{Alloc: 2, Copy: 1, Kernel: 1}},
		"scatter and hist": {
			`let a: [n]i32 @ m = iota n
			 let b = scatter a (i < k) { in (i, 1i32) }
			 let c = hist b (j < k) op (p, q) { in p + q } neutral (0) { in (j, 1i32) }`,
			metrics.Counts{Alloc: 1, Kernel: 2}},
		"inside of branches and loops": {
			`let r = if k > 0 {
			   let m3 = alloc 8
			   let a: [n]i32 @ m = copy xs
			   in a[0]
			 } else {
			   let s = loop (t = 0i32) for i < k {
			     let b: [n]i32 @ m = copy xs
			     in t + b[i]
			   }
			   in s
			 }`,
			metrics.Counts{Alloc: 2, Copy: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			p, list := parser.Parse(diag.NewFile("in.ir", head+c.body+tail))
			if list.Failed() {
				t.Fatal(list.Error())
			}
			if list := check.Program(p); list.Failed() {
				t.Fatal(list.Error())
			}
			if got := metrics.Count(p); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestCountAgnostic counts in a function without places: every copy counts.
func TestCountAgnostic(t *testing.T) {
	p, list := parser.Parse(diag.NewFile("in.ir", `
entry main [n] (xs: [n]i32) : [n][n]i32 = {
  let a = copy xs
  let b = concat@0 (a, xs)
  let c = map (i < n) { in a }
  in c
}`))
	if list.Failed() {
		t.Fatal(list.Error())
	}
	if list := check.Program(p); list.Failed() {
		t.Fatal(list.Error())
	}
	if got, want := metrics.Count(p), (metrics.Counts{Copy: 4, Kernel: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
