package imp

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir"
)

// What stands before and after an inner loop may be done between its turns if that changes nothing.
func TestIdle(t *testing.T) {
	copies := func(text string) (list []Stmt) {
		for _, s := range strings.Fields(text) {
			to, from, _ := strings.Cut(s, "=")
			list = append(list, &Set{Dst: to, E: &ir.Ref{Name: from, T: ir.I64}})
		}
		return list
	}
	for _, c := range []struct {
		name, before, after string
		want                bool
	}{
		{"a sum goes in and out", "t=s", "s=t", true},
		{"through another name", "t=s", "r=t s=r", true},
		{"two sums", "t=s u=r", "s=t r=u", true},
		{"two sums change places", "t=s u=r", "s=u r=t", false},
		{"the sum begins anew", "t=z", "s=t", false},
		{"the sum stays inside", "", "s=t", true},
		{"the sum before is kept", "t=s", "o=s s=t", false},
		{"the sum before is kept from before the loop", "t=s o=s", "s=t", false},
	} {
		inner := &For{Var: "k", Body: []Stmt{
			&Set{Dst: "t", E: add(ir.Var("t"), i64(1))},
			&Set{Dst: "u", E: add(ir.Var("u"), i64(1))},
		}}
		if got := idle(copies(c.before), copies(c.after), inner); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
