// Package interp holds the two reference interpreters, which are the oracles
// of everything that memc does to a program.
//
// ByValue runs an elaborated program, explicit or not, as a pure functional
// program and ignores every place: its results are the program's meaning
// (docs/ir.md, section Meaning; thesis section 3.2). ByMemory runs an explicit
// program in real blocks. A program is memory-correct when both give the same;
// ByMemory reports what makes them differ where it happens:
//
//   - use of bytes that were never written, or left undefined by scratch;
//   - reads and writes outside of a block;
//   - reads of an array whose bytes another array has since overwritten
//     (Note [Time] in memory_arrays.go);
//   - two threads of a kernel touching one element, of which one writes;
//   - two results of one operation that share memory, and values that do not
//     lie where the type of their name says.
//
// Moving an undefined element (copy, concat, update, the result of a kernel
// body) makes its copy undefined; using one is the error.
//
// Algorithm. A function is compiled to closures. Scalars live in a frame of
// 64-bit slots (package internal/base/scalar); arrays and blocks are objects that
// closures refer to, one per variable, since functions do not recurse and
// threads run one after another in the order of their indices. Reductions and
// scans are sequential folds from the left that begin with the neutral
// element. What arrays are is behind the interface semantics, with one
// implementation per interpreter; control, argument binding and the order of
// events are shared.
//
// Every copy reads all of its source before it writes, so it is exact where
// the two overlap; a source that already lies exactly where it must end up is
// not written. An index of scatter or hist that is out of range does nothing.
// A slice of length 0 is in bounds wherever it starts. Dimensions in messages
// count from 0. Scalars that an existential place binds ("?off") are 0 by value,
// where there are no places; they are for other places only.
//
// Failures are *diag.Diagnostic: an Error is the program's, a Bug is something
// that checking should have refused. No panic leaves the package.
//
//	let ys: [n]i32 @ m = map (i < n) { in xs[n - 1 - i] }   -- xs in m, too
//
//	error: two threads of a kernel touch one element: `ys` is written by
//	thread [0], `xs` is read by thread [3] (block `m`, byte 0)
//
// It must not import transformations, analyses, code generation or runtime.
package interp
