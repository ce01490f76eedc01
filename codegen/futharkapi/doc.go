// Package futharkapi offers Futhark's C API around a host program of
// codegen/opencl, and describes it in Futhark's JSON manifest, so that programs
// and bindings written for the output of Futhark's compiler link with memc's.
//
// It is a layer and no second code generator: the runtime, the host functions and
// the table of entries are those of memc's own API (docs/c-api.md). What this
// package writes are functions of Futhark's names that hand scalars and blocks on
// to memc_call. An array is memc's array; a value of an opaque type is the list of
// the scalars and arrays that it is made of (c/opaque.c), which are lent to a call
// one by one and collected from its results.
//
// Algorithm. plan.go puts the signature of the source (internal/base/signature) beside
// the entries of the imperative program, and says which slots of an entry hold
// which argument. names.go makes C names of Futhark's, by Futhark's rules.
// header.go, arrays.go, opaques.go and entries.go write; manifest.go describes what
// they wrote. A program of memc's own has a signature too: its entries, with
// scalars and arrays (FromEntries).
//
// Source. The C API, the manifest and the options of executables are described in
// Futhark's user guide (release 0.25; c-api, usage, binary-data-format).
//
// Invariants. In: a lowered program, and the signature of the dump that it comes
// from, or none. Out: C99 that compiles without warnings; a manifest that names
// exactly the functions of the header.
//
//	entry norm (x: f32, y: f32) : f32       int futhark_entry_norm(struct futhark_context *ctx,
//	  of  entry norm (p: point): f32          float *out0, const struct futhark_opaque_point *in0);
//
// It must not import runtime, internal/run/exec, an importer or a transformation.
package futharkapi
