package explain

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/memc-lang/memc/compiler"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// devices are all ways in which package compiler runs a program.
var devices = []string{"interp", "interp-memory", "c", ""}

// Where not all devices find an error, those that do. On the others the program means something unspecified.
var finders = map[diag.Code][]string{diag.ElementTwice: {"interp", "interp-memory"}, diag.Undefined: {"interp-memory"}}

// A run is a program of errors.md with its input, which stands in its test block.
type run struct {
	text string
	file *diag.File
	c    filetest.Case
}

func newRun(t *testing.T, text string) *run {
	t.Helper()
	blocks := must.Get(filetest.Blocks(text, ""))(t)
	if len(blocks) != 1 || len(blocks[0].Cases) != 1 || !blocks[0].Cases[0].HasInput {
		t.Fatalf("the program has no input:\n%s", text)
	}
	return &run{text, diag.NewFile("page.ir", text), blocks[0].Cases[0]}
}

// values reads the input for the parameters of the entry.
func (r *run) values(t *testing.T) ([]value.Value, error) {
	t.Helper()
	p, l := driver.Check(r.file)
	must.Do(t, l.Err())
	f := p.Func(r.c.Entry)
	if f == nil {
		t.Fatalf("there is no function %q", r.c.Entry)
	}
	return filetest.ReadValues("input", r.c.Input, f)
}

// on runs the program on a device. The arrays stay there with twice: then the first argument stands for all arrays,
// and the entry is called twice.
func (r *run) on(t *testing.T, device string, twice bool) (results []any, err error) {
	t.Helper()
	vs, err := r.values(t)
	if err != nil {
		return nil, err
	}
	ctx := must.Get(compiler.Open(compiler.Device{Device: device}))(t)
	t.Cleanup(ctx.Close)
	if name := ctx.Name(); device == "" && (name == "c" || name == "interp") {
		t.Fatalf("this test needs an OpenCL device (PoCL will do); it ran on %s", name)
	}
	p := must.Get(ctx.Compile(r.text, compiler.Options{}))(t)
	t.Cleanup(p.Close)
	var args []any
	for i, v := range vs {
		b := compiler.Bytes{Type: v.Prim.String(), Data: v.Data}
		for _, d := range v.Shape {
			b.Shape = append(b.Shape, int(d))
		}
		switch {
		case !twice:
			args = append(args, b)
		case i == 0:
			args = append(args, must.Get(ctx.NewArray(b))(t))
		default:
			args = append(args, args[0])
		}
	}
	results, err = p.Call(r.c.Entry, args...)
	if twice && err == nil {
		_, err = p.Call(r.c.Entry, args...)
	}
	return results, err
}

// codes returns the codes of what is wrong with a run.
func codes(err error) (list []diag.Code) {
	e, ok := err.(*compiler.Error)
	if !ok {
		return []diag.Code{driver.CodeOf(err)}
	}
	for _, m := range e.Messages {
		list = append(list, diag.Code(m.Code))
	}
	return list
}

// testRuns runs a wrong program and its mended one on all devices.
func testRuns(t *testing.T, code diag.Code, wrong, mended string) {
	twice := code == diag.ArrayGone || code == diag.ArrayTwice
	for _, device := range devices {
		t.Run("device="+device, func(t *testing.T) {
			finds := finders[code] == nil || slices.Contains(finders[code], device)
			r := newRun(t, wrong)
			_, err := r.on(t, device, twice)
			switch {
			case !finds && err != nil:
				t.Errorf("the wrong program has an error that other devices are said to find: %v", err)
			case finds && (err == nil || !slices.Equal(codes(err), []diag.Code{code})):
				t.Errorf("the wrong program ends with %v", err)
			}
			if f := r.c.Fails; !twice && (f == nil || !f.MatchString(string(code))) {
				t.Errorf("the test block of the wrong program does not name %s", code)
			}
			if device == "c" {
				return // builds take long
			}
			r = newRun(t, mended)
			results, err := r.on(t, device, twice)
			if err != nil {
				t.Fatalf("the mended program ends with %v", err)
			}
			if twice {
				return
			}
			for i, v := range must.Get(value.NewReader("output", []byte(r.c.Output)).All())(t) {
				got := value.Value{Prim: v.Prim, Shape: v.Shape, Data: make([]byte, len(v.Data))}
				if a, ok := results[i].(*compiler.Array); ok {
					must.Do(t, a.Read(got.Data))
				} else {
					copy(got.Data, compiler.BytesOf(results[i]).Data)
				}
				if d := value.Diff(v, got, value.Exact); d != "" {
					t.Errorf("result %d of the mended program: %s", i, d)
				}
			}
		})
	}
}

// What the checker of memory refuses, the interpreter by memory finds in a run, and calls it by the same code.
func testByMemory(t *testing.T, code diag.Code, wrong string) {
	p, l := driver.Check(diag.NewFile("wrong.ir", wrong))
	must.Do(t, l.Err())
	var args []value.Value
	for _, q := range p.Func("main").Params {
		if q.Type.Kind == ir.ScalarKind {
			args = append(args, value.Scalar(q.Type.Prim, 3))
		} else {
			args = append(args, must.Get(value.NewReader("input", []byte("[1i32, 2i32, 3i32]")).Next(q.Type.Prim))(t))
		}
	}
	_, err := interp.ByMemory(p, "main", args, interp.Options{})
	if driver.CodeOf(err) != code {
		t.Errorf("by memory the wrong program ends with %v", err)
	}
}

// hostCode is a code in a message of the runtimes in C and Python.
var hostCode = regexp.MustCompile(`error\[(E[0-9]{3})\]|"(E[0-9]{3})"`)

// The runtimes in C and Python write codes of the list.
func TestCodesInHosts(t *testing.T) {
	known, found := constants(t), 0
	for _, room := range []string{"../runtime/native/c/*.c", "../runtime/native/c/*/*.c", "opencl/c/*.c", "opencl/c/*/*.c", "futharkapi/c/*.c", "futharkapi/c/*/*.c", "pyhost/py/*.py"} {
		for _, path := range must.Get(filepath.Glob("../../../codegen/" + room))(t) {
			for _, m := range hostCode.FindAllStringSubmatch(must.Read(t, path), -1) {
				if found++; m[1] != "E000" && !slices.Contains(known, m[1]+m[2]) { // E000 is as long as any
					t.Errorf("%s: no such code: %s", path, m[0])
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d codes were found", found)
	}
}
