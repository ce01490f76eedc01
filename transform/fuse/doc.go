// Package fuse makes one kernel of several in memory-agnostic functions, so that the arrays between
// them need no memory.
//
//	let ys = map (i < n) { in xs[i] * 2 }              let zs = map (i < n) {
//	let zs = map (i < n) { in ys[i] + 1 }                let y = xs[i] * 2
//	                                                     in y + 1
//	                                                   }
//
// Purpose. Front ends emit one kernel for each operation. Every array between two of them costs a
// block, a store and a load, and no merging of memory can win these back.
//
// Algorithm. Rounds, until nothing changes. In each, first a map that only runs another kernel becomes
// that kernel over all points (Note [Nests of kernels]). Then the elements of an array are computed
// where kernels read them (Note [Reads in place of arrays]). If a body leaves nothing of that, its kernels
// over the same points join (Note [Kernels side by side]): then an array may have one reader more. If none
// joins, reductions of segments move into maps of their values.
// Facts about indices, failures and sizes are those of the round's beginning: of analysis/accesses
// and analysis/checks, which know no memory here.
//
// Invariants. In and out: elaborated and verified. Values are the same, bit by bit: no sum is
// computed in another order. A program that fails still fails. By the account of arrays that live at a
// time, without memory yet, no function needs more than before. Explicit functions do not change.
//
// It imports ir, transform, analysis/accesses and analysis/checks.
package fuse
