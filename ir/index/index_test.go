package index_test

import (
	"math"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/parser"
)

func indexOf(t *testing.T, src string) *index.Function {
	t.Helper()
	p := must.Get(parser.ParseText("test.ir", src))(t)
	if ds := check.Elaborate(p); ds.Err() != nil {
		t.Fatal(ds.Err())
	}
	return index.Of(p.Funcs[0])
}

const program = `
entry main [n] (xs: [n]i32, k: i64) : ([n]i32, i64) = {
  let a = k + 1
  let b = a * 2
  let c = b / k
  let r = loop (acc: [n]i32 = xs) for i < b {
    let d = i + b
    let ys = map (j < n) {
      let e = d + j
      in acc[j] + i32(e)
    }
    in ys
  }
  let f = c + b
  in (r, f)
}`

// A name is visible behind its definition in its body and in those within, and known on the
// host where no kernel binds it.
func TestVisible(t *testing.T) {
	x := indexOf(t, program)
	at := func(name string) int { return x.Stmt(x.Def(name).Stmt).From }
	for _, c := range []struct {
		name, where string
		visible     bool
	}{
		{"a", "b", true}, {"b", "a", false}, {"a", "a", false}, {"n", "a", true}, {"k", "e", true}, {"i", "d", true},
		{"i", "f", false}, {"d", "e", true}, {"d", "f", false}, {"j", "e", true}, {"j", "d", false}, {"acc", "d", true},
		{"r", "f", true}, {"r", "d", false}, {"nothing", "f", false},
	} {
		if got := x.Visible(c.name, at(c.where)); got != c.visible {
			t.Errorf("%s is visible at %s: %t", c.name, c.where, got)
		}
	}
	for name, known := range map[string]bool{"n": true, "k": true, "a": true, "i": true, "r": true, "j": false, "e": false, "nothing": false} {
		if got := x.Known(name) < math.MaxInt; got != known {
			t.Errorf("%s is known on the host: %t", name, got)
		}
	}
	if sc := x.Scope(at("e")); !sc.Kernel || sc.Binders[0].Name != "j" || !sc.Outer.Loop || sc.Outer.Binders[0].Name != "i" || sc.Outer.Outer.Outer != nil {
		t.Error("e is in a kernel over j, in a loop over i, in the function")
	}
	if !x.Def("ys").Fresh() || x.Def("r").Fresh() || x.Def("acc").Fresh() {
		t.Error("ys is made anew, and r and acc are not")
	}
}

// The statement of a body around a point is the one whose points it is among; if there is
// none, the first one behind the point.
func TestEnclosing(t *testing.T) {
	x := indexOf(t, program)
	ir.WalkStmts(x.Func.Body, func(s *ir.Stmt) bool {
		for _, b := range append(ir.Bodies(s.Op), x.Func.Body) {
			for point := range x.Points {
				var want *ir.Stmt
				within := false
				for _, in := range b.Stmts {
					if span := x.Stmt(in); span.To >= point {
						want, within = in, span.From <= point
						break
					}
				}
				got, span, ok := x.Enclosing(b, point)
				if got != want || ok != within || got != nil && span != x.Stmt(got) {
					t.Errorf("around %d is %v, %t", point, span, ok)
				}
			}
		}
		return true
	})
}

// Names are replaced by definitions that neither fail nor read, and by others only where
// that is asked for.
func TestExpansion(t *testing.T) {
	x := indexOf(t, program)
	of := func(name string) sym.Poly { return sym.Var(name) }
	if got := x.Closed().Of(of("f")).String(); got != "2*k + c + 2" && got != "c + k*2 + 2" {
		t.Errorf("f is %s", got)
	}
	if got := x.Defined().Of(of("f")); len(got.Names()) != 1 || got.Names()[0] != "k" {
		t.Errorf("f is defined as %s", got)
	}
	above := x.Stmt(x.Def("b").Stmt).From
	if got, missing := x.Earlier(of("b"), above); missing != "" || !got.Equal(sym.Of(&ir.Binary{Op: "*", X: ir.Var("a"), Y: ir.IntLit(2), T: ir.I64})) {
		t.Errorf("above its definition b is %s, without %q", got, missing)
	}
	if _, missing := x.Earlier(of("f"), above); missing != "c" {
		t.Errorf("f cannot be written there without %q", missing)
	}
}
