// Package hoist moves allocations, and the scalars that allocations and places need, up and
// down within their bodies (thesis section 5.4, "Hoisting").
//
// A block can be used only below its allocation, and a place only below the scalars in it.
// So before coalescing, `lift` moves both as far up in their body as the names that they use
// allow. After coalescing a block should live no longer than it must. So `lower` moves each
// allocation, and each other name of a block (let m_b = m_a), down again to just before the
// first statement that mentions it.
//
//	let a: [n]i32 @ m_a = map ...              let m_y = alloc n * 8
//	let m_y = alloc n * 8              lift    let a: [n]i32 @ m_a = map ...
//	let y: [k]i32 @ m_y = concat a b   ---->   let y: [k]i32 @ m_y = concat a b
//
// Nothing leaves its body: an allocation in a loop still happens in every iteration, and one
// in a branch only if the branch is taken. Assertions move up too: their facts are then
// known earlier, and the statements that they guard can follow. `lift` never moves a
// statement that may fail past another one that may fail: the program must still stop at the
// same error.
//
// Invariants. Statements that do not move keep their order, and every name is still bound
// before it is used. Either pass is linear in the size of the program.
//
// The package imports ir, analysis/accesses (to prove that a statement cannot fail) and
// transform, and no other pass.
package hoist
