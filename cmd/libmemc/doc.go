// Libmemc is memc as a C library: `make libmemc` builds bin/libmemc.so, and memc.h is its header. It is
// the package compiler with a C interface: text in, a callable program out (docs/front-ends.md).
//
// Contexts, programs and arrays are numbers, which a table maps to Go values (handles.go): C
// never holds a pointer of Go's, and a number that is freed or wrong is an error. What C gets to keep
// (messages, shapes) is C's memory.
//
// The interface has a version, memc_abi. A change that a program compiled before could notice raises it.
package main

func main() {}
