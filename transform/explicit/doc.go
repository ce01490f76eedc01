// Package explicit brings memory-agnostic functions into explicit form: every
// array gets a place (thesis chapter 3, "Transformation Into EXPLICITMEMORY
// Form"; docs/passes.md).
//
// Rules, by what makes the array:
//
//   - A fresh array gets a block of its own, allocated right before it, and
//     lies row-major in it.
//   - A delayed array (alias, reshape, rearrange, slice) and an in-place update
//     get the block of their source and the derived index function.
//   - What an `if` gives lies where both branches leave it, if that is one
//     place; otherwise its block is existential, and so are offset and strides
//     where the branches' index functions differ.
//   - A `loop` parameter that is merely updated in place keeps the place of its
//     initial value. One whose next value is made fresh in the body alternates
//     between two blocks (Note [Two blocks that rotate]). Any other lives in an
//     existential block, allocated anew by whoever makes its next value.
//   - A fresh array in a kernel's body gets a block in the thread's memory if it is
//     small (Note [Blocks in registers]), and else one block for all threads, allocated
//     before the kernel, in which neighbouring threads touch neighbouring
//     elements (Note [Expanded blocks]).
//   - A call's arguments are brought to where the callee's parameters say.
//
// Before and after:
//
//	let ys = map (i < n) { in xs[i] + 1 }
//
//	let m_ys = alloc n * 4
//	let ys: [n]i32 @ m_ys = map (i < n) { in xs[i] + 1 }
//
// Algorithm. Two passes over each function, both linear: the first (facts.go)
// finds where every array's place comes from and decides each loop parameter's
// rule; the second assigns places top-down. Callees come before callers.
//
// In: an elaborated, verified program. Out: the same values, every array placed,
// verified, memory-correct. Functions that are explicit already stay as they are.
//
// It must not import analyses, other transformations or code generators.
package explicit
