package imp_test

import (
	"fmt"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
)

// launches counts the launches in the text of a program's host.
func launches(p *imp.Program) (n int) {
	var count func(list []imp.Stmt)
	count = func(list []imp.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *imp.Launch:
				n++
			case *imp.If:
				count(s.Then)
				count(s.Else)
			case *imp.For:
				count(s.Body)
			case *imp.While:
				count(s.Body)
			}
		}
	}
	for _, f := range p.Funcs {
		count(f.Body)
	}
	return n
}

// nineParts makes the rows of an array by a map each.
func nineParts() (text string) {
	for k := range 9 {
		text += fmt.Sprintf("  let a%d: [n]f32 @ m -> LMAD(n * %d; (n : 1)) = map (i < n) { in xs[i] + %d }\n", k, k, k)
	}
	return text
}

// Maps share a launch only if neither reads or writes what the other one writes (Note [Maps
// side by side]).
func TestMapsSideBySide(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"parts of one block", `
entry main [n] (xs: [n]f32 @ ?x) : [2][n]f32 = {
  let m = alloc n * 8
  let all: [2][n]f32 @ m = scratch f32 (2, n)
  let a: [n]f32 @ m = map (i < n) { in xs[i] + 1 }
  let b: [n]f32 @ m -> LMAD(n; (n : 1)) = map (i < n) { in xs[i] + 2 }
  in all
}`, 1},
		{"two blocks, which need not be on the device at once", `
entry main (k: i64) : ([k]i64, [k]i64) = {
  let m = alloc k * 8
  let l = alloc k * 8
  let a: [k]i64 @ m = map (i < k) { in i + 1 }
  let b: [k]i64 @ l = map (i < k) { in i + 2 }
  in (a, b)
}`, 2},
		{"places that may overlap", `
entry main [n] (xs: [n]f32 @ ?x, k: i64) : [n]f32 = {
  let m = alloc n * 8
  let a: [n]f32 @ m = map (i < n) { in xs[i] + 1 }
  let b: [n]f32 @ m -> LMAD(min(max(k, 0), n); (n : 1)) = map (i < n) { in xs[i] + 2 }
  in b
}`, 2},
		{"the second reads what the first made", `
entry main [n] (xs: [n]f32 @ ?x) : [n]f32 = {
  let m = alloc n * 4
  let k = alloc n * 4
  let a: [n]f32 @ m = map (i < n) { in xs[i] + 1 }
  let b: [n]f32 @ k = map (i < n) { in xs[i] + a[n - 1 - i] }
  in b
}`, 2},
		{"the second overwrites what the first read", `
entry main [n] (xs: [n]f32 @ ?x) : ([n]f32, [n]f32) = {
  let m = alloc n * 4
  let k = alloc n * 4
  let ys: [n]f32 @ m = map (i < n) { in xs[i] + 1 }
  let a: [n]f32 @ k = map (i < n) { in ys[n - 1 - i] * 2 }
  let b: [n]f32 @ m = map (i < n) { in xs[i] + 2 }
  in (a, b)
}`, 3},
		{"a loop whose blocks take turns", `
entry main [n] (xs: [n]f32 @ ?x) : [n]f32 = {
  let m = alloc n * 4
  let k = alloc n * 4
  let (ys: [n]f32 @ ?y, r: mem, q: mem) = loop (zs: [n]f32 @ ?z = xs, next: mem = m, other: mem = k) for t < 9 {
    let h = n / 2
    let l = n - h
    let a: [h]f32 @ next = map (i < h) { in zs[i] + zs[n - 1 - i] }
    let b: [l]f32 @ next -> LMAD(h; (l : 1)) = map (i < l) { in zs[h + i] - zs[i] }
    let all: [n]f32 @ next = concat@0 (a, b)
    in (all, other, next)
  }
  in ys
}`, 1},
		{"a loop that writes the block that it reads, from the second step on", `
entry main [n] (xs: [n]f32 @ ?x) : [n]f32 = {
  let m = alloc n * 4
  let k = alloc n * 4
  let (ys: [n]f32 @ ?y, r: mem, q: mem) = loop (zs: [n]f32 @ ?z = xs, next: mem = m, other: mem = k) for t < 9 {
    let h = n / 2
    let l = n - h
    let a: [h]f32 @ next = map (i < h) { in zs[i] * 2 }
    let b: [l]f32 @ next -> LMAD(h; (l : 1)) = map (i < l) { in zs[h + i] * 3 }
    let all: [n]f32 @ next = concat@0 (a, b)
    in (all, next, other)
  }
  in ys
}`, 2},
		{"nine parts", "entry main [n] (xs: [n]f32 @ ?x) : [9][n]f32 = {\n  let m = alloc n * 36\n  let all: [9][n]f32 @ m = scratch f32 (9, n)\n" +
			nineParts() + "  in all\n}", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := launches(mustLower(t, c.text)); got != c.want {
				t.Errorf("%d launches, want %d", got, c.want)
			}
		})
	}
}
