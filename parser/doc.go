// Package parser reads the text of the IR (docs/ir.md) into package ir.
//
// participle drives the outer grammar: a program is a sequence of functions, and
// its lexer, which is memc's own, cuts the text into these. A function is
// Parseable and reads itself: recursive descent, with precedence climbing for
// expressions, over tokens that are cut on demand and never stored. So a program
// of 100,000 statements takes a fraction of a second, and the memory that the
// tree itself needs.
//
// A syntax error ends the reading of its statement; reading goes on at the next
// one, so that a run reports several. Nesting is bounded (MaxExpDepth,
// MaxBodyDepth), so that no later recursion over a program can exhaust the stack.
//
// Comments are no tokens. They are attached while reading (comments.go): none is
// lost, and ir.Print writes them back where they stood.
//
// Nothing of participle leaves this package. Types and names are not checked
// here; that is ir/check. It imports ir and internal/diag only.
package parser
