package coalesce

import (
	"slices"
	"testing"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/parser"
)

func explicitProgram(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, list := parser.Parse(diag.NewFile("test.ir", text))
	if list.Failed() {
		t.Fatal(list.Err())
	}
	if more := check.Program(p); more.Failed() {
		t.Fatal(more.Err())
	}
	return p
}

// Moves that let some kind of run hold more are found, whatever allowed them: here that of
// a loop without an iteration, whose result then lies in a block of its own.
func TestRises(t *testing.T) {
	before := `entry main [n] (k: i64, xs: [n]i64 @ ?m_xs) : i64 = {
		let m_a = alloc n * 8
		let a: [n]i64 @ m_a = map (i < n) { in xs[i] + 1 }
		let m_b = alloc n * 8
		let r: [n]i64 @ ?m_r = loop (p: [n]i64 @ ?m_p = a) for j < k {
			let q: [n]i64 @ m_b = replicate (n) p[0]
			in q
		}
		let m_c = alloc n * 16
		let c: [n][2]i64 @ m_c = replicate (n, 2) a[0]
		in r[0] + c[0, 1]
	}`
	after := `entry main [n] (k: i64, xs: [n]i64 @ ?m_xs) : i64 = {
		let m_a = alloc n * 8
		let a: [n]i64 @ m_a = map (i < n) { in xs[i] + 1 }
		let m_b = alloc n * 8
		let start: [n]i64 @ m_b = copy a
		let r: [n]i64 @ m_b = loop (p: [n]i64 @ m_b = start) for j < k {
			let q: [n]i64 @ m_b = replicate (n) a[0]
			in q
		}
		let m_c = alloc n * 16
		let c: [n][2]i64 @ m_c = replicate (n, 2) a[0]
		in r[0] + c[0, 1]
	}`
	made := map[string]*outcome{"main": {changed: true}}
	x, y := explicitProgram(t, before), explicitProgram(t, after)
	got := rises(x, y, made)
	t.Log(got)
	if !slices.Equal(got, []string{"main"}) || len(rises(x, x, made)) != 0 || len(rises(x, y, map[string]*outcome{"main": {}})) != 0 {
		t.Errorf("functions that hold more: %v, of the same program %v", got, rises(x, x, made))
	}
	// Where nothing was changed for the worse, the other way round, nothing is said.
	if back := rises(y, x, made); len(back) != 0 {
		t.Errorf("the program before holds more: %v", back)
	}
}
