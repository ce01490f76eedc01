package compiler_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/memc-lang/memc/compiler"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/irjson"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

const sim = `-- a program with all that a call can do
entry step [n] (xs: *[n]f32, k: f32) : (ys: [n]f32, sum: f32) = {
  let ys = map (i < n) { in xs[i] * k }
  let sum = reduce (j < n) op (a, b) { in a + b } neutral (0.0) { in ys[j] }
  in (ys, sum)
}

entry pick [n] (xs: [n]f32, i: i64) : f32 = {
  in xs[i]
}

entry same [n] (xs: [n]f32) : [n]f32 = {
  in xs
}

entry put [n] (y: [n]f32, x: *[n]f32) : [n]f32 = {
  let z = x with [0] = y[0]
  in z
}

entry put' [n] (x: *[n]f32, y: [n]f32) : [n]f32 = {
  let z = x with [0] = y[0]
  in z
}

entry dot [n] (xs: [n]f32, ys: [n]f32) : f32 = {
  let sum = reduce (j < n) op (a, b) { in a + b } neutral (0.0) { in xs[j] * ys[j] }
  in sum
}

entry below [n] (xs: [n]i64, m: i64) : (k: i64, [k]i64) = {
  let k = min(m, n)
  let ys = map (i < k) { in xs[i] }
  in (k, ys)
}
`

// open opens a device. Without OpenCL the first device would be another, and its tests would be of nothing.
func open(t *testing.T, d compiler.Device) *compiler.Context {
	t.Helper()
	c, err := compiler.Open(d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if name := c.Name(); d.Device == "" && (name == "c" || name == "interp") {
		t.Fatalf("these tests need an OpenCL device (PoCL will do); they ran on %s", name)
	}
	return c
}

func compile(t *testing.T, c *compiler.Context, text string) *compiler.Program {
	t.Helper()
	p := must.Get(c.Compile(text, compiler.Options{File: "sim.ir"}))(t)
	t.Cleanup(p.Close)
	return p
}

// everywhere runs a test on every kind of device.
func everywhere(t *testing.T, test func(t *testing.T, c *compiler.Context)) {
	for _, d := range []string{"", "c", "interp", "interp-memory"} {
		t.Run("device="+d, func(t *testing.T) { test(t, open(t, compiler.Device{Device: d})) })
	}
}

func data[T compiler.Element](t *testing.T, x any) []T {
	t.Helper()
	return must.Get(compiler.Data[T](x.(*compiler.Array)))(t)
}

func check(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// demand checks the kind of an error, and that its text holds a part.
func demand(t *testing.T, err error, k compiler.Kind, part string) {
	t.Helper()
	if !compiler.Is(err, k) || !strings.Contains(err.Error(), part) {
		t.Errorf("error %v; want the kind %s, and %q", err, k, part)
	}
}

func TestCall(t *testing.T) {
	everywhere(t, func(t *testing.T, c *compiler.Context) {
		p := compile(t, c, sim)
		out := must.Get(p.Call("step", []float32{1, 2, 3}, 0.5))(t)
		check(t, "ys", data[float32](t, out[0]), []float32{0.5, 1, 1.5})
		check(t, "sum", out[1], float32(3))
		// A result is the next argument.
		out = must.Get(p.Call("step", out[0], 2))(t)
		check(t, "ys", data[float32](t, out[0]), []float32{1, 2, 3})
		check(t, "shape", out[0].(*compiler.Array).Shape(), []int{3})
		check(t, "pick", must.Get(p.Call("pick", out[0], int64(1)))(t), []any{float32(2)})
		// A scalar that only sizes a result is left out.
		out = must.Get(p.Call("below", []int64{5, 6, 7}, 2))(t)
		check(t, "results", len(out), 1)
		check(t, "below", data[int64](t, out[0]), []int64{5, 6})
		// Bytes are arguments, too.
		one := compiler.Bytes{Type: "f32", Shape: []int{1}, Data: []byte{0, 0, 128, 63}}
		check(t, "pick of bytes", must.Get(p.Call("pick", one, 0))(t), []any{float32(1)})
	})
}

// What is wrong with a call is told alike on all devices, and the next call works.
func TestErrors(t *testing.T) {
	everywhere(t, func(t *testing.T, c *compiler.Context) {
		p := compile(t, c, sim)
		call := func(entry string, args ...any) error {
			_, err := p.Call(entry, args...)
			return err
		}
		xs := must.Get(c.NewArray([]float32{1, 2}))(t)
		demand(t, call("pick", xs, 2), compiler.Fault, "index 2 is out of bounds for dimension 0 of `xs`, whose size is 2")
		check(t, "after a fault", must.Get(p.Call("pick", xs, 1))(t), []any{float32(2)})
		demand(t, call("dot", xs, []float32{1}), compiler.Fault, "`n` is 2")
		demand(t, call("pick", xs), compiler.Misuse, "`pick` takes 2 arguments, but 1 were given")
		demand(t, call("pick", xs, 0.5), compiler.Misuse, "argument `i` is float64(0.5), but i64 is expected")
		demand(t, call("pick", "text", 0), compiler.Misuse, "argument `xs` is string")
		demand(t, call("pic", xs, 0), compiler.Misuse, "did you mean `pick`?")
		demand(t, call("pick", []int32{1}, 0), compiler.Misuse, "argument `xs` is [1]i32, but [n]f32 is expected")
		demand(t, call("pick", (*compiler.Array)(nil), 0), compiler.Misuse, "is missing")
		demand(t, call("pick", compiler.Bytes{Type: "f32", Shape: []int{2}, Data: make([]byte, 4)}, 0), compiler.Misuse, "4 bytes")
		demand(t, p.Build("nosuch"), compiler.Misuse, "no entry")
		_, err := c.NewArray([]float32{1, 2}, 3)
		demand(t, err, compiler.Misuse, "cannot have the shape [3]")
		_, err = c.NewArray(7)
		demand(t, err, compiler.Misuse, "not of int")
		_, err = compiler.Data[int32](xs)
		demand(t, err, compiler.Misuse, "an array of f32 has no int32")
	})
}

// Freed and consumed arrays have the same manners on all devices.
func TestArrays(t *testing.T) {
	everywhere(t, func(t *testing.T, c *compiler.Context) {
		p, other := compile(t, c, sim), compile(t, c, sim)
		xs := must.Get(c.NewArray([]float32{1, 2, 3, 4}))(t)
		same := must.Get(p.Call("same", xs))(t)[0]
		if _, err := p.Call("step", xs, "k"); err == nil {
			t.Error("a wrong argument was taken")
		}
		out := must.Get(other.Call("step", xs, 3))(t) // which consumes it, and another program's array
		demand(t, xs.Read(make([]byte, 16)), compiler.Misuse, "was consumed by a call")
		_, err := p.Call("pick", xs, 0)
		demand(t, err, compiler.Misuse, "argument `xs` was consumed by a call")
		check(t, "what shared its block", data[float32](t, same), []float32{1, 2, 3, 4})
		ys := out[0].(*compiler.Array)
		check(t, "ys", data[float32](t, ys), []float32{3, 6, 9, 12})
		check(t, "type", ys.Type(), "f32")
		demand(t, ys.Read(nil), compiler.Misuse, "has 16 bytes, but there is room for 0")
		check(t, "one array twice", must.Get(p.Call("dot", ys, ys))(t), []any{float32(270)})
		for entry, names := range map[string]string{"put": "`y` and `x`", "put'": "`x` and `y`"} {
			_, err = p.Call(entry, ys, ys)
			demand(t, err, compiler.Misuse, "arguments "+names+" are one array, which `x` consumes")
			check(t, "after a refused call", data[float32](t, ys), []float32{3, 6, 9, 12})
		}
		ys.Free()
		ys.Free()
		_, err = p.Call("dot", ys, ys)
		demand(t, err, compiler.Misuse, "was freed")
		xs.Free()
		(*compiler.Array)(nil).Free()
		grid := must.Get(c.NewArray([]bool{true, false}, 1, 2, 1))(t)
		check(t, "shape", grid.Shape(), []int{1, 2, 1})
		check(t, "bools", data[bool](t, grid), []bool{true, false})
	})
}

// TestOtherContext: arrays of another context are refused, whatever the two contexts are.
func TestOtherContext(t *testing.T) {
	for _, d := range [][2]string{{"interp", ""}, {"", "interp"}, {"", ""}, {"c", "interp"}} {
		other := must.Get(open(t, compiler.Device{Device: d[0]}).NewArray([]float32{1, 2}))(t)
		p := compile(t, open(t, compiler.Device{Device: d[1]}), sim)
		_, err := p.Call("same", other)
		demand(t, err, compiler.Misuse, "argument `xs` lives in another context")
		other.Free()
	}
}

// What is closed can still be called, freed and closed again.
func TestClose(t *testing.T) {
	everywhere(t, func(t *testing.T, c *compiler.Context) {
		p, other := compile(t, c, sim), compile(t, c, sim)
		ys := must.Get(p.Call("same", []float32{1}))(t)[0].(*compiler.Array)
		p.Close()
		p.Close()
		_, err := p.Call("same", []float32{1})
		demand(t, err, compiler.Misuse, "the program is closed")
		check(t, "a closed program's array", must.Get(other.Call("pick", ys, 0))(t), []any{float32(1)})
		c.Close()
		c.Close()
		_, err = other.Call("same", []float32{1})
		demand(t, err, compiler.Misuse, "is closed")
		demand(t, ys.Read(make([]byte, 4)), compiler.Misuse, "is closed")
		_, err = c.NewArray([]float32{1})
		demand(t, err, compiler.Misuse, "is closed")
		ys.Free()
	})
}

// A wrong program is a list of messages with places.
func TestMessages(t *testing.T) {
	c := open(t, compiler.Device{Device: "interp"})
	_, err := c.Compile("entry main (x: i32) : i32 = {\n  in x + y\n}\n", compiler.Options{File: "a.ir"})
	var e *compiler.Error
	if !errors.As(err, &e) || len(e.Messages) != 1 {
		t.Fatal(err)
	}
	check(t, "kind", e.Kind, compiler.Input)
	check(t, "place", e.Messages[0].Span.Start, compiler.Place{Line: 2, Column: 10, Offset: 39})
	demand(t, err, compiler.Input, "a.ir:2:10: error[E101]: ")
	_, err = c.Compile("entry main (", compiler.Options{})
	demand(t, err, compiler.Input, "program:1:")
	_, err = c.Compile(sim, compiler.Options{Passes: "fuze"})
	demand(t, err, compiler.Misuse, "did you mean")
	_, err = c.Compile(sim, compiler.Options{Thresholds: []string{"x"}})
	demand(t, err, compiler.Misuse, "thresholds: ")
	_, err = compiler.Open(compiler.Device{Device: "no such device"})
	demand(t, err, compiler.Failure, "no such device")
}

// Programs come as text, as JSON, or built.
func TestSources(t *testing.T) {
	c := open(t, compiler.Device{Device: "interp"})
	p := must.Get(parser.ParseText("sim.ir", sim))(t)
	before := p.String()
	json := string(must.Get(irjson.Marshal(p))(t))
	for what, built := range map[string]*compiler.Program{
		"JSON":  compile(t, c, json),
		"built": must.Get(c.CompileProgram(p, compiler.Options{}))(t),
	} {
		check(t, what, must.Get(built.Call("pick", []float32{4}, 0))(t), []any{float32(4)})
		check(t, what, len(built.Entries()), 7)
	}
	check(t, "the caller's program", p.String(), before)
	p.File = nil
	built := must.Get(c.CompileProgram(p, compiler.Options{Passes: "explicit"}))(t)
	check(t, "without a file", must.Get(built.Call("pick", []float32{4}, 0))(t), []any{float32(4)})
	check(t, "entry", built.Entries()[0], compiler.Entry{
		Name: "step",
		Params: []compiler.Parameter{
			{Name: "xs", Type: "*[n]f32", Elem: "f32", Shape: []string{"n"}, Consumed: true},
			{Name: "k", Type: "f32", Elem: "f32"},
		},
		Results: []compiler.Parameter{
			{Name: "ys", Type: "[n]f32", Elem: "f32", Shape: []string{"n"}},
			{Name: "sum", Type: "f32", Elem: "f32"},
		},
	})
}

// Every type of scalar goes in and comes out, and numbers of Go that fit.
func TestScalars(t *testing.T) {
	values := map[string]any{
		"i8": int8(-3), "i16": int16(-3), "i32": int32(-3), "i64": int64(-3), "u8": uint8(3), "u16": uint16(3), "u32": uint32(3), "u64": uint64(3),
		"f16": host.ToFloat16(3), "f32": float32(3), "f64": float64(3), "bool": true,
	}
	text := ""
	for name := range values {
		text += fmt.Sprintf("entry id_%s (x: %s) : %s = {\n  in x\n}\n", name, name, name)
	}
	everywhere(t, func(t *testing.T, c *compiler.Context) {
		p := compile(t, c, text)
		for name, v := range values {
			if c.Name() == "c" && name != "i8" && name != "bool" {
				continue // each is compiled by itself
			}
			check(t, name, must.Get(p.Call("id_"+name, v))(t), []any{v})
		}
	})
	p := compile(t, open(t, compiler.Device{Device: "interp"}), text)
	check(t, "int", must.Get(p.Call("id_u8", 255))(t), []any{uint8(255)})
	check(t, "int", must.Get(p.Call("id_u64", 7))(t), []any{uint64(7)})
	check(t, "int as f32", must.Get(p.Call("id_f32", 7))(t), []any{float32(7)})
	check(t, "float64 as f32", must.Get(p.Call("id_f32", 0.1))(t), []any{float32(0.1)})
	for entry, x := range map[string]any{"id_u8": 256, "id_u64": -1, "id_bool": 1, "id_i32": 1.0, "id_f64": float32(1), "id_i64": true} {
		_, err := p.Call(entry, x)
		demand(t, err, compiler.Misuse, "argument `x` is ")
	}
}

// Threads share programs and arrays.
func TestThreads(t *testing.T) {
	everywhere(t, func(t *testing.T, c *compiler.Context) {
		p := compile(t, c, sim)
		xs := must.Get(c.NewArray([]float32{1, 2, 3}))(t)
		var all sync.WaitGroup
		for i := range 4 {
			all.Add(1)
			go func() {
				defer all.Done()
				out, err := p.Call("pick", xs, i)
				if i == 3 {
					demand(t, err, compiler.Fault, "index 3")
					return
				}
				check(t, "pick", out, []any{float32(i + 1)})
				if out, err = p.Call("step", []float32{float32(i)}, 2); err != nil {
					t.Error(err)
					return
				}
				check(t, "sum", out[1], float32(2*i))
			}()
		}
		all.Wait()
	})
}

// Memory is given back, and a device that is full is an error of its own kind.
func TestMemory(t *testing.T) {
	c := open(t, compiler.Device{MemoryLimit: 1 << 20})
	p := compile(t, c, sim)
	_, err := p.Call("dot", make([]float32, 1<<18), make([]float32, 1<<18))
	demand(t, err, compiler.OutOfMemory, "out of device memory")
	var oom *runtime.OutOfMemory
	check(t, "cause", errors.As(err, &oom), true)
	_, err = c.NewArray(make([]float32, 1<<20))
	demand(t, err, compiler.OutOfMemory, "a new array: ")
	for range 20 {
		out := must.Get(p.Call("same", make([]float32, 1<<16)))(t)
		out[0].(*compiler.Array).Free()
	}
	c.Trim()
	check(t, "launches", c.Stats().PeakBytes <= 1<<20, true)
}

// All entries can be built at once, before any is called.
func TestBuild(t *testing.T) {
	everywhere(t, func(t *testing.T, c *compiler.Context) {
		p := compile(t, c, sim)
		must.Do(t, p.Build("pick", "dot"))
		must.Do(t, p.Build())
		check(t, "dot", must.Get(p.Call("dot", []float32{3}, []float32{2}))(t), []any{float32(6)})
	})
}
