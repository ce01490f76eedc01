package places_test

import (
	"testing"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir/sym"
)

func TestContradictory(t *testing.T) {
	n, i := sym.Var("n"), sym.Var("i")
	thread := places.Facts{}.WithBound("i", sym.Const(0), n)
	for _, x := range []struct {
		name  string
		facts places.Facts
		want  bool
	}{
		{"nothing is known", places.Facts{}, false},
		{"a thread of n", thread, false},
		{"a thread of none", thread.AtMost(n, sym.Const(0)), true},
		{"a thread of at most one", thread.AtMost(n, sym.Const(1)), false},
		{"both branches", places.Facts{}.LessThan(i, n).AtMost(n, i), true},
		{"one branch in the other", places.Facts{}.LessThan(i, n).LessThan(i, n.Mul(sym.Const(2))), false},
	} {
		if got := x.facts.Contradictory(); got != x.want {
			t.Errorf("%s: got %v", x.name, got)
		}
	}
}
