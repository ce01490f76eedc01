// Package futhark translates Futhark's memory IR, as `futhark dev` prints it
// (.fut_gpu_mem, .fut_seq_mem, .fut_mc_mem; release 0.25.37), to memc's IR.
//
// Purpose. memc gets real programs as input, unchanged, from before Futhark's own
// memory passes or from after them (docs/futhark.md).
//
// Algorithm. A dump is read by recursive descent into a tree that mirrors it
// (lexer.go, lexstring.go, ast.go, parse*.go). Views move back into the branches that
// need them (Note [Views that Futhark hoists]). Then one walk translates each function:
//
//   - Scalar operations become expressions of memc; thread-level kernels become map,
//     reduce, scan, scatter and hist.
//   - Accumulators: Note [Accumulators in kernels], and splitacc.go if a reduction adds
//     to them.
//   - Of several versions of the same code all are kept; the host chooses. Note [Kernels of
//     groups of threads]; a map puts their tiles together (tile.go). Parallel operations in
//     a thread become loops (sequential.go).
//   - Blocks and LMADs become places: Note [Keeping the places of a dump].
//   - Constants of a file: Note [Constants that several functions need].
//
// At the end each function loses the arrays that it does not need: Note [Reductions to one
// value], Note [Exclusive scans], Note [Reads of what was only gathered], and unused values
// (unused.go).
//
// Source. Futhark's printer and parser of the IR (src/Futhark/IR), read for the grammar;
// no text is taken from there.
//
// Invariants. In: a dump of that release. Out: a program as parsed, to be elaborated by
// ir/check, whose spans point into the dump. Entries have the parameters of the source,
// with unsigned types, and without the sizes and blocks that Futhark adds. An unknown
// construct is reported with its name and position, and there is no program.
//
// Before:                                After:
//
//	let {y_5 : f32} =                      let y_5: f32 = x_3 * 2.0f32
//	  fmul32(x_3, 2.0f32)
//	let {ys_7 : [n_1]f32 @ mem_6 ->        let ys_7: [n_1]f32 @ mem_6 = map (gtid_8 < n_1) { .. }
//	  {offset: 0i64; strides: [1i64];
//	   shape: [n_1]}} =
//	  segmap(thread; ; ..) (gtid_8 < n_1) (~tid_9) : {f32} { .. }
//
// signature.go reads the interface of the entries in the source from a dump, opaque types
// included (internal/base/signature).
//
// The package imports ir, ir/check and ir/lmad, ir/diag, internal/base/signature, and
// internal/oracle/memcheck, which decides which places to keep. It must not import parser, passes
// or back-ends.
package futhark
