package bench

import (
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
)

func TestBound(t *testing.T) {
	a, b, c := new(runtime.Block), new(runtime.Block), new(runtime.Block)
	never := func(_, _ *runtime.Block) bool { return false }
	always := func(_, _ *runtime.Block) bool { return true }
	type list = []*runtime.Block
	for _, x := range []struct {
		what   string
		steps  []exec.Step
		shares func(_, _ *runtime.Block) bool
		want   int64
	}{
		{"one after the other", []exec.Step{{Writes: list{a}}, {Reads: list{a}}, {Writes: list{b}}, {Reads: list{b}}}, never, 100},
		{"made from the other", []exec.Step{{Writes: list{a}}, {Reads: list{a}, Writes: list{b}}, {Reads: list{b}}}, never, 200},
		{"made in the other's place", []exec.Step{{Writes: list{a}}, {Reads: list{a}, Writes: list{b}}, {Reads: list{b}}}, always, 100},
		{"two made from one", []exec.Step{{Writes: list{a}}, {Reads: list{a}, Writes: list{b, c}}, {Reads: list{b, c}}}, always, 200},
		{"still needed", []exec.Step{{Writes: list{a}}, {Reads: list{a}, Writes: list{b}}, {Reads: list{a, b}}}, always, 200},
		{"idle between, and written anew", []exec.Step{{Writes: list{a}}, {Reads: list{a}}, {Writes: list{b}}, {Reads: list{b}}, {Writes: list{a}}, {Reads: list{a}}}, never, 100},
		{"idle between, but read later", []exec.Step{{Writes: list{a}}, {Writes: list{b}}, {Reads: list{b}}, {Reads: list{a}}}, never, 200},
		{"updated", []exec.Step{{Writes: list{a}}, {Writes: list{b}}, {Reads: list{a, b}, Writes: list{a}}, {Reads: list{a}}}, never, 200},
		{"updated in part", []exec.Step{{Writes: list{a}}, {Writes: list{b}}, {Reads: list{b}, Writes: list{a}, Parts: list{a}}, {Reads: list{a}}}, never, 200},
		{"written in part, of nothing that is needed", []exec.Step{{Writes: list{b}}, {Writes: list{a}}, {Reads: list{a}, Writes: list{b}, Parts: list{b}}, {Reads: list{b}}}, always, 100},
		{"nothing", nil, never, 0},
	} {
		w := newWatcher(func(x *runtime.Block) bool { return x == a })
		for _, s := range x.steps {
			w.step(s)
		}
		for i := range w.spans {
			w.spans[i].bytes = 100
		}
		if got := w.bound(x.shares); got != x.want {
			t.Errorf("%s: %d bytes, want %d", x.what, got, x.want)
		}
	}
	// What the caller keeps is needed to the end.
	w := newWatcher(func(x *runtime.Block) bool { return x == a })
	for _, s := range []exec.Step{{Writes: list{a}}, {Reads: list{a}}, {Writes: list{b}}} {
		w.step(s)
	}
	w.keep(func(x *runtime.Block) bool { return x == a })
	for i := range w.spans {
		w.spans[i].bytes = 100
	}
	if got := w.bound(never); got != 200 {
		t.Errorf("an argument that is kept: %d bytes", got)
	}
}

// Releases move to the end of their bodies, but not over what sets the variable.
func TestHold(t *testing.T) {
	free := func(m string) imp.Stmt { return &imp.Free{Mem: m} }
	set := func(dst, src string) imp.Stmt { return &imp.SetMem{Dst: dst, Src: src} }
	use := func(m string) imp.Stmt { return &imp.Load{Dst: "x", Prim: ir.I32, Mem: m} }
	loop := &imp.For{Var: "i", Body: []imp.Stmt{use("a"), free("a"), free("t"), use("b"), set("a", "b")}}
	p := &imp.Program{Funcs: []*imp.Func{{Body: []imp.Stmt{use("y"), free("y"), loop, free("b"), use("z")}}}}
	hold(p)
	body := p.Funcs[0].Body
	names := ""
	for _, s := range body {
		if f, ok := s.(*imp.Free); ok {
			names += f.Mem
		} else {
			names += "."
		}
	}
	if names != "...yb" {
		t.Errorf("the function's body is %s", names)
	}
	names = ""
	for _, s := range loop.Body {
		if f, ok := s.(*imp.Free); ok {
			names += f.Mem
		} else {
			names += "."
		}
	}
	if names != ".a..t" {
		t.Errorf("the loop's body is %s", names)
	}
}
