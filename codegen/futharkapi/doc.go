// Package futharkapi offers Futhark's C API around a host program of codegen/opencl, and describes
// it in Futhark's JSON manifest. So programs and bindings written for the output of Futhark's
// compiler link with memc's.
//
//	entry norm (x: f32, y: f32) : f32       int futhark_entry_norm(struct futhark_context *ctx,
//	  of  entry norm (p: point): f32          float *out0, const struct futhark_opaque_point *in0);
//
// The package is a layer, not a second code generator: the runtime, the host functions and the
// table of entries are those of memc's own API (docs/c-api.md). It writes functions with Futhark's
// names that pass scalars and blocks on to memc_call. An array is memc's array. A value of an
// opaque type is a list of scalars and arrays (c/opaque.c), which are lent to a call one by one and
// collected from its results.
//
// Algorithm. plan.go puts the signature of the source (internal/base/signature) beside the entries
// of the imperative program, and says which slots of an entry hold which argument. names.go makes C
// names by Futhark's rules. header.go, arrays.go, opaques.go and entries.go write the text;
// manifest.go describes it. A program of memc's own has a signature too: its entries, with scalars
// and arrays (FromEntries).
//
// Source. Futhark's user guide describes the C API, the manifest and the options of executables
// (release 0.25; c-api, usage, binary-data-format).
//
// Invariants. In: a lowered program, and the signature of the dump that it comes from, or none.
// Out: C99 that compiles without warnings, and a manifest that names exactly the functions of the
// header.
//
// The package must not import runtime, internal/run/exec, an importer or a transformation.
package futharkapi
