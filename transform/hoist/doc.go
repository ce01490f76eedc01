// Package hoist moves allocations, and the scalars that they and places need, up
// and down within their bodies (thesis section 5.4, "Hoisting").
//
// A block can be used only below its allocation, and a place only below the
// scalars that it mentions. So before coalescing, `lift` moves both as far up as
// what they depend on allows, within their body. A long life of a block is no
// use afterwards, so `lower` moves each allocation, and each other name of a block
// (let m_b = m_a), down again to just before the first statement that mentions it.
//
//	let a: [n]i32 @ m_a = map ...              let m_y = alloc n * 8
//	let m_y = alloc n * 8              lift    let a: [n]i32 @ m_a = map ...
//	let y: [k]i32 @ m_y = concat a b   ---->   let y: [k]i32 @ m_y = concat a b
//
// Nothing leaves its body: an allocation in a loop is made in every iteration as
// before, and one in a branch only where the branch is taken. Assertions move up,
// too: what they say is known earlier then, and what they guard can follow. What
// could fail does not pass what could, so a program that fails still says the
// same.
//
// Invariants. Statements that are not moved keep their order; every name is still
// bound before it is used. Either pass is linear in the size of the program.
//
// The package imports ir, analysis/accesses (for what provably cannot fail) and
// transform, and no other pass.
package hoist
