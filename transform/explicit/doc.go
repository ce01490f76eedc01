// Package explicit brings memory-agnostic functions into explicit form: every array gets a place
// (thesis chapter 3, "Transformation Into EXPLICITMEMORY Form"; docs/passes.md).
//
// Before and after:
//
//	let ys = map (i < n) { in xs[i] + 1 }
//
//	let m_ys = alloc n * 4
//	let ys: [n]i32 @ m_ys = map (i < n) { in xs[i] + 1 }
//
// The place of an array depends on the statement that makes it:
//
//   - A fresh array gets a block of its own, allocated right before it, and lies row-major in it.
//   - A delayed array (alias, reshape, rearrange, slice) and an in-place update get the block of
//     their source and the derived index function.
//   - If both branches of an `if` leave a result in one place, it lies there. Otherwise its block
//     is existential, and so are offset and strides if the branches' index functions differ.
//   - A `loop` parameter that is only updated in place keeps the place of its initial value. A
//     parameter whose next value is made fresh in the body alternates between two blocks (Note [Two
//     blocks that rotate]). Any other parameter lies in an existential block, which the statement
//     that makes its next value allocates.
//   - A fresh array in a kernel's body gets a block in the thread's memory if it is small (Note
//     [Blocks in registers]). Otherwise it gets one block for all threads, allocated before the
//     kernel, in which neighbouring threads touch neighbouring elements (Note [Expanded blocks]).
//   - The arguments of a call are brought to the places that the callee's parameters require.
//
// Algorithm. Two linear passes over each function. The first (facts.go) finds where every array's
// place comes from, and decides each loop parameter's rule. The second assigns places top-down.
// Callees come before callers.
//
// In: an elaborated, verified program. Out: the same values, every array placed, verified,
// memory-correct. Functions that are explicit already do not change.
//
// The package must not import analyses, other transformations or code generators.
package explicit
