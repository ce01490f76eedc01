// Package compiler compiles and runs programs of memc in this process: for front ends, and for
// interpreters of array languages that make programs while they run.
//
//	ctx, err := compiler.Open(compiler.Device{})           // the first OpenCL device
//	defer ctx.Close()
//	p, err := ctx.Compile(text, compiler.Options{})        // text or JSON; CompileProgram: an *ir.Program
//	results, err := p.Call("main", []float32{1, 2, 3}, 0.5)
//	ys, err := compiler.Data[float32](results[0].(*compiler.Array))
//
// It does what `memc run` does, by the same code: it parses, checks, runs the passes in their order,
// lowers, builds and calls. What an entry needs is lowered and built when the entry is first called, or
// by Program.Build.
//
// A Context is a device with its memory. Its programs share both, and take each other's arrays. Arrays
// stay on the device until they are freed or consumed, and results are arrays that can be arguments of
// the next call. Without OpenCL a Context runs programs as C, or on the interpreter, with the same
// API.
//
// Every error is an *Error, which holds messages as data. After an error the context, its programs and
// its arrays can be used further. All methods may be called from any goroutine; calls on
// one context take turns.
//
// Go slices are copied when they are passed. No type of an internal package is in the API.
package compiler
