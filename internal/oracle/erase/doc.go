// Package erase compares programs without their memory (ir.Erase).
//
// Memory passes change where, never what. So the erasure of a program is the same before and
// after each of them. Equal compares two erased programs, up to bindings that serve memory
// alone: scalars from which sizes of blocks or places were computed, and copies that move
// arrays to places of their own.
//
//	let m = alloc n * 4
//	let ys: [n]i32 @ m = map (i < n) { in xs[i] + 1 }
//
//	let ys: [n]i32 = map (i < n) { in xs[i] + 1 }
//
// Algorithm. Equal walks each program once and gives every name a digest of its value. It takes
// linear time.
//
// Source: thesis section 3.2 (the meaning of a program ignores its places). The package
// imports only ir and ir/diag, no pass and no analysis.
package erase
