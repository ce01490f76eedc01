// Package gohost writes the host side of an imperative program (codegen/imp) as a
// Go package, for `memc compile --host go`. Package opencl does the same in C; both
// print what internal/run/exec runs.
//
// # What it writes
//
//   - api.go: the package's interface. Open, NewArray, and one method of Program per entry, with
//     arguments and results of Go types.
//   - host.go: the host functions, statement by statement.
//   - tables.go: faults and allocs, with positions in the IR, and the checks that entries make on
//     their arguments.
//   - kernels.cl: the kernels, embedded into the package.
//
// The text is formatted as by gofmt, and passes go vet. Of this module it imports only package
// runtime/host, since it becomes part of other people's modules. Everything that does not depend on
// the program stands there.
//
// # Algorithm
//
// One walk over each function. Scalars are Go variables of their own types and keep the names of
// `memc compile --emit=imp`; a name that has a meaning in Go gets an underscore. imp.PlaceVars says
// where they are declared. Go refuses variables that are never read, so assignments of variables
// that have no effect (imp.Needed) are omitted. Memory variables are declared at the top, and a
// deferred host.Drop releases them on every path:
//
//	m_ys = alloc n * 4                 if err := c.Alloc(&m_ys, host.MulBytes(n, 4), 0); err != nil {
//	                                       return nil, err
//	                                   }
//	launch main_ys_map groups (n + 255) / 256 (n, m_xs, m_ys)
//	                                   if err := c.Launch("main_ys_map", (n+255)/256, n, m_xs, m_ys); err != nil { ... }
//
// Expressions are Go's if they mean the same: integers wrap, comparisons, min and max. Products of
// floats are converted to their own type, which forbids fusing them into a sum. Constants are
// folded, since Go refuses constant expressions that overflow. All other expressions call package
// runtime/host.
//
// The package must not import runtime, internal/run/exec or a transformation.
package gohost
