// Package gohost writes the host side of an imperative program (codegen/imp) as a
// Go package, for `memc compile --host go`. Package opencl does the same in C; both
// print what internal/run/exec runs.
//
// # What it writes
//
//   - api.go: the package's interface. Open, NewArray, and one method of Program
//     per entry, with arguments and results of Go types.
//   - host.go: the host functions, statement by statement.
//   - tables.go: what can fail and be allocated, with positions in the IR, and what
//     entries check of their arguments.
//   - kernels.cl: the kernels, embedded into the package.
//
// The text is gofmt's, and passes go vet. It imports package runtime/host of this
// module and nothing else of it, since it lives in other people's modules. What is
// not program but runtime stands there.
//
// # Algorithm
//
// One walk over each function. Scalars are Go variables of their own types and
// keep the names of `memc compile --emit=imp`; a name that means something in Go
// gets an underscore. imp.PlaceVars says where they are declared. Go refuses
// variables that nobody reads, so assignments of variables that have no effect
// (imp.Needed) are left out. Memory variables are declared at the top, and a
// deferred host.Drop releases them on every path:
//
//	m_ys = alloc n * 4                 if err := c.Alloc(&m_ys, host.MulBytes(n, 4), 0); err != nil {
//	                                       return nil, err
//	                                   }
//	launch main_ys_map groups (n + 255) / 256 (n, m_xs, m_ys)
//	                                   if err := c.Launch("main_ys_map", (n+255)/256, n, m_xs, m_ys); err != nil { ... }
//
// Expressions are Go's where Go means the same: integers wrap, comparisons, min and
// max. Products of floats are converted to their own type, which forbids fusing
// them into a sum. Constants are folded, since Go refuses constant expressions that
// overflow. The rest calls package runtime/host.
//
// It must not import runtime, internal/run/exec or a transformation.
package gohost
