// Package forget makes explicit functions memory-agnostic, so that the passes of the middle work on them:
// those change functions without memory only. It is for imported programs and for those written by hand:
//
//	memc opt --passes=forget,middle,memory prog.fut_gpu_mem
//
//	let m = alloc n * 4
//	let ys: [n]i32 @ m = map (i < n) { in xs[i] + 1 }
//
//	let ys: [n]i32 = map (i < n) { in xs[i] + 1 }
//
// Algorithm. Functions that call one another pass blocks, so either all of them forget their memory or
// none does. Memory is erased from a copy of each (ir.EraseFunc). A scalar that a place binds has no value
// any more, so scalars computed from it go, too. A function keeps its memory if anything else needs these
// scalars, or if a statement that only chooses a block could stop the run.
//
// Invariants. In and out: elaborated and verified. By value the program means the same: what is consumed,
// copied and checked stays as it is.
//
// It imports only ir and transform.
package forget
