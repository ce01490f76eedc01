// Package parser reads the text of the IR (docs/ir.md) into package ir.
//
// participle drives the outer grammar: a program is a sequence of functions, and memc's
// own lexer cuts the text into them. A function is Parseable and reads itself: by
// recursive descent, with precedence climbing for expressions, over tokens that are cut
// on demand and never stored. So a program of 100,000 statements takes a fraction of a
// second, and only the memory of the tree itself.
//
// A syntax error ends the reading of its statement. Reading continues at the next
// statement, so that a run reports several errors. Nesting is bounded (MaxExpDepth,
// MaxBodyDepth), so that no later recursion over a program can exhaust the stack.
//
// Comments are not tokens. The parser attaches them while it reads (comments.go): it
// loses none, and ir.Print writes them back to their places.
//
// Nothing of participle leaves this package. Package ir/check checks types and names.
// This package imports only ir and ir/diag.
package parser
