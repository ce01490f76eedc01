// Package memcheck checks statically that an explicit program is
// memory-correct: that wherever an array is read, its place still holds what
// was written when the array was made. It is the machinery that is to catch a
// wrong placement before a user does, and so it shares no code with what makes
// placements: no alias, liveness or interference result, no verifier.
//
// Algorithm. Two walks over each function, callees first.
//
// The first (scan.go) resolves names: scalars to polynomials over what they are
// computed from, arrays to a block and an index function, blocks to what they
// can stand for (blocks.go). The block of a loop parameter is its initial
// value's in the first iteration and the next value's in later ones; two blocks
// are distinct if no pair of them that can occur together is one block
// (Note [Distinct blocks]), which proves a double buffer whose blocks change
// places, in whatever rotation.
//
// The second (walk.go) follows the program with a state: for every array in
// scope, which later writes may have destroyed its contents. A write damages the
// arrays of its block that it may overlap. A branch is left with the damage of
// either side, a loop begins with all damage that its body can do (which is the
// fixpoint, since nothing repairs an array that the body did not make). A read
// must not touch a damaged part. Threads of a kernel are compared pairwise at its
// end: what one writes, no other may touch (kernel.go).
//
// What a loop writes is asked twice: at the begin of an iteration only earlier ones
// have written, whose counter was less; after the loop, all. A name of the loop that
// is no more known is replaced by its bounds: a counter in an offset becomes a
// dimension of the region (state.go). Conditions of branches, assertions, and that
// slices are in bounds, are known in the statements behind them (define.go): an
// assertion that fails later does not excuse what went wrong before.
//
// Whether two regions may overlap is decided by package-local reasoning about
// polynomials over numbered names (poly.go): bounds of names and of opaque
// expressions such as min(n, 2) (names.go), of which one that may wrap around is one
// (Note [Wrapping], wrap.go), a prover for p >= 0 that replaces names
// by their bounds (prover.go), and Note [Common positions] (overlap.go). Unknown
// means that they may overlap. The live arrays of a block are found by their extents
// (contents.go), so that many arrays in one block cost little.
//
//	let a: [n]i32 @ m = copy xs
//	let b: [n]i32 @ m = map (i < n) { in xs[i] + 1 }
//	in a[0] + b[0]            -- error: `a` is read, but `b` overwrote it
//
// A finding is an error where the overlap is certain and values are found for which
// it comes about (witness.go), and a limitation ("cannot prove") where it is not excluded. Assumed: the program passed ir/check; the indices of reads are in bounds, and sizes
// are sizes (otherwise the run ends).
//
// Sources (docs/bibliography.md): thesis section 3.2 (memory-correctness); SC'22
// for overlap of LMADs by their strides. Imports ir, ir/sym, ir/lmad and
// internal/diag only.
package memcheck
