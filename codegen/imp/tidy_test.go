package imp

import (
	"testing"

	"github.com/memc-lang/memc/ir"
)

// A barrier goes where nothing was read or written since the one before, in every turn of a
// loop and on every way through a branch; no other goes.
func TestTidy(t *testing.T) {
	barrier := func() Stmt { return &Barrier{} }
	load := func() Stmt { return &Load{Dst: "x", Prim: ir.I32, Mem: "m", Off: i64(0)} }
	set := func() Stmt { return &Set{Dst: "y", E: i64(1)} }
	branch := func(then, els []Stmt) Stmt { return &If{Cond: ir.BoolLit(true), Then: then, Else: els} }
	loop := func(body ...Stmt) Stmt { return &For{Var: "i", Bound: i64(3), Body: body} }
	for _, c := range []struct {
		name string
		list []Stmt
		want int // barriers
	}{
		{"at the beginning", []Stmt{barrier(), load()}, 0},
		{"twice", []Stmt{load(), barrier(), set(), barrier(), load()}, 1},
		{"a read between", []Stmt{load(), barrier(), load(), barrier()}, 2},
		{"that ends the group", []Stmt{load(), barrier(), &Barrier{Leave: true}}, 2},
		{"one branch reads", []Stmt{load(), barrier(), branch([]Stmt{load()}, nil), barrier()}, 2},
		{"no branch reads", []Stmt{load(), barrier(), branch([]Stmt{set()}, []Stmt{set()}), barrier()}, 1},
		{"a loop that ends with one", []Stmt{load(), barrier(), loop(barrier(), load(), barrier())}, 2},
		{"a loop that ends with a read", []Stmt{load(), barrier(), loop(barrier(), load(), barrier(), load())}, 3},
		{"a loop behind a read", []Stmt{load(), loop(barrier(), load(), barrier())}, 2},
		{"behind a loop that ends with one", []Stmt{load(), barrier(), loop(load(), barrier()), barrier(), load()}, 2},
		{"behind a loop of reads", []Stmt{load(), barrier(), loop(load()), barrier(), load()}, 2},
	} {
		out, _ := tidy(c.list, true)
		if n := countBarriers(out); n != c.want {
			t.Errorf("%s: %d barriers are left, expected %d", c.name, n, c.want)
		}
	}
}

func countBarriers(list []Stmt) int {
	n := 0
	for _, s := range list {
		switch s := s.(type) {
		case *Barrier:
			n++
		case *If:
			n += countBarriers(s.Then) + countBarriers(s.Else)
		case *For:
			n += countBarriers(s.Body)
		}
	}
	return n
}
