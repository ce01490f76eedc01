// Package futhark translates Futhark's memory IR, as `futhark dev` prints it
// (.fut_gpu_mem, .fut_seq_mem, .fut_mc_mem; release 0.25.37), to memc's IR.
//
// Purpose. Real programs as input, unchanged, from before Futhark's own memory
// passes or from after them (docs/futhark.md).
//
// Algorithm. A dump is read by recursive descent into a tree that mirrors it
// (lexer.go, lexstring.go, ast.go, parse*.go), views go back to the branches that need them
// (Note [Views that Futhark hoists]), and each function is translated by one walk.
// Scalar operations become expressions of memc's; thread-level kernels become
// map, reduce, scan, scatter and hist; accumulators are Note [Accumulators in
// kernels], and splitacc.go where a reduction adds to them; alternatives of the same code are decided for the one that works
// with single threads; kernels of groups of threads become loops within one
// thread (sequential.go), and a map puts their tiles together (tile.go). How
// blocks and LMADs become places is Note [Keeping the places of a dump]. What becomes of a file's constants is
// Note [Constants that several functions need]. Then each function is rid of arrays
// that it can do without: Note [Reductions to one value], Note [Exclusive scans],
// Note [Reads of what was only gathered], and what nothing uses (unused.go).
//
// Source. Futhark's printer and parser of the IR (src/Futhark/IR), read for
// the grammar; no text is taken from there.
//
// Invariants. In: a dump of that release. Out: a program as parsed, to be
// elaborated by ir/check, whose spans point into the dump; entries have the
// parameters of the source, with unsigned types, and without the sizes and
// blocks that Futhark adds. A construct that is not understood is reported with
// its name and position, and there is no program.
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
// What the entries look like to the outside in the source, opaque types and all,
// signature.go reads off a dump (internal/signature).
//
// It imports ir, ir/check and ir/lmad, internal/diag, internal/signature, and
// internal/memcheck, which tells what places to believe; it must not import
// parser, passes or back-ends.
package futhark
