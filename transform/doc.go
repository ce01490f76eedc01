// Package transform defines a pass: a value with a name, a sentence of documentation, its order
// constraints (as data, each with its reason), and a function that rewrites a program in place.
//
// Invariant before and after every pass: the program verifies (package ir/check) and is
// memory-correct: running it by memory gives the same results as running it by value. A pass
// changes where arrays lie, never what they hold.
//
// Every rewrite of a pass goes through Context.Rewrite. Rewrite counts it, leaves a remark, and
// refuses it once the limit is reached. So bisecting a miscompilation means searching over --limit
// PASS=N.
//
//	if c.Rewrite(s.Span, "block %s reused for %s", old, new) {
//		// change the program
//	}
//
// The passes are packages below this one and never import each other; internal/compiler/pipeline
// lists all passes. This package imports only ir and ir/diag.
package transform
