// Package model checks the allocators of runtime/device exhaustively: it executes
// their very sources, OpenCL C, in every interleaving of a few work-items on a
// small heap, and looks for overlapping blocks, damaged contents, lost memory,
// broken lists and endless walks.
//
// The sources keep to a small part of C (memc_alloc.h says which); this package
// preprocesses, parses and compiles it to closures (lex.go, parse.go, compile.go).
// A work-item is then a function from the values that its shared operations have
// returned so far to its next shared operation. So its state is the sequence of
// those values, found by running it again from the beginning (tree.go), and no state of
// the interpreter need be copied. The explorer (explore.go) walks all states
// depth first and keeps hashes of those that it has seen.
//
// Memory is weaker than interleaving: a plain store goes to a buffer of its
// work-item, from which single words reach memory at any time and in any order; a
// fence empties the buffer; atomics act on memory at once and order nothing. That
// is how a missing fence is found. Loads are not reordered.
//
// What a user writes to a block is chosen to look like headers, so that who
// believes a header in a user's data is found.
//
// The package imports runtime/device alone, and of that only the sources.
package model
