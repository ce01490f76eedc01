// Package sequentialise turns every kernel of a memory-agnostic function into
// sequential loops: the pipeline for CPUs (thesis section 9.2.3, chapter 10).
//
// Purpose. What kernels hide, threads that each make a row, becomes visible: the
// arrays of a kernel's body are arrays of a loop's body, which coalesce and reuse
// treat as any others.
//
// Algorithm. A map's result becomes a `scratch` array that a nest of loops carries
// and updates in place; an array-valued result is an update of a slice. A reduce
// carries its accumulators; where the values are arrays, a loop over their
// elements applies the operator. A scan also stores what it accumulates. A scatter
// carries its destination, and leaves it alone where the index is out of range; a
// hist reads the element that it combines with.
//
//	let ys = map (i < n) { in xs[i] + 1 }
//
//	let ys_0 = scratch i32 (n)
//	let ys = loop (ys_in: *[n]i32 = ys_0) for i < n {
//	  let ys_out = ys_in with [i] = xs[i] + 1
//	  in ys_out
//	}
//
// Invariants. In and out: elaborated and verified. The value of the program is the
// same: threads run in the order of their indices, which is one of the orders that
// the language allows, and the one that the interpreters choose. Where two threads
// of a scatter write one element, which is an error unless the scatter says `any`,
// the last one stays. Explicit functions are left alone.
//
// It imports ir and transform only.
package sequentialise
