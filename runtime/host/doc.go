// Package host is what host code in Go stands on: the packages that `memc compile
// --host go` writes, and, for what both need, in-process execution
// (internal/exec). It is public because generated packages live in other
// people's modules; they import this package and nothing else of memc.
//
// A generated package gives a Source: the kernels as text, and what can fail and
// be allocated with positions in the IR. Open builds the kernels on a device of
// package runtime. Each entry is then a method that runs these steps:
//
//	c, err := p.Begin(&entry, xs, k)     binds sizes, takes the device and the arguments' blocks
//	ys, n, err := runMain(c, ...)        the host function, as codegen/imp lowered it
//	err = c.Finish(err)                  waits; what a kernel found comes first
//	out = host.Result[int32](c, ys, n)   hands a block out as an Array; c.Err() if it cannot
//	c.End()                              gives the device to the next call
//
// Memory: a *Block variable of a host function owns one reference, or is nil.
// Alloc, Set and Move drop what the variable held, Drop empties variables, Keep
// gives a result a reference of its own. Parameters are lent by the caller. So
// after a call, by whatever path it ended, no block of it is left but its
// results.
//
// Arrays (array.go) are blocks with a type and a shape, row-major from offset
// 0, and live on the device until Free. A result may be an argument of the next
// call, of any program on the same context, and nothing is copied for that.
//
// Scalars: what Go's operators mean differently (division by zero, shifts beyond
// the width, conversions of floats) and all built-in functions go through
// scalar.go, whose definitions are those of internal/scalar.
//
// It must not import codegen, a parser, or a transformation: no program of a
// user is to carry a compiler.
package host
