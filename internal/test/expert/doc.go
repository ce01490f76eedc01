// Package expert compares memc with programs that a person placed by hand.
//
// testdata/expert has pairs: NAME.ir is memory-agnostic, as people write programs; NAME.hand.ir
// computes the same with blocks and places by hand, in the least memory that its author found. The
// header of NAME.ir says for which sizes the peaks are compared, and why memc needs more, if it does:
//
//	-- sizes { n = 1000, m = 200 }
//	-- short: the row that an update reads has a block of its own
//
// For each pair the tests demand that the places by hand are proven right, that both programs give
// the values of NAME.ir by value, and that memc needs no more bytes, blocks and copies than the
// program by hand. A line `short` allows more, and is an error if memc needs no more. testdata/expert/README.md
// is the table of all pairs.
//
// The package has tests only. They run the interpreters: `make expert` runs the programs on OpenCL
// and as C.
package expert
