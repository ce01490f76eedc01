// Package model checks the allocators of runtime/device exhaustively. It executes their own
// sources, OpenCL C, in every interleaving of a few work-items on a small heap, and looks for
// overlapping blocks, damaged contents, lost memory, broken lists and endless walks.
//
// The sources keep to a small part of C (memc_alloc.h says which). This package preprocesses,
// parses and compiles it to closures (lex.go, parse.go, compile.go). A work-item is then a
// function from the values that its shared operations have returned so far to its next shared
// operation. So its state is the sequence of those values: the explorer finds the state by
// running the work-item again from the beginning (tree.go), and copies no state of the
// interpreter. The explorer (explore.go) walks all states depth first and keeps hashes of those
// that it has seen.
//
// Memory is weaker than interleaving: a plain store goes to a buffer of its work-item, from which
// single words reach memory at any time and in any order; a fence empties the buffer; atomics act
// on memory at once and order nothing. So the explorer finds a missing fence. It does not reorder
// loads.
//
// Users write data into their blocks that look like headers, so that the explorer finds an
// allocator that takes a user's data for a header.
//
// The package imports only runtime/device, and of that only the sources.
package model
