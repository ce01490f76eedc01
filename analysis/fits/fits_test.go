package fits

import (
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

func TestUnproven(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"whole":        {`let m = alloc n * 4 let a: [n]i32 @ m = copy xs`, ""},
		"by a name":    {`let b = n * 4 let m = alloc b let a: [n]i32 @ m = copy xs`, ""},
		"larger":       {`let m = alloc n * 8 let a: [n]i32 @ m -> LMAD(n; (n : 1)) = copy xs`, ""},
		"backwards":    {`let m = alloc n * 4 let a: [n]i32 @ m -> LMAD(n - 1; (n : -1)) = copy xs`, ""},
		"too small":    {`let m = alloc n * 3 let a: [n]i32 @ m = copy xs`, "a"},
		"below":        {`let m = alloc n * 4 let a: [n]i32 @ m -> LMAD(-1; (n : 1)) = copy xs`, "a"},
		"beyond":       {`let m = alloc n * 4 let a: [n]i32 @ m -> LMAD(1; (n : 1)) = copy xs`, "a"},
		"unknown sign": {`let m = alloc n * 4 + k * 4 let a: [n]i32 @ m = copy xs`, "a"},
		"asserted":     {`assert k >= 0 size let m = alloc n * 4 + k * 4 let a: [n]i32 @ m = copy xs`, ""},
		"unknown step": {`let m = alloc n * 4 let a: [n]i32 @ m -> LMAD(0; (n : k)) = copy xs`, "a"},
		"of a thread": {`let m = alloc n * 8 let ms = alloc n * 4
			let s: [n]i32 @ ms = map (i < n) { let t: [2]i32 @ m -> LMAD(i; (2 : n)) = replicate (2) xs[i] in t[1] }`, ""},
		"of a wrong thread": {`let m = alloc n * 8 let ms = alloc n * 4
			let s: [n]i32 @ ms = map (i < n) { let t: [2]i32 @ m -> LMAD(i + 1; (2 : n)) = replicate (2) xs[i] in t[1] }`, "t"},
		"rotating": {`let m1 = alloc n * 4 let m2 = alloc n * 4
			let (u: mem, v: mem) = loop (p: mem = m1, q: mem = m2) for t < k { let a: [n]i32 @ p = copy xs in (q, p) }
			let b: [n]i32 @ u = copy xs`, ""},
		"one is too small": {`let m1 = alloc n * 4 let m2 = alloc n
			let (u: mem, v: mem) = loop (p: mem = m1, q: mem = m2) for t < k { let a: [n]i32 @ p = copy xs in (q, p) }
			let b: [n]i32 @ u = copy xs`, "a b"},
		"of another iteration": {`let m1 = alloc n * 4
			let u: mem = loop (p: mem = m1) for t < k {
			  let m2 = alloc t * 4 + 4
			  let a: [t]i32 @ p = iota t
			  in m2
			}`, "a"},
		"chosen": {`let m1 = alloc n * 4 let m2 = alloc n * 5
			let u: mem = if k > 0 { in m1 } else { in m2 }
			let a: [n]i32 @ u = copy xs`, ""},
		"half as long": {`let h = max(n / 2, 1) let g = max(h / 2, 1) let m = alloc h * 4
			let a: [g]i32 @ m = replicate (g) xs[0]`, ""},
		"twice as long": {`let h = max(n / 2, 1) let g = max(h / 2, 1) let m = alloc g * 4
			let a: [h]i32 @ m = replicate (h) xs[0]`, "a"},
		"wraps in the length alone": {`let d = max(k * k + 1000, 5) let m = alloc max(k * k + 1000, 5) * 4
			let a: [d]i32 @ m = replicate (d) xs[0]`, "a"},
		"zero by wrapping": {`let m = alloc 4611686018427387904 * n let a: [n]i32 @ m -> LMAD(0; (n : 4611686018427387904)) = copy xs`, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			f := diag.NewFile("test.ir", "entry main [n] (xs: [n]i32 @ ?m_xs, k: i64) : i32 = {\n"+c.src+"\nin xs[0] }")
			p, list := parser.Parse(f)
			must.Do(t, list.Err())
			if list = check.Program(p); list.Err() != nil {
				t.Fatal(list.Err())
			}
			var got []string
			for e, unproven := range Unproven(p, accesses.Of(p)) {
				if unproven {
					got = append(got, e.Name)
				}
			}
			slices.Sort(got)
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("unproven: %q, want %q", s, c.want)
			}
		})
	}
}
