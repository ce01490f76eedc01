//go:build cgo

package exec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// Host loops, element reads and writes: the sum of xs with the elements doubled
// in place until one reaches 100, or all are done.
func TestHostControl(t *testing.T) {
	f := &imp.Func{
		Name:    "main",
		Params:  []imp.Slot{{Name: "n", Prim: ir.I64}, {Name: "xs", Mem: true}},
		Results: []imp.Slot{{Name: "sum", Prim: ir.I32}, {Name: "steps", Prim: ir.I64}, {Name: "xs", Mem: true}, {Name: "n", Prim: ir.I64}},
		Vars: []imp.Var{{Name: "sum", Prim: ir.I32}, {Name: "steps", Prim: ir.I64}, {Name: "i", Prim: ir.I64},
			{Name: "x", Prim: ir.I32}, {Name: "go", Prim: ir.Bool}},
		Body: []imp.Stmt{
			&imp.For{Var: "i", Bound: ref("n"), Body: []imp.Stmt{
				&imp.Fetch{Loads: []*imp.Load{{Dst: "x", Prim: ir.I32, Mem: "xs", Off: ref("i")}}},
				&imp.Set{Dst: "sum", E: bin("+", prim("sum", ir.I32), prim("x", ir.I32))},
				&imp.Store{Mem: "xs", Prim: ir.I32, Off: ref("i"), Val: bin("+", prim("x", ir.I32), prim("x", ir.I32))},
			}},
			&imp.Set{Dst: "go", E: bin("<", num(0), ref("n"))},
			&imp.While{Cond: prim("go", ir.Bool), Body: []imp.Stmt{
				&imp.Fetch{Loads: []*imp.Load{{Dst: "x", Prim: ir.I32, Mem: "xs", Off: ref("steps")}}},
				&imp.Set{Dst: "steps", E: bin("+", ref("steps"), num(1))},
				&imp.If{Cond: bin("<", prim("x", ir.I32), &ir.Lit{T: ir.I32, Bits: 100}),
					Then: []imp.Stmt{&imp.Set{Dst: "go", E: bin("<", ref("steps"), ref("n"))}},
					Else: []imp.Stmt{&imp.Set{Dst: "go", E: ir.BoolLit(false)}}},
			}},
		},
	}
	c := open(t, runtime.Options{})
	p := mustPrepare(t, c, program(f))
	for _, x := range []struct {
		xs         value.Value
		sum, steps int64
		out        []int64
	}{
		{ints(1, -2, 60, 5), 64, 3, []int64{2, -4, 120, 10}},
		{ints(-1, -2), -3, 2, []int64{-2, -4}},
		{ints(), 0, 0, []int64{}},
	} {
		got := must.Get(p.Call("main", []value.Value{x.xs}))(t)
		if int64(got[0].Bits(0)) != x.sum || int64(got[1].Bits(0)) != x.steps || !reflect.DeepEqual(toInts(got[2]), x.out) {
			t.Errorf("%v gives %v", toInts(x.xs), got)
		}
	}
}

// A fault of a kernel is found by the element read behind it, so that a loop
// that waits for a value ends.
func TestLoadReportsFault(t *testing.T) {
	f := addFunc()
	f.Vars = append(f.Vars, imp.Var{Name: "x", Prim: ir.I32})
	f.Body = append(f.Body, &imp.While{Cond: ir.BoolLit(true), Body: []imp.Stmt{
		&imp.Fetch{Loads: []*imp.Load{{Dst: "x", Prim: ir.I32, Mem: "m", Off: num(0)}}},
	}})
	c := open(t, runtime.Options{})
	_, err := Run(c, program(f), source(t), "main", []value.Value{ints(13), i32(0)}, Options{})
	if err == nil || !strings.Contains(err.Error(), "element 0 is unlucky") {
		t.Errorf("got %v", err)
	}
}

// Blocks: shared by SetMem, dropped by Free, handed through calls; what a
// variable held is given back when it is assigned.
func TestBlocks(t *testing.T) {
	// pick (a, b, first) gives one of two blocks and frees its own names.
	pick := &imp.Func{
		Name:    "pick",
		Params:  []imp.Slot{{Name: "a", Mem: true}, {Name: "b", Mem: true}, {Name: "first", Prim: ir.Bool}},
		Results: []imp.Slot{{Name: "r", Mem: true}, {Name: "r", Mem: true}},
		Mems:    []string{"r"},
		Body: []imp.Stmt{
			&imp.If{Cond: prim("first", ir.Bool),
				Then: []imp.Stmt{&imp.SetMem{Dst: "r", Src: "a"}},
				Else: []imp.Stmt{&imp.SetMem{Dst: "r", Src: "b"}}},
			&imp.Free{Mem: "a"}, &imp.Free{Mem: "b"},
		},
	}
	main := addFunc()
	main.Mems = append(main.Mems, "r", "s")
	main.Results[1] = imp.Slot{Name: "r", Mem: true}
	main.Body = append(main.Body[:3],
		&imp.Call{Func: pick, Args: []imp.Arg{{Mem: "xs"}, {Mem: "m"}, {E: bin("<", ref("n"), num(3))}}, Results: []string{"r", "s"}},
		&imp.Free{Mem: "s"}, &imp.Free{Mem: "xs"}, &imp.Free{Mem: "m"},
		// Allocated in turn by the same variable: only one is live at a time.
		&imp.For{Var: "n1", Bound: num(5), Body: []imp.Stmt{&imp.Alloc{Mem: "old", Bytes: num(100), Site: 1}}},
		&imp.SetMem{Dst: "s", Src: "old"}, &imp.SetMem{Dst: "old", Src: "s"},
	)
	c := open(t, runtime.Options{})
	p := mustPrepare(t, c, program(pick, main))
	for _, x := range []struct {
		xs   value.Value
		want []int64
		peak int64
	}{
		{ints(1, 2), []int64{1, 2}, 108},
		{ints(1, 2, 3), []int64{2, 3, 4}, 112},
	} {
		c.ResetStats()
		got, err := p.Call("main", []value.Value{x.xs, i32(1)})
		if err != nil || !reflect.DeepEqual(toInts(got[1]), x.want) {
			t.Errorf("got %v, %v; want %v", got, err, x.want)
		}
		if s := c.Stats(); s.PeakBytes != x.peak || s.AllocRequests != 7 {
			t.Errorf("peak %d after %d requests, want %d after 7", s.PeakBytes, s.AllocRequests, x.peak)
		}
	}
}

func TestCopies(t *testing.T) {
	region := func(mem string, off int64, strides ...int64) imp.Region {
		r := imp.Region{Mem: mem, Offset: num(off)}
		for _, s := range strides {
			r.Strides = append(r.Strides, num(s))
		}
		return r
	}
	for _, x := range []struct {
		what     string
		dst, src imp.Region
		shape    []ir.Exp
		want     []int64
		copied   int64
	}{
		{"shifted within a block", region("xs", 1, 1), region("xs", 0, 1), []ir.Exp{num(5)}, []int64{1, 1, 2, 3, 4, 5}, 20},
		{"reversed within a block", region("xs", 0, 1), region("xs", 5, -1), []ir.Exp{num(6)}, []int64{6, 5, 4, 3, 2, 1}, 24},
		{"transposed within a block", region("xs", 0, 3, 1), region("xs", 0, 1, 2), []ir.Exp{num(2), num(3)}, []int64{1, 3, 5, 2, 4, 6}, 24},
		{"onto itself", region("xs", 0, 3, 1), region("xs", 0, 3, 1), []ir.Exp{num(2), num(3)}, []int64{1, 2, 3, 4, 5, 6}, 0},
		{"nothing", region("xs", 0, 3, 1), region("xs", 4, 3, 1), []ir.Exp{num(0), num(3)}, []int64{1, 2, 3, 4, 5, 6}, 0},
		{"an element", region("xs", 2), region("xs", 5), nil, []int64{1, 2, 6, 4, 5, 6}, 4},
	} {
		f := &imp.Func{
			Name:    "main",
			Params:  []imp.Slot{{Name: "n", Prim: ir.I64}, {Name: "xs", Mem: true}},
			Results: []imp.Slot{{Name: "xs", Mem: true}, {Name: "n", Prim: ir.I64}},
			Body:    []imp.Stmt{&imp.Copy{Dst: x.dst, Src: x.src, Prim: ir.I32, Shape: x.shape}},
		}
		c := open(t, runtime.Options{})
		got, err := Run(c, program(f), source(t), "main", []value.Value{ints(1, 2, 3, 4, 5, 6)}, Options{})
		if err != nil || !reflect.DeepEqual(toInts(got[0]), x.want) {
			t.Errorf("%s: got %v, %v; want %v", x.what, got, err, x.want)
		}
		if s := c.Stats(); s.CopiedBytes != x.copied {
			t.Errorf("%s: %d bytes copied, want %d", x.what, s.CopiedBytes, x.copied)
		}
	}
}

// Errors of the program on the host release what was allocated before them.
func TestHostErrors(t *testing.T) {
	for want, stmt := range map[string]imp.Stmt{
		"division by zero":                        &imp.Set{Dst: "n1", E: bin("/", num(1), bin("-", ref("n"), num(3)))},
		"element 3 (of 4 bytes each) is outside":  &imp.Fetch{Loads: []*imp.Load{{Dst: "n1", Prim: ir.I32, Mem: "m", Off: ref("n")}}},
		"element -1 (of 8 bytes each) is outside": &imp.Store{Mem: "m", Prim: ir.I64, Off: num(-1), Val: num(1)},
		"a copy's source at elements 0 to 3 lies outside of its block of 12": &imp.Copy{
			Dst: imp.Region{Mem: "m", Offset: num(0), Strides: []ir.Exp{num(0)}},
			Src: imp.Region{Mem: "xs", Offset: num(0), Strides: []ir.Exp{num(1)}}, Prim: ir.I32, Shape: []ir.Exp{num(4)}},
	} {
		f := addFunc()
		f.Body = append(f.Body, stmt)
		c := open(t, runtime.Options{})
		_, err := Run(c, program(f), source(t), "main", []value.Value{ints(1, 2, 3), i32(0)}, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || diag.ExitCode(err) != diag.ExitInput {
			t.Errorf("got %v, want %q", err, want)
		}
		if c.LiveBytes() != 0 {
			t.Errorf("%q leaves %d bytes", want, c.LiveBytes())
		}
	}
}
