// Package ir defines EXPLICITMEMORY programs: functions, statements, operations, scalar
// expressions, types and places, with printer and walker (docs/ir.md; thesis chapter 3).
//
// A plain string identifies a variable within its function: ir/check makes names unique, and from
// then on each name is bound once (SSA). Each operation is a Go type behind the sealed interface
// Op, and each scalar expression one behind Exp.
//
// The life of a program: package parser builds it as written. Package ir/check elaborates it: it
// makes names unique, adds omitted types, resolves literals and aliases, and inlines functions that
// kernels call. Then ir/check verifies it. Transformations rewrite the program and keep it valid.
//
//	Before:                          After elaboration:
//
//	let k = xs[i] + 1                let k = xs[i] + 1      -- Elem.Type is i32,
//	                                                        -- Elem.Written is false
//
// This package imports only ir/diag. The algebra of index functions is in ir/sym and
// ir/lmad.
package ir
