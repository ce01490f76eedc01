// Package sequentialise turns every kernel of a memory-agnostic function into sequential
// loops: the pipeline for CPUs (thesis section 9.2.3, chapter 10).
//
//	let ys = map (i < n) { in xs[i] + 1 }
//
//	let ys_0 = scratch i32 (n)
//	let ys = loop (ys_in: *[n]i32 = ys_0) for i < n {
//	  let ys_out = ys_in with [i] = xs[i] + 1
//	  in ys_out
//	}
//
// Purpose. In a kernel, each thread makes its part of an array, out of reach of other passes. As
// loops, the arrays of a kernel's body are arrays of a loop's body, which coalesce and reuse treat
// like any others.
//
// Algorithm. A map's result becomes a `scratch` array, which a nest of loops carries and updates in
// place. An array-valued result becomes an update of a slice. A reduce carries its accumulators; if
// the values are arrays, a loop over their elements applies the operator. A scan also stores its
// accumulators. A scatter carries its destination, and does not change it if the index is out of
// range. A hist reads the element that it combines with. A map .. into carries its accumulators
// (Note [Accumulators as values]).
//
// Invariants. In and out: elaborated and verified. The value of the program is the same: threads
// run in the order of their indices. The language allows this order, and the interpreters choose
// it. If two threads of a scatter write one element (an error unless the scatter says `any`), the
// last value stays. Explicit functions do not change.
//
// It imports only ir and transform.
package sequentialise
