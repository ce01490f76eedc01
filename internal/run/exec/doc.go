// Package exec runs an imperative program (codegen/imp) in this process, on a device of package
// runtime.
//
// Algorithm. Host functions are compiled once to closures, one per statement. Scalars live in a
// frame of []uint64 (internal/base/scalar compiles expressions to closures), memory variables in a
// second frame, of *runtime.Block, each holding one reference. A call binds the entry's arguments
// (sizes come from shapes, and must agree), uploads arrays, runs the function, and reads the
// results back, row-major from offset 0.
//
// Code that Go hosts need as well (codegen/gohost) stands in runtime/host: the binding of sizes,
// the fault buffer, the device heap.
//
// Faults. If kernels contain checks, each takes a buffer of 64 bytes as its first argument
// (runtime.FaultBuffer). It is read when the host reads an element, at the end, and before any other
// error is reported. So the reported fault is the first one of the program.
//
// Invariants. When a call is over, on whatever path, all its blocks are released; a Prepared stays
// usable after a failed call. Calls on one context take turns.
//
// The package must not import the parser, ir/check, or a transformation.
package exec
