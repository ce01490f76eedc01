// Package ir holds the EXPLICITMEMORY program: functions, statements,
// operations, scalar expressions, types and places, with printer, walker and
// metrics (docs/ir.md; thesis chapter 3).
//
// A plain string identifies a variable within its function: ir/check makes names
// unique, and from then on each is bound once (SSA). Each operation is a Go type behind
// the sealed interface Op, and each scalar expression one behind Exp.
//
// Life of a program: package parser makes it as written; package ir/check
// elaborates it (makes names unique, adds types that may be left out, resolves
// literals and aliases, puts functions in place of their calls in kernels) and
// verifies it; transformations rewrite it and keep it verified.
//
// Before:                          After elaboration:
//
//	let k = xs[i] + 1                let k = xs[i] + 1      -- Elem.Type is i32,
//	                                                        -- Elem.Written is false
//
// This package imports only internal/base/diag. The algebra of index functions is in
// ir/sym and ir/lmad.
package ir
