// Package exec runs an imperative program (codegen/imp) in this process, on a
// device of package runtime.
//
// Algorithm: host functions are compiled once to closures, one per statement;
// scalars live in a frame of []uint64 (internal/base/scalar gives the closures of
// expressions), memory variables in a second one, of *runtime.Block, each
// holding one reference. A call binds the entry's arguments (sizes come from
// shapes, and must agree), uploads arrays, runs the function, and reads the
// results back, row-major from offset 0.
//
// What host code in Go needs as well (codegen/gohost) stands in runtime/host: the
// binding of sizes, the fault buffer, the device heap.
//
// Faults: where kernels hold checks, each takes a buffer of 64 bytes as its
// first argument (host.FaultBuffer). It is read when the host reads an element, at the
// end, and before any other error is reported, so that the fault that comes
// first in the program is the one that is told.
//
// Invariants: when a call is over, by whatever path, all its blocks are
// released; a Prepared stays usable after a failed call. Calls on one context
// take turns.
//
// It must not import the parser, ir/check, or a transformation.
package exec
