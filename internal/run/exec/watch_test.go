//go:build cgo

package exec

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
)

// A watch is told of arguments, launches and results in order, and where their
// blocks come from.
func TestWatch(t *testing.T) {
	c := open(t, runtime.Options{})
	p := must.Get(Prepare(c, program(addFunc()), source(t), Options{}))(t)
	defer p.Close()
	var got []string
	name := func(b *runtime.Block) string {
		if at, ok := p.Argument(b); ok {
			return fmt.Sprintf("argument %d", at)
		}
		fn, block := p.Origin(b)
		return fn + "." + block
	}
	p.Watch(func(s Step) {
		text := ""
		for _, b := range s.Reads {
			text += " reads " + name(b)
		}
		for _, b := range s.Writes {
			text += " writes " + name(b)
		}
		got = append(got, text)
	})
	call := func() {
		must.Get(p.Call("main", []value.Value{ints(1, 2, 3), i32(-5)}))(t)
	}
	call()
	// The hand-made kernel has no body to look at, so it counts as reading.
	want := []string{" writes argument 0", " reads main.m reads argument 0", " reads main.m"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Watch(nil)
	call()
	if len(got) != len(want) {
		t.Error("told of a call that nobody watches")
	}
}

func TestKernelUses(t *testing.T) {
	mem := func(name string) imp.Slot { return imp.Slot{Name: name, Mem: true} }
	load := func(m string) imp.Stmt { return &imp.Load{Dst: "x", Prim: ir.I32, Mem: m, Off: num(0)} }
	store := func(m string) imp.Stmt { return &imp.Store{Mem: m, Prim: ir.I32, Off: num(0), Val: num(0)} }
	k := &imp.Kernel{
		Parts:  []string{"w"},
		Params: []imp.Slot{mem("r"), mem("w"), {Name: "n", Prim: ir.I64}, mem("both"), mem("atomic"), mem("pointer"), mem("unused")},
		Body: []imp.Stmt{
			&imp.KRegion{Body: []imp.Stmt{
				&imp.If{Cond: num(1), Then: []imp.Stmt{load("r")}, Else: []imp.Stmt{store("w")}},
				&imp.For{Var: "i", Bound: num(1), Body: []imp.Stmt{load("both"), &imp.While{Cond: num(0), Body: []imp.Stmt{store("both")}}}},
			}},
			&imp.SetMem{Dst: "p", Src: "pointer"},
			&imp.Atomic{Mems: []string{"atomic"}, Offs: []ir.Exp{num(0)}},
		},
	}
	want := []use{{reads: true}, {writes: true, part: true}, {}, {reads: true, writes: true}, {reads: true, writes: true}, {reads: true, writes: true}, {}}
	if got := kernelUses(k); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
