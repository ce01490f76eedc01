package opencl_test

import (
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/ir"
)

// library puts a test's C behind the source of a library, in one file, so that
// the test sees the runtime's own functions.
func library(t *testing.T, c, test string) string {
	return "#define MEMC_NO_MAIN\n" + c + readFile(t, "testdata/host/check.h") + readFile(t, test)
}

// copies is a program that copies elements of every size between places that are no ranges.
func copies() *imp.Program {
	two := ir.IntLit(2)
	place := imp.Region{Mem: "m", Offset: two, Strides: []ir.Exp{two}}
	f := &imp.Func{Name: "unused", Params: []imp.Slot{{Name: "m", Mem: true}}}
	for _, t := range []ir.Prim{ir.U8, ir.U16, ir.U32, ir.U64} {
		f.Body = append(f.Body, &imp.Copy{Dst: place, Src: place, Prim: t, Shape: []ir.Exp{two}})
	}
	return &imp.Program{Funcs: []*imp.Func{f}}
}

// The runtime's strided copies give what the obvious loop gives.
func TestHostCopies(t *testing.T) {
	for _, tasks := range []bool{false, true} {
		p := copies()
		p.Tasks = tasks
		c, _, err := opencl.Host(p, opencl.Kernels(p), opencl.HostOptions{Prefix: "copies"})
		if err != nil {
			t.Fatal(err)
		}
		out, errs, code := runC(t, "", buildC(t, "copies", library(t, c, "testdata/host/copy.c")))
		if code != 0 || out != "ok\n" {
			t.Errorf("tasks %v: exit code %d: %s%s", tasks, code, out, errs)
		}
	}
}
