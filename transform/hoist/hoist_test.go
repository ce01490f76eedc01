package hoist_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/hoist"
)

func run(t *testing.T, src string, pass *transform.Pass) string {
	t.Helper()
	p, list := parser.Parse(diag.NewFile("test.ir", src))
	if list.Failed() {
		t.Fatal(list.All[0])
	}
	if list := check.Program(p); list.Failed() {
		t.Fatal(list.All[0])
	}
	must.Do(t, pass.Run(p, transform.NewContext(pass.Name, nil, transform.Unlimited)))
	if list := check.Verify(p); list.Failed() {
		t.Fatalf("after %s: %v\n%s", pass.Name, list.All[0], p)
	}
	return p.String()
}

// What lift does, and that lower undoes it where nobody made use of it.
func TestThereAndBack(t *testing.T) {
	low := `entry main [n] (xs: [n]i32 @ ?m_xs, c: bool) : (k: i64, [k]i32) = {
  let m_a = alloc n * 4
  let a: [n]i32 @ m_a = map (i < n) { in xs[i] + 1 }
  let k = n + n
  let m_y = alloc k * 4
  let y: [k]i32 @ m_y = concat@0 (a, a)
  in (k, y)
}
`
	high := `entry main [n] (xs: [n]i32 @ ?m_xs, c: bool) : (k: i64, [k]i32) = {
  let m_a = alloc n * 4
  let k = n + n
  let m_y = alloc k * 4
  let a: [n]i32 @ m_a = map (i < n) { in xs[i] + 1 }
  let y: [k]i32 @ m_y = concat@0 (a, a)
  in (k, y)
}
`
	lowered := `entry main [n] (xs: [n]i32 @ ?m_xs, c: bool) : (k: i64, [k]i32) = {
  let k = n + n
  let m_a = alloc n * 4
  let a: [n]i32 @ m_a = map (i < n) { in xs[i] + 1 }
  let m_y = alloc k * 4
  let y: [k]i32 @ m_y = concat@0 (a, a)
  in (k, y)
}
`
	if d := cmp.Diff(high, run(t, low, hoist.Lift)); d != "" {
		t.Errorf("lift: (-want +got)\n%s", d)
	}
	if d := cmp.Diff(lowered, run(t, high, hoist.Lower)); d != "" {
		t.Errorf("lower: (-want +got)\n%s", d)
	}
	if d := cmp.Diff(high, run(t, high, hoist.Lift)); d != "" {
		t.Errorf("lift is not done after once: (-want +got)\n%s", d)
	}
	if d := cmp.Diff(lowered, run(t, lowered, hoist.Lower)); d != "" {
		t.Errorf("lower is not done after once: (-want +got)\n%s", d)
	}
}

// `lift` never moves a size that may fail past an assertion or a statement that may fail, so a
// failing program keeps its message. Nothing leaves its body.
func TestStays(t *testing.T) {
	src := `entry main [n] (xs: [n]i64 @ ?m_xs, d: i64, c: bool) : i64 = {
  assert d > 0 "divisor"
  let k = n / d
  let m_a = alloc k * 8
  let a: [k]i64 @ m_a = replicate (k) 1i64
  let r = loop (s = 0i64) for t < d {
    let m_b = alloc 8
    let b: [1]i64 @ m_b = [s]
    in b[0] + t
  }
  let v = xs[r]
  let l = 12 / (v - 7)
  let m_e = alloc l * 8
  let e: [l]i64 @ m_e = replicate (l) r
  in if k > 0 && l > 0 then a[0] + e[0] else 0
}
`
	want := run(t, src, &transform.Pass{Name: "none", Run: noPass})
	if d := cmp.Diff(want, run(t, src, hoist.Lift)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func noPass(*ir.Program, *transform.Context) error { return nil }

// Another name of a block is lowered with the block. A block that only the results need goes to the
// end. An unused block stays where it is, and an unused other name is dropped.
func TestOtherNames(t *testing.T) {
	low := `entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
  let m_a = alloc n * 4
  let a: [n]i32 @ m_a = map (i < n) { in xs[i] + 1 }
  let m_unused = alloc n * 8
  let m_b = alloc n * 4
  let m_c = m_b
  let c: [n]i32 @ m_c = map (j < n) { in a[j] + 1 }
  let m_d: mem = if c[0] > 0 {
    let e = c[0]
    let m_e = alloc n * 4
    let m_f = m_e
    in m_f
  } else { in m_a }
  let d: [n]i32 @ m_d = copy c
  in d
}
`
	given := strings.Replace(low, "  let m_c = m_b\n", "  let m_unread = m_b\n  let m_c = m_b\n", 1)
	high := run(t, given, hoist.Lift)
	if high == given {
		t.Fatal("lift moves nothing")
	}
	if d := cmp.Diff(low, run(t, high, hoist.Lower)); d != "" {
		t.Errorf("lift and lower: (-want +got)\n%s", d)
	}
}
