//go:build cgo

package opencl_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
)

// lower brings a source text to imperative form, by way of the explicit one.
func lower(t *testing.T, name, text string) *imp.Program {
	t.Helper()
	_, low := lowerBoth(t, name, text)
	return low
}

// lowerBoth also gives the explicit program.
func lowerBoth(t *testing.T, name, text string) (*ir.Program, *imp.Program) {
	t.Helper()
	p := load.Checked(t, name, text)
	must.Get(pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{Verify: true}))(t)
	low := must.Get(imp.Lower(p, imp.Options{}))(t)
	return p, low
}

// TestProgramsRun runs every program of the language's tests on the device; the
// interpreter by value is the oracle, also for the message of a failing run.
func TestProgramsRun(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Fatalf("this test needs an OpenCL device (PoCL will do): %v", err)
	}
	defer ctx.Close()
	files := 0
	for _, dir := range []string{"lang", "explicit", "imp"} {
		root := filepath.Join("..", "..", "testdata", dir)
		must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".ir") {
				return err
			}
			name, _ := filepath.Rel(filepath.Dir(root), path)
			files++
			t.Run(name, func(t *testing.T) { runProgram(t, ctx, path) })
			return nil
		}))
	}
	if files < 100 {
		t.Errorf("only %d programs were found", files)
	}
}

// runProgram runs the inputs of one file.
func runProgram(t *testing.T, ctx *runtime.Context, path string) {
	text := must.Get(os.ReadFile(path))(t)
	blocks := must.Get(filetest.Blocks(string(text), filepath.Dir(path)))(t)
	var prepared *exec.Prepared
	var source, placed *ir.Program
	for _, b := range blocks {
		for _, c := range b.Cases {
			if !c.HasInput {
				continue
			}
			if prepared == nil {
				source = load.Checked(t, path, string(text))
				var low *imp.Program
				placed, low = lowerBoth(t, path, string(text))
				prepared = must.Get(exec.Prepare(ctx, low, opencl.Kernels(low), exec.Options{}))(t)
				defer prepared.Close()
			}
			runCase(t, source, placed, prepared, c)
		}
	}
	if n := ctx.LiveBlocks(); prepared != nil && n > 1 { // the fault buffer
		t.Errorf("%d blocks are live after the calls", n)
	}
}

func runCase(t *testing.T, source, placed *ir.Program, prepared *exec.Prepared, c filetest.Case) {
	t.Helper()
	args := load.Inputs(t, source.Func(c.Entry), c.Input)
	want, wantErr := interp.ByValue(source, c.Entry, args, interp.Options{})
	got, gotErr := prepared.Call(c.Entry, args)
	if (wantErr == nil) != (gotErr == nil) {
		t.Fatalf("line %d: error %v, by value %v", c.Line, gotErr, wantErr)
	}
	if wantErr != nil {
		_, memErr := interp.ByMemory(placed, c.Entry, args, interp.Options{})
		if memErr == nil || message(wantErr) != message(memErr) || message(wantErr) != message(gotErr) {
			t.Errorf("line %d: error\n%v\nby memory\n%v\nby value\n%v", c.Line, gotErr, memErr, wantErr)
		}
		return
	}
	for i := range want {
		if d := value.Diff(want[i], got[i], value.DefaultTolerance); d != "" {
			t.Errorf("line %d: result %d: %s", c.Line, i, d)
		}
	}
}

// message is an error without its position.
func message(err error) string {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d.Msg
	}
	return err.Error()
}
