// Package erase takes all memory out of an explicit program: allocations,
// places, and what is of type mem among parameters, results and arguments. What
// is left is memory-agnostic and means the same by value.
//
// Memory passes change where, never what; so the erasure of a program is the
// same before and after each of them. Equal compares two erased programs up to
// what is bound for memory alone: scalars that sizes of blocks or places were
// computed from, and copies that move arrays to a place of their own.
//
//	let m = alloc n * 4
//	let ys: [n]i32 @ m = map (i < n) { in xs[i] + 1 }
//
//	let ys: [n]i32 = map (i < n) { in xs[i] + 1 }
//
// Algorithm. Both are one walk over the program, linear in its size. Equal walks
// two programs side by side and carries a renaming of the one's names to the
// other's, one to one.
//
// Source: thesis section 3.2 (the meaning of a program ignores its places). It
// imports ir and internal/diag only, no pass and no analysis.
package erase
