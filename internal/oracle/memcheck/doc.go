// Package memcheck checks statically that an explicit program is memory-correct: wherever an array
// is read, its place still holds the values that were written when the array was made. It must catch
// a wrong placement before a user does. So it shares no code with the makers of placements: no alias,
// liveness or interference result, no verifier.
//
// Algorithm. Two walks over each function, callees first.
//
// The first (scan.go) resolves names: scalars to polynomials over the values that they are computed
// from, arrays to a block and an index function, blocks to the blocks that they can stand for
// (blocks.go). The block of a loop parameter is its initial value's in the first iteration and the next
// value's in later ones. Two blocks are distinct if no pair of them that can occur together is one block
// (Note [Distinct blocks]). This proves a double buffer whose blocks change places, in any rotation.
//
// The second (walk.go) follows the program with a state: for every array in scope, the later writes
// that may have destroyed its contents. A write damages the arrays of its block that it may overlap.
// After a branch the damage of either side counts. A loop begins with all damage that its body can do
// (which is the fixpoint, since nothing repairs an array that the body did not make). A read must not
// touch a damaged part. At the end of a kernel its threads are compared pairwise: no thread may touch
// what another one writes (kernel.go).
//
// The writes of a loop are checked twice: at the beginning of an iteration only earlier iterations have
// written, whose counter was less; after the loop, all have. A name of the loop that is no longer known
// is replaced by its bounds: a counter in an offset becomes a dimension of the region (state.go).
// Conditions of branches, assertions, and bounds of slices are known facts in the statements after them
// (define.go): an assertion that fails later does not excuse an earlier error.
//
// Local reasoning about polynomials over numbered names (poly.go) decides whether two regions may
// overlap: bounds of names and of opaque expressions such as min(n, 2) (names.go), where an expression
// that may wrap around is opaque (Note [Wrapping], wrap.go); a prover for p >= 0 that replaces names by
// their bounds (prover.go); and Note [Common positions] (overlap.go). Unknown means that they may
// overlap. The live arrays of a block are told apart by their extents first (contents.go), so that many
// arrays in one block cost little.
//
//	let a: [n]i32 @ m = copy xs
//	let b: [n]i32 @ m = map (i < n) { in xs[i] + 1 }
//	in a[0] + b[0]            -- error: `a` is read, but `b` overwrote it
//
// A finding is an error if the overlap is certain and the checker finds values for which it happens
// (witness.go), and a limitation ("cannot prove") if it cannot exclude the overlap. Assumed: the program
// passed ir/check; the indices of reads are in bounds, and sizes are sizes (otherwise the run ends).
//
// Sources (docs/bibliography.md): thesis section 3.2 (memory-correctness); SC'22 for overlap of LMADs by
// their strides. The package imports only ir, ir/sym with ir/sym/integer, ir/lmad, ir/diag and
// the switches of internal/base/rules. docs/analyses.md tells why it searches for proofs of its own.
package memcheck
