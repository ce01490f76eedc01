// Package reuse lets memory blocks share storage if their contents are never needed at the same
// time (thesis sections 5.5 and 5.7 to 5.10; docs/passes.md).
//
//	let m_xs = alloc n * 4                 let m_xs = alloc max(n * 4, m * 4)
//	let xs: [n]i32 @ m_xs = ...            let xs: [n]i32 @ m_xs = ...
//	let k = xs[i]                          let k = xs[i]
//	let m_ys = alloc m * 4
//	let ys: [m]i32 @ m_ys = ...            let ys: [m]i32 @ m_xs = ...
//
// The pass goes through the functions, callees first. Package interference says which blocks
// interfere; package peak says when blocks are held and how large they are; the planner (package
// plan) chooses groups of blocks. Then the pass rewrites the function: every mention of a member
// becomes one of the group's leader, the member's alloc goes, and the leader's alloc grows to the
// largest member, or moves to where all members see it.
//
// The blocks are those of whole functions: allocs in any body that runs on the host, blocks for
// arrays that threads of a kernel keep, blocks of unique parameters, and blocks that calls return.
// A branch may reuse a block that is dead on entry. A block of a loop has several live intervals.
// Elements may differ in type.
//
// In: an explicit, verified, memory-correct program. Out: the same, and no run has a higher peak
// (except that a run that ends by a fault may hold more before the fault).
//
// The package must not import other transformations or code generators.
package reuse
