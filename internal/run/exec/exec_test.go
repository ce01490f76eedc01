//go:build cgo

package exec

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// addFunc is main [n] (xs: [n]i32, k: i32) = (n + 1, map (x + k) xs), with an
// assertion that n < 1000.
func addFunc() *imp.Func {
	return &imp.Func{
		Name:    "main",
		Params:  []imp.Slot{{Name: "n", Prim: ir.I64}, {Name: "xs", Mem: true}, {Name: "k", Prim: ir.I32}},
		Results: []imp.Slot{{Name: "n1", Prim: ir.I64}, {Name: "m", Mem: true}, {Name: "n", Prim: ir.I64}},
		Vars:    []imp.Var{{Name: "n1", Prim: ir.I64}},
		Mems:    []string{"m", "old"},
		Body: []imp.Stmt{
			&imp.Set{Dst: "n1", E: bin("+", ref("n"), num(1))},
			&imp.Alloc{Mem: "m", Bytes: bin("*", ref("n"), num(4)), Site: 0, Name: "m", Span: diag.Span{Start: 14, End: 15}},
			launchAdd("m", "xs", ref("n"), prim("k", ir.I32)),
			&imp.Check{Cond: bin("<", ref("n"), num(1000)), Code: 2, Args: []ir.Exp{ref("n")}},
		},
	}
}

func TestRun(t *testing.T) {
	c := open(t, runtime.Options{})
	got := must.Get(Run(c, program(addFunc()), source(t), "main", []value.Value{ints(1, 2, 3), i32(-5)}, Options{}))(t)
	if len(got) != 2 || got[0].Bits(0) != 4 || !reflect.DeepEqual(toInts(got[1]), []int64{-4, -3, -2}) {
		t.Errorf("got %v", got)
	}
	s := c.Stats()
	if s.PeakBytes != 24 || s.AllocRequests != 2 || s.KernelLaunches != 1 || s.CopiedBytes != 0 || s.WallUS <= 0 {
		t.Errorf("stats %s", s.JSON())
	}
}

func TestEmptyArray(t *testing.T) {
	c := open(t, runtime.Options{})
	got, err := Run(c, program(addFunc()), source(t), "main", []value.Value{ints(), i32(1)}, Options{})
	if err != nil || got[0].Bits(0) != 1 || !reflect.DeepEqual(got[1].Shape, []int64{0}) {
		t.Errorf("got %v, %v", got, err)
	}
	if s := c.Stats(); s.KernelLaunches != 0 {
		t.Errorf("%d launches over nothing", s.KernelLaunches)
	}
}

// A kernel's fault is reported with its arguments, and the next call is clean.
func TestFaults(t *testing.T) {
	c := open(t, runtime.Options{})
	p := mustPrepare(t, c, program(addFunc()))
	long := ints(make([]int32, 1000)...)
	unlucky := ints(make([]int32, 1000)...)
	unlucky.SetBits(7, 13)
	for range 2 {
		for _, x := range []struct {
			xs   value.Value
			want string
		}{
			{ints(1, 2, 13, 4), "test.ir:1:5: error: element 2 is unlucky: -13 (100%)"},
			{long, "test.ir:2:5: error: assertion failed: 1000 is too large"},
			// The kernel comes first, so it is its fault that is told.
			{unlucky, "test.ir:1:5: error: element 7 is unlucky: -13 (100%)"},
		} {
			res, err := p.Call("main", []value.Value{x.xs, i32(0)})
			var d *diag.Diagnostic
			if !errors.As(err, &d) || d.Error() != x.want || res != nil {
				t.Errorf("got %v, %v; want %s", res, err, x.want)
			}
			if n := c.LiveBytes(); n != 0 {
				t.Errorf("%d bytes left after a fault", n)
			}
		}
		if _, err := p.Call("main", []value.Value{ints(1), i32(0)}); err != nil {
			t.Errorf("after a fault: %v", err)
		}
	}
}

func TestArguments(t *testing.T) {
	f := &imp.Func{
		Name: "main",
		Params: []imp.Slot{{Name: "n", Prim: ir.I64}, {Name: "xs", Mem: true}, {Name: "ys", Mem: true},
			{Name: "k", Prim: ir.I32}},
		Results: []imp.Slot{{Name: "n", Prim: ir.I64}},
	}
	prog := program(f)
	c := open(t, runtime.Options{})
	p := mustPrepare(t, c, prog)
	matrix := value.New(ir.I32, []int64{3, 1})
	torn := ints(1, 2, 3)
	torn.Data = torn.Data[:11]
	for _, x := range []struct {
		args []value.Value
		want string
	}{
		{[]value.Value{ints(1, 2, 3), ints(1, 2, 3, 4), i32(0)}, "test.ir:1:5: error[E904]: argument `ys` has size 4 in dimension 0, but `n` is 3 (from `xs`)"},
		{[]value.Value{ints(1), matrix, i32(0)}, "argument `ys` is [3][1]i32, but [n]i32 is expected"},
		{[]value.Value{ints(1), i32(1), i32(0)}, "argument `ys` is i32, but [n]i32 is expected"},
		{[]value.Value{ints(1), ints(1), i64(0)}, "argument `k` is i64, but i32 is expected"},
		{[]value.Value{ints(1), ints(1), ints(1)}, "argument `k` is [1]i32, but i32 is expected"},
		{[]value.Value{torn, ints(1), i32(0)}, "argument `xs` is [3]i32, but holds 11 bytes"},
		{[]value.Value{ints(1)}, "`main` takes 3 arguments, but 1 was given: expected (xs: [n]i32, ys: [n]i32, k: i32)"},
		{nil, "`main` takes 3 arguments, but 0 were given"},
	} {
		_, err := p.Call("main", x.args)
		if err == nil || !strings.Contains(err.Error(), x.want) || diag.ExitCode(err) != diag.ExitInput {
			t.Errorf("got %v, want %s", err, x.want)
		}
	}
	prog.Entries[0].Params[1].Shape[0] = ir.Dim{Const: 2}
	prog.Entries[0].Params[2] = imp.EntryParam{Name: "n", Prim: ir.I64}
	for _, x := range []struct {
		args []value.Value
		want string
	}{
		{[]value.Value{ints(1), ints(1), i64(1)}, "argument `ys` has size 1 in dimension 0, but 2 is expected"},
		{[]value.Value{ints(1), ints(1, 2), i64(5)}, "argument `xs` has size 1 in dimension 0, but `n` is 5"},
	} {
		if _, err := p.Call("main", x.args); err == nil || !strings.HasSuffix(err.Error(), x.want) {
			t.Errorf("got %v, want %s", err, x.want)
		}
	}
	if _, err := p.Call("mian", nil); err == nil || !strings.Contains(err.Error(), "no entry `mian`; there is `main`") {
		t.Errorf("got %v, want the entries' names", err)
	}
}

func TestOutOfMemory(t *testing.T) {
	c := open(t, runtime.Options{MemoryLimit: 5000})
	p := mustPrepare(t, c, program(addFunc()))
	_, err := p.Call("main", []value.Value{ints(make([]int32, 900)...), i32(1)})
	var d *diag.Diagnostic
	if !errors.As(err, &d) {
		t.Fatalf("got %v, want a diagnostic", err)
	}
	var b strings.Builder
	d.Render(&b, false)
	for _, want := range []string{
		"test.ir:2:5: error[E812]: block `m`: out of device memory: 3600 bytes requested, 3600 bytes are in use, the limit is 5000",
		"note: argument `xs` (test.ir:1) holds 3600 bytes",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s\ndoes not say %q", b.String(), want)
		}
	}
	if c.LiveBytes() != 0 {
		t.Errorf("%d bytes left", c.LiveBytes())
	}
	_, err = p.Call("main", []value.Value{ints(make([]int32, 1900)...), i32(1)})
	if err == nil || !strings.Contains(err.Error(), "argument `xs`: out of device memory: 7600 bytes requested") {
		t.Errorf("an argument that does not fit: %v", err)
	}
	if _, err := p.Call("main", []value.Value{ints(1), i32(1)}); err != nil {
		t.Errorf("the context is not usable any more: %v", err)
	}
}

func TestThreadsTakeTurns(t *testing.T) {
	c := open(t, runtime.Options{})
	p := mustPrepare(t, c, program(addFunc()))
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 10 {
				x := int32(100*g + i)
				unlucky := x%3 == 0
				xs := ints(x, 100)
				if unlucky {
					xs = ints(x, 13)
				}
				got, err := p.Call("main", []value.Value{xs, i32(1)})
				switch {
				case unlucky && err == nil:
					t.Errorf("thread %d lost its fault", g)
				case unlucky:
				case err != nil:
					t.Error(err)
				case !reflect.DeepEqual(toInts(got[1]), []int64{int64(x) + 1, 101}):
					t.Errorf("thread %d got %v", g, toInts(got[1]))
				}
			}
		}()
	}
	wg.Wait()
	if s := c.Stats(); s.PeakBytes != 16 {
		t.Errorf("peak %d bytes; calls did not take turns", s.PeakBytes)
	}
}

// Mistakes of the lowering are bugs with a message, not panics.
func TestBrokenPrograms(t *testing.T) {
	c := open(t, runtime.Options{})
	for want, stmt := range map[string]imp.Stmt{
		"scalar variable `y` is not declared":  &imp.Set{Dst: "y", E: num(1)},
		"`z` is not a scalar in scope":         &imp.Set{Dst: "n1", E: ref("z")},
		"memory variable `q` is not declared":  &imp.Free{Mem: "q"},
		"cannot hold *imp.Barrier":             &imp.Barrier{},
		"has 1 strides in `m`":                 &imp.Copy{Dst: imp.Region{Mem: "m", Offset: num(0), Strides: []ir.Exp{num(1)}}, Prim: ir.I32},
		"kernel add has 5 parameters":          &imp.Launch{Kernel: addKernel, Groups: num(1)},
		"is not of this program":               &imp.Launch{Kernel: &imp.Kernel{Name: "add"}, Groups: num(1)},
		"function `f` is called before":        &imp.Call{Func: &imp.Func{Name: "f"}},
		"memory variable `old` holds no block": &imp.Fetch{Loads: []*imp.Load{{Dst: "n1", Prim: ir.I64, Mem: "old", Off: num(0)}}},
		"memory variable `ys` holds no block":  launchAdd("old", "xs", num(1), prim("k", ir.I32)),
		"fault 77, which there is not":         &imp.Check{Cond: ir.BoolLit(false), Code: 77},
		"does not fit its block of 12 bytes":   &imp.Set{Dst: "n", E: num(1 << 62)},
		"result `m` of shape [-1]":             &imp.Set{Dst: "n", E: num(-1)},
	} {
		f := addFunc()
		f.Body = append(f.Body, stmt)
		_, err := Run(c, program(f), source(t), "main", []value.Value{ints(1, 2, 3), i32(0)}, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || diag.ExitCode(err) != diag.ExitBug {
			t.Errorf("got %v, want the bug %q", err, want)
		}
	}
}

func TestFitsIn(t *testing.T) {
	for _, x := range []struct {
		shape []int64
		room  int64
		want  bool
	}{
		{nil, 1, true}, {nil, 0, false}, {[]int64{3}, 3, true}, {[]int64{4}, 3, false},
		{[]int64{2, 3}, 6, true}, {[]int64{2, 3}, 5, false}, {[]int64{3, 2}, 7, true},
		{[]int64{1 << 62, 0, 8}, 0, true}, {[]int64{1 << 62, 8}, 100, false}, {[]int64{-1, 0}, 5, false},
	} {
		if got := fitsIn(x.shape, x.room); got != x.want {
			t.Errorf("fitsIn(%v, %d) = %v", x.shape, x.room, got)
		}
	}
}
