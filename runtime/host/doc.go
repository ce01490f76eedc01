// Package host is the base of host code in Go: of the packages that `memc compile --host go`
// writes, and, for what both need, of in-process execution (internal/run/exec). It is public because
// generated packages are in other people's modules; they import this package and nothing else of
// memc.
//
// A generated package has a Source: the kernels as text, and the faults and allocation sites with
// positions in the IR. Open opens a device of package runtime; the kernels of an entry are built when
// it is first called. Each entry is then
// a method with these steps:
//
//	c, err := p.Begin(&entry, xs, k)     binds sizes, takes the device and the arguments' blocks
//	ys, n, err := runMain(c, ...)        the host function, as codegen/imp lowered it
//	err = c.Finish(err)                  waits; a fault of a kernel comes first
//	out = host.Result[int32](c, ys, n)   returns a block as an Array; c.Err() if it cannot
//	c.End()                              gives the device to the next call
//
// Memory: a *Block variable of a host function owns one reference, or is nil. Alloc, Set and Move
// drop the reference that the variable had, Drop empties variables, Keep gives a result a
// reference of its own. The caller lends parameters. So after a call, on whatever path it ended,
// only its results are left of its blocks.
//
// Arrays (array.go) are blocks with a type and a shape, row-major from offset 0, and live on the
// device until Free. A result may be an argument of the next call, of any program on the same
// context, without a copy.
//
// Scalars: operations that differ in Go (division by zero, shifts beyond the width, conversions of
// floats) and all built-in functions go through scalar.go, with the definitions of
// internal/base/scalar.
//
// It must not import codegen, a parser, or a transformation: a user's program must not contain a
// compiler.
package host
