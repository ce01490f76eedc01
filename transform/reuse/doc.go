// Package reuse lets memory blocks share storage whose contents are never needed
// at one time (thesis sections 5.5 and 5.7 to 5.10; docs/passes.md).
//
//	let m_xs = alloc n * 4                 let m_xs = alloc max(n * 4, m * 4)
//	let xs: [n]i32 @ m_xs = ...            let xs: [n]i32 @ m_xs = ...
//	let k = xs[i]                          let k = xs[i]
//	let m_ys = alloc m * 4
//	let ys: [m]i32 @ m_ys = ...            let ys: [m]i32 @ m_xs = ...
//
// Of each function, callees first, it takes what interferes (package
// interference), what is held when and how large it is (package peak), asks the
// planner (package plan) for groups of blocks, and rewrites: every mention of a
// member becomes one of the group's leader, the member's alloc goes, and the
// leader's grows to the largest member, or moves to where all members see it.
//
// Blocks are those of whole functions: allocs in any body that runs on the host,
// those that hold what threads of a kernel keep, those of unique parameters, and those
// that calls give.
// Branches may reuse what is dead on entry; blocks of loops have several live
// intervals; elements may differ in type.
//
// In: an explicit, verified, memory-correct program. Out: the same, its peak in
// no run greater (what a run holds on top where it ends by a fault aside).
//
// It must not import other transformations or code generators.
package reuse
