// Package workers turns an expanded block into a block of each thread, of which there is one per worker:
// a work-item, or a task on processors, that runs thread after thread (docs/kernels.md).
//
//	let m = alloc k * n * 4
//	let ys = map (i < n) {
//	  let t: [k]f32 @ m -> LMAD(i; (k : n)) = ...
//
//	let ys = map (i < n) {
//	  let m_t = alloc@thread k * 4
//	  let t: [k]f32 @ m_t = ...
//
// `explicit` expands what threads make (Note [Expanded blocks] there), since then `coalesce` and `reuse` can
// put it where the result or a dead block lies, at no cost. What still has a block of its own
// after them is of no use outside of its kernel, and this pass makes it small: n * k bytes become at
// most workers * k.
//
// Algorithm. A block goes if only arrays in the bodies of kernels lie in it, and each array of thread i in a
// kernel of n threads has its element e at i + n * e. Then threads never touch each other's elements. An
// array of a thread ends with it, so that the next thread of a worker may have the same bytes.
// Blocks that existential names of a kernel may stand for go together or not at all.
//
// Invariants. In and out: explicit and verified. The pass changes places and allocs only.
//
// Source: array contraction (Sarkar and Gao, ICS 1991), and Futhark's expansion of allocations by threads
// instead of points.
package workers
