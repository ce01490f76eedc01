// Package interp holds the two reference interpreters, the oracles of everything that memc does to
// a program.
//
// ByValue runs an elaborated program, explicit or not, as a pure functional program and ignores
// every place: its results are the program's meaning (docs/ir.md, section Meaning; thesis section
// 3.2). ByMemory runs an explicit program in real blocks. A program is memory-correct if both give
// the same results. ByMemory reports the cause of a difference where it happens:
//
//   - a use of bytes that were never written, or left undefined by scratch;
//   - a read or write outside of a block;
//   - a read of an array whose bytes another array has since overwritten (Note [Time] in
//     memory_arrays.go);
//   - two threads of a kernel that touch one element, and one of them writes it;
//   - two results of one operation that share memory, and values that do not lie where the type of
//     their name says.
//
// For example, if xs lies in m, too:
//
//	let ys: [n]i32 @ m = map (i < n) { in xs[n - 1 - i] }
//
//	error: two threads of a kernel touch one element: `ys` is written by
//	thread [0], `xs` is read by thread [3] (block `m`, byte 0)
//
// Moving an undefined element (copy, concat, update, the result of a kernel body) makes its copy
// undefined; only using one is an error.
//
// Algorithm. A function is compiled to closures. Scalars live in a frame of 64-bit slots (package
// internal/base/scalar). Arrays and blocks are objects that closures refer to, one per variable,
// since functions do not recurse and threads run one after another in the order of their indices.
// Reductions and scans are sequential folds from the left that begin with the neutral element. The
// interface semantics hides the representation of arrays, with one implementation per interpreter.
// The interpreters share control, argument binding and the order of events.
//
// Every copy reads all of its source before it writes, so it is exact even if the two overlap. A
// source that already lies exactly in its target is not written. An index of scatter or hist that
// is out of range does nothing. A slice of length 0 is in bounds wherever it starts. Dimensions in
// messages count from 0. Scalars that an existential place binds ("?off") are 0 by value, where
// there are no places; only other places use them.
//
// Failures are *diag.Diagnostic: an Error is the program's; a Bug is an error that checking should
// have refused. No panic leaves the package.
//
// The package must not import transformations, analyses, code generation or runtime.
package interp
