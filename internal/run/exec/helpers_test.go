//go:build cgo

package exec

import (
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// open returns a context on the first device. These tests need one: without it
// they fail, for an executor that was not run is not tested. At the end no
// block may be left.
func open(t *testing.T, opt runtime.Options) *runtime.Context {
	t.Helper()
	c, err := runtime.Open("", opt)
	if err != nil {
		t.Fatalf("these tests need an OpenCL device (PoCL will do): %v", err)
	}
	t.Cleanup(func() {
		if n := c.LiveBlocks(); n != 0 {
			t.Errorf("%d blocks of %d bytes are left", n, c.LiveBytes())
		}
		c.Close()
	})
	return c
}

// kernelSource is what the hand-made programs launch. The kernels follow the
// conventions of codegen/opencl: fault buffer first, blocks as pointer and byte
// offset.
const kernelSource = `
#define AT(T, m, off) ((__global T *)((m) + (off)))
__kernel void add(__global int *fault, __global uchar *ys, long yo, __global uchar *xs, long xo, long n, int k, uchar neg) {
  long i = get_global_id(0);
  if (i >= n || atomic_or(fault, 0) != 0) return;
  int x = AT(int, xs, xo)[i];
  if (x == 13 && atomic_cmpxchg(fault, 0, 1) == 0) {
    ((__global long *)fault)[1] = i;
    ((__global long *)fault)[2] = -x;
  }
  AT(int, ys, yo)[i] = neg ? -(x + k) : x + k;
}
`

// source returns the kernels above and the code generator's copy kernels.
func source(t *testing.T) string {
	t.Helper()
	copies := must.Read(t, "../../../codegen/opencl/copy.cl")
	return kernelSource + "#define MEMC_GROUP ((long)get_group_id(0))\n" + copies
}

var addKernel = &imp.Kernel{Name: "add", Params: []imp.Slot{
	{Name: "ys", Mem: true}, {Name: "xs", Mem: true},
	{Name: "n", Prim: ir.I64}, {Name: "k", Prim: ir.I32}, {Name: "neg", Prim: ir.Bool},
}}

func num(v int64) ir.Exp { return ir.IntLit(v) }

func ref(name string) ir.Exp { return ir.Var(name) }

func prim(name string, p ir.Prim) ir.Exp { return &ir.Ref{Name: name, T: p} }

func bin(op string, x, y ir.Exp) ir.Exp {
	t := x.Prim()
	switch op {
	case "<", "==", ">=":
		t = ir.Bool
	}
	return &ir.Binary{Op: op, X: x, Y: y, T: t}
}

// launchAdd runs ys[i] = xs[i] + k over n elements.
func launchAdd(ys, xs string, n, k ir.Exp) *imp.Launch {
	return &imp.Launch{
		Kernel: addKernel,
		Groups: bin("/", bin("+", n, num(imp.GroupSize-1)), num(imp.GroupSize)),
		Args:   []imp.Arg{{Mem: ys}, {Mem: xs}, {E: n}, {E: k}, {E: ir.BoolLit(false)}},
	}
}

// program wraps functions, of which the last is the entry main, whose arrays
// are of i32 and one-dimensional.
func program(funcs ...*imp.Func) *imp.Program {
	file := diag.NewFile("test.ir", "let x = 1\nlet y = 2\n")
	main := funcs[len(funcs)-1]
	e := &imp.Entry{Name: "main", Func: main}
	for _, s := range main.Params {
		switch {
		case s.Mem:
			e.Params = append(e.Params, imp.EntryParam{Name: s.Name, Prim: ir.I32, Array: true, Shape: []ir.Dim{{Name: "n"}}, Span: diag.Span{Start: 4, End: 5}})
		case s.Name == "n":
			e.Sizes = append(e.Sizes, "n")
		default:
			e.Params = append(e.Params, imp.EntryParam{Name: s.Name, Prim: s.Prim})
		}
	}
	for i := 0; i < len(main.Results); i++ {
		s := main.Results[i]
		e.Results = append(e.Results, imp.EntryResult{Name: s.Name, Prim: s.Prim, Array: s.Mem, Rank: 1})
		if s.Mem {
			e.Results[len(e.Results)-1].Prim = ir.I32
			i++
		}
	}
	return &imp.Program{
		File: file, Funcs: funcs, Entries: []*imp.Entry{e}, Kernels: []*imp.Kernel{addKernel}, KernelChecks: true,
		Faults: []imp.Fault{
			{},
			{Span: diag.Span{Start: 4, End: 5}, Format: "element %d is unlucky: %d (100%%)", Args: 2},
			{Span: diag.Span{Start: 14, End: 15}, Format: "assertion failed: %d is too large", Args: 1},
		},
	}
}

func ints(list ...int32) value.Value {
	v := value.New(ir.I32, []int64{int64(len(list))})
	for i, x := range list {
		v.SetBits(int64(i), uint64(x))
	}
	return v
}

func i32(x int32) value.Value { return value.Scalar(ir.I32, uint64(x)) }
func i64(x int64) value.Value { return value.Scalar(ir.I64, uint64(x)) }

// toInts returns a one-dimensional result as a slice.
func toInts(v value.Value) []int64 {
	out := []int64{}
	for i := range v.Elems() {
		out = append(out, int64(v.Bits(i)))
	}
	return out
}

func mustPrepare(t *testing.T, c *runtime.Context, p *imp.Program) *Prepared {
	t.Helper()
	pr := must.Get(Prepare(c, p, source(t), Options{}))(t)
	t.Cleanup(pr.Close)
	return pr
}
