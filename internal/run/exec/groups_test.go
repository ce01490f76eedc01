//go:build cgo

package exec_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/runtime"
)

// Three steps of a group, each of which reads what other threads made in the one before.
const stepsOfGroup = `entry main [n] (xs: [n][600]i32) : [n][600]i32 = {
  let ys = map (i < n) {
    let a = map (j < 600) { in xs[i, j] + 1 }
    let b = map (j < 600) { in a[599 - j] * 2 + a[(j + 77) % 600] }
    let c = map (j < 600) { in b[599 - j] * 3 + b[(j + 300) % 600] + a[(j + 9) % 600] }
    in c
  }
  in ys
}`

// TestPlantedInGroups: the values show it if a barrier between steps is left out, or if
// the arena is so small that blocks which are needed together overlap.
func TestPlantedInGroups(t *testing.T) {
	// All rows differ: what is left in local memory of another group is wrong for the next.
	var rows []string
	for i := range 8 {
		var row []string
		for j := range 600 {
			row = append(row, strconv.Itoa((j*j+i*i*17)%(101+i))+"i32")
		}
		rows = append(rows, "["+strings.Join(row, ", ")+"]")
	}
	input := "[" + strings.Join(rows, ", ") + "]"
	run := func(t *testing.T, plant func(k *imp.Kernel)) value.Value {
		p, list := parser.Parse(diag.NewFile("steps.ir", stepsOfGroup))
		must.Do(t, list.Err())
		if list = check.Program(p); list.Err() != nil {
			t.Fatal(list.Err())
		}
		must.Get(pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{}))(t)
		args := must.Get(filetest.ReadValues("steps.in", input, p.Func("main")))(t)
		low := must.Get(imp.Lower(p, imp.Options{Unsafe: true}))(t)
		planted := false
		for _, k := range low.Kernels {
			if len(k.Near) > 0 {
				plant(k)
				planted = true
			}
		}
		if !planted {
			t.Fatal("no kernel has an arena in local memory")
		}
		ctx, err := runtime.Open("", runtime.Options{})
		if err != nil {
			t.Fatalf("this test needs an OpenCL device (PoCL will do): %v", err)
		}
		defer ctx.Close()
		prepared := must.Get(exec.Prepare(ctx, low, opencl.Kernels(low), exec.Options{}))(t)
		defer prepared.Close()
		out := must.Get(prepared.Call("main", args))(t)
		return out[0]
	}
	want := run(t, func(*imp.Kernel) {})
	barriers := 0
	run(t, func(k *imp.Kernel) { k.Body = without(k.Body, -1, &barriers) })
	if barriers != 2 {
		t.Fatalf("the kernel has %d barriers", barriers)
	}
	for at := range barriers {
		n := 0
		got := run(t, func(k *imp.Kernel) { k.Body = without(k.Body, at, &n) })
		if value.Diff(want, got, value.DefaultTolerance) == "" {
			t.Errorf("barrier %d of %d is left out, and nobody sees it", at, barriers)
		}
	}
	got := run(t, func(k *imp.Kernel) { overlap(k.Body) })
	if value.Diff(want, got, value.DefaultTolerance) == "" {
		t.Error("all blocks of a group lie at the beginning of its arena, and nobody sees it")
	}
}

// without returns statements less barrier number at, counting them in n.
func without(list []imp.Stmt, at int, n *int) []imp.Stmt {
	var out []imp.Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *imp.Barrier:
			if *n++; *n-1 == at {
				continue
			}
		case *imp.If:
			s.Then, s.Else = without(s.Then, at, n), without(s.Else, at, n)
		case *imp.For:
			s.Body = without(s.Body, at, n)
		}
		out = append(out, s)
	}
	return out
}

// overlap puts all blocks of a group at the beginning of the arena.
func overlap(list []imp.Stmt) {
	imp.Each(list, func(s *imp.PtrAt) { s.Off = ir.IntLit(0) })
}
