package ir_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

func parse(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, list := parser.Parse(diag.NewFile("in.ir", text))
	must.Do(t, list.Err())
	return p
}

// everything is a program with every construct.
func everything(t *testing.T) *ir.Program {
	t.Helper()
	text := must.Read(t, "../parser/testdata/all.ir")
	return parse(t, text)
}

// pointers collects every pointer, and the backing of every slice, below v.
func pointers(v reflect.Value, found map[uintptr]string) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type() == reflect.TypeFor[*diag.File]() {
			return
		}
		found[v.Pointer()] = v.Type().String()
		pointers(v.Elem(), found)
	case reflect.Interface:
		if !v.IsNil() {
			pointers(v.Elem(), found)
		}
	case reflect.Slice:
		if v.Cap() > 0 {
			found[v.Pointer()] = v.Type().String()
		}
		for i := range v.Len() {
			pointers(v.Index(i), found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			pointers(v.Field(i), found)
		}
	}
}

func TestClone(t *testing.T) {
	p := everything(t)
	q := ir.CloneProgram(p)
	if d := cmp.Diff(p, q, cmpopts.IgnoreUnexported(ir.Program{}), cmp.Comparer(func(a, b *diag.File) bool { return a == b })); d != "" {
		t.Errorf("the clone differs: %s", d)
	}
	of, in := map[uintptr]string{}, map[uintptr]string{}
	pointers(reflect.ValueOf(p), of)
	pointers(reflect.ValueOf(q), in)
	if len(of) < 100 {
		t.Fatalf("only %d pointers in the program", len(of))
	}
	for ptr, typ := range in {
		if _, ok := of[ptr]; ok {
			t.Errorf("a %s is shared", typ)
		}
	}
}

func TestFreeNames(t *testing.T) {
	p := parse(t, `
entry main [n] (xs: [n]i32 @ ?m_xs, k: i64) : i32 = {
  let m = alloc n * 4
  let (r, ys: [n]i32 @ ?m_ys -> LMAD(?o; (n : ?s))) = loop (a = k, u: [n]i32 @ ?m_u -> LMAD(?ou; (n : 1)) = xs) for i < k + 1 {
    let ws: [n]i32 @ m -> Direct(n) = map (j < n) {
      let t: [q]i32 @ z -> Direct(w, n) -> Slice(j, (0, w)) = copy xs
      in xs[j] + t[i] + ys'
    }
    let h = hist ws (l < n) op (c: i32, d) { in c + d + e } neutral (f) { in (l, u[o + ou]) }
    in (a, h)
  }
  let g = if k == 1 { in r } else { in ys[0] }
  in g
}`)
	body := p.Funcs[0].Body
	loop := body.Stmts[1].Op.(*ir.Loop)
	for _, c := range []struct {
		body *ir.Body
		want string
	}{
		{body, "n k xs q z w ys' f e"},
		{loop.Body, "n xs q z w i ys' m f e u o ou a"},
		{loop.Body.Stmts[0].Op.(*ir.Map).Body, "xs q z w n j i ys'"},
	} {
		got := strings.Join(ir.FreeNames(c.body), " ")
		if got != c.want {
			t.Errorf("free names %q, want %q", got, c.want)
		}
	}
}

func TestMapExp(t *testing.T) {
	p := parse(t, "fun f (a: i64, xs: [4]i64) : i64 = { in if a < 1 then -xs[a, a + 2] else min(i64(a), a * 3) }")
	e := p.Funcs[0].Body.Result[0]
	before := ir.ExpString(e)
	got := ir.ExpString(ir.MapExp(e, func(e ir.Exp) ir.Exp {
		switch e := e.(type) {
		case *ir.Ref:
			e.Name += "'"
		case *ir.Binary: // its operands are rebuilt already
			if e.Op == "*" {
				return e.X
			}
		}
		return e
	}))
	if want := "if a' < 1 then -xs[a', a' + 2] else min(i64(a'), a')"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if after := ir.ExpString(e); after != before {
		t.Errorf("the expression itself became %s", after)
	}
}

func TestIsExplicit(t *testing.T) {
	for text, want := range map[string]bool{
		"fun f (a: i64) : i64 = { in a }":                                                             false,
		"fun f [n] (a: [n]i64) : [n]i64 = { let b = copy a in b }":                                    false,
		"fun f [n] (a: [n]i64 @ ?m) : i64 = { in 1 }":                                                 true,
		"fun f (m: mem) : i64 = { in 1 }":                                                             true,
		"fun f (a: i64) : [3]i64 @ ?m = { let b = iota 3 in b }":                                      true,
		"fun f (a: i64) : i64 = { let b = if a > 0 { let m = alloc 3 in 1 } else { in 2 } in b }":     true,
		"fun f (a: i64) : i64 = { let b: [3]i64 @ m = iota 3 in 1 }":                                  true,
		"fun f [n] (a: [n]i64) : i64 = { let b = loop (u: [n]i64 @ ?m = a) for i < 3 { in u } in 1 }": true,
	} {
		if got := ir.IsExplicit(parse(t, text).Funcs[0]); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestWalk counts what the walkers visit in the program with every construct.
func TestWalk(t *testing.T) {
	p := everything(t)
	stmts, bodies, outer := 0, 0, 0
	for _, f := range p.Funcs {
		outer += len(f.Body.Stmts)
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			stmts++
			bodies += len(ir.Bodies(s.Op))
			ir.Exps(s.Op, func(e ir.Exp) {
				if e == nil {
					t.Errorf("no expression in %s", s)
				}
			})
			return true
		})
	}
	text := p.String()
	if lets := strings.Count(text, "let ") + strings.Count(text, "assert "); stmts != lets {
		t.Errorf("%d statements visited, %d in the text", stmts, lets)
	}
	if braces := strings.Count(text, "{ in ") + strings.Count(text, "{\n"); bodies != braces-len(p.Funcs) {
		t.Errorf("%d bodies visited, %d in the text", bodies, braces-len(p.Funcs))
	}
	n := 0
	for _, f := range p.Funcs {
		ir.WalkStmts(f.Body, func(*ir.Stmt) bool { n++; return false })
	}
	if n != outer {
		t.Errorf("%d statements visited without bodies, expected %d", n, outer)
	}
}

// Func gives the right function whatever has become of the list since it was numbered.
func TestFunc(t *testing.T) {
	p := &ir.Program{}
	for _, name := range []string{"f", "g", "h"} {
		p.Funcs = append(p.Funcs, &ir.Func{Name: name})
	}
	found := func(names ...string) {
		t.Helper()
		for _, name := range names {
			if f := p.Func(name); f == nil || f.Name != name {
				t.Errorf("`%s` is not found", name)
			}
		}
		if f := p.Func("none"); f != nil {
			t.Errorf("`none` is `%s`", f.Name)
		}
	}
	found("f", "g", "h")
	p.Number()
	found("f", "g", "h")
	p.Funcs = p.Funcs[1:]
	found("g", "h")
	if p.Func("f") != nil {
		t.Error("`f` is found, but is gone")
	}
}

// TestWithOperands: of every expression of every kind, operands are replaced in the order of the text, on a copy; and
// where nothing changes, the result is the expression itself.
func TestWithOperands(t *testing.T) {
	for _, f := range everything(t).Funcs {
		ir.EachExpIn(f.Body, func(e *ir.Exp) {
			ir.WalkExp(*e, func(e ir.Exp) bool {
				if ir.WithOperands(e, func(x ir.Exp) ir.Exp { return x }) != e {
					t.Errorf("%s is another expression with its own operands", ir.ExpString(e))
				}
				before, n, want := ir.ExpString(e), 0, []string{}
				out := ir.WithOperands(e, func(x ir.Exp) ir.Exp {
					n++
					want = append(want, strconv.Itoa(n))
					return ir.IntLit(int64(n))
				})
				var got []string
				ir.Operands(out, func(x ir.Exp) { got = append(got, ir.ExpString(x)) })
				if !slices.Equal(got, want) || ir.ExpString(e) != before {
					t.Errorf("%s with other operands has %v, want %v; it itself is %s now", before, got, want, ir.ExpString(e))
				}
				return true
			})
		})
	}
}
